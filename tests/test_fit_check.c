/* test_fit_check.c -- logs held against a machine class by class (--check), and each log by itself (--each) */
#include "core/memory.h"
#include "fit/fit.h"
#include "support/fit_cases.h"
#include "support/machines.h"
#include "support/test.h"

static const fit_case cases[] = {
    {"5 % slower logs are the machine's", .of = {"@was.csv plain ping-pong 1", "%is.csv plain ping-pong 1.05"},
     .checks = {"> fit --check MACHINE TMP/is.csv --json", "verdict:current", "classes.0.bias=-0.047619~0.05",
                "classes.0.verdict:current", "classes.1.bias=-0.047619~0.05", "classes.1.verdict:current",
                "!classes.2"}},
    {"40 % slower ones are not", .of = {"@was.csv plain ping-pong 1", "%is.csv plain ping-pong 1.4"},
     .checks = {"> fit --check MACHINE TMP/is.csv --json", "verdict:stale", "classes.0.bias=-0.285714~0.05",
                "classes.0.verdict:stale", "classes.1.bias=-0.285714~0.05", "classes.1.verdict:stale"}},
    {"each log is fitted, or refused with a reason",
     .of = {"--each", "@good.csv plain ping-pong 1", "@bad.csv\nnothing that anyone knows\n"},
     .checks = {"summary.fitted=1", "summary.refused=1", "summary.within_both=1", "logs.0.kind:ping-pong",
                "logs.0.classes=2", "logs.0.median_rel_error=0.005~1", "logs.1.kind:refused", "> LINE", ">+wanted"}},
    {"one that cannot be read is no judgement on it", .of = {"--each", "@good.csv plain ping-pong 1", "=no-such.log"},
     .checks = {"1> LINE", "+nsmodel: no-such.log: no such file\n", ">+ping-pong"}},
};

TEST_EACH(test_case, sizeof cases / sizeof *cases)
{
    fit_case_holds(&cases[_i], _i);
}

/* ---- every class of a machine, off by what is known -------------------------------------------------------------- */

enum { MOST = 1000, SIZES = 4 };
static ns_sample sample[MOST];
static size_t samples;
static ns_machine *machine;

static void setup(void)
{
    machine = machine_named("lassen");
    samples = 0;
}

static void teardown(void)
{
    ns_machine_free(machine);
}

/* Every class has an error of its own; every other class is measured as too quick, so that predictions are too long. */
static double error_of(int class_)
{
    return (class_ % 2 == 0 ? -1 : 1) * (0.01 * class_ + 0.013);
}

static double next_from(int m, int l, int p)
{
    for (p++; p < NS_PROTOCOLS; p++)
        if (machine->line[m][l][p].given)
            return machine->line[m][l][p].from;
    return INFINITY;
}

static void put_ping_pongs(int class_)
{
    const int p = class_ % NS_PROTOCOLS, l = class_ / NS_PROTOCOLS % NS_LOCALITIES,
              m = class_ / NS_PROTOCOLS / NS_LOCALITIES;
    const ns_line *line = &machine->line[m][l][p];
    const double to = fmin(next_from(m, l, p), 16 * fmax(line->from, 4096));
    for (int i = 0; line->given && i < SIZES; i++) {
        const double bytes =
            i == 0 && line->from > 0 ? line->from : floor(line->from + (to - line->from) * (i + 1) / (SIZES + 1));
        sample[samples++] = (ns_sample){.kind = NS_PING_PONG,
                                        .locality = (ns_locality)l,
                                        .memory = (ns_memory)m,
                                        .pairs = 1,
                                        .messages = 1,
                                        .bytes = bytes,
                                        .seconds = (line->alpha + line->beta * bytes) / (1 + error_of(class_)),
                                        .name = ""};
    }
}

static void put_copies(int level, int direction, double error)
{
    const ns_copy_line *c = &machine->copy[level];
    for (int i = 1; i <= SIZES; i++)
        sample[samples++] =
            (ns_sample){.kind = NS_COPY_SAMPLE,
                        .memory = NS_DEVICE,
                        .direction = (ns_direction)direction,
                        .pairs = c->processes > 1 ? c->processes : level % 2, /* 0: the log does not say */
                        .messages = 1,
                        .bytes = 65536.0 * i,
                        .seconds = (c->alpha[direction] + c->beta[direction] * 65536 * i) / (1 + error),
                        .name = ""};
}

static const ns_fit_score *find(const ns_fit_score *score, size_t count, const ns_fit_score *wanted)
{
    const ns_fit_score *found = NULL;
    for (size_t i = 0; i < count; i++)
        if (score[i].memory == wanted->memory && score[i].locality == wanted->locality &&
            score[i].protocol == wanted->protocol && score[i].processes == wanted->processes &&
            score[i].direction == wanted->direction) {
            ck_assert_ptr_null(found);
            found = &score[i];
        }
    return found;
}

