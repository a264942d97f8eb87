/* place.c -- on which node each part should stand: placements side by side, and the fastest as launchers read it */
#include "cli/inputs/cases.h"
#include "cli/inputs/placing.h"
#include "cli/show/result.h"
#include "core/memory.h"
#include "core/utf8.h"
#include "io/whole_file.h"
#include "report/columns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct request {
    int write; /* index into writes, or -1: the result as any command's */
    const char *hosts, *nodes, *output;
} request;

enum { OMPI, SLURM, JSON };
static const char *const writes[] = {"ompi", "slurm", "json", NULL};

static const ns_option options[] = {
    NS_OPTION_MATRIX,
    {"messages", 0, "FILE.csv", NULL, "planned messages instead of a matrix"},
    {"machine", 0, "NAME|FILE", NS_MACHINE_DEFAULT, "machine or machine file"},
    {"nodes", 'n', "K", NULL, "number of nodes", NS_OPT(request, nodes)},
    {"per-node", 0, "G", NULL, "room for parts on a node [the machine's GPUs, or host processes]"},
    {"parts", 'p', "P", NULL, "number of parts [those of the partition or the messages, or as many as fit]"},
    NS_OPTION_PARTITION,
    NS_OPTION_WIDTH,
    NS_OPTION_STRATEGY,
    NS_OPTION_TRANSPORT,
    NS_OPTION_MODEL,
    NS_OPTION_CONFIDENCE,
    NS_OPTION_SET,
    {"seed", 0, "S", "1", "of the search and of Scotch: the same seed gives the same answer"},
    {"tries", 0, "N", NULL, "moves and swaps that the search prices [by the number of parts]"},
    {"no-scotch", 0, NULL, NULL, "leave Scotch's placement out"},
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
    {"estimate_s", NS_COL(placed, seconds), .unit = "s", .shows = NS_IN_DATA},
    {"time", NS_COL(placed, seconds), .unit = "s", .shows = NS_IN_TABLE},
    {"gain", NS_COL(placed, gain)},
    {"bytes_off_node", NS_COL(placed, bytes_off_node), .unit = "B", .shows = NS_IN_DATA},
    {"off node", NS_COL(placed, bytes_off_node), .unit = "B", .shows = NS_IN_TABLE},
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

/* The answer, the fastest first in words. */
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
    ns_put_count(result, "seed", NS_IN_JSON, (double)p->seed);
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

/* A list with commas, or a file with a name in each line. */
typedef struct hosts {
    char *text;        /* owns the names */
    const char **name; /* [count] */
    int32_t count;
} hosts;

static ns_status read_file(FILE *file, const char *path, char **text, ns_error *err)
{
    size_t used = 0, room = 0;
    for (;;) {
        if (used + 1 >= room) {
            char *grown = ns_realloc(*text, ns_size_add(ns_size_mul(2, room), 4096));
            if (grown == NULL)
                return ns_no_memory(err);
            *text = grown;
            room = 2 * room + 4096;
        }
        const size_t got = fread(*text + used, 1, room - 1 - used, file);
        used += got;
        (*text)[used] = '\0';
        if (got == 0)
            break;
    }
    return ferror(file) ? ns_fail_at(err, NS_ERR_FILE, path, 0, 0, "cannot be read") : NS_OK;
}

/* A file's text, or else what is given itself. */
static ns_status copy_text(const char *given, hosts *h, bool *is_file, ns_error *err)
{
    FILE *file = fopen(given, "r");
    *is_file = file != NULL;
    if (file != NULL) {
        const ns_status status = read_file(file, given, &h->text, err);
        fclose(file);
        return status;
    }
    const size_t size = strlen(given) + 1;
    h->text = ns_malloc(size);
    if (h->text == NULL)
        return ns_no_memory(err);
    memcpy(h->text, given, size);
    return NS_OK;
}

static bool is_listed(const hosts *h, const char *name)
{
    for (int32_t i = 0; i < h->count; i++)
        if (strcmp(h->name[i], name) == 0)
            return true;
    return false;
}

/* A LIST names each node once.  A FILE is what a scheduler or mpirun has: a name may come once for each slot, a line
 * say how many (slots=4) or be a comment, and of more nodes than are wanted the first are taken. */
static ns_status read_hosts(const char *given, int32_t wanted, hosts *h, ns_error *err)
{
    static const char between[] = ", \t\r\n";
    int32_t listed = 0;
    bool is_file;
    NS_TRY(copy_text(given, h, &is_file, err));
    h->name = ns_calloc((size_t)wanted, sizeof *h->name);
    if (h->name == NULL)
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

static void free_hosts(hosts *h)
{
    ns_free(h->text);
    ns_free(h->name);
}

static ns_status read_names(const char *given, int32_t wanted, hosts *h, ns_error *err)
{
    hosts read = {0};
    const ns_status status = read_hosts(given, wanted, &read, err);
    if (status == NS_OK)
        *h = read;
    else
        free_hosts(&read);
    return status;
}

/* The host of each part, one a line: what Open MPI's sequential mapper and Slurm's arbitrary distribution take. */
static ns_status save_hosts(const request *r, const ns_placing *p, ns_error *err)
{
    hosts h;
    ns_whole_file whole;
    NS_TRY(read_names(r->hosts, p->nodes, &h, err));
    ns_status status = ns_whole_file_begin(r->output, NS_FOR_ALL, &whole, err);
    if (status == NS_OK) {
        for (int32_t q = 0; q < p->parts; q++)
            fprintf(whole.file, "%s\n", h.name[p->placement[p->best].node_of[q]]);
        status = ns_whole_file_end(&whole, NS_OK, err);
    }
    free_hosts(&h);
    return status;
}

/* ---- the command ------------------------------------------------------------------------------------------------- */

static ns_status save(const request *r, const ns_placing *p, const ns_value *result, ns_error *err)
{
    if (r->output == NULL)
        return NS_OK;
    if (!ns_value_complete(result))
        return ns_no_memory(err);
    return r->write < 0       ? ns_result_save(result, r->output, err)
           : r->write == JSON ? ns_save_json(result, r->output, err)
                              : save_hosts(r, p, err);
}

static ns_status run(const ns_args *args, ns_value *result, ns_command_context *context, ns_error *err)
{
    ns_placing *p;
    request r;
    NS_TRY(ns_args_read(args, &r, err));
    r.output = ns_args_get(args, "output");
    if (r.write < 0 && r.hosts != NULL)
        return ns_fail(err, NS_ERR_USAGE, "--hosts is for --write ompi or slurm");
    if (r.write >= 0 && r.output == NULL)
        return ns_fail(err, NS_ERR_USAGE, "--write %s wants -o FILE", writes[r.write]);
    if ((r.write == OMPI || r.write == SLURM) && r.hosts == NULL)
        return ns_fail(err, NS_ERR_USAGE, "--write %s wants --hosts, the names of the nodes: LIST or FILE",
                       writes[r.write]);
    if (!(r.nodes != NULL))
        return ns_fail(err, NS_ERR_USAGE, "place wants --nodes K");
    NS_TRY(ns_placing_open(args, &p, err));
    show(p, result);
    ns_warn_inside(p->machine, "placements that keep messages inside nodes", context->err);
    const ns_status status = save(&r, p, result, err);
    ns_placing_close(p);
    return status;
}

static bool owns_output(const char *path)
{
    (void)path;
    return true;
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
    .owns_output = owns_output,
    .run = run,
};
