/* main.c -- nsmodel-mpi: the same command line on every process, one answer from rank 0 */
#include "cli/program/pages.h"
#include "cli/show/result.h"
#include "core/memory.h"
#include "core/number.h"
#include "core/refuse.h"
#include "mpi/job.h"
#include "mpi/watchdog.h"

#include <math.h>
#include <string.h>

static const ns_job_command *const commands[] = {&ns_job_run, &ns_job_measure, &ns_job_tune,
#ifndef NS_SIMULATED /* in a simulation its files would be simulated, too */
                                                 &ns_job_pattern, &ns_job_predict
#endif
};
enum { COMMANDS = sizeof commands / sizeof *commands };

ns_status ns_job_number(const ns_args *args, const char *option, double least, double *number, ns_error *err)
{
    const char *text = ns_args_get(args, option);
    char *end;
    const double value = ns_strtod(text, &end);
    if (end == text || *end != '\0' || !(value >= least && value <= 1e6))
        return ns_fail(err, NS_ERR_USAGE, "--%s wants a number from %g to 1e6, got \"%.40s\"", option, least, text);
    *number = value;
    return NS_OK;
}

ns_status ns_job_per_node(const ns_world *world, const ns_args *args, int *per_node, ns_error *err)
{
    int32_t given = world->per_host;
    if (ns_args_has(args, "per-node"))
        NS_TRY(ns_args_count(args, "per-node", 1, INT32_MAX, &given, err));
    if (given == 0)
        return ns_fail(err, NS_ERR_USAGE,
                       "the ranks are not placed in equal blocks on the nodes (mpirun --map-by core does that); or "
                       "give --per-node G");
    *per_node = given < world->ranks ? given : world->ranks;
    return NS_OK;
}

/* ---- one command ------------------------------------------------------------------------------------------------- */

static ns_status run_parsed(const ns_world *world, const ns_job_command *command, const ns_args *args, ns_error *err)
{
    double timeout = 0;
    const ns_format *format = NULL;
    NS_TRY(ns_job_number(args, "timeout", 1, &timeout, err));
    NS_TRY(ns_format_choose(args, &format, err));
    ns_watchdog_limit(timeout);
    const bool quiet = ns_args_has(args, "quiet");
    FILE *const nowhere = world->rank == 0 && quiet ? fopen("/dev/null", "w") : NULL;
    FILE *const words = world->rank != 0 ? NULL : quiet ? nowhere : stderr;
    ns_value *result = ns_value_new();
    ns_status status = result != NULL ? NS_OK : ns_no_memory(err);
    if (status == NS_OK && world->rank == 0 && words == NULL)
        status = ns_fail(err, NS_ERR_FILE, "--quiet: /dev/null cannot be opened");
    status = ns_world_agree(world, status, err);
    if (status == NS_OK)
        status = command->run(world, args, result, words, err);
    if (status == NS_OK && world->rank == 0) {
        const bool saves = ns_args_get(args, "output") != NULL && command->line.owns_output == NULL;
        ns_screen screen;
        status = ns_screen_read(args, stdout, &screen, err);
        if (status == NS_OK && !ns_value_complete(result))
            status = ns_no_memory(err);
        if (status == NS_OK && saves)
            status = ns_result_save(result, ns_args_get(args, "output"), err);
        if (status == NS_OK)
            status = ns_result_write(result, format, stdout, &screen, err);
        if (status == NS_OK && (fflush(stdout) != 0 || ferror(stdout)))
            status = ns_fail(err, NS_ERR_FILE, "standard output could not be written");
    }
    MPI_Bcast(&status, (int)sizeof status, MPI_BYTE, 0, world->comm);
    ns_value_free(result);
    if (nowhere != NULL)
        fclose(nowhere);
    return status;
}

static ns_status run(const ns_world *world, int argc, char **argv, ns_error *err)
{
    uint64_t bits = NS_BITS;
    for (int i = 1; i < argc; i++)
        bits = ns_bits(bits, argv[i], strlen(argv[i]) + 1);
    NS_TRY(ns_world_same(world, bits, "other arguments", err));
    if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0) {
        if (world->rank == 0) {
            printf("nsmodel-mpi measures what nsmodel predicts, and predicts by all processes of a job.\n\n");
            for (int i = 0; i < COMMANDS; i++)
                printf("  %-8s %s\n", commands[i]->line.name, commands[i]->line.summary);
            printf("\n`nsmodel-mpi COMMAND --help` tells more; docs/cluster.md shows the whole way.\n");
        }
        return NS_OK;
    }
    const ns_job_command *command = NULL;
    const char *names[COMMANDS];
    for (int i = 0; i < COMMANDS; i++) {
        names[i] = commands[i]->line.name;
        command = strcmp(names[i], argv[1]) == 0 ? commands[i] : command;
    }
    if (command == NULL) {
        char list[200];
        return ns_fail(err, NS_ERR_USAGE, "no command \"%.40s\"; there are %s", argv[1],
                       ns_name_list(list, sizeof list, names, COMMANDS));
    }
    ns_args *args = ns_malloc(sizeof *args);
    ns_status status = ns_world_agree(world, args != NULL ? NS_OK : ns_no_memory(err), err);
    if (status == NS_OK)
        status = ns_args_parse(&command->line, argc - 2, argv + 2, args, err);
    if (status == NS_OK && ns_args_has(args, "help")) {
        if (world->rank == 0)
            ns_help_command(&command->line, stdout);
    } else if (status == NS_OK) {
        status = run_parsed(world, command, args, err);
    }
    ns_free(args);
    return status;
}

int main(int argc, char **argv)
{
    static const double first_answers = 60; /* s */
    ns_world world = {.rank = 0};
    ns_error err = {0};
    char text[1024];
    /* Help and version need no job: login nodes of many clusters refuse to start MPI. */
    const char *word = argc == 2 || argc == 3 ? argv[1] : "";
    const bool version = argc == 2 && strcmp(word, "--version") == 0, man = argc == 2 && strcmp(word, "--man") == 0;
    if (version || man || (argc == 3 && strcmp(word, "--complete") == 0)) {
        ns_program program = {.commands = COMMANDS};
        for (int i = 0; i < COMMANDS; i++)
            program.command[i] = &commands[i]->line;
        if (version)
            puts("nsmodel-mpi " NS_VERSION);
        else if (man)
            ns_man_job(program.command, COMMANDS, stdout);
        else
            ns_complete_line(&program, argv[2], stdout);
        return fflush(stdout) == 0 ? 0 : 1;
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &world.rank);
    ns_watchdog_start(world.rank, first_answers);
    ns_world_open(&world);
    const ns_status status = run(&world, argc, argv, &err);
    if (status != NS_OK && world.rank == 0)
        fprintf(stderr, "nsmodel-mpi: %s\n", ns_error_line(&err, text, sizeof text));
    ns_watchdog_silence();
    MPI_Finalize();
    ns_watchdog_stop();
    /* The job's exit code is that of rank 0: a launcher may stop the others when the first one fails. */
    return status == NS_OK || world.rank != 0 ? 0 : status == NS_ERR_USAGE ? 2 : 1;
}
