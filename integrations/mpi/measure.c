/* measure.c -- nsmodel-mpi measure: everything from which nsmodel fit makes a machine, in one log
 *
 * src/logs/tool_nsmodel.c reads it.
 */
#include "mpi/measure.h"
#include "core/memory.h"
#include "io/whole_file.h"
#include "mpi/job.h"
#include "mpi/watchdog.h"

#include <string.h>
#include <unistd.h>

static const ns_option options[] = {
    {"per-node", 0, "G", NULL, "ranks of a node [as MPI says who shares memory]"},
    {"sockets", 0, "S", NULL, "sockets of a node, filled in turn [as the system says of bound processes]"},
    {"most", 0, "SIZE", "4MiB", "of the largest message"},
    {"seconds", 0, "S", "0.3", "for each number at most, while its interval is not tight"},
    NS_OPTION_TIMEOUT,
    {NULL},
};

enum { SIZES = 40, FLIGHT_LEAST = 2, FLIGHT_MOST = 64, QUEUE_LEAST = 16, QUEUE_MOST = 512 };

static int most_pairs(const ns_survey *s, ns_locality locality)
{
    return ns_place_pairs(&s->place, locality, s->first, s->second, s->place.ranks);
}

static ns_status one_pair(ns_survey *s, const ns_survey_part *part, const int64_t *size, int sizes, ns_error *err)
{
    if (part->memory == NS_DEVICE && s->device.runtime == NULL)
        return NS_OK;
    return ns_survey_pairs(s, &(ns_table){NS_PING_PONG, part->locality, 1, 1, "", part->memory}, size, sizes, err);
}

/* 2, 4, ... pairs, and all of them at once. */
static ns_status more_pairs(ns_survey *s, const ns_survey_part *part, const int64_t *size, int sizes, ns_error *err)
{
    const ns_locality l = part->locality;
    const int all = most_pairs(s, l);
    for (int pairs = 1; pairs < all;) {
        pairs = 2 * pairs < all ? 2 * pairs : all;
        NS_TRY(ns_survey_pairs(s, &(ns_table){NS_NODE_PONG, l, pairs, 1, "", NS_HOST}, size, sizes, err));
    }
    return NS_OK;
}

static ns_status fan(ns_survey *s, const ns_survey_part *part, const int64_t *size, int sizes, ns_error *err)
{
    (void)part; /* between nodes */
    for (int n = FLIGHT_LEAST; n <= FLIGHT_MOST; n *= 2)
        NS_TRY(ns_survey_fan(s, n, size, sizes, err));
    return NS_OK;
}

static ns_status flights(ns_survey *s, const ns_survey_part *part, const int64_t *size, int sizes, ns_error *err)
{
    const ns_locality l = part->locality;
    const int all = most_pairs(s, l);
    for (int n = FLIGHT_LEAST; n <= FLIGHT_MOST && all > 1; n *= 4)
        NS_TRY(ns_survey_pairs(s, &(ns_table){NS_MULTI_MESSAGE, l, all, n, "", NS_HOST}, size, sizes, err));
    return NS_OK;
}

/* The queue search costs most where messages are short and many.  It is measured off node where there are two nodes. */
static ns_status queue(ns_survey *s, const ns_survey_part *part, const int64_t *size, int sizes, ns_error *err)
{
    static const ns_sample_kind kinds[] = {NS_QUEUE_IN_ORDER, NS_QUEUE_REVERSED};
    ns_locality l = part->locality;
    while (l > NS_ON_SOCKET && most_pairs(s, l) == 0)
        l--;
    for (int k = 0; k < 2; k++)
        for (int n = QUEUE_LEAST; n <= QUEUE_MOST; n *= 2)
            NS_TRY(ns_survey_pairs(s, &(ns_table){kinds[k], l, 1, n, "", NS_HOST}, size, sizes, err));
    return NS_OK;
}

