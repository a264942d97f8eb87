/* rma.c -- one-sided operations by the network interface, compared with two-sided messages
 *
 *     T_2s = alpha + beta s,   T_hw = rho T_2s where the hardware supports the type and length
 *
 * rho: put 0.7 and get 0.4, quoted up to 1024 B; beyond that, the absolute saving at that size is used: T_2s(s) - (1 -
 * rho) T_2s(1024 B).  Atomics fall back to T_2s above their limit; so does all non-contiguous data.  Synchronisation:
 * flush = one acknowledgement's round trip; fence = flush + barrier; PSCW, lock-unlock = flush + acknowledgement.  Keys
 * are exchanged once per window.
 */

#include "machine/model.h"

#include <math.h>

static const char *const operation_words[] = {"put",      "get",          "accumulate", "get-accumulate",
                                              "fetch-op", "compare-swap", NULL};
static const char *const layout_words[] = {"contiguous", "strided", NULL};
static const char *const sync_words[] = {"none", "flush", "fence", "pscw", "lock-unlock", NULL};
enum { PUT, GET, ACCUMULATE, GET_ACCUMULATE };
enum { NONE, FLUSH, FENCE };

struct in {
    int operation, layout, sync;
    double s, alpha, beta, L, barrier, keys, operations, rho_put, rho_get, rho_accumulate, rho_fetch, quoted,
        limit_accumulate, limit_get_accumulate, limit_fetch;
};
struct out {
    double operation, synchronisation, key_exchange, two_sided, reduction, hardware, time;
};

static const ns_field inputs[] = {
    NS_WORD(operation, operation_words, "MPI operation"),
    NS_WORD(layout, layout_words, "memory layout of the data; what is strided goes over two-sided messages"),
    NS_WORD(sync, sync_words, "synchronisation after the operation"),
    NS_IN(s, "B", "length of the operation"),
    NS_IN_FROM(alpha, "us", "start-up time of the operation over two-sided messages", "models.rma.alpha"),
    NS_IN_FROM(beta, "ns/B", "its time per byte", "models.rma.beta"),
    NS_IN_FROM(L, "us", "latency one way", "models.multirail.L"),
    NS_IN_DEFAULT(barrier, "us", "time of a barrier (fence)", 0),
    NS_IN_DEFAULT(keys, "us", "time to exchange the keys of a window, once", 0),
    NS_IN_RANGE(operations, "1", "operations between two synchronisations", 1, 1e12),
    NS_IN_FROM(rho_put, "1", "share of the time that is left: put", "models.rma.rho_put"),
    NS_IN_FROM(rho_get, "1", "share left: get", "models.rma.rho_get"),
    NS_IN_FROM(rho_accumulate, "1", "share left: accumulate", "models.rma.rho_accumulate"),
    NS_IN_FROM(rho_fetch, "1", "share left: get-accumulate, fetch-op, compare-swap", "models.rma.rho_fetch"),
    NS_IN_FROM(quoted, "B", "largest length that put and get are quoted for", "models.rma.quoted"),
    NS_IN_FROM(limit_accumulate, "B", "largest accumulate in hardware", "models.rma.limit_accumulate"),
    NS_IN_FROM(limit_get_accumulate, "B", "largest get-accumulate in hardware", "models.rma.limit_get_accumulate"),
    NS_IN_FROM(limit_fetch, "B", "largest fetch-op and compare-swap in hardware", "models.rma.limit_fetch"),
    NS_END
};
static const ns_field outputs[] = {
    NS_TERM(operation, "us", "all operations"),
    NS_TERM(synchronisation, "us", "acknowledgements and barrier"),
    NS_TERM(key_exchange, "us", "keys of the window"),
    NS_OUT(two_sided, "us", "one operation over two-sided messages"),
    NS_OUT(reduction, "1", "share of the latency of one operation that hardware saves"),
    NS_OUT(hardware, "1", "1 when the network interface does it, 0 when it falls back"),
    NS_OUT(time, "us", "operations, synchronisation and keys"),
    NS_END
};

NS_EVAL(machine, in, out, err)
{
    const bool moves = in->operation == PUT || in->operation == GET;
    const double rho = in->operation == PUT          ? in->rho_put
                       : in->operation == GET        ? in->rho_get
                       : in->operation == ACCUMULATE ? in->rho_accumulate
                                                     : in->rho_fetch;
    const double limit = in->operation == ACCUMULATE       ? in->limit_accumulate
                         : in->operation == GET_ACCUMULATE ? in->limit_get_accumulate
                                                           : in->limit_fetch;
    const bool hardware = in->layout == 0 && (moves || in->s <= limit);
    const double two_sided = in->alpha + in->beta * in->s, flush = 2 * in->L;
    const double time = !hardware                      ? two_sided
                        : moves && in->s > in->quoted ? two_sided - (1 - rho) * (in->alpha + in->beta * in->quoted)
                                                      : rho * two_sided;
    out->two_sided = two_sided;
    out->operation = in->operations * time;
    out->synchronisation = in->sync == NONE    ? 0
                           : in->sync == FLUSH ? flush
                           : in->sync == FENCE ? flush + in->barrier
                                               : flush + in->L;
    out->key_exchange = in->keys;
    out->reduction = out->two_sided > 0 ? 1 - time / out->two_sided : 0;
    out->hardware = hardware;
    out->time = out->operation + out->synchronisation + out->key_exchange;
    return NS_OK;
}

const ns_model ns_model_rma = {
    .name = "rma",
    .title = "one-sided operations by the network interface, against two-sided messages",
    .source = "[RS] Sections 3.1 and 3.2, Figures 12 to 15; [RS] 3.4 prints 80 % for accumulate, 3.2 has 30 %",
    .notes = "Operations of a window follow one another; rho is a reading of plots at small sizes.",
    NS_ROWS_AND_EVAL,
};
