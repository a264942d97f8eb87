/* test_sweep_stream.c -- rows written one after another are those of the whole result, and blocks those of a kept
 * sweep */
#include "core/memory.h"
#include "study/study.h"
#include "support/cli.h"
#include "support/machines.h"
#include "support/test.h"

#define COUNT(a) ((int)(sizeof(a) / sizeof *(a)))

/* ---- the program: CSV to standard output goes row by row, into a file by the whole result ------------------------ */

static const char *const lines[] = {
    "max-rate --machine lassen m=1 --over s=1KiB:1MiB:x4 --over ppn=1,8,40",
    "postal alpha=1us --over s=1B,1kB,4KiB --over beta=0.1ns/B:9ns/B:7",
    "max-rate postal:alpha=1us,beta=1ns/B --machine lassen m=1 --over s=1KiB:1MiB:x4",
    "max-rate --machine lassen R_N=10GB/s --over locality=on-node,off-node --over s=1KiB:1MiB:x4",
    "strategies max-rate --machine lassen --over s=1KiB:1MiB:x4",
    "strategies --machine lassen --over nodes=1:16:x2 --over s=1KiB:1MiB:x4",
    "standard/host three-step/host --machine lassen --over messages=16,256",
};

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    char *text = NULL;
    size_t size;
    FILE *copy = open_memstream(&text, &size);
    for (int c = getc(file); c != EOF; c = getc(file))
        putc(c, copy);
    fclose(copy);
    fclose(file);
    return text;
}

TEST_EACH(rows_are_the_results, COUNT(lines))
{
    char line[600];
    cli_result streamed = cli_with("sweep %s --format csv", lines[_i]);
    cli_result whole = cli_with("sweep %s -o TMP/sweep_stream_%d.csv", lines[_i], _i);
    ck_assert_msg(streamed.code == 0 && whole.code == 0, "%s%s", streamed.err, whole.err);
    snprintf(line, sizeof line, "%ssweep_stream_%d.csv", cli_path(""), _i);
    char *text = read_file(line);
    remove(line);
    ck_assert_ptr_nonnull(strchr(text, '\n'));
    ck_assert_str_eq(streamed.out, text);
    free(text);
}

/* The last of 5,000 points is refused: nothing of the others is written. */
TEST(a_failure_writes_nothing)
{
    cli_result r = cli("sweep multirail --machine bxi f=1B B=1GB/s --over s=1B:1TB:5000lin --format csv");
    ck_assert_int_eq(r.code, 1);
    ck_assert_str_eq(r.out, "");
    ck_assert_ptr_nonnull(strstr(r.err, "fragments are too many"));
}

/* ---- the library ------------------------------------------------------------------------------------------------- */

typedef struct taker {
    const ns_sweep *kept; /* or NULL */
    size_t next, blocks;
    double sum;
    size_t fails_at; /* block; SIZE_MAX: never */
} taker;

static ns_status take(void *receiver, const ns_sweep *sweep, size_t first, size_t count, ns_error *err)
{
    taker *t = receiver;
    ck_assert_uint_eq(first, t->next);
    if (t->blocks++ == t->fails_at)
        return ns_fail(err, NS_ERR_FILE, "no more");
    t->next += count;
    for (size_t i = first; i < first + count; i++) {
        t->sum += ns_sweep_value(sweep, i, 0);
        for (int k = 0; t->kept != NULL && k < sweep->curves->count; k++)
            ck_assert(ns_sweep_value(sweep, i, k) == ns_sweep_value(t->kept, i, k));
        for (size_t k = 0; t->kept != NULL && k < sweep->outputs; k++)
            ck_assert(ns_sweep_output(sweep, i, k) == ns_sweep_output(t->kept, i, k));
        const ns_ranking got = ns_sweep_rank(sweep, i), wanted = t->kept != NULL ? ns_sweep_rank(t->kept, i) : got;
        ck_assert(t->kept == NULL || (got.best == wanted.best && got.verdict == wanted.verdict));
    }
    return NS_OK;
}

typedef struct setup {
    ns_machine *machine;
    ns_curves *curves;
    ns_axis *axis[2];
} setup;