static void expect_score(const ns_fit_score *s, double error)
{
    ck_assert_ptr_nonnull(s);
    ck_assert_uint_eq(s->samples, SIZES);
    ck_assert_uint_eq(s->sizes, SIZES);
    ck_assert_double_eq_tol(s->bias, error, 1e-9);
    ck_assert_double_eq_tol(s->median_error, fabs(error), 1e-9);
    ck_assert_double_eq_tol(s->p95_error, fabs(error), 1e-9);
    ck_assert_double_eq_tol(s->scatter, 0, 1e-9);
    ck_assert_int_eq(s->stale, fabs(error) > 0.15);
}

/* Errors of 1.3 % to 18.3 %: those above 15 % are stale. */
TEST(every_class)
{
    enum { CLASSES = NS_MEMORIES * NS_LOCALITIES * NS_PROTOCOLS };
    ns_fit_score *score = NULL;
    size_t count = 0, given = 0;
    ns_error err = {0};
    for (int class_ = 0; class_ < CLASSES; class_++)
        put_ping_pongs(class_);
    for (int level = 0; level < machine->copy_levels; level++)
        for (int d = 0; d < NS_DIRECTIONS; d++)
            put_copies(level, d, 0.05 + 0.07 * (2 * level + d));
    const ns_log log = {.sample = sample, .samples = samples};
    ck_assert_msg(ns_fit_check(machine, &log, NS_STATISTIC_MEDIAN, &score, &count, &err) == NS_OK, "%s", err.text);
    for (int class_ = 0; class_ < CLASSES; class_++) {
        const int p = class_ % NS_PROTOCOLS, l = class_ / NS_PROTOCOLS % NS_LOCALITIES,
                  m = class_ / NS_PROTOCOLS / NS_LOCALITIES;
        const ns_fit_score wanted = {.memory = (ns_memory)m, .locality = (ns_locality)l, .protocol = (ns_protocol)p};
        if (machine->line[m][l][p].given) {
            expect_score(find(score, count, &wanted), error_of(class_));
            given++;
        } else
            ck_assert_ptr_null(find(score, count, &wanted));
    }
    ck_assert_int_gt(machine->copy_levels, 1);
    for (int level = 0; level < machine->copy_levels; level++)
        for (int d = 0; d < NS_DIRECTIONS; d++, given++) {
            const ns_fit_score wanted = {
                .memory = NS_DEVICE, .processes = machine->copy[level].processes, .direction = (ns_direction)d};
            expect_score(find(score, count, &wanted), 0.05 + 0.07 * (2 * level + d));
        }
    ck_assert_uint_eq(count, given);
    ns_free(score);
}

/* Samples that scatter by more than half of the error tell nothing of the line. */
TEST(scattered)
{
    for (int wide = 0; wide < 2; wide++) {
        ns_fit_score *score = NULL;
        size_t count = 0;
        samples = 0;
        const ns_line *line = &machine->line[NS_HOST][NS_OFF_NODE][NS_RENDEZVOUS];
        for (int i = 0; i < 30; i++) {
            const double bytes = 1048576.0 * (1 + i / 10), swing = (wide ? 0.4 : 0.02) * (i % 10 - 4.5) / 4.5;
            sample[samples++] = (ns_sample){.kind = NS_PING_PONG,
                                            .locality = NS_OFF_NODE,
                                            .memory = NS_HOST,
                                            .pairs = 1,
                                            .messages = 1,
                                            .bytes = bytes,
                                            .seconds = 1.25 * (line->alpha + line->beta * bytes) * (1 + swing),
                                            .name = ""};
        }
        const ns_log log = {.sample = sample, .samples = samples};
        ck_assert_int_eq(ns_fit_check(machine, &log, NS_STATISTIC_MEDIAN, &score, &count, NULL), NS_OK);
        ck_assert_uint_eq(count, 1);
        ck_assert_uint_eq(score[0].samples, 30);
        ck_assert_uint_eq(score[0].sizes, 3);
        ck_assert_double_eq_tol(score[0].bias, -0.2, 0.02);
        ck_assert_int_eq(score[0].stale, !wide);
        ns_free(score);
    }
}

TEST(nothing_to_check)
{
    ns_fit_score *score = NULL;
    size_t count = 7;
    ns_error err = {0};
    const ns_log log = {.sample = sample, .samples = 0};
    ck_assert_int_eq(ns_fit_check(machine, &log, NS_STATISTIC_MEDIAN, &score, &count, &err), NS_ERR_DATA);
    ck_assert_str_eq(err.text, "the logs hold no ping-pong and no copies of a class that machine \"lassen\" knows");
    ck_assert(score == NULL && count == 7);
}

TEST_FIXTURE(setup, teardown)
