/* settings.c -- what the environment of rank 0 says, for every process; and the log */
#include "mpi_layer/layer.h"

#include <nsmodel/machine.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

layer_settings layer_set;

static void take(const char *name, const char *otherwise, char *text, size_t size)
{
    const char *value = getenv(name);
    snprintf(text, size, "%s", value != NULL && value[0] != '\0' ? value : otherwise);
}

bool layer_is_off(void)
{
    const char *value = getenv("NSMODEL_STRATEGY");
    return value != NULL && strcmp(value, "off") == 0;
}

void layer_settings_read(void)
{
    int level = MPI_THREAD_SINGLE, off = layer_is_off(), least;
    take("NSMODEL_MACHINE", NS_MACHINE_DEFAULT, layer_set.machine, sizeof layer_set.machine);
    take("NSMODEL_STRATEGY", "", layer_set.strategy, sizeof layer_set.strategy);
    take("NSMODEL_LOG", "", layer_set.log, sizeof layer_set.log);
    const char *emulate = getenv("NSMODEL_EMULATE_PPN");
    layer_set.emulate = emulate != NULL && atoi(emulate) > 0 ? atoi(emulate) : 0;
    PMPI_Query_thread(&level);
    /* A process that has it off, or fewer threads, decides for all. */
    int given[2] = {!off, level};
    int agreed[2] = {0, 0};
    PMPI_Bcast(&layer_set, (int)sizeof layer_set, MPI_BYTE, 0, MPI_COMM_WORLD);
    PMPI_Allreduce(given, agreed, 2, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    least = agreed[1];
    layer_set.threads = least == MPI_THREAD_MULTIPLE;
    layer_set.on = agreed[0] != 0;
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