static setup open_setup(const char *const *words, const char *first, const char *second)
{
    setup s;
    ns_error err = {0};
    ck_assert_int_eq(ns_machine_load("lassen", &s.machine, NULL), NS_OK);
    ck_assert_int_eq(ns_curves_open(s.machine, NULL, &s.curves, NULL), NS_OK);
    for (; *words != NULL; words++)
        ck_assert_msg(ns_curves_add(s.curves, *words, &err) == NS_OK, "%s", err.text);
    ck_assert_msg(ns_axis_open(s.curves, first, &s.axis[0], &err) == NS_OK, "%s", err.text);
    ck_assert_msg(ns_axis_open(s.curves, second, &s.axis[1], &err) == NS_OK, "%s", err.text);
    ck_assert_int_eq(ns_curves_close(s.curves, NULL), NS_OK);
    return s;
}

static void close_setup(setup *s)
{
    ns_axis_free(s->axis[0]);
    ns_axis_free(s->axis[1]);
    ns_free(s->curves);
    ns_machine_free(s->machine);
}

static ns_status run(const setup *s, taker *t, ns_sweep **sweep, ns_error *err)
{
    const ns_axis *const axes[] = {s->axis[0], s->axis[1]};
    const ns_sweep_options options = {.receive = t != NULL ? take : NULL, .receiver = t};
    return ns_sweep_run(s->curves, axes, 2, &options, sweep, err);
}

static const char *const sets[][4] = {
    {"max-rate", NULL}, {"max-rate", "postal", NULL}, {"max-rate", "strategies", NULL}};

TEST_EACH(blocks_are_the_kept_points, COUNT(sets))
{
    setup s = open_setup(sets[_i], "s=1B:1MB:331lin", _i < 2 ? "m=1:40:41lin" : "s=1B,2B");
    ns_sweep *kept, *passed;
    if (_i == 2) { /* an axis of words goes point by point */
        ns_axis_free(s.axis[1]);
        ck_assert_int_eq(ns_axis_open(s.curves, "messages=16:4096:41lin", &s.axis[1], NULL), NS_OK);
    }
    ck_assert_int_eq(run(&s, NULL, &kept, NULL), NS_OK);
    taker t = {.kept = kept, .fails_at = SIZE_MAX};
    ck_assert_int_eq(run(&s, &t, &passed, NULL), NS_OK);
    ck_assert_uint_eq(t.next, 331 * 41);
    ck_assert_uint_gt(t.blocks, 1);
    ns_sweep_free(kept);
    ns_sweep_free(passed);
    close_setup(&s);
}

/* Kept ones are at most a million; others are as many as there are, until their receiver has enough. */
TEST(more_than_a_million)
{
    setup s = open_setup(sets[0], "s=1B:1MB:1500lin", "ppn=1:40:1500lin");
    ns_sweep *sweep = NULL;
    ns_error err = {0};
    ck_assert_int_eq(run(&s, NULL, &sweep, &err), NS_ERR_LIMIT);
    ck_assert_str_eq(err.text, "2250000 points are too many; at most 1000000");
    taker t = {.fails_at = SIZE_MAX};
    ck_assert_int_eq(run(&s, &t, &sweep, NULL), NS_OK);
    ck_assert_uint_eq(t.next, 2250000);
    ck_assert(isfinite(t.sum) && t.sum > 0);
    ns_sweep_free(sweep);
    taker few = {.fails_at = 3};
    err = (ns_error){0};
    ck_assert_int_eq(run(&s, &few, &sweep, &err), NS_ERR_FILE);
    ck_assert_str_eq(err.text, "no more");
    close_setup(&s);
}

/* The first point that fails, and of it the first curve: not the first curve that fails somewhere. */
TEST(the_first_failure)
{
    static const char *const words[] = {"multirail:B=1GB/s,f=1kB", "postal:alpha=1us,beta=1e300s/B", NULL};
    ns_curves *curves;
    ns_axis *axis;
    ns_sweep *sweep;
    ns_error err = {0};
    ns_machine *machine = machine_named("bxi");
    ck_assert_int_eq(ns_curves_open(machine, NULL, &curves, NULL), NS_OK);
    for (int i = 0; words[i] != NULL; i++)
        ck_assert_msg(ns_curves_add(curves, words[i], &err) == NS_OK, "%s", err.text);
    ck_assert_int_eq(ns_axis_open(curves, "s=1B,200MB,1TB", &axis, NULL), NS_OK);
    ck_assert_msg(ns_curves_close(curves, &err) == NS_OK, "%s", err.text);
    const ns_axis *const axes[] = {axis};
    ck_assert_int_ne(ns_sweep_run(curves, axes, 1, NULL, &sweep, &err), NS_OK);
    ck_assert_msg(strstr(err.text, "postal") != NULL, "%s", err.text); /* at 200 MB; multirail fails at 1 TB only */
    ns_axis_free(axis);
    ns_free(curves);
}

TEST_TIMEOUT(120)
