/* settings.c -- the settings in the environment of rank 0, for every process; and the log */
#include "mpi_layer/layer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

layer_settings layer_set;

/* Where no machine is given, prices decide nothing, but a schedule requires a machine: in this one all messages cost
 * the same. */
static const char flat[] =
    "{\"schema\":\"nsmodel/machine/1\",\"name\":\"flat\",\"title\":\"every message costs the same\","
    "\"source\":\"none: NSMODEL_MACHINE names no machine\","
    "\"topology\":{\"sockets\":1,\"gpus\":0,\"host_processes\":1},"
    "\"host\":{\"protocols\":{\"eager\":\"0 B\"},"
    "\"on-socket\":{\"eager\":{\"alpha\":\"1 us\",\"beta\":\"1 ns/B\"}},"
    "\"on-node\":{\"eager\":{\"alpha\":\"1 us\",\"beta\":\"1 ns/B\"}},"
    "\"off-node\":{\"eager\":{\"alpha\":\"1 us\",\"beta\":\"1 ns/B\"}}}}";

ns_status layer_machine(const ns_machine **machine, ns_error *err)
{
    static ns_machine *known; /* until the job ends */
    if (known == NULL)
        NS_TRY(layer_set.machine[0] != '\0' ? ns_machine_load(layer_set.machine, &known, err)
                                            : ns_machine_parse(flat, "flat", &known, err));
    *machine = known;
    return NS_OK;
}

static const char *value_of(const char *name)
{
    const char *value = getenv(name);
    return value != NULL ? value : "";
}

static bool is_off(void)
{
    return strcmp(value_of("NSMODEL_STRATEGY"), "off") == 0;
}

int layer_thread_level(int asked)
{
    return !is_off() && strcmp(value_of("NSMODEL_THREADS"), "multiple") == 0 ? MPI_THREAD_MULTIPLE : asked;
}

static void refuse(const char *name, const char *why)
{
    (void)fprintf(stderr, "nsmodel: %s=%s: %s\n", name, value_of(name), why);
    PMPI_Abort(MPI_COMM_WORLD, 1);
}

static void take(const char *name, char *text, size_t size)
{
    if ((size_t)snprintf(text, size, "%s", value_of(name)) >= size)
        refuse(name, "too long");
}

static const struct {
    const char *word;
    unsigned flags;
} efforts[] = {{"estimate", NS_MPI_ESTIMATE},
               {"measure", NS_MPI_MEASURE},
               {"patient", NS_MPI_PATIENT},
               {"wisdom", NS_MPI_WISDOM_ONLY}};
enum { EFFORTS = sizeof efforts / sizeof *efforts };

void layer_settings_read(void)
{
    int rank, given[4] = {!is_off(), MPI_THREAD_SINGLE}, agreed[4];
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Query_thread(&given[1]);
    if (rank == 0 && given[0]) {
        const ns_strategy *named[LAYER_WAYS];
        const ns_machine *machine;
        const char *per_node = value_of("NSMODEL_EMULATE_PPN"), *threads = value_of("NSMODEL_THREADS");
        const char *effort = value_of("NSMODEL_PLAN");
        char *end, text[2000];
        size_t count;
        ns_error err = {0};
        take("NSMODEL_MACHINE", layer_set.machine, sizeof layer_set.machine);
        take("NSMODEL_STRATEGY", layer_set.strategy, sizeof layer_set.strategy);
        take("NSMODEL_LOG", layer_set.log, sizeof layer_set.log);
        take("NSMODEL_WISDOM", layer_set.wisdom, sizeof layer_set.wisdom);
        const long ranks = strtol(per_node, &end, 10);
        if (*end != '\0' || ranks < 0 || ranks > 1 << 20)
            refuse("NSMODEL_EMULATE_PPN", "ranks of a node are wanted, a whole number, or 0: as they stand");
        if (threads[0] != '\0' && strcmp(threads, "multiple") != 0)
            refuse("NSMODEL_THREADS", "the only word is \"multiple\"");
        layer_set.emulate = (int)ranks;
        size_t word = 0;
        while (word < EFFORTS && strcmp(effort, efforts[word].word) != 0)
            word++;
        if (effort[0] != '\0' && word == EFFORTS)
            refuse("NSMODEL_PLAN", "the words are estimate, measure, patient and wisdom");
        layer_set.flags = effort[0] != '\0' && word < EFFORTS ? efforts[word].flags : NS_MPI_MEASURE;
        if (layer_machine(&machine, &err) != NS_OK) {
            ns_error_format(&err, text, sizeof text);
            const char *const *name = err.remedy == NS_REMEDY_MACHINES ? ns_machine_names() : &(const char *){NULL};
            for (const char *between = "; wanted: a file, or one of "; *name != NULL; between = ", ", name++)
                snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", between, *name);
            refuse("NSMODEL_MACHINE", text);
        }
        if (layer_set.strategy[0] != '\0' &&
            ns_strategies_named(layer_set.strategy, named, LAYER_WAYS, &count, &err) != NS_OK)
            refuse("NSMODEL_STRATEGY", ns_error_format(&err, text, sizeof text));
    }
    /* A process on which the layer is off, or that has fewer threads, decides for all. */
    PMPI_Bcast(&layer_set, (int)sizeof layer_set, MPI_BYTE, 0, MPI_COMM_WORLD);
    given[2] = layer_set.wisdom[0] != '\0' && access(layer_set.wisdom, R_OK) == 0;
    given[3] = !given[2];
    PMPI_Allreduce(given, agreed, 4, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    layer_set.open = true;
    layer_set.locks = given[1] == MPI_THREAD_MULTIPLE;
    layer_set.on = agreed[0];
    layer_set.remembers = agreed[2];
    if (rank == 0 && !agreed[2] && !agreed[3])
        layer_log("no wisdom: NSMODEL_WISDOM=%s cannot be read by all processes", layer_set.wisdom);
    layer_set.threads = agreed[1] == MPI_THREAD_MULTIPLE;
    if (rank == 0 && layer_set.on && !layer_set.threads)
        layer_log("nonblocking and persistent exchanges are left to MPI: the program asked for less than "
                  "MPI_THREAD_MULTIPLE, for which NSMODEL_THREADS=multiple asks");
}

void layer_log(const char *format, ...)
{
    va_list arguments;
    if (layer_set.log[0] == '\0')
        return;
    const bool own = strcmp(layer_set.log, "stderr") != 0;
    FILE *file = own ? fopen(layer_set.log, "a") : stderr;
    if (file == NULL)
        return;
    va_start(arguments, format);
    (void)fputs("nsmodel: ", file);
    (void)vfprintf(file, format, arguments);
    (void)fputc('\n', file);
    va_end(arguments);
    if (own)
        (void)fclose(file);
}

void *layer_memory(size_t count, size_t size)
{
    void *memory = calloc(count > 0 ? count : 1, size);
    if (memory == NULL) {
        (void)fputs("nsmodel: out of memory\n", stderr);
        PMPI_Abort(MPI_COMM_WORLD, 1);
        abort();
    }
    return memory;
}

void *layer_grown(void *list, int64_t *room, int64_t count, size_t size)
{
    if (count < *room)
        return list;
    char *more = layer_memory((size_t)(2 * *room + 16), size);
    if (count > 0)
        memcpy(more, list, (size_t)count * size);
    free(list);
    *room = 2 * *room + 16;
    return more;
}
