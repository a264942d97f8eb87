/* test_nccl.c -- the tuner plugin of NCCL, called as NCCL calls it; NCCL itself has not been tried */
#include <dlfcn.h>
#include <stdarg.h>

#include <nsmodel/machine.h>

#include "../support/test.h"
#include "support/machines.h"
#include "support/shell.h"

enum { ALGORITHMS = 7, PROTOCOLS = 3, RING = 1, CHAIN = 3, SIMPLE = 2, ALLREDUCE = 4 };

/* As the public header of NCCL 2.22 lays it out. */
typedef void logger(int level, unsigned long flags, const char *file, int line, const char *format, ...);
typedef struct tuner_v3 {
    const char *name;
    int (*init)(size_t ranks, size_t nodes, logger *log, void **context);
    int (*get)(void *context, int collective, size_t bytes, int pipelined, float **table, int algorithms, int protocols,
               int *channels);
    int (*destroy)(void *context);
} tuner_v3;

static const tuner_v3 *plugin;
static void *library;
static char said[1000];

static void keep(int level, unsigned long flags, const char *file, int line, const char *format, ...)
{
    va_list arguments;
    ck_assert_int_eq(level, 3);
    ck_assert_uint_eq(flags, 64);
    ck_assert_ptr_nonnull(file);
    ck_assert_int_gt(line, 0);
    va_start(arguments, format);
    vsnprintf(said, sizeof said, format, arguments);
    va_end(arguments);
}

/* From an installed prefix. */
static void begin(void)
{
    char path[1200];
    shell_ok("eval \"${NSMODEL_MAKE:-make} install prefix='%s/prefix' DESTDIR=\"", scratch_open());
    snprintf(path, sizeof path, "%s/prefix/lib/libnccl-tuner-nsmodel.so", scratch_folder());
    library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    ck_assert_msg(library != NULL, "%s", dlerror());
    plugin = dlsym(library, "ncclTunerPlugin_v3");
    ck_assert_ptr_nonnull(plugin);
}

static void end(void)
{
    dlclose(library);
    scratch_close();
}

/* NCCL's table before: 100 us for all, but for what it cannot run. */
static void ask(const char *machine, size_t ranks, size_t nodes, int collective, size_t bytes,
                float table[ALGORITHMS][PROTOCOLS])
{
    void *context = &said;
    int channels = 0;
    for (int a = 0; a < ALGORITHMS; a++)
        for (int p = 0; p < PROTOCOLS; p++)
            table[a][p] = a > CHAIN ? -1 : 100;
    if (machine != NULL)
        ck_assert_int_eq(setenv("NSMODEL_MACHINE", machine, 1), 0);
    else
        ck_assert_int_eq(unsetenv("NSMODEL_MACHINE"), 0);
    ck_assert_int_eq(plugin->init(ranks, nodes, keep, &context), 0);
    ck_assert_int_eq(
        plugin->get(context, collective, bytes, 1, (float **)(void *)table, ALGORITHMS, PROTOCOLS, &channels), 0);
    ck_assert_int_eq(channels, 0);
    ck_assert_int_eq(plugin->destroy(context), 0);
}

/* How many cells are not what NCCL had. */
static int changed(float table[ALGORITHMS][PROTOCOLS])
{
    int cells = 0;
    for (int a = 0; a < ALGORITHMS; a++)
        for (int p = 0; p < PROTOCOLS; p++)
            cells += table[a][p] != (a > CHAIN ? -1 : 100);
    return cells;
}

TEST_EACH(ring, 3)
{
    enum { RANKS = 16 };
    static const size_t sizes[] = {1024, 1 << 20, 1 << 28};
    float table[ALGORITHMS][PROTOCOLS];
    ns_machine *machine = machine_named("lassen-spectrum");
    const double part = (double)sizes[_i] / RANKS;
    ns_class_info line = {.size = sizeof line};
    ck_assert(ns_machine_class(machine, NS_DEVICE, NS_OFF_NODE, part, &line, NULL) == NS_OK);
    const double us = 2e6 * (RANKS - 1) * (line.alpha + line.beta * part);
    ask("lassen-spectrum", RANKS, 4, ALLREDUCE, sizes[_i], table);
    ck_assert_double_eq_tol(table[RING][SIMPLE], us, 1e-6 * us);
    ck_assert_int_eq(changed(table), 1);
    ck_assert_str_eq(said, "nsmodel: allreduces priced on lassen-spectrum");
    ns_machine_free(machine);
}

