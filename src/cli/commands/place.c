/* place.c -- the node for each part: placements compared, and the fastest in the form that launchers read */
#include "cli/front/own.h"
#include "cli/front/progress.h"
#include "cli/inputs/cases.h"
#include "cli/inputs/inputs.h"
#include "cli/show/result.h"
#include "core/memory.h"
#include "core/utf8.h"
#include "io/whole_file.h"
#include "report/columns.h"
#include "scotch/scotch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NS_PLACEMENTS = 4 };

typedef struct ns_placement {
    const char *name;           /* "block" */
    int32_t *node_of;           /* [parts] */
    double seconds[NS_CHOICES]; /* by the placer's choices */
    int best;                   /* index of the fastest */
    double gain;                /* time of block / its own time */
    int64_t bytes_off_node;     /* of messages between nodes */
} ns_placement;

typedef struct request {
    int write;                               /* index into writes, or -1: the result is written as any command's */
    int nodes, per_node, parts, seed, tries; /* 0: not given */
    bool no_scotch;
    const char *hosts, *output;
} request;

enum { OMPI, SLURM, JSON };
static const char *const writes[] = {"ompi", "slurm", "json", NULL};

typedef struct ns_placing {
    const request *asked;
    ns_inputs inputs;
    ns_machine *machine;
    const ns_strategy *wanted[NS_CHOICES];
    ns_selection selection;
    ns_graph *graph;
    ns_placer *placer;
    int32_t parts, nodes, per_node; /* per_node: capacity of a node */
    ns_placement placement[NS_PLACEMENTS];
    int placements, best; /* best: the fastest; of equals the first */
    ns_error unmapped;    /* why Scotch gave no placement; NS_OK: it did, or was not requested */
} ns_placing;

static void placing_free(ns_placing *p)
{
    for (int i = 0; i < p->placements; i++)
        ns_free(p->placement[i].node_of);
    ns_placer_free(p->placer);
    ns_graph_free(p->graph);
    ns_machine_free(p->machine);
    ns_inputs_close(&p->inputs);
}

/* ---- placements side by side ------------------------------------------------------------------------------------- */

static ns_status begin(ns_placing *p, const char *name, ns_placement **placement, ns_error *err)
{
    ns_placement *one = &p->placement[p->placements];
    one->node_of = ns_calloc((size_t)p->parts, sizeof *one->node_of);
    if (one->node_of == NULL)
        return ns_no_memory(err);
    one->name = name;
    p->placements++;
    *placement = one;
    return NS_OK;
}

static double time_of(const ns_placement *placement)
{
    return placement->seconds[placement->best];
}

static ns_status price(ns_placing *p, ns_placement *one, ns_error *err)
{
    NS_TRY(ns_placer_batch(p->placer, one->node_of, 1, one->seconds, err));
    one->best = 0;
    for (int i = 1; i < ns_placer_choices(p->placer); i++)
        if (one->seconds[i] < one->seconds[one->best])
            one->best = i;
    one->bytes_off_node = 0;
    for (int64_t i = 0; i < p->graph->routes; i++)
        if (one->node_of[p->graph->route[i].from] != one->node_of[p->graph->route[i].to])
            one->bytes_off_node += p->graph->route[i].entries * p->graph->width;
    one->gain = time_of(one) > 0 ? time_of(&p->placement[0]) / time_of(one) : 1;
    if (time_of(one) < time_of(&p->placement[p->best]))
        p->best = (int)(one - p->placement);
    return NS_OK;
}

static ns_status add_even(ns_placing *p, const char *name, void (*place)(int32_t, int32_t, int32_t *), ns_error *err)
{
    ns_placement *one = NULL;
    NS_TRY(begin(p, name, &one, err));
    place(p->parts, p->nodes, one->node_of);
    return price(p, one, err);
}