const ns_survey_part ns_survey_parts[NS_SURVEY_PARTS] = {
    {"ping-pongs off node", one_pair, NS_OFF_NODE, 1, 2, {"host.off-node.*"}},
    {"ping-pongs on a node", one_pair, NS_ON_NODE, 1, 2, {"host.on-node.*"}},
    {"ping-pongs on a socket", one_pair, NS_ON_SOCKET, 1, 2, {"host.on-socket.*"}},
    {"ping-pongs off node, several pairs", more_pairs, NS_OFF_NODE, 1, 2,
     {"host.injection.*", "host.exchange.inverse_R", "host.exchange.off-node.alpha"}},
    {"ping-pongs on a node, several pairs", more_pairs, NS_ON_NODE, 1, 2, {"host.exchange.on-node.inverse_R"}},
    {"ping-pongs on a socket, several pairs", more_pairs, NS_ON_SOCKET, 1, 2, {"host.exchange.on-socket.inverse_R"}},
    {"fan-out and incast", fan, NS_OFF_NODE, 8, 4, {"host.exchange.off-node.*", "host.exchange.*.overhead"}},
    {"messages in flight off node", flights, NS_OFF_NODE, 8, 4, {"host.exchange.off-node.*"}},
    {"messages in flight on a node", flights, NS_ON_NODE, 8, 4, {"host.exchange.on-node.*"}},
    {"messages in flight on a socket", flights, NS_ON_SOCKET, 8, 4, {"host.exchange.on-socket.*"}},
    {"the queue search", queue, NS_OFF_NODE, 8, 8, {"*.gamma*"}, .most = 64},
    {"the parameters of LogGP", ns_survey_loggp, NS_OFF_NODE, 1, 4, {"host.overhead*", "*.loggp.*"}},
    {"allreduce", ns_survey_allreduce, NS_OFF_NODE, 8, 4, {"collectives.*"}, .most = 64 << 10},
    {"packing", ns_survey_packing, NS_ON_NODE, 4096, 4, {"host.exchange.packing.*"}},
    {"ping-pongs of device memory off node", one_pair, NS_OFF_NODE, 1, 2, {"device.off-node.*"}, .memory = NS_DEVICE},
    {"ping-pongs of device memory on a node", one_pair, NS_ON_NODE, 1, 2, {"device.on-node.*"}, .memory = NS_DEVICE},
    {"ping-pongs of device memory on a socket", one_pair, NS_ON_SOCKET, 1, 2, {"device.on-socket.*"},
     .memory = NS_DEVICE},
};

ns_status ns_survey_take(ns_survey *s, const ns_survey_part *part, ns_error *err)
{
    int64_t size[SIZES];
    int sizes = 0;
    const int64_t most = part->most > 0 ? part->most : s->largest;
    for (int64_t at = part->from; at <= most && sizes < SIZES; at *= part->factor)
        size[sizes++] = at;
    ns_watchdog_doing(part->what);
    return sizes > 0 ? part->take(s, part, size, sizes, err) : NS_OK;
}

/* ---- the log ----------------------------------------------------------------------------------------------------- */

/* The lowest rank of a host reports it.  The load over the last minute is the number of processes that are ready to
 * run. */
void ns_survey_hosts(const ns_survey *s, const char *when)
{
    const ns_world *w = s->world;
    struct {
        char name[MPI_MAX_PROCESSOR_NAME];
        double load;
        int first, cores, ranks;
    } mine = {.load = -1, .first = w->host_rank == 0, .cores = (int)sysconf(_SC_NPROCESSORS_ONLN)}, one;
    int length;
    FILE *file = fopen("/proc/loadavg", "r");
    if (file != NULL && fscanf(file, "%lf", &mine.load) != 1)
        mine.load = -1;
    if (file != NULL)
        (void)fclose(file);
    MPI_Get_processor_name(mine.name, &length);
    for (int r = 0, host = 0; r < w->ranks; r++) {
        one = mine;
        MPI_Bcast(&one, (int)sizeof one, MPI_BYTE, r, w->comm);
        const int here = w->host == host;
        int ranks;
        if (!one.first)
            continue;
        MPI_Allreduce(&here, &ranks, 1, MPI_INT, MPI_SUM, w->comm);
        if (s->log != NULL)
            fprintf(s->log, "host %d ranks %d cores %d load %s %.2f # %s\n", host, ranks, one.cores, when, one.load,
                    one.name);
        host++;
    }
}

void ns_survey_head(const ns_survey *s)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(version, &length);
    version[strcspn(version, "\n")] = '\0';
    if (s->log != NULL)
        fprintf(s->log,
                "nsmodel-mpi measure 1\n# %s\n# seconds are one way, the median of so many batches, with its 95 %% "
                "interval\njob ranks %d nodes %d sockets %d\n",
                version, s->place.ranks, s->place.nodes, s->place.sockets);
    if (s->log != NULL && s->device.runtime != NULL)
        fprintf(s->log, "# device memory by %s, %d devices on the first host\n", s->device.runtime, s->device.devices);
}