/* Both rows of CollNet, where the model's data reach, and with one rank a node only. */
TEST(in_switches)
{
    float table[ALGORITHMS][PROTOCOLS];
    char out[200];
    ask("sharp-switchib2", 16, 16, ALLREDUCE, 1024, table);
    shell(out, sizeof out,
          "'%s' eval sharp --machine sharp-switchib2 hosts=16 s=1KiB --json | sed -n '/\"time\"/,/}/p' | sed -n "
          "'s/.*\"value\": *\\([0-9.e+-]*\\).*/\\1/p'",
          shell_program());
    const double us = 1e6 * atof(out);
    ck_assert_double_gt(us, 1);
    ck_assert_double_eq_tol(table[CHAIN][SIMPLE], us, 1e-6 * us);
    ck_assert_double_eq_tol(table[CHAIN - 1][SIMPLE], us, 1e-6 * us);
    ck_assert_int_eq(changed(table), 2); /* no ring: the machine has no device tables */
    ask("sharp-switchib2", 16, 16, ALLREDUCE, 1 << 20, table);
    ck_assert_int_eq(changed(table), 0);
    ask("sharp-switchib2", 32, 16, ALLREDUCE, 1024, table);
    ck_assert_int_eq(changed(table), 0);
}

/* NCCL's own table stays, and a line says why. */
TEST(left_alone)
{
    float table[ALGORITHMS][PROTOCOLS];
    ask(NULL, 16, 4, ALLREDUCE, 1024, table);
    ck_assert_int_eq(changed(table), 0);
    ck_assert_str_eq(said, "nsmodel: NSMODEL_MACHINE names no machine; NCCL's own costs stay");
    ask("nowhere", 16, 4, ALLREDUCE, 1024, table);
    ck_assert_int_eq(changed(table), 0);
    ck_assert_ptr_nonnull(strstr(said, "\"nowhere\""));
    for (int collective = 0; collective < ALLREDUCE; collective++) {
        ask("lassen-spectrum", 16, 4, collective, 1024, table);
        ck_assert_int_eq(changed(table), 0);
    }
    ask("dane", 16, 4, ALLREDUCE, 1024, table); /* no GPUs */
    ck_assert_int_eq(changed(table), 0);
    ask("lassen-spectrum", 4, 1, ALLREDUCE, 1024, table); /* no network */
    ck_assert_int_eq(changed(table), 0);
}

/* What NCCL cannot run is not offered; a table of fewer rows is not written beyond its end. */
TEST(what_cannot_be_run)
{
    float small[2][PROTOCOLS] = {{7, 7, 7}, {7, 7, 7}}, less[4] = {7, 7, 7, 7};
    void *context;
    int channels = 5;
    setenv("NSMODEL_MACHINE", "lassen-spectrum", 1);
    ck_assert_int_eq(plugin->init(16, 4, NULL, &context), 0);
    small[RING][SIMPLE] = -1;
    ck_assert_int_eq(plugin->get(context, ALLREDUCE, 1024, 1, (float **)(void *)small, 2, PROTOCOLS, &channels), 0);
    ck_assert(small[RING][SIMPLE] == -1);
    ck_assert_int_eq(plugin->get(context, ALLREDUCE, 1024, 1, (float **)(void *)less, 1, PROTOCOLS, &channels), 0);
    ck_assert_int_eq(plugin->get(context, ALLREDUCE, 1024, 1, (float **)(void *)less, 2, 2, &channels), 0);
    for (int i = 0; i < 4; i++)
        ck_assert(less[i] == 7);
    ck_assert_int_eq(channels, 5);
    ck_assert_int_eq(plugin->destroy(context), 0);
    ck_assert_int_eq(plugin->destroy(NULL), 0);
}

TEST_FIXTURE_ONCE(begin, end)
TEST_TIMEOUT(120)