/* libscotch balances, but guarantees no limit: parts beyond the capacity of a node are moved to others. */
static ns_status fit(const ns_placing *p, int32_t *node_of, ns_error *err)
{
    NS_OWN(ns_free) int32_t *size = ns_calloc((size_t)p->nodes, sizeof *size);
    NS_OWN(ns_free) int64_t *tie = ns_calloc((size_t)p->nodes, sizeof *tie);
    if (size == NULL || tie == NULL)
        return ns_no_memory(err);
    for (int32_t q = 0; q < p->parts; q++)
        size[node_of[q]]++;
    for (int32_t q = p->parts - 1; q >= 0; q--) {
        if (size[node_of[q]] <= p->per_node)
            continue;
        /* The node with free capacity that the part exchanges most with.  tie: [nodes] scratch. */
        int32_t to = -1;
        memset(tie, 0, (size_t)p->nodes * sizeof *tie);
        for (int64_t i = 0; i < p->graph->routes; i++) {
            const ns_route *r = &p->graph->route[i];
            if (r->from == q || r->to == q)
                tie[node_of[r->from == q ? r->to : r->from]] += r->entries;
        }
        for (int32_t node = 0; node < p->nodes; node++)
            if (size[node] < p->per_node && (to < 0 || tie[node] > tie[to]))
                to = node;
        size[node_of[q]]--;
        size[to]++;
        node_of[q] = to;
    }
    return NS_OK;
}

static void watch(void *context, int64_t done, int64_t all)
{
    ns_progress_show(context, "searching", " tries", (double)done, (double)all);
}

static const ns_option options[] = {
    NS_OPTION_MATRIX,
    {"messages", 0, "FILE.csv", NULL, "planned messages instead of a matrix"},
    {"machine", 0, "NAME|FILE", NS_MACHINE_DEFAULT, "machine or machine file"},
    {"nodes", 'n', "K", NULL, "number of nodes", NS_OPT(request, nodes), .least = 1, .most = NS_PARTS_MOST},
    {"per-node", 0, "G", NULL, "room for parts on a node [the machine's GPUs, or host processes]",
     NS_OPT(request, per_node), .least = 1, .most = NS_PARTS_MOST},
    {"parts", 'p', "P", NULL, "number of parts [those of the partition or the messages, or as many as fit]",
     NS_OPT(request, parts), .least = 1, .most = NS_PARTS_MOST},
    NS_OPTION_PARTITION,
    NS_OPTION_WIDTH,
    NS_OPTION_STRATEGY,
    NS_OPTION_TRANSPORT,
    NS_OPTION_MODEL,
    NS_OPTION_CONFIDENCE,
    NS_OPTION_SET,
    {"seed", 0, "S", "1", "of the search and of Scotch: the same seed gives the same answer", NS_OPT(request, seed),
     .most = INT32_MAX},
    {"tries", 0, "N", NULL, "moves and swaps that the search prices [by the number of parts]", NS_OPT(request, tries),
     .least = 1, .most = INT32_MAX},
    {"no-scotch", 0, NULL, NULL, "leave Scotch's placement out", NS_OPT(request, no_scotch)},
    {"write", 0, "ompi|slurm|json", NULL, "what -o FILE gets: the fastest placement for a launcher, or all of them",
     NS_OPT(request, write), .words = writes},
    {"hosts", 0, "LIST|FILE", NULL, "names of the nodes, for --write ompi and slurm", NS_OPT(request, hosts)},
    NS_OPTION_MEMORY,
    NS_OPTION_WORK,
    {NULL},
};

/* ---- the answer -------------------------------------------------------------------------------------------------- */

typedef struct placed {
    const char *name, *strategy, *transport;
    char way[80];
    double seconds, gain;
    int64_t bytes_off_node;
} placed;

static const ns_table_column columns[] = {
    {"name", NS_COL(placed, name)},
    {"best way", NS_COL(placed, way), .shows = NS_IN_TABLE},
    {"strategy", NS_COL(placed, strategy), .shows = NS_IN_DATA},
    {"transport", NS_COL(placed, transport), .shows = NS_IN_DATA},
    {"estimate_s", NS_COL(placed, seconds), .unit = "s", .shows = NS_HEADED, .heading = "time"},
    {"gain", NS_COL(placed, gain)},
    {"bytes_off_node", NS_COL(placed, bytes_off_node), .unit = "B", .shows = NS_HEADED, .heading = "off node"},
    {NULL}};

