/* cases.c -- from a command line to the cases that predict prices: every machine with every number of parts */
#include "cli/inputs/cases.h"
#include "cli/front/own.h"
#include "cli/front/places.h"
#include "cli/front/progress.h"
#include "core/memory.h"
#include "price/choice.h"
#include "report/columns.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* ---- the description of what was compared, and notes on it ------------------------------------------------------- */

/* "machine", the first one; for several also "machines". */
void ns_machines_value(ns_machine *const *machine, size_t machines, ns_value *result)
{
    ns_value *object = ns_put_object(result, "machine", NS_IN_JSON), *list = NULL;
    for (size_t i = 0; i == 0 || (machines > 1 && i <= machines); i++) {
        const ns_machine *m = machine[i > 0 ? i - 1 : 0];
        if (i == 1)
            list = ns_put_list(result, "machines", NS_IN_JSON);
        object = i > 0 ? ns_value_object(list, NULL) : object;
        ns_value_text(object, "name", m->name);
        ns_value_text(object, "source", m->source);
        ns_value *warnings = ns_value_list(object, "warnings");
        for (size_t k = 0; ns_machine_warning(m, k) != NULL; k++)
            ns_value_text(warnings, NULL, ns_machine_warning(m, k));
    }
}

void ns_cases_describe(const ns_cases *p, ns_value *result)
{
    ns_inputs_describe(&p->inputs, result);
    if (p->inputs.matrix != NULL) {
        const ns_matrix_info *info = ns_matrix_describe(p->inputs.matrix);
        ns_value *object = ns_put_object(result, "matrix", NS_IN_JSON);
        ns_value_text(object, "name", info->name);
        ns_value_count(object, "rows", (double)info->rows);
        ns_value_count(object, "cols", (double)info->cols);
        ns_value_count(object, "nonzeros", (double)p->inputs.nonzeros);
        ns_value_text(object, "source", ns_matrix_source_words[info->source]);
        ns_put_text(result, "matrix_name", NS_IN_CSV, info->name);
        ns_put_text(result, "source", NS_IN_CSV, ns_matrix_source_words[info->source]);
    }
    ns_machines_value(p->machine, p->machines, result);
    for (size_t i = 0; i < p->machines; i++)
        ns_note(result, "machine    %s (%d a node): %s", p->machine[i]->name,
                (int)p->layout[i * (p->count / p->machines)].per_node, p->machine[i]->source);
}

/* Does any price use this memory? */
static bool is_used(const ns_machine *machine, int memory)
{
    return memory == NS_DEVICE ? machine->gpus > 0 : machine->gpus == 0 || machine->copy_levels > 0;
}

/* The benchmark for messages of a memory and locality; in a node of one socket all of them are on it. */
static const char *run_for(const ns_machine *machine, int memory, ns_locality locality, char *text, size_t size)
{
    char path[60];
    const ns_locality where = locality == NS_ON_NODE && machine->sockets == 1 ? NS_ON_SOCKET : locality;
    snprintf(path, sizeof path, "%s.%s.eager.alpha", ns_memory_words[memory], ns_locality_words[where]);
    (void)ns_benchmark_write(ns_benchmark_of(path), machine, text, size);
    return text;
}

void ns_warn_inside(const ns_machine *machine, const char *dearer, FILE *err)
{
    char run[300];
    for (int m = 0; m < NS_MEMORIES; m++)
        if (is_used(machine, m) && machine->stands_for[m][NS_ON_NODE] == NS_OFF_NODE)
            fprintf(err,
                    "nsmodel: note: %s has no table of messages inside a node for %s memory; its off-node table stands "
                    "for it, so %s look dearer than they are. Still needed: %s\n",
                    machine->name, ns_memory_words[m], dearer, run_for(machine, m, NS_ON_NODE, run, sizeof run));
}

/* ---- a --set that does not change the answer: a what-if without effect needs a note ------------------------------ */

