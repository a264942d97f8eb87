/* su_opt.c -- SUOpt, the sparsity-unaware baseline at its best: every node receives every property it does not own
 *
 *     T = (m - owned) P / B,   P = 4 B k                                              [NS] Section 8.1
 *
 * The line is full, and headers and latency cost nothing: this is a limit, not a measurement.
 */
#include "machine/model.h"

struct in {
    double transfers, k, value, rate;
};
struct out {
    double traffic, time;
};

static const ns_field inputs[] = {NS_IN(transfers, "1", "properties that a node receives: columns less the owned ones"),
                                  NS_IN_POSITIVE(k, "1", "values per property, K"),
                                  NS_IN_POSITIVE_FROM(value, "B", "bytes of one value", "models.header-share.value"),
                                  NS_IN_POSITIVE_FROM(rate, "GB/s", "line rate, B", "models.rig-batch.rate"), NS_END};
static const ns_field outputs[] = {NS_OUT(traffic, "B", "bytes that a node receives"),
                                   NS_TERM(time, "us", "communication time"), NS_END};

NS_EVAL(machine, in, out, err)
{
    out->traffic = in->transfers * in->k * in->value;
    out->time = out->traffic / in->rate;
    return NS_OK;
}

const ns_model ns_model_su_opt = {
    .name = "su-opt",
    .title = "SUOpt: all properties to all nodes at line rate",
    .source = "[NS] Section 8.1",
    NS_ROWS_AND_EVAL,
};