static placed row_of(const ns_placing *p, int i)
{
    const ns_placement *one = &p->placement[i];
    const ns_placed *best = ns_placer_choice(p->placer, one->best);
    placed row = {.name = one->name,
                  .strategy = best->strategy->name,
                  .transport = ns_transport_words[best->transport],
                  .seconds = one->seconds[one->best],
                  .gain = one->gain,
                  .bytes_off_node = one->bytes_off_node};
    snprintf(row.way, sizeof row.way, "%s/%s", row.strategy, row.transport);
    return row;
}

/* The result; for people the fastest comes first, in words. */
static void show(const ns_placing *p, ns_value *result)
{
    const placed best = row_of(p, p->best);
    char time[40];
    ns_quantity_format(best.seconds, NS_SECOND, 3, time, sizeof time);
    ns_put_schema(result, "nsmodel/place/1");
    if (p->best == 0)
        ns_note(result, "block is the fastest found: %s, %s", best.way, time);
    else
        ns_note(result, "%s, %s, %s: %.3g times as fast as block", best.name, best.way, time, best.gain);
    ns_inputs_describe(&p->inputs, result);
    ns_note(result, "machine    %s; %d parts on %d nodes, at most %d on each", p->machine->name, (int)p->parts,
            (int)p->nodes, (int)p->per_node);
    if (p->unmapped.code != NS_OK)
        ns_note(result, "no placement of Scotch: %s", p->unmapped.text);
    ns_put_text(result, "machine", NS_IN_DATA, p->machine->name);
    ns_put_count(result, "parts", NS_IN_DATA, p->parts);
    ns_put_count(result, "nodes", NS_IN_DATA, p->nodes);
    ns_put_count(result, "per_node", NS_IN_DATA, p->per_node);
    ns_put_count(result, "seed", NS_IN_JSON, p->asked->seed);
    ns_put_text(result, "best", NS_IN_JSON, best.name);
    ns_value *list = ns_put_rows(result, "placements", NS_EVERYWHERE);
    for (int i = 0; i < p->placements; i++) {
        const placed one = row_of(p, i);
        ns_value *row = ns_row_mark(ns_put_row(list, columns, &one), i == p->best);
        ns_value *nodes = ns_put_list(row, "node_of", NS_IN_JSON);
        for (int32_t q = 0; q < p->parts; q++)
            ns_value_count(nodes, NULL, p->placement[i].node_of[q]);
        ns_value *ways = ns_put_list(row, "strategies", NS_IN_JSON);
        for (int k = 0; k < ns_placer_choices(p->placer); k++) {
            const ns_placed *of = ns_placer_choice(p->placer, k);
            ns_value *way = ns_value_object(ways, NULL);
            ns_value_text(way, "strategy", of->strategy->name);
            ns_value_text(way, "transport", ns_transport_words[of->transport]);
            ns_value_number(way, "estimate_s", p->placement[i].seconds[k], NS_SECOND);
        }
    }
}

/* ---- names of nodes ---------------------------------------------------------------------------------------------- */

enum { HOSTS_MOST = 1 << 28 }; /* largest size of a file, in bytes */

/* A list separated by commas, or a file with a name on each line. */
typedef struct hosts {
    char *text;        /* owns the names */
    const char **name; /* [count] */
    int32_t count;
} hosts;

static void hosts_free(hosts *h)
{
    ns_free(h->text);
    ns_free(h->name);
}

static bool is_listed(const hosts *h, const char *name)
{
    for (int32_t i = 0; i < h->count; i++)
        if (strcmp(h->name[i], name) == 0)
            return true;
    return false;
}

/* A LIST names each node once.  A FILE has the format of a scheduler or mpirun: a name may appear once for each slot, a
 * line may give the number of slots (slots=4) or be a comment, and of more nodes than needed the first are taken. */