/* Do the answers stay the same on other machines, in their times, intervals and probabilities? */
static bool is_idle(const ns_cases *p, ns_machine *const *machine, ns_comparison *scratch)
{
    for (size_t i = 0; i < p->count; i++) {
        const ns_comparison *c = &p->comparison[i];
        const ns_machine *other = machine[i * p->machines / p->count];
        ns_error ignored = {0};
        if (ns_compare_again(p->of[i].exchange, other, &p->selection, p->workspace, scratch, &ignored) != NS_OK ||
            c->choices != scratch->choices)
            return false;
        for (int k = 0; k < c->choices; k++) {
            const ns_price *x = &c->choice[k].price, *y = &scratch->choice[k].price;
            if (x->estimate_s != y->estimate_s || x->lo_s != y->lo_s || x->hi_s != y->hi_s ||
                c->decision.p_best[k] != scratch->decision.p_best[k])
                return false;
        }
    }
    return true;
}

/* Price the cases again on the machines without this --set. */
static void warn_sets(const ns_cases *p, FILE *err)
{
    const char *assignment;
    NS_OWN(ns_free) ns_comparison *scratch = ns_malloc(sizeof *scratch);
    for (int i = 0; scratch != NULL && (assignment = ns_args_at(p->args, "set", i)) != NULL; i++) {
        ns_machine **machine;
        size_t machines;
        ns_error ignored = {0};
        /* Counts per node determine where parts are placed and who sends, also in schedules of equal cost. */
        if ((strncmp(assignment, "topology.", strlen("topology.")) == 0) ||
            ns_machines_open(p->args, i, &machine, &machines, &ignored) != NS_OK)
            continue;
        if (is_idle(p, machine, scratch)) {
            char path[160];
            snprintf(path, sizeof path, "%.*s", (int)strcspn(assignment, "="), assignment);
            /* The value that is used in place of a number. */
            const ns_choice *first = &p->comparison[0].choice[0];
            const ns_parameter *other = NULL;
            ns_form_values v;
            for (int m = 0; other == NULL && m < NS_MEMORIES; m++) {
                ns_form_take(first->price.form, p->machine[0], (ns_memory)m, p->selection.price.without, &v);
                other = ns_form_instead(&v, path);
            }
            if (other != NULL)
                fprintf(err, "nsmodel: note: --set %s does not move the answer: %s counts in its place\n", assignment,
                        other->path);
            else
                fprintf(err, "nsmodel: note: --set %s does not move the answer\n", assignment);
        }
        ns_machines_close(machine, machines);
    }
}

