/* test_fit_printed.c -- a benchmark that prints what a node has is believed, up to what one can have; options win */
#include "support/cli.h"
#include "support/test.h"

static const struct {
    const char *head, *options;
    double processes, sockets, gpus;
    const char *source; /* of the processes; NULL: given */
} node[] = {
    {"socket: 16\n# Processes per node: 64\n# GPUs per node: 4\n", "", 64, 4, 4, "printed by the benchmark"},
    {"socket: 16\n# Processes per node: 64\n# GPUs per node: 4\n", "--sockets 2 --gpus 1 --processes 32", 32, 2, 1,
     NULL},
    {"socket: 16\n# Processes per node: 64\n# GPUs per node: 4\n", "--per-node 8", 64, 4, 4,
     "assumed: the benchmark's ranks per node"},
    {"socket: 24\n# Processes per node: 64\n", "", 64, 1, 8, "printed by the benchmark"},
    {"socket: 0\n# Processes per node: 64\n", "", 64, 1, 8, "printed by the benchmark"},
    {"socket: 1\n# Processes per node: 513\n# GPUs per node: 600\n", "", 8, 1, 8,
     "assumed: the most that were active at once in the logs"},
    {"socket: 1\n# Processes per node: 4\n# GPUs per node: 2\n", "", 8, 4, 2,
     "assumed: the most that were active at once in the logs"},
};

static double count_of(const ns_value *root, const char *name)
{
    const ns_value *topology = ns_value_get(ns_value_get(root, "machine"), "topology"),
                   *count = ns_value_get(topology, name), *value = ns_value_get(count, "value");
    return value != NULL ? value->number : count->number;
}

TEST_EACH(printed, sizeof node / sizeof *node)
{
    static const char tables[] = "Running standard GPU-Aware benchmarks\nOff-Node MultiProc Ping-Pong:\n"
                                 "Active Procs: 1\nSize 1: 8e-06\nSize 1024: 9e-06\nSize 1048576: 1e-03\n"
                                 "Active Procs: 8\nSize 1: 8e-06\nSize 1024: 9e-06\nSize 1048576: 2e-03\n";
    char text[1000], line[500];
    snprintf(text, sizeof text, "# Processes per %s%s", node[_i].head, tables);
    snprintf(line, sizeof line, "fit %s %s", cli_file("printed.out", text), node[_i].options);
    ns_value *root = cli_json(line);
    ck_assert_double_eq(count_of(root, "host_processes"), node[_i].processes);
    ck_assert_double_eq(count_of(root, "sockets"), node[_i].sockets);
    ck_assert_double_eq(count_of(root, "gpus"), node[_i].gpus);
    const ns_value *topology = ns_value_get(ns_value_get(root, "machine"), "topology"),
                   *source = ns_value_get(ns_value_get(topology, "host_processes"), "source");
    if (node[_i].source == NULL)
        ck_assert_ptr_null(source);
    else
        ck_assert_str_eq(source->text, node[_i].source);
    ns_value_free(root);
}