static ns_status read_hosts(const char *given, int32_t wanted, hosts *h, ns_error *err)
{
    static const char between[] = ", \t\r\n";
    int32_t listed = 0;
    const size_t size = strlen(given) + 1;
    FILE *file = fopen(given, "r");
    const bool is_file = file != NULL;
    if (file != NULL) {
        const ns_status status = ns_text_read(file, given, HOSTS_MOST, "a list of hosts", &h->text, err);
        fclose(file);
        NS_TRY(status);
    } else if ((h->text = ns_malloc(size)) != NULL)
        memcpy(h->text, given, size);
    h->name = ns_calloc((size_t)wanted, sizeof *h->name);
    if (h->text == NULL || h->name == NULL)
        return ns_no_memory(err);
    for (char *at = h->text + strspn(h->text, between); *at != '\0'; at += strspn(at, between)) {
        char *name = at;
        if (is_file && *at == '#') {
            at += strcspn(at, "\n");
            continue;
        }
        at += strcspn(at, between);
        if (*at != '\0')
            *at++ = '\0';
        if (ns_utf8_hides(name))
            return ns_fail(err, NS_ERR_DATA, "--hosts: a control character in the node's name \"%.80s\"", name);
        if (is_file && (strchr(name, '=') != NULL || h->count == wanted || is_listed(h, name)))
            continue;
        if (is_listed(h, name)) /* it would get the parts of two nodes */
            return ns_fail(err, NS_ERR_DATA, "--hosts names %.100s twice; wanted %d different nodes", name,
                           (int)wanted);
        if (listed++ < wanted)
            h->name[h->count++] = name;
    }
    return listed == wanted ? NS_OK
                            : ns_fail(err, NS_ERR_DATA, "--hosts names %d nodes, wanted %d", (int)listed, (int)wanted);
}

/* The host of each part, one per line: the format of Open MPI's sequential mapper and Slurm's arbitrary
 * distribution. */
static ns_status save_hosts(const request *r, const ns_placing *p, ns_error *err)
{
    NS_CLOSE(hosts_free) hosts h = {0};
    ns_whole_file whole;
    NS_TRY(read_hosts(r->hosts, p->nodes, &h, err));
    NS_TRY(ns_whole_file_begin(r->output, NS_FOR_ALL, &whole, err));
    for (int32_t q = 0; q < p->parts; q++)
        fprintf(whole.file, "%s\n", h.name[p->placement[p->best].node_of[q]]);
    return ns_whole_file_end(&whole, NS_OK, err);
}

/* ---- the command ------------------------------------------------------------------------------------------------- */