void ns_cases_warn(const ns_cases *p, FILE *err)
{
    /* For a machine's cases: does one have several parts on a node, or several nodes?  Does every strategy take as long
     * as the first of its transport, in all of them? */
    typedef struct facts {
        bool shares_node, several_nodes, several_strategies, differ;
    } facts;
    const size_t each = p->count / p->machines;
    NS_OWN(ns_free) facts *of = ns_calloc(p->machines, sizeof *of);
    const ns_machine *m;
    char run[300], fit[60];
    if (of == NULL)
        return;
    for (size_t i = 0; i < p->count; i++) {
        facts *f = &of[i / each];
        const ns_exchange *x = p->of[i].exchange;
        const ns_comparison *c = &p->comparison[i];
        f->shares_node = f->shares_node || (x->per_node > 1 && x->parts > 1);
        f->several_nodes = f->several_nodes || x->nodes > 1;
        for (int k = 0; k < c->choices; k++)
            for (int first = 0; first < k; first++)
                if (c->choice[first].transport == c->choice[k].transport) {
                    f->several_strategies = true;
                    f->differ = f->differ || c->choice[first].price.estimate_s != c->choice[k].price.estimate_s;
                }
    }
    /* a line for each of the user's machines; for shipped ones see `machines --check` and JSON */
    for (size_t i = 0; i < p->machines; i++) {
        size_t warnings = 0;
        for (m = p->machine[i]; ns_machine_warning(m, warnings) != NULL;)
            warnings++;
        if (warnings == 0 || ns_machine_is_shipped(ns_machine_handle(m)))
            continue;
        fprintf(err, "nsmodel: warning: fit warned of %s: %s", m->name, ns_machine_warning(m, 0));
        if (warnings > 1)
            fprintf(err, "; %zu more: `nsmodel machines %s --check`", warnings - 1, ns_machine_handle(m));
        fputc('\n', err);
    }
    if (p->left_out > 0)
        fprintf(err, "nsmodel: note: cases of %d parts and more are left out: %s has %lld rows\n", (int)p->left_out,
                ns_matrix_describe(p->inputs.matrix)->name, (long long)ns_matrix_describe(p->inputs.matrix)->rows);
    for (size_t i = 0; i < p->machines; i++) {
        m = p->machine[i];
        const int has = (int)ns_machine_parts(m), per_node = (int)p->layout[i * each].per_node;
        if (per_node > has)
            fprintf(err, "nsmodel: note: %d parts a node, but %s has %d %s%s a node\n", per_node, m->name, has,
                    m->gpus > 0 ? "GPU" : "host process",
                    has == 1      ? ""
                    : m->gpus > 0 ? "s"
                                  : "es");
    }
    /* where the number of parts per node was not given, the machine's own may be a guess of fit */
    for (size_t i = 0; i < p->machines && p->per_node == 0; i++) {
        m = p->machine[i];
        const ns_parameter *count = ns_machine_parameter(m, m->gpus > 0 ? "topology.gpus" : "topology.host_processes");
        if (count != NULL && ns_machine_parts(m) > 1 && strncmp(count->source, "assumed", 7) == 0)
            fprintf(err, "nsmodel: note: %s is taken to have %d %s a node, %s; --per-node says otherwise\n", m->name,
                    (int)ns_machine_parts(m), m->gpus > 0 ? "GPUs" : "processes", count->source + strlen("assumed: "));
    }
    for (size_t i = 0; i < p->machines; i++)
        for (int k = 0; k < NS_MEMORIES; k++)
            for (int l = 0; m = p->machine[i], l < NS_OFF_NODE && is_used(m, k); l++)
                if (m->stands_for[k][NS_ON_NODE] != NS_OFF_NODE && m->stands_for[k][l] != (ns_locality)l &&
                    (l == NS_ON_SOCKET || m->sockets > 1))
                    fprintf(err, "nsmodel: note: %s has no %s table for %s memory; its %s table stands for it\n",
                            m->name, ns_locality_words[l], ns_memory_words[k], ns_locality_words[m->stands_for[k][l]]);
    /* messages inside a node have the cost of those between nodes: strategies that replace the latter by the former
     * look worse */
    for (size_t i = 0; i < p->machines; i++)
        if (of[i].shares_node)
            ns_warn_inside(p->machine[i], "node-aware strategies", err);
    /* one part on a node has no other part to share its messages with */
    for (size_t i = 0; i < p->machines; i++)
        if (!of[i].shares_node && of[i].several_strategies && !of[i].differ)
            fprintf(err, "nsmodel: note: one part a node, so strategies cannot differ\n");
    /* one of two memories may lack the numbers for messages between nodes: ns_compare leaves its ways out */
    for (size_t i = 0; i < p->machines; i++)
        for (int k = 0; k < NS_MEMORIES; k++) {
            const ns_memory memory = (ns_memory)k, other = memory == NS_HOST ? NS_DEVICE : NS_HOST;
            m = p->machine[i];
            if (m->gpus > 0 && is_used(m, k) && ns_machine_line(m, memory, NS_OFF_NODE, 0, NULL) == NULL &&
                ns_machine_line(m, other, NS_OFF_NODE, 0, NULL) != NULL && of[i].several_nodes)
                fprintf(err,
                        "nsmodel: note: %s has no off-node table for %s memory, so ways by the %s are left out beyond "
                        "one node. Still needed: %s\n",
                        m->name, ns_memory_words[k], ns_memory_words[k], run_for(m, k, NS_OFF_NODE, run, sizeof run));
        }
    for (size_t i = 0; i < p->machines; i++) {
        m = p->machine[i];
        if (m->gpus == 0 || m->copy_levels > 0)
            continue;
        (void)ns_benchmark_parts("copy.1.d2h.alpha", m, run, 120, fit, sizeof fit);
        fprintf(err, "nsmodel: note: %s gives no copy parameters, so ways by the host are left out. Still needed: %s\n",
                m->name, run);
    }
    /* the default numbers may all fit in one node, where there is no choice to make */
    const bool usual = p->inputs.parts == 0 && p->option == NULL;
    for (size_t i = 0; usual && i < p->count; i++)
        if (p->layout[i].parts <= p->layout[i].per_node && p->layout[i].parts > 1) {
            m = p->of[i].machine;
            fprintf(err, "nsmodel: note: %d %s fit in one node of %s; --nodes 2,4,8 asks for several nodes\n",
                    (int)p->layout[i].parts, m->gpus > 0 ? "GPUs" : "processes", m->name);
            break;
        }
    if (p->network == NULL && ns_args_has(p->args, "set"))
        warn_sets(p, err);
}

