/* tuner.c -- a tuner of NCCL that prices allreduces with a machine's own numbers
 *
 *     NCCL_TUNER_PLUGIN=nsmodel NSMODEL_MACHINE=FILE|NAME
 *
 * Two algorithms of NCCL have a model here, in the protocol Simple, which sends messages as benchmarks do:
 *
 *     ring      2 (P - 1) t(s/P), P ranks, t of device memory off node: the slowest link of the ring sets its pace
 *     CollNet   the model sharp, with one rank a node and s where the model's data reach
 *
 * NCCL's own estimates of all other algorithms are kept.  After any failure the whole table is left to NCCL.
 */
#include "api/library.h"
#include "model/parts/allreduce.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

/* ---- what NCCL expects of a tuner plugin, version 3 (NCCL 2.22 and later): our own words for it ----------------- */

enum { NCCL_SUCCESS = 0 };
enum { NCCL_LEVEL_INFO = 3, NCCL_TOPIC_TUNING = 64 };
enum { NCCL_ALLREDUCE = 4 };                                            /* collectives */
enum { NCCL_TREE, NCCL_RING, NCCL_COLLNET_DIRECT, NCCL_COLLNET_CHAIN }; /* rows of the cost table */
enum { NCCL_LL, NCCL_LL128, NCCL_SIMPLE };                              /* its columns */

typedef void ns_nccl_log(int level, unsigned long topics, const char *file, int line, const char *format, ...);

/* Functions return an error number, 0 for success.  cost is passed as float **, but is one array of numAlgo rows of
 * numProto costs, us; a negative cost marks what NCCL cannot run, and must be kept.  channels may be left unchanged. */
typedef struct ns_nccl_tuner {
    const char *name;
    int (*init)(size_t ranks, size_t nodes, ns_nccl_log *log, void **context);
    int (*cost)(void *context, int collective, size_t bytes, int grouped, float **cost, int algorithms, int protocols,
                int *channels);
    int (*destroy)(void *context);
} ns_nccl_tuner;

/* ---- the tuner --------------------------------------------------------------------------------------------------- */

extern const ns_nccl_tuner ncclTunerPlugin_v3;

/* The state of a communicator, which is read-only after it is made. */
typedef struct tuner {
    ns_machine *machine;
    double ranks, nodes;
} tuner;

static int init(size_t ranks, size_t nodes, ns_nccl_log *log, void **context)
{
    ns_error err = {.code = NS_OK};
    char text[800];
    tuner *made = ns_calloc(1, sizeof *made);
    *context = NULL;
    if (made == NULL)
        return NCCL_SUCCESS;
    made->ranks = (double)ranks;
    made->nodes = (double)nodes;
    const char *machine = getenv("NSMODEL_MACHINE");
    const ns_status status = machine != NULL && *machine != '\0'
                                 ? ns_machine_load(machine, &made->machine, &err)
                                 : ns_fail(&err, NS_ERR_USAGE, "NSMODEL_MACHINE names no machine");
    if (status == NS_OK) {
        *context = made;
        if (log != NULL)
            log(NCCL_LEVEL_INFO, NCCL_TOPIC_TUNING, __FILE__, __LINE__, "nsmodel: allreduces priced on %s",
                made->machine->name);
        return NCCL_SUCCESS;
    }
    if (log != NULL)
        log(NCCL_LEVEL_INFO, NCCL_TOPIC_TUNING, __FILE__, __LINE__, "nsmodel: %s; NCCL's own costs stay",
            ns_error_format(&err, text, sizeof text));
    ns_free(made);
    return NCCL_SUCCESS;
}

static bool in_switches_time(const tuner *t, double bytes, double *seconds)
{
    ns_binding binding;
    ns_model_buffer out;
    char beyond[300];
    const ns_model *model = ns_model_find("sharp");
    if (model == NULL || t->ranks != t->nodes || t->nodes < 2)
        return false;
    ns_bind_open(&binding, model, t->machine);
    if (ns_bind_number(&binding, "hosts", t->nodes, NULL) != NS_OK ||
        ns_bind_number(&binding, "s", bytes, NULL) != NS_OK || ns_bind_close(&binding, NULL) != NS_OK ||
        *ns_bind_beyond(&binding, beyond, sizeof beyond) != '\0' || ns_model_eval(&binding, &out, NULL) != NS_OK)
        return false;
    *seconds = ns_field_number(ns_field_find(model->outputs, "time"), &out);
    return true;
}

/* Replace NCCL's own estimate, if it has one. */
static void put(float *table, int algorithms, int protocols, int algorithm, double seconds)
{
    if (algorithm >= algorithms || NCCL_SIMPLE >= protocols)
        return;
    float *cell = table + (ptrdiff_t)algorithm * protocols + NCCL_SIMPLE;
    if (*cell >= 0)
        *cell = (float)(1e6 * seconds);
}

static int cost(void *context, int collective, size_t bytes, int grouped, float **costs, int algorithms, int protocols,
                int *channels)
{
    const tuner *t = context;
    float *table = (float *)(void *)costs;
    double seconds;
    (void)grouped;
    (void)channels;
    if (t == NULL || collective != NCCL_ALLREDUCE)
        return NCCL_SUCCESS;
    const ns_collective job = {.machine = t->machine, .memory = NS_DEVICE, .nodes = t->ranks, .s = (double)bytes};
    double time[NS_ALLREDUCES];
    if (t->ranks > 1 && t->nodes > 1 && ns_allreduce_times(&job, time, NULL, NULL) == NS_OK)
        put(table, algorithms, protocols, NCCL_RING, time[NS_RING]);
    if (in_switches_time(t, (double)bytes, &seconds)) {
        put(table, algorithms, protocols, NCCL_COLLNET_DIRECT, seconds);
        put(table, algorithms, protocols, NCCL_COLLNET_CHAIN, seconds);
    }
    return NCCL_SUCCESS;
}

static int destroy(void *context)
{
    tuner *t = context;
    if (t != NULL)
        ns_machine_free(t->machine);
    ns_free(t);
    return NCCL_SUCCESS;
}

__attribute__((visibility("default")))
const ns_nccl_tuner ncclTunerPlugin_v3 = {.name = "nsmodel", .init = init, .cost = cost, .destroy = destroy};