ns_status ns_survey_open(ns_survey *s, const ns_world *world, const ns_args *args, int per_node, ns_error *err)
{
    int32_t sockets = 0;
    NS_TRY(ns_args_bytes(args, "most", &s->largest, err));
    NS_TRY(ns_job_number(args, "seconds", 1e-3, &s->seconds_most, err));
    if (s->largest > 64 << 20)
        return ns_fail(err, NS_ERR_RANGE, "--most wants 64 MiB at most");
    if (ns_args_has(args, "sockets"))
        NS_TRY(ns_args_count(args, "sockets", 1, INT32_MAX, &sockets, err));
    s->world = world;
    ns_device_open(world, &s->device);
    NS_TRY(ns_place_open(world, per_node, sockets, &s->place, err));
    s->first = ns_calloc(2 * (size_t)world->ranks, sizeof *s->first);
    s->second = s->first != NULL ? s->first + world->ranks : NULL;
    const ns_status status = ns_world_agree(world, s->first != NULL ? NS_OK : ns_no_memory(err), err);
    if (status != NS_OK)
        ns_survey_close(s);
    return status;
}

void ns_survey_close(ns_survey *s)
{
    ns_place_close(&s->place);
    ns_free(s->first);
}

/* ---- the command ------------------------------------------------------------------------------------------------- */

static ns_status run(const ns_world *world, const ns_args *args, ns_value *result, FILE *words, ns_error *err)
{
    ns_survey s = {.largest = 0};
    int32_t per_node = 0;
    if (ns_args_has(args, "per-node"))
        NS_TRY(ns_args_count(args, "per-node", 1, INT32_MAX, &per_node, err));
    if (ns_args_get(args, "output") == NULL)
        return ns_fail(err, NS_ERR_USAGE, "measure wants -o LOG");
    if (world->ranks <= 1)
        return ns_fail(err, NS_ERR_USAGE, "measure wants two ranks or more");
    NS_TRY(ns_survey_open(&s, world, args, per_node, err));
    ns_whole_file whole;
    ns_status status =
        world->rank == 0 ? ns_whole_file_begin(ns_args_get(args, "output"), NS_FOR_ALL, &whole, err) : NS_OK;
    const bool begun = status == NS_OK && world->rank == 0;
    status = ns_world_agree(world, status, err);
    s.log = begun ? whole.file : NULL;
    if (status == NS_OK) {
        ns_survey_head(&s);
        ns_survey_hosts(&s, "before");
    }
    if (begun)
        fputs("# bytes seconds low high batches\n", s.log);
    for (int i = 0; i < NS_SURVEY_PARTS && status == NS_OK; i++)
        status = ns_survey_take(&s, &ns_survey_parts[i], err);
    if (status == NS_OK)
        ns_survey_hosts(&s, "after");
    if (begun) {
        fprintf(s.log, "end %d numbers, %d of them not tight\n", s.points, s.loose);
        status = ns_whole_file_end(&whole, status, err);
    }
    status = ns_world_agree(world, status, err);
    if (status == NS_OK && world->rank == 0) {
        ns_value_text(result, "log", ns_args_get(args, "output"));
        ns_value_count(result, "ranks", s.place.ranks);
        ns_value_count(result, "nodes", s.place.nodes);
        ns_value_count(result, "sockets", s.place.sockets);
        ns_value_count(result, "numbers", s.points);
        ns_value_count(result, "not_tight", s.loose);
        if (s.place.nodes == 1)
            fprintf(words, "nsmodel-mpi: note: one node, so nothing off node was measured\n");
        if (s.place.sockets > 1 && s.place.socket[0] < 0)
            fprintf(words,
                    "nsmodel-mpi: note: the ranks are bound to no socket, so all pairs of a node count as on-node "
                    "(mpirun --bind-to core, or --sockets S)\n");
    }
    ns_survey_close(&s);
    return status;
}

const ns_job_command ns_job_measure = {
    .line =
        {
            .name = "measure",
            .program = "nsmodel-mpi",
            .summary = "benchmark a cluster: a log that nsmodel fit makes a machine file of",
            .usage = "-o LOG",
            .options = options,
            .example = "mpirun -n 64 nsmodel-mpi measure -o mine.log && nsmodel fit mine.log -o mine.json",
            .about = "Ping-pongs of one pair and of more at once on a socket, on a node and between nodes, several "
                     "messages in flight, receives\n"
                     "in the worst order, what sending and receiving cost the processor, allreduce. Two full nodes "
                     "are what it wants.\n"
                     "Where the MPI says that it takes pointers to device memory (CUDA or HIP), ping-pongs of it, "
                     "too.\n"
                     "Each number is repeated until the 95 % interval of its median is within 5 %, or --seconds are "
                     "over.\n",
            .rank = 2,
            .owns_output = ns_owns_output,
        },
    .run = run,
};