/* ---- the cases of predict on other network hardware: --network --------------------------------------------------- */

/* Apply the network to every machine: of[] becomes what is priced.  --set of a number that the network's file has
 * changes it there. */
static ns_status open_network(ns_cases *p, ns_error *err)
{
    static const char rate[] = "models.rig-batch.rate=";
    const size_t each = p->count / p->machines;
    const char *assignment;
    NS_OWN(ns_machine_free) ns_machine *hardware = NULL;
    bool own_link = false;
    /* Strategies stay in order; those that are not strategies of messages are left out. */
    const unsigned every = (1u << NS_TRANSPORTS) - 1, nic = 1u << NS_VIA_NIC;
    size_t kept = 0;
    bool gather = p->selection.strategies == 0;
    for (size_t i = 0; i < p->selection.strategies; i++)
        if (p->wanted[i] == &ns_strategy_in_network_gather)
            gather = true;
        else
            p->wanted[kept++] = p->wanted[i];
    p->messages = p->selection;
    p->messages.strategies = kept;
    p->messages.transports &= every;
    p->wants_messages = (kept > 0 || p->selection.strategies == 0) &&
                        (p->selection.transports == 0 || (p->selection.transports & every) != 0);
    p->wants_gather = gather && (p->selection.transports == 0 || (p->selection.transports & nic) != 0);
    p->fabric = ns_calloc(p->machines, sizeof *p->fabric);
    if (p->fabric == NULL)
        return ns_no_memory(err);
    NS_TRY(ns_machine_load(p->network->hardware, &hardware, err));
    for (int i = 0; (assignment = ns_args_at(p->args, "set", i)) != NULL; i++)
        if (ns_machine_has(hardware, assignment)) {
            NS_TRY(ns_machine_set(&hardware, assignment, err));
            own_link = own_link || strncmp(assignment, rate, sizeof rate - 1) == 0;
        }
    for (size_t i = 0; i < p->machines; i++) {
        NS_TRY(ns_fabric_open(p->network, hardware, own_link, p->machine[i], p->selection.price.form, &p->fabric[i],
                              err));
        for (size_t k = i * each; k < (i + 1) * each; k++)
            p->of[k].machine = p->fabric[i]->machine;
    }
    return NS_OK;
}

/* Price one case on the network. */
static ns_status compare_on_network(ns_cases *p, size_t i, ns_error *err)
{
    ns_progress_job job = {.progress = p->args->progress, .what = "gathering", .unit = " nodes"};
    const size_t each = p->count / p->machines;
    assert(each > 0);
    ns_selection selection = p->messages;
    const ns_network_request request = {.exchange = p->of[i].exchange,
                                        .matrix = p->inputs.matrix,
                                        .part = p->inputs.part,
                                        .max_memory = p->inputs.limits.max_memory,
                                        .messages = p->wants_messages,
                                        .gathers = p->wants_gather,
                                        .watch = ns_progress_tell,
                                        .watcher = &job};
    const ns_status status = ns_network_compare(p->fabric[i / each], &request, &selection, p->workspace,
                                                &p->comparison[i], &p->of[i].network, err);
    ns_progress_clear(p->args->progress);
    return status;
}

/* ---- selections -------------------------------------------------------------------------------------------------- */

enum { CASES_MOST = 4096 };

/* The rest of a list after a comma; NULL where there is none. */
static const char *next_word(const char *list)
{
    const char *comma = strchr(list, ',');
    return comma != NULL ? comma + 1 : NULL;
}

static ns_status named(bool network, const char *word, ns_made_ways *made, const ns_strategy **list, size_t most,
                       size_t *count, ns_error *err)
{
    if (!network || strcmp(word, ns_strategy_in_network_gather.name) != 0 || most == 0)
        return made != NULL ? ns_ways_named(made, word, list, most, count, err)
                            : ns_strategies_named(word, list, most, count, err);
    list[0] = &ns_strategy_in_network_gather;
    *count = 1;
    return NS_OK;
}

