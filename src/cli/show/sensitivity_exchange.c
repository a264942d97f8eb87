/* sensitivity_exchange.c -- the best strategy of an exchange as the answer
 *
 * A schedule depends on the machine only through its shape (sockets, GPUs, host processes, first rendezvous size):
 * while that stays, the schedules are built once and priced again.
 */
#include "cli/inputs/inputs.h"
#include "cli/show/sensitivity.h"
#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

struct ns_exchange_subject {
    const ns_machine *machine;
    ns_inputs inputs;
    ns_exchange *exchange;
    ns_price_options price;
    int choices, chosen;
    struct {
        const ns_strategy *strategy;
        ns_transport transport;
        ns_schedule *schedule;
        char label[64];
    } choice[NS_CHOICES];
    char title[200];
};

static bool same_shape(const ns_machine *a, const ns_machine *b)
{
    return a->sockets == b->sockets && a->gpus == b->gpus && a->host_processes == b->host_processes &&
           ns_machine_rendezvous_from(a) == ns_machine_rendezvous_from(b);
}

static ns_status price_one(const ns_exchange_subject *x, int i, const ns_machine *machine, double *seconds,
                           ns_error *err)
{
    ns_price price;
    ns_schedule *schedule = x->choice[i].schedule;
    const bool own = !same_shape(machine, x->machine);
    if (own)
        NS_TRY(ns_schedule_build(x->choice[i].strategy, x->choice[i].transport, x->exchange, machine, &schedule, err));
    ns_status status = ns_schedule_price_as(schedule, machine, &x->price, &price, err);
    if (own)
        ns_schedule_free(schedule);
    *seconds = status == NS_OK ? price.estimate_s : 0;
    return status;
}

static ns_status answer(void *context, const ns_machine *machine, const ns_setting *input, double *value,
                        const char **winner, ns_error *err)
{
    const ns_exchange_subject *x = context;
    double least = 0;
    (void)input;
    NS_TRY(price_one(x, x->chosen, machine, value, err));
    for (int i = 0; winner != NULL && i < x->choices; i++) {
        double seconds = *value;
        if (i != x->chosen)
            NS_TRY(price_one(x, i, machine, &seconds, err));
        if (i == 0 || seconds < least) {
            least = seconds;
            *winner = x->choice[i].label;
        }
    }
    return NS_OK;
}

static ns_status build_choices(ns_exchange_subject *x, ns_error *err)
{
    const ns_strategy *list[NS_CHOICES];
    const size_t count = ns_strategies_by_rank(list, NS_CHOICES);
    for (size_t i = 0; i < count; i++)
        for (int t = 0; t < NS_TRANSPORTS && x->choices < NS_CHOICES; t++) {
            if (!ns_strategy_runs(list[i], (ns_transport)t, x->machine))
                continue;
            NS_TRY(ns_schedule_build(list[i], (ns_transport)t, x->exchange, x->machine, &x->choice[x->choices].schedule,
                                     err));
            x->choice[x->choices].strategy = list[i];
            x->choice[x->choices].transport = (ns_transport)t;
            snprintf(x->choice[x->choices].label, sizeof x->choice[0].label, "%s/%s", list[i]->name,
                     ns_transport_words[t]);
            x->choices++;
        }
    return x->choices > 0 ? NS_OK : ns_fail(err, NS_ERR_DATA, "machine %s runs no strategy", x->machine->name);
}

/* The strategy asked for as NAME or NAME/TRANSPORT, else the best. */
static ns_status choose(ns_exchange_subject *x, const char *wanted, ns_error *err)
{
    double seconds, least = 0;
    const ns_strategy *strategy;
    const size_t length = wanted != NULL ? strlen(wanted) : 0;
    for (int i = 0; i < x->choices; i++) {
        if (wanted != NULL) {
            if (strncmp(x->choice[i].label, wanted, length) == 0 &&
                (x->choice[i].label[length] == '\0' || x->choice[i].label[length] == '/')) {
                x->chosen = i;
                return NS_OK;
            }
            continue;
        }
        NS_TRY(price_one(x, i, x->machine, &seconds, err));
        if (i == 0 || seconds < least) {
            least = seconds;
            x->chosen = i;
        }
    }
    if (wanted == NULL)
        return NS_OK;
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(wanted, "/"), wanted);
    NS_TRY(ns_strategy_get(name, &strategy, err));
    return ns_fail(err, NS_ERR_DATA, "machine %s does not run %s", x->machine->name, wanted);
}

static ns_status make_exchange(const ns_args *args, ns_exchange_subject *x, ns_error *err)
{
    ns_layout layout = {x->inputs.parts, x->machine->gpus > 0 ? x->machine->gpus : x->machine->host_processes};
    if (x->inputs.parts == 0 || ns_args_has(args, "gpus"))
        NS_TRY(ns_args_count(args, "gpus", 1, NS_PARTS_MOST, &layout.parts, err));
    if (layout.parts < x->inputs.parts || (x->inputs.part != NULL && layout.parts != x->inputs.parts))
        return ns_fail(err, NS_ERR_DATA, "the input has %d parts, --gpus says %d", (int)x->inputs.parts,
                       (int)layout.parts);
    if (ns_args_get(args, "per-node") != NULL)
        NS_TRY(ns_args_count(args, "per-node", 1, NS_PARTS_MOST, &layout.per_node, err));
    return ns_inputs_exchanges(&x->inputs, &layout, 1, NULL, 0, &x->exchange, err);
}

static ns_status open_all(const ns_args *args, ns_exchange_subject *x, ns_error *err)
{
    NS_TRY(ns_form_get(ns_args_get(args, "model"), &x->price.form, err));
    NS_TRY(ns_inputs_open(args, &x->inputs, err));
    NS_TRY(make_exchange(args, x, err));
    NS_TRY(build_choices(x, err));
    return choose(x, ns_args_get(args, "strategy"), err);
}

ns_status ns_exchange_subject_open(const ns_args *args, const ns_machine *machine, ns_value *result,
                                   ns_exchange_subject **open, ns_subject *subject, ns_error *err)
{
    ns_exchange_subject *x = calloc(1, sizeof *x);
    if (x == NULL)
        return ns_no_memory(err);
    x->machine = machine;
    ns_status status = open_all(args, x, err);
    if (status != NS_OK) {
        ns_exchange_subject_close(x);
        return status;
    }
    ns_inputs_describe(&x->inputs, result);
    snprintf(x->title, sizeof x->title, "%s of %.100s on %d %s", x->choice[x->chosen].label,
             x->inputs.matrix != NULL ? ns_matrix_describe(x->inputs.matrix)->name : "the messages",
             (int)x->exchange->parts, machine->gpus > 0 ? "GPUs" : "processes");
    *open = x;
    *subject = (ns_subject){.machine = machine,
                            .title = x->title,
                            .output = "estimate",
                            .dim = {1, 0, 0},
                            .context = x,
                            .progress = args->progress,
                            .answer = answer};
    return NS_OK;
}

void ns_exchange_subject_close(ns_exchange_subject *x)
{
    if (x == NULL)
        return;
    for (int i = 0; i < NS_CHOICES; i++)
        if (x->choice[i].schedule != NULL)
            ns_schedule_free(x->choice[i].schedule);
    if (x->exchange != NULL)
        ns_exchange_free(x->exchange);
    ns_inputs_close(&x->inputs);
    free(x);
}