static ns_status run(const ns_args *args, ns_value *result, ns_command_context *context, ns_error *err)
{
    request r;
    NS_TRY(ns_args_read(args, &r, err));
    r.output = args->output;
    if (r.nodes == 0)
        return ns_fail(err, NS_ERR_USAGE, "place wants --nodes K");
    if (r.write < 0 && r.hosts != NULL)
        return ns_fail(err, NS_ERR_USAGE, "--hosts is for --write ompi or slurm");
    if (r.write >= 0 && r.output == NULL)
        return ns_fail(err, NS_ERR_USAGE, "--write %s wants -o FILE", writes[r.write]);
    if ((r.write == OMPI || r.write == SLURM) && r.hosts == NULL)
        return ns_fail(err, NS_ERR_USAGE, "--write %s wants --hosts, the names of the nodes: LIST or FILE",
                       writes[r.write]);
    NS_CLOSE(placing_free) ns_placing p = {.asked = &r};
    ns_machine **machine;
    size_t machines;
    NS_TRY(ns_price_options_read(args, &p.selection.price, err));
    NS_TRY(ns_selection_read(args, p.wanted, NULL, &p.selection, err));
    NS_TRY(ns_machines_open(args, NS_EVERY_SET, &machine, &machines, err));
    p.machine = machine[0];
    machine[0] = NULL;
    ns_machines_close(machine, machines);
    if (machines > 1)
        return ns_fail(err, NS_ERR_USAGE, "place wants one --machine, got %zu", machines);
    NS_TRY(ns_inputs_open(args, &p.inputs, err));
    /* how many nodes there are, and whether the parts fit */
    p.nodes = r.nodes;
    p.per_node = r.per_node > 0 ? r.per_node : ns_machine_parts(p.machine);
    const int64_t room = (int64_t)p.nodes * p.per_node;
    const bool said = r.parts > 0;
    p.parts = said                   ? r.parts
              : p.inputs.parts > 0   ? p.inputs.parts
              : room < NS_PARTS_MOST ? (int32_t)room
                                     : NS_PARTS_MOST;
    if (p.inputs.parts > p.parts || (p.inputs.part != NULL && p.parts != p.inputs.parts))
        return ns_fail(err, NS_ERR_DATA, "the %s has %d parts, --parts says %d",
                       p.inputs.part != NULL ? "partition" : "exchange", (int)p.inputs.parts, (int)p.parts);
    NS_TRY(ns_inputs_check_rows(&p.inputs, said ? "parts" : "nodes", said ? p.parts : p.nodes, p.parts, err));
    if (p.parts > room)
        return ns_fail(err, NS_ERR_DATA, "%d parts do not fit on %d nodes with room for %d each: %lld places",
                       (int)p.parts, (int)p.nodes, (int)p.per_node, (long long)room);
    NS_TRY(ns_inputs_graph(&p.inputs, p.parts, &p.graph, err));
    NS_TRY(ns_placer_open(p.graph, p.nodes, p.machine, &p.selection, &p.inputs.limits, &p.placer, err));
    NS_TRY(add_even(&p, "block", ns_place_blocks, err));
    NS_TRY(add_even(&p, "cyclic", ns_place_cyclic, err));
    ns_placement *one = NULL;
    if (!r.no_scotch) {
        NS_TRY(begin(&p, "scotch", &one, err));
        const ns_status status = ns_scotch_map(p.graph, p.nodes, (uint64_t)r.seed, one->node_of, &p.unmapped);
        if (status == NS_ERR_MEMORY)
            return ns_no_memory(err);
        if (status == NS_OK) {
            NS_TRY(fit(&p, one->node_of, err));
            NS_TRY(price(&p, one, err));
        } else { /* a note reports this */
            ns_free(one->node_of);
            *one = (ns_placement){.name = NULL};
            p.placements--;
        }
    }
    /* The search starts from the best of the other placements. */
    const ns_placement *start = &p.placement[p.best];
    const ns_search_options search = {.seed = (uint64_t)r.seed,
                                      .tries = r.tries,
                                      .per_node = p.per_node,
                                      .watch = args->progress != NULL ? watch : NULL,
                                      .context = args->progress};
    NS_TRY(begin(&p, "search", &one, err));
    memcpy(one->node_of, start->node_of, (size_t)p.parts * sizeof *one->node_of);
    NS_TRY(ns_place_search(p.graph, p.nodes, p.machine, &p.selection, &p.inputs.limits, &search, one->node_of, err));
    ns_progress_clear(args->progress);
    NS_TRY(price(&p, one, err));
    show(&p, result);
    ns_warn_inside(p.machine, "placements that keep messages inside nodes", context->err);
    if (!ns_value_complete(result))
        return ns_no_memory(err);
    return r.output == NULL  ? NS_OK
           : r.write < 0     ? ns_result_save(result, r.output, err)
           : r.write == JSON ? ns_save_json(result, r.output, err)
                             : save_hosts(&r, &p, err);
}

const ns_command ns_command_place = {
    .name = "place",
    .summary = "on which node each part should stand, and what that gains",
    .usage = "MATRIX | FILE.csv --nodes K",
    .takes_subject = true,
    .options = options,
    .example = "nsmodel place --matrix rajat01 --machine dane --nodes 4 --per-node 8 --no-scotch",
    .about =
        "Prices four placements by every strategy: block (neighbours together, as even as can be), cyclic (round the "
        "nodes), that of\n"
        "Scotch, which keeps bytes inside nodes, where libscotch is installed, and the one that a search finds. It "
        "starts from the others\n"
        "and from bisections of its own, and is never slower; the gain is the time of block over the placement's own.\n"
        "--write ompi: mpirun --hostfile FILE --map-by seq -n P. --write slurm: SLURM_HOSTFILE=FILE srun "
        "--distribution=arbitrary -n P.\n"
        "Planned messages are rows of src,dst,bytes.",
    .rank = 3,
    .owns_output = ns_owns_output,
    .run = run,
};