static ns_status transport_of(bool network, const char *word, ns_transport *transport, ns_error *err)
{
    if (!network || strcmp(word, ns_transport_words[NS_VIA_NIC]) != 0)
        return ns_transport_get(word, transport, err);
    *transport = NS_VIA_NIC;
    return NS_OK;
}

ns_status ns_selection_read(const ns_args *args, const ns_strategy **wanted, ns_made_ways *made,
                            ns_selection *selection, ns_error *err)
{
    const bool network = args->network != NULL;
    const char *strategies = ns_args_at(args, "strategy", 0), *transports = ns_args_at(args, "transport", 0);
    char word[64], name[64];
    ns_transport transport;
    unsigned first = 0; /* the transports named with the strategies: two-step:8/host */
    for (const char *list = strategies; list != NULL; list = next_word(list)) {
        const size_t have = selection->strategies;
        size_t more;
        unsigned by = 0;
        snprintf(word, sizeof word, "%.*s", (int)strcspn(list, ","), list);
        const size_t length = ns_way_name_length(word);
        snprintf(name, sizeof name, "%.*s", (int)length, word);
        NS_TRY(named(network, name, made, wanted + have, NS_CHOICES - have, &more, err));
        if (word[length] == '/') {
            NS_TRY(transport_of(network, word + length + 1, &transport, err));
            by = 1u << transport;
        }
        if (have > 0 && by != first)
            return ns_fail(
                err, NS_ERR_USAGE,
                "--strategy names transports of some strategies only, or different ones; wanted the same for all, "
                "or --transport");
        first = by;
        selection->strategy = wanted;
        selection->strategies += more;
    }
    if (first != 0 && transports != NULL)
        return ns_fail(err, NS_ERR_USAGE, "--strategy names a transport already; wanted no --transport with it");
    selection->transports |= first;
    for (const char *list = transports; list != NULL; list = next_word(list)) {
        snprintf(word, sizeof word, "%.*s", (int)strcspn(list, ","), list);
        NS_TRY(transport_of(network, word, &transport, err));
        selection->transports |= 1u << transport;
    }
    return NS_OK;
}

int32_t ns_machine_parts(const ns_machine *machine)
{
    return machine->gpus > 0 ? machine->gpus : machine->host_processes;
}

ns_status ns_incumbent_read(const ns_args *args, const ns_strategy **list, ns_made_ways *made, ns_selection *selection,
                            ns_error *err)
{
    const char *text = ns_args_at(args, "incumbent", 0);
    char name[60];
    if (text == NULL)
        return NS_OK;
    const size_t length = ns_way_name_length(text);
    const bool network = args->network != NULL;
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    NS_TRY(named(network, name, made, list, NS_CHOICES, &selection->incumbents, err));
    selection->incumbent = list;
    const bool gathers = list[0] == &ns_strategy_in_network_gather;
    return transport_of(
        network, text[length] == '/' ? text + length + 1 : ns_transport_words[gathers ? NS_VIA_NIC : NS_VIA_HOST],
        &selection->incumbent_transport, err);
}

/* The number of parts of all cases compared so far: finished cases, and a share of the current one. */
typedef struct comparing {
    ns_progress *progress;
    double done, parts, total;
} comparing;

static void show_comparing(void *context, double done, double total)
{
    const comparing *c = context;
    ns_progress_show(c->progress, "comparing ways", "parts", c->done + c->parts * done / total, c->total);
}

ns_status ns_cases_open(const ns_args *args, ns_cases **cases, ns_error *err)
{
    NS_OWN(ns_cases_close) ns_cases *p = ns_calloc(1, sizeof *p);
    if (p == NULL)
        return ns_no_memory(err);
    p->args = args;
    ns_selection *selection = &p->selection;
    ns_inputs *inputs = &p->inputs;
    p->all = ns_args_has(args, "all");
    p->named = ns_args_has(args, "strategy") || ns_args_has(args, "transport");
    if (ns_args_has(args, "per-node"))
        NS_TRY(ns_args_count(args, "per-node", 1, NS_PARTS_MOST, &p->per_node, err));
    NS_TRY(ns_price_options_read(args, &selection->price, err));
    if (args->network != NULL)
        NS_TRY(ns_network_kind_get(args->network, &p->network, err));
    NS_TRY(ns_inputs_open(args, inputs, err));
    NS_TRY(ns_selection_read(args, p->wanted, &p->made, selection, err));
    NS_TRY(ns_incumbent_read(args, p->in_use, &p->made, selection, err));
    /* the incumbent is added to all strategies, where it is none of these and no strategies are named */
    if (selection->strategies == 0 && selection->incumbents == 1 && strchr(p->in_use[0]->name, ':') != NULL) {
        selection->strategies = ns_strategies_by_rank(p->wanted, NS_CHOICES - 1);
        p->wanted[selection->strategies++] = p->in_use[0];
        selection->strategy = p->wanted;
    }
    NS_TRY(ns_machines_open(args, NS_EVERY_SET, &p->machine, &p->machines, err));
    /* One process per node that was neither given nor measured: every way would send the same messages. */
    for (size_t i = 0; i < p->machines && p->per_node == 0; i++) {
        const ns_machine *m = p->machine[i];
        const bool gpus = m->gpus > 0;
        const ns_parameter *own = ns_machine_parameter(m, gpus ? "topology.gpus" : "topology.host_processes");
        if (ns_machine_parts(m) == 1 && own != NULL && ns_parameter_assumed(own))
            return ns_fail(
                err, NS_ERR_DATA,
                "%s has one %s a node as far as its logs show, so strategies cannot differ; wanted "
                "--per-node N here, or --%s N of fit, and what `nsmodel machines %s --check` lists as missing "
                "or assumed",
                m->name, gpus ? "GPU" : "process", gpus ? "gpus" : "processes", ns_machine_handle(m));
    }

    /* ---- numbers of parts: those requested, those of a partition or messages, else the default numbers in increasing
     * order, as far as each part has a row ---- */
    size_t numbers = 1;
    NS_TRY(ns_parts_option(args, &p->option, err));
    const char *option = p->option != NULL ? p->option : "gpus";
    if (p->option != NULL || inputs->parts == 0)
        NS_TRY(ns_args_counts(args, option, 1, NS_PARTS_MOST, &p->number, &numbers, err));
    else {
        p->number = ns_malloc(sizeof *p->number);
        if (p->number == NULL)
            return ns_no_memory(err);
        p->number[0] = inputs->parts;
    }
    if (p->option == NULL && inputs->parts == 0) {
        const size_t all = numbers;
        numbers = 0;
        while (numbers < all &&
               ns_inputs_check_rows(inputs, "gpus", p->number[numbers], p->number[numbers], NULL) == NS_OK)
            numbers++;
        if (numbers == 0)
            return ns_fail(err, NS_ERR_DATA,
                           "%s has %lld rows, fewer than the %d parts of the first usual case; wanted "
                           "--gpus with fewer",
                           ns_matrix_describe(inputs->matrix)->name,
                           (long long)ns_matrix_describe(inputs->matrix)->rows, (int)p->number[0]);
        p->left_out = numbers < all ? p->number[numbers] : 0;
    }

    /* ---- layouts and exchanges ---- */
    p->count = p->machines * numbers;
    if (p->count > CASES_MOST)
        return ns_fail(err, NS_ERR_LIMIT, "%zu cases are too many", p->count);
    p->layout = ns_calloc(p->count, sizeof *p->layout);
    p->of = ns_calloc(p->count, sizeof *p->of);
    p->comparison = ns_calloc(p->count, sizeof *p->comparison);
    if (p->layout == NULL || p->of == NULL || p->comparison == NULL)
        return ns_no_memory(err);
    for (size_t i = 0; i < p->count; i++) {
        ns_layout *layout = &p->layout[i];
        p->of[i].machine = p->machine[i / numbers];
        layout->per_node = p->per_node > 0 ? p->per_node : ns_machine_parts(p->of[i].machine);
        NS_TRY(ns_parts_of(p->option, p->number[i % numbers], layout->per_node, &layout->parts, err));
        /* the number of parts of a partition or of messages, unless more are requested */
        if (layout->parts < inputs->parts || (inputs->part != NULL && layout->parts != inputs->parts))
            return ns_fail(err, NS_ERR_DATA, "the %s has %d parts, --%s says %d",
                           inputs->part != NULL ? "partition" : "exchange", (int)inputs->parts, option,
                           (int)layout->parts);
        NS_TRY(ns_inputs_check_rows(inputs, option, p->number[i % numbers], layout->parts, err));
    }
    inputs->groups = true;
    NS_OWN(ns_free) ns_exchange **exchange = ns_calloc(p->count, sizeof *exchange);
    if (exchange == NULL)
        return ns_no_memory(err);
    NS_TRY(ns_inputs_exchanges(inputs, p->layout, p->count, NULL, 0, exchange, err));
    for (size_t i = 0; i < p->count; i++)
        p->of[i].exchange = exchange[i];
    ns_free(inputs->message); /* the exchanges hold all of it */
    inputs->message = NULL;

    /* ---- memory: the bytes that every process sends and receives are summed in each step: at least two numbers each,
     * for the selected strategy that needs most ---- */
    for (size_t i = 0; i < p->count; i++) {
        const ns_exchange *x = p->of[i].exchange;
        const ns_machine *machine = p->of[i].machine;
        const ns_budget budget = {.limit = inputs->limits.max_memory};
        double most = 0;
        for (const ns_strategy *const *s = ns_strategies(); *s != NULL; s++) {
            bool runs = false, named = selection->strategies == 0;
            for (int t = 0; t < NS_TRANSPORTS; t++)
                runs = runs || ((selection->transports == 0 || (selection->transports & 1u << t) != 0) &&
                                ns_strategy_runs(*s, (ns_transport)t, machine));
            for (size_t k = 0; k < selection->strategies; k++)
                named = named || selection->strategy[k] == *s;
            if (runs && named)
                most = fmax(most, (double)ns_strategy_steps(*s) * x->nodes *
                                      ((*s)->all_processes ? fmax(machine->host_processes, x->per_node) : x->per_node));
        }
        NS_TRY(ns_budget_check(&budget, most * 2 * sizeof(int64_t), err));
    }

    /* ---- prices ---- */
    NS_TRY(ns_workspace_open(&p->workspace, err));
    if (p->network != NULL)
        NS_TRY(open_network(p, err));
    comparing watched = {.progress = args->progress};
    for (size_t i = 0; i < p->count; i++)
        watched.total += p->of[i].exchange->parts;
    ns_workspace_watch(p->workspace, &(ns_watcher){show_comparing, &watched});
    if (p->network == NULL) /* which reports its own progress */
        show_comparing(&watched, 0, 1);
    for (size_t i = 0; i < p->count; i++) {
        watched.parts = p->of[i].exchange->parts;
        NS_TRY(p->network != NULL
                   ? compare_on_network(p, i, err)
                   : ns_compare_again(p->of[i].exchange, p->of[i].machine, selection, p->workspace, &p->comparison[i],
                                      err));
        watched.done += watched.parts;
    }
    ns_workspace_watch(p->workspace, &(ns_watcher){NULL, NULL});
    ns_progress_clear(args->progress);
    *cases = p;
    p = NULL;
    return NS_OK;
}

void ns_cases_close(ns_cases *p)
{
    if (p == NULL)
        return;
    for (size_t i = 0; p->of != NULL && i < p->count; i++) {
        ns_networked_free(p->of[i].network);
        ns_exchange_free(p->of[i].exchange);
    }
    for (size_t i = 0; p->fabric != NULL && i < p->machines; i++)
        ns_fabric_free(p->fabric[i]);
    ns_free(p->fabric);
    ns_free(p->number);
    ns_free(p->layout);
    ns_free(p->of);
    ns_free(p->comparison);
    ns_workspace_free(p->workspace);
    ns_machines_close(p->machine, p->machines);
    ns_inputs_close(&p->inputs);
    ns_free(p);
}

/* ---- ways by groups of ranks ------------------------------------------------------------------------------------- *
 *
 * These ways may get a row in addition to the strategies: groups of the ranks of a socket, and of each power of two
 * that divides those of a node, on nodes of many host processes, with strategies for which such ways were measured, so
 * far two-step.  The fastest is compared with the strategies where it gains 5 % or more over the best of them; a
 * smaller gain is within the error of any price, and one more way that is as good as the others reduces the P(best) of
 * each.  Where every process sends to nearly every other, the library's own exchange and that of rounds are tried as
 * well.
 */

/* Routes that are examined for all groups together: about a second.  For larger exchanges fewer sizes are tried, and
 * none beyond ROUTES_MOST. */
#define ROUTES_TRIED (INT64_C(1) << 22)
#define ROUTES_MOST  (INT64_C(1) << 23)
enum { SIZES = 8, MANY = 32 };
static const double GAIN = 0.95; /* of the best strategy's time */

/* Sizes of groups, the largest first, as many as may be tried. */
static int sizes_of(const ns_exchange *x, const ns_machine *machine, int32_t sizes[SIZES])
{
    const int32_t sockets = x->site->sockets > 0 ? x->site->sockets : machine->sockets;
    if (x->per_node < MANY)
        return 0;
    const int64_t tried = ROUTES_TRIED / x->routes / 2, most = tried == 0 && x->routes <= ROUTES_MOST ? 1 : tried;
    int count = 0;
    if (sockets > 1 && sockets < x->per_node)
        sizes[count++] = NS_GROUP_SOCKET;
    for (int32_t power = 1 << 30; power > 1; power /= 2)
        if (power < x->per_node && x->per_node % power == 0 && count < SIZES &&
            (count == 0 || (int64_t)power * sockets != x->per_node))
            sizes[count++] = power;
    return most < count ? (int)most : count;
}

/* Ways by groups, which were measured somewhere; others are tried only by name.  For dense exchanges the library's
 * forms, too. */
static ns_status list_ways(ns_made_ways *made, const ns_exchange *x, const int32_t *sizes, int count,
                           const ns_strategy **list, size_t *ways, ns_error *err)
{
    const ns_strategy *all[NS_CHOICES];
    const size_t strategies = ns_strategies_by_rank(all, NS_CHOICES);
    *ways = 0;
    for (size_t s = 0; s < strategies; s++)
        for (int i = 0; i < count && ns_strategy_has_groups(all[s]); i++) {
            NS_TRY(ns_way_of_groups(made, all[s], sizes[i], &list[*ways], err));
            *ways += ns_scored_on((ns_way_of){list[*ways], NS_VIA_HOST}, 0) != NULL;
        }
    for (const ns_strategy *const *s = ns_strategies(); *s != NULL && ns_exchange_is_dense(x); s++)
        if ((*s)->forms != NULL)
            list[(*ways)++] = *s;
    return NS_OK;
}

ns_status ns_cases_search(ns_cases *p, ns_error *err)
{
    for (size_t i = 0; i < p->count && p->selection.strategies == 0 && p->network == NULL; i++) {
        const ns_exchange *x = p->of[i].exchange;
        const ns_machine *machine = p->of[i].machine;
        ns_comparison *c = &p->comparison[i];
        ns_searched *searched = &p->of[i].searched;
        ns_selection selection = p->selection;
        const ns_strategy *list[NS_CHOICES];
        const ns_choice *fastest = NULL;
        int32_t sizes[SIZES];
        int quotes = 0;
        if (machine->gpus > 0 || x->nodes == 1 || x->routes == 0)
            continue;
        selection.strategy = list;
        NS_TRY(list_ways(&p->made, x, sizes, sizes_of(x, machine, sizes), list, &selection.strategies, err));
        if (selection.strategies > 0)
            NS_TRY(ns_quote(x, machine, &selection, p->workspace, &quotes, err));
        for (int k = 0; k < quotes; k++) {
            const ns_choice *one = ns_quote_at(p->workspace, k);
            if (fastest == NULL || one->price.estimate_s < fastest->price.estimate_s)
                fastest = one;
        }
        if (fastest == NULL)
            continue;
        *searched = (ns_searched){.ways = selection.strategies,
                                  .fastest = fastest->strategy,
                                  .transport = fastest->transport,
                                  .seconds = fastest->price.estimate_s};
        memcpy(searched->way, list, searched->ways * sizeof *list);
        if (searched->seconds >= GAIN * c->choice[c->best].price.estimate_s)
            continue;
        /* The quote is valid in the workspace until the next one. */
        selection.strategies = ns_strategies_by_rank(list, NS_CHOICES - 1);
        list[selection.strategies++] = searched->fastest;
        NS_TRY(ns_compare_again(x, machine, &selection, p->workspace, c, err));
    }
    return NS_OK;
}
