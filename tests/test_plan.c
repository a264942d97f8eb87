/* test_plan.c -- which way the next calls take: rules that hold for every plan, and replays against simple rules
 *
 * Provenance: rules are those of include/nsmodel/plan.h; probabilities of two ways from the normal distribution; the
 * replays' limits from examples/cases.json by the three simple rules, and, where ../shared/planner is there, from its
 * contract.txt: 5 % at up to 30 calls, 15 % at up to 1,000, .25 points at 10,000.
 */
#include <nsmodel/context.h>
#include <nsmodel/plan.h>

#include "support/cli.h"
#include "support/test.h"

#define COUNT(rows) (sizeof(rows) / sizeof *(rows))

static ns_plan *opened(const ns_plan_way *ways, int count, ns_plan_options options)
{
    ns_plan *plan;
    ns_error err = {0};
    options.size = sizeof options;
    ck_assert_msg(ns_plan_open(ways, count, &options, &plan, &err) == NS_OK, "%s", err.text);
    return test_keep(plan);
}

/* Which way the next calls take. */
static ns_plan_run asked(ns_plan *plan)
{
    ns_plan_run run;
    ck_assert(ns_plan_next(plan, &run.way, &run.calls, NULL) == NS_OK);
    return run;
}

static void tell(ns_plan *plan, int way, int calls, double seconds)
{
    ck_assert(ns_plan_tell(plan, way, calls, &seconds, 1, NULL) == NS_OK);
}

static ns_plan_info described(ns_plan *plan, int way)
{
    ns_plan_info info = {.size = sizeof info};
    ck_assert(ns_plan_describe(plan, way, &info, NULL) == NS_OK);
    return info;
}

/* Play `calls` calls of these true times; the noise is a fixed sequence within 20 %.  Counts calls of each way; the
 * sequence of ways goes to *print, mixed. */
static void play(ns_plan *plan, const double *time_s, int64_t calls, int64_t *of, uint64_t *print)
{
    uint64_t state = 12345;
    for (int64_t made = 0; made < calls;) {
        double seconds[NS_PLAN_TOLD];
        const ns_plan_run run = asked(plan);
        const int way = run.way, length = run.calls;
        ck_assert_int_ge(length, 1);
        const int told = length < NS_PLAN_TOLD ? length : NS_PLAN_TOLD;
        for (int i = 0; i < told; i++) {
            state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
            seconds[i] = time_s[way] * (0.8 + 0.4 * (double)(state >> 40) / 16777216);
        }
        ck_assert(ns_plan_tell(plan, way, length, seconds, told, NULL) == NS_OK);
        made += length;
        of[way] += length;
        *print = (*print ^ (uint64_t)(way * 1000003 + length)) * UINT64_C(0x100000001B3);
    }
}

static const ns_plan_way three[] = {{.predicted_s = 1.1e-4, .doubt = 0.4, .like = -1},
                                    {.predicted_s = 0.9e-4, .doubt = 0.4, .like = -1},
                                    {.predicted_s = 2.3e-4, .doubt = 0.4, .like = -1}};

TEST(test_first)
{
    static const struct {
        ns_plan_options options;
        int first;
    } rows[] = {{{.incumbent = 0}, 1},
                {{.incumbent = 0, .foreign = true}, 0},
                {{.incumbent = -1, .foreign = true}, 1},
                {{.incumbent = 2, .effort = NS_PLAN_ESTIMATE}, 1}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        ns_plan *plan = opened(three, 3, rows[i].options);
        for (int again = 0; again < 2; again++) {
            const ns_plan_run run = asked(plan);
            ck_assert(run.way == rows[i].first && run.calls == 1);
        }
        ns_plan_free(plan);
    }
}

TEST(test_finds_the_fastest)
{
    const double time_s[] = {1e-4, 1.3e-4, 0.5e-4};
    int64_t of[3] = {0};
    uint64_t print = 0;
    ns_plan *plan = opened(three, 3, (ns_plan_options){.incumbent = 0});
    play(plan, time_s, 20000, of, &print);
    ck_assert_int_gt(of[2], 19000);
    const ns_plan_info info = described(plan, -1);
    ck_assert_int_eq(info.way, 2);
    ck_assert_double_gt(info.p_best, 0.99);
    ck_assert_double_lt(info.expected_ln_loss, 0.01);
    ck_assert_double_eq_tol(info.measured_s, 0.5e-4, 0.05e-4);
    ck_assert_str_eq(info.why, "believed to be the fastest");
}

/* Bit for bit for powers of two, whose quotients are exact. */
TEST(test_common_factor)
{
    const double time_s[] = {1e-4, 1.05e-4, 1.2e-4};
    uint64_t print[5] = {0};
    const double factor[] = {1, 1024, 1.0 / 4096, 3.7, 1e6};
    for (int i = 0; i < 5; i++) {
        ns_plan_way ways[3];
        int64_t of[3] = {0};
        memcpy(ways, three, sizeof ways);
        for (int w = 0; w < 3; w++)
            ways[w].predicted_s *= factor[i];
        ns_plan *plan = opened(ways, 3, (ns_plan_options){.incumbent = 0});
        play(plan, time_s, 10000, of, &print[i]);
        ck_assert_msg(print[i] == print[0], "factor %g changes choices", factor[i]);
    }
}

/* One call left: nothing is tried, however much it would gain. */
TEST(test_no_trial_of_the_last_call)
{
    for (int n = 2; n <= 200; n++) {
        const ns_plan_way ways[] = {{.predicted_s = 1, .doubt = 0.1, .like = -1},
                                    {.predicted_s = 1e-3, .doubt = 0.1, .like = -1}};
        ns_plan *plan = opened(ways, 2, (ns_plan_options){.incumbent = 0, .foreign = true, .calls = n});
        const int first = asked(plan).way;
        if (n > 2)
            tell(plan, first, n - 2, 1);
        const ns_plan_run run = asked(plan);
        ck_assert_int_eq(run.calls, 1);
        if (n > 2) {
            ck_assert_msg(run.way != first, "two calls left are worth a trial here");
            tell(plan, first, 1, 1);
            const ns_plan_run last = asked(plan);
            ck_assert(last.way == first && last.calls == 1);
        }
    }
}

TEST(test_estimate_tries_nothing)
{
    const double time_s[] = {1e-4, 9e-4, 0.5e-4};
    int64_t of[3] = {0};
    uint64_t print = 0;
    ns_plan *plan = opened(three, 3, (ns_plan_options){.incumbent = 0, .effort = NS_PLAN_ESTIMATE});
    play(plan, time_s, 5000, of, &print);
    ck_assert_int_eq(of[0] + of[2], 0);
}

/* A way that is like another is tried only after it, and no more than six of those that the model does not predict. */
TEST(test_ways_without_prediction)
{
    enum { WAYS = 20 };
    ns_plan_way ways[WAYS] = {{.predicted_s = 1e-4, .doubt = 0.3, .like = -1}};
    double time_s[WAYS];
    int64_t of[WAYS] = {0};
    uint64_t print = 0;
    for (int i = 0; i < WAYS; i++) {
        ways[i].like = i - 1;
        time_s[i] = 1e-4 * (1 - 0.02 * i);
    }
    for (int effort = 0; effort < 2; effort++) {
        memset(of, 0, sizeof of);
        ns_plan *plan = opened(ways, WAYS, (ns_plan_options){.incumbent = 0, .effort = effort ? NS_PLAN_PATIENT : 0});
        int met = 0;
        play(plan, time_s, 100000, of, &print);
        for (int i = 0; i < WAYS; i++) {
            met += of[i] > 0;
            ck_assert(of[i] == 0 || i == 0 || of[i - 1] > 0);
        }
        if (effort)
            ck_assert_int_gt(met, 1 + NS_PLAN_TRIED);
        else
            ck_assert_int_eq(met, 1 + NS_PLAN_TRIED);
    }
}

/* The way in use is tried whatever is predicted of it, and is none of the six; known calls, agreements dear or free. */
TEST_EACH(test_way_in_use, 4)
{
    enum { WAYS = 12 };
    ns_plan_way ways[WAYS] = {{.predicted_s = 1e-4, .doubt = 0.4, .like = -1}};
    double time_s[WAYS] = {4e-4};
    int64_t of[WAYS] = {0};
    uint64_t print = 0;
    for (int i = 1; i < WAYS; i++) {
        ways[i] = (ns_plan_way){.like = i - 1 < WAYS - 2 ? i - 1 : -1};
        time_s[i] = i < WAYS - 1 ? 3e-4 : 1e-4;
    }
    ns_plan *plan = opened(
        ways, WAYS,
        (ns_plan_options){.incumbent = WAYS - 1, .calls = _i % 2 == 0 ? 10 : 0, .agreement_s = _i / 2 == 0 ? 0 : 1e-4});
    play(plan, time_s, 10, of, &print);
    ck_assert_int_ge(of[WAYS - 1], 7);
}

/* Processes come at different times from a slow way's call, and the next one, whatever its way, takes as much longer:
 * that call is not believed, and its way is found all the same. */
TEST(test_after_a_slow_call)
{
    static const double alone[] = {1.2e-4, 2.8e-4, 1e-4};
    const ns_plan_way ways[] = {{.predicted_s = 1e-4, .doubt = 0.25, .like = -1},
                                {.predicted_s = 1.02e-4, .doubt = 0.25, .like = -1},
                                {.predicted_s = 1.1e-4, .doubt = 0.25, .like = -1}};
    ns_plan *plan = opened(ways, 3, (ns_plan_options){.incumbent = 0, .agreement_s = 0.5e-4});
    ns_plan_info info = {0};
    int64_t made = 0, of_best = 0;
    int before = -1;
    while (made < 2000) {
        ns_plan_run runs[NS_PLAN_TOLD];
        double seconds[NS_PLAN_TOLD];
        int count;
        ck_assert(ns_plan_runs(plan, runs, &count, NULL) == NS_OK);
        for (int i = 0; i < count; i++) {
            const int way = runs[i].way, calls = runs[i].calls, most = i == 0 ? NS_PLAN_TOLD - count + 1 : 1;
            const int told = calls < most ? calls : most;
            for (int k = 0; k < told; k++)
                seconds[k] = alone[way];
            if (before == 1 && way == 2 && told == calls)
                seconds[0] += 0.8 * alone[before];
            ck_assert(ns_plan_tell(plan, way, calls, seconds, told, NULL) == NS_OK);
            made += calls;
            of_best += way == 2 ? calls : 0;
            before = way;
        }
        if (made > 250 && info.calls < 2) {
            info = described(plan, 2);
            ck_assert_double_gt(info.p_best, 1e-3);
        }
    }
    ck_assert_int_gt(of_best, 1000);
}

/* What an earlier run measured well is not measured again: the second run makes no trial. */
TEST(test_second_run)
{
    ns_plan_way ways[3];
    const double time_s[] = {1e-4, 1.3e-4, 0.5e-4};
    int64_t of[3] = {0};
    uint64_t print = 0;
    memcpy(ways, three, sizeof ways);
    for (int i = 0; i < 3; i++) {
        ways[i].measured = i == 2 ? 9000 : 40;
        ways[i].measured_s = time_s[i];
    }
    ns_plan *plan = opened(ways, 3, (ns_plan_options){.incumbent = 0});
    play(plan, time_s, 3000, of, &print);
    ck_assert_int_eq(of[0] + of[1], 0);
}

/* Agreements that cost are fewer, and their cost stays below a few per cent of many calls. */
TEST(test_agreements)
{
    const double time_s[] = {1e-4, 0.9e-4, 2e-4};
    int runs[2];
    for (int dear = 0; dear < 2; dear++) {
        ns_plan *plan = opened(three, 3, (ns_plan_options){.incumbent = 0, .agreement_s = dear ? 1e-4 : 0});
        int64_t made = 0;
        for (runs[dear] = 0; made < 2000; runs[dear]++) {
            const ns_plan_run run = asked(plan);
            tell(plan, run.way, run.calls, time_s[run.way]);
            made += run.calls;
        }
    }
    ck_assert_int_gt(runs[0], 40);
    ck_assert_int_lt(runs[1], 20);
}

/* Where agreements cost, the first decides the trial of the way whose prediction is near, too; each is told by itself.
 * Where they cost nothing every run is decided alone.  A host that takes another way makes all be decided anew. */
TEST(test_runs)
{
    const double time_s[] = {1e-4, 0.9e-4, 2e-4};
    for (int dear = 0; dear < 2; dear++) {
        ns_plan *plan = opened(three, 3, (ns_plan_options){.agreement_s = dear ? 1e-6 : 0, .foreign = true});
        int tried[3] = {0}, longest = 0;
        for (int64_t made = 0, agreements = 0; made < 3000; agreements++) {
            ns_plan_run runs[NS_PLAN_TOLD], rest[NS_PLAN_TOLD];
            int count, left;
            ck_assert(ns_plan_runs(plan, runs, &count, NULL) == NS_OK);
            ck_assert(count >= 1 && count <= NS_PLAN_TOLD);
            longest = count > longest ? count : longest;
            for (int i = 0; i < count; i++) {
                ck_assert(i == 0 || runs[i].calls == 1);
                const ns_plan_run run = asked(plan);
                ck_assert(run.way == runs[i].way && run.calls == runs[i].calls);
                ck_assert(ns_plan_runs(plan, rest, &left, NULL) == NS_OK);
                ck_assert_int_eq(left, count - i);
                tell(plan, run.way, run.calls, time_s[run.way]);
                tried[run.way]++;
                made += run.calls;
            }
            if (agreements == 0)
                ck_assert_int_eq(count, dear ? 2 : 1);
        }
        ck_assert(tried[0] > 0 && tried[1] > 0 && tried[2] > 0);
        ck_assert(dear ? longest >= 2 : longest == 1);
    }
    ns_plan *plan = opened(three, 3, (ns_plan_options){.agreement_s = 1e-6, .foreign = true});
    ns_plan_run runs[NS_PLAN_TOLD];
    int count;
    ck_assert(ns_plan_runs(plan, runs, &count, NULL) == NS_OK);
    tell(plan, 2, 1, time_s[2]);
    ck_assert_int_ne(asked(plan).way, 2);
    ck_assert(ns_plan_runs(plan, NULL, &count, NULL) == NS_ERR_RANGE);
}

/* The way in use is 5 % to 9 % slower than the model's choice, less than one error of a single sample: the few samples
 * of the best way are what the doubt comes from, so that it is called, and not the other one again and again. */
TEST_EACH(test_nearly_equal, 5)
{
    const ns_plan_way ways[] = {{.like = -1}, {.predicted_s = 1e-4, .doubt = 0.4, .like = -1}, {.like = 0}};
    const double time_s[] = {(1.05 + 0.01 * _i) * 1e-4, 2e-4, 1e-4};
    ns_plan *plan = opened(ways, 3, (ns_plan_options){.agreement_s = 1e-5, .foreign = true});
    int agreements = 0;
    for (int64_t made = 0; made < 400; agreements++) {
        ns_plan_run runs[NS_PLAN_TOLD];
        int count;
        ck_assert(ns_plan_runs(plan, runs, &count, NULL) == NS_OK);
        for (int i = 0; i < count; i++) {
            const int told = i > 0                                      ? 1
                             : runs[0].calls < NS_PLAN_TOLD - count + 1 ? runs[0].calls
                                                                        : NS_PLAN_TOLD - count + 1;
            double seconds[NS_PLAN_TOLD];
            for (int k = 0; k < told; k++)
                seconds[k] = time_s[runs[i].way];
            ck_assert(ns_plan_tell(plan, runs[i].way, runs[i].calls, seconds, told, NULL) == NS_OK);
            made += runs[i].calls;
        }
    }
    ck_assert_int_le(agreements, 30);
}

/* Two ways measured once: ln of times differ by d, each with sd .12, so P = Phi(d / (.12 sqrt 2)). */
TEST(test_describe)
{
    const ns_plan_way ways[] = {{.like = -1}, {.like = -1}};
    const double first = 1e-4, second = 1.1e-4;
    ns_plan *plan = opened(ways, 2, (ns_plan_options){.incumbent = 0});
    ns_plan_info info = described(plan, 0);
    ck_assert_double_eq(info.expected_s, 0);
    ck_assert_str_eq(info.why, "");
    tell(plan, 0, 1, first);
    tell(plan, 1, 1, second);
    info = described(plan, 0);
    const double d = log(1.1), expected = erfc(-d / 0.12 / 2) / 2;
    ck_assert_double_eq_tol(info.p_best, expected, 0.01);
    /* mean of max(0, x) for x ~ N(-d, .12 sqrt 2) */
    const double s = 0.12 * sqrt(2);
    const double loss = s * exp(-d * d / (2 * s * s)) / sqrt(2 * acos(-1)) - d * erfc(d / s / sqrt(2)) / 2;
    ck_assert_double_eq_tol(info.expected_ln_loss, loss, 0.003);
    ck_assert_int_eq(info.calls, 1);
}

TEST(test_trials_are_counted)
{
    const double time_s[] = {1e-4, 1e-4, 7e-4};
    ns_plan *plan = opened(three, 3, (ns_plan_options){.incumbent = 0});
    double trial_s = 0, told_s = 0;
    int64_t trials = 0, told = 0;
    for (int run = 0; run < 40; run++) {
        const bool trial = strstr(described(plan, -1).why, "worth a call") != NULL;
        const ns_plan_run now = asked(plan);
        tell(plan, now.way, now.calls, time_s[now.way]);
        told += trial;
        told_s += trial ? now.calls * time_s[now.way] : 0;
    }
    for (int way = 0; way < 3; way++) {
        const ns_plan_info info = described(plan, way);
        trials += info.trials;
        trial_s += info.trial_s;
    }
    ck_assert_int_gt(told, 0);
    ck_assert_int_eq(trials, told);
    ck_assert_double_eq_tol(trial_s, told_s, 1e-12);
}

TEST(test_refused)
{
    static const struct {
        ns_plan_way way;
        ns_plan_options options;
        const char *words;
    } rows[] = {
        {{.predicted_s = -1, .like = -1},
         {.incumbent = 0},
         "way 1 is predicted to take -1 s; wanted a time, or 0 for none"},
        {{.predicted_s = 1, .like = -1},
         {.incumbent = 0},
         "the doubt of way 1 is 0; wanted a standard deviation greater than 0"},
        {{.like = 1}, {.incumbent = 0}, "way 1 is like way 1; wanted another of 0 to 1, or -1"},
        {{.like = -1, .measured = 3},
         {.incumbent = 0},
         "way 1 took 0 s in 3 earlier calls; wanted a time greater than 0"},
        {{.like = -1}, {.incumbent = 2}, "the incumbent is way 2; there are 0 to 1, and -1 for none"},
        {{.like = -1}, {.calls = -4}, "-4 calls expected; wanted 1 or more, or 0 where unknown"},
        {{.like = -1}, {.agreement_s = -1}, "an agreement that takes -1 s; wanted 0 or more"},
        {{.like = -1}, {.effort = (ns_plan_effort)3}, "no effort 3; there are 0 to 2"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        const ns_plan_way ways[] = {{.like = -1}, rows[i].way};
        ns_plan_options options = rows[i].options;
        ns_plan *plan = NULL;
        ns_error err = {0};
        options.size = sizeof options;
        ck_assert(ns_plan_open(ways, 2, &options, &plan, &err) == NS_ERR_RANGE);
        ck_assert_str_eq(err.text, rows[i].words);
        ck_assert_ptr_null(plan);
    }
    static const struct {
        int way, calls, told;
        double seconds;
        const char *words;
    } tells[] = {{3, 1, 1, 1, "no way 3; there are 0 to 2"},
                 {0, 1, 2, 1, "2 times of 1 calls; wanted 1 to 8 of them"},
                 {0, 1, 1, 0, "a call that took 0 s; wanted a time greater than 0"},
                 {0, 1, 1, NAN, "a call that took nan s; wanted a time greater than 0"}};
    ns_plan *plan = opened(three, 3, (ns_plan_options){.incumbent = 0});
    for (size_t i = 0; i < COUNT(tells); i++) {
        ns_error err = {0};
        const double seconds[] = {tells[i].seconds, tells[i].seconds};
        ck_assert(ns_plan_tell(plan, tells[i].way, tells[i].calls, seconds, tells[i].told, &err) == NS_ERR_RANGE);
        ck_assert_str_eq(err.text, tells[i].words);
    }
}

/* ---- replays ----------------------------------------------------------------------------------------------------- */

static double cell(const ns_value *answer, const char *set, const char *rule, double calls, const char *key)
{
    for (const ns_value *row = ns_value_first(ns_value_get(answer, "sets")); row != NULL; row = ns_value_next(row))
        if (strcmp(ns_value_as_text(ns_value_get(row, "set")), set) == 0 &&
            strcmp(ns_value_as_text(ns_value_get(row, "rule")), rule) == 0 &&
            ns_value_as_number(ns_value_get(row, "calls")) == calls)
            return ns_value_as_number(ns_value_get(row, key));
    ck_abort_msg("no row %s %s %g", set, rule, calls);
    return NAN;
}

/* A way's excess is known by hand where it is always taken: 60 % of the incumbent of families in 8 cases. */
TEST(test_replay)
{
    ns_value *answer = cli_json("plan --replay examples/cases.json --calls 10,1000 --agreement 1us");
    ck_assert_double_eq_tol(cell(answer, "families", "incumbent", 10, "mean"), 60, 1e-3);
    ck_assert_double_eq_tol(cell(answer, "families", "model", 1000, "q95"), 30, 1e-3);
    ck_assert_double_eq(cell(answer, "families", "model", 1000, "agreements"), 0);
    ck_assert_double_eq_tol(cell(answer, "families", "model", 1000, "with_agreements"), 30, 1e-3);
    static const char *const sets[] = {"two_ways", "families"}, *const rules[] = {"model", "incumbent", "all-once"};
    for (size_t s = 0; s < COUNT(sets); s++) {
        const double planned = cell(answer, sets[s], "planner", 1000, "mean");
        for (size_t r = 0; r < COUNT(rules); r++)
            ck_assert_msg(planned < cell(answer, sets[s], rules[r], 1000, "mean"), "%s: %s is better", sets[s],
                          rules[r]);
        ck_assert(cell(answer, sets[s], "planner", 1000, "with_agreements") > planned);
    }
}

TEST(test_same_seed)
{
    char *once = cli_output("plan --replay examples/cases.json --calls 10,300 --wisdom --seed 7 --json");
    char *again = cli_output("plan --replay examples/cases.json --calls 10,300 --wisdom --seed 7 --json");
    char *other = cli_output("plan --replay examples/cases.json --calls 10,300 --wisdom --seed 8 --json");
    ck_assert_str_eq(once, again);
    ck_assert_str_ne(once, other);
}

TEST(test_replay_refused)
{
    static const struct {
        const char *content, *words;
    } rows[] = {
        {"[]", "a replay file wants sets of cases"},
        {"{\"a\": [{}]}", ":1:8: a case wants \"x\", \"inc\", \"t\" and \"p\""},
        {"{\"a\": [{\"x\":[1,2],\"inc\":\"b\",\"t\":{\"b\":1},\"p\":{}}]}", "a case wants \"x\": log2 of bytes"},
        {"{\"a\": [{\"x\":[1,2,3],\"inc\":\"c\",\"t\":{\"b\":1},\"p\":{}}]}", "a case wants \"inc\": the way in use"},
        {"{\"a\": [{\"x\":[1,2,3],\"inc\":\"b\",\"t\":{\"b\":0},\"p\":{}}]}", "\"t\" wants times in seconds"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char line[400];
        snprintf(line, sizeof line, "plan --replay %s", cli_file("replay.json", rows[i].content));
        cli_refused((cli_refusal){line, 1, rows[i].words});
    }
    cli_refused((cli_refusal){"plan", 2, "plan wants --replay FILE"});
    cli_refused(
        (cli_refusal){"plan --replay examples/cases.json --calls 30,10", 1, "--calls wants up to 32 ascending"});
    cli_refused((cli_refusal){"plan --replay examples/cases.json --cold 0.5", 1, "--cold wants at least 1, got 0.5"});
}

/* "unknown   bluewaters       10:    2.00    8.64 |    30: ..." */
TEST(test_contract)
{
    static const char *const mode[][2] = {{"unknown", ""}, {"known", " --known"}, {"foreign", " --flat"}};
    char line[400], what[40], set[40];
    FILE *file = fopen("../shared/planner/contract.txt", "r");
    if (file == NULL) {
        printf("skipped: ../shared/planner/contract.txt is not there\n");
        return;
    }
    ns_value *answer[3];
    for (int m = 0; m < 3; m++) {
        snprintf(line, sizeof line, "plan --replay ../shared/planner/cases.json%s", mode[m][1]);
        answer[m] = cli_json(line);
    }
    int met = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        int at = 0, calls, used;
        double wanted, q95, broken = 0;
        if (sscanf(line, "%39s %39s%n", what, set, &at) != 2 || strcmp(what, "wisdom") == 0)
            continue;
        const int m = strcmp(what, "unknown") == 0 ? 0 : strcmp(what, "known") == 0 ? 1 : 2;
        while (sscanf(line + at, "%d: %lf %lf |%n", &calls, &wanted, &q95, &used) == 3) {
            const double limit = calls <= 30 ? 1.05 * wanted : calls <= 1000 ? 1.15 * wanted : wanted + 0.25;
            const double mean = cell(answer[m], set, "planner", calls, "mean");
            ck_assert_msg(mean <= limit, "%s %s %d: %g, wanted %g", what, set, calls, mean, limit);
            if (calls == 100)
                ck_assert_msg(mean <= cell(answer[m], set, "all-once", calls, "mean"), "%s %s: all-once is better",
                              what, set);
            broken += cell(answer[m], set, "planner", calls, "broken") / 5;
            at += used;
            met++;
        }
        printf("%s %s: the bound is broken in %.2g %% of replays\n", what, set, broken);
        ck_assert_double_le(broken, 3.5);
    }
    fclose(file);
    ck_assert_int_eq(met, 60);
}

/* "wisdom    lassen_comm   N=10: 19.89 -> 7.98 (difference -11.91 +- 1.87)": 20 exchanges in random order, which are
 * others here.  So what they have without wisdom counts too, and two standard errors. */
TEST(test_contract_of_wisdom)
{
    char line[400], set[40];
    FILE *file = fopen("../shared/planner/contract.txt", "r");
    if (file == NULL) {
        printf("skipped: ../shared/planner/contract.txt is not there\n");
        return;
    }
    ns_value *answer = cli_json("plan --replay ../shared/planner/cases.json --wisdom --known --calls 10,30");
    int calls, met = 0;
    double without, with;
    while (fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "wisdom %39s N=%d: %lf -> %lf", set, &calls, &without, &with) != 4)
            continue;
        const double own = cell(answer, set, "no-wisdom", calls, "mean"),
                     error = cell(answer, set, "wisdom", calls, "se");
        const double limit = 1.05 * fmax(with, own * with / without) + 2 * error;
        const double mean = cell(answer, set, "wisdom", calls, "mean");
        printf("wisdom %s %d: %.2f -> %.2f +- %.2f, wanted %.2f\n", set, calls, own, mean, error, limit);
        ck_assert_msg(mean <= limit, "wisdom %s %d: %g, wanted %g", set, calls, mean, limit);
        met++;
    }
    fclose(file);
    ck_assert_int_eq(met, 8);
}

/* With an agreement of 1.6 us times log2 of the processes: at 100 calls no dearer than every way once, at 1,000 at most
 * 8 %, at 10,000 at most 1.5 %, but for Dane as an unknown machine, where 1.6 % are reached
 * (docs/evidence/planner.md).  Of up to 33 ways the aim is missed in 1.1 to 1.8 % of the replays of 1,000 calls. */
TEST(test_with_agreements)
{
    static const char *const mode[] = {"", " --flat"};
    static const char *const sets[] = {"bluewaters", "lassen_comm", "dense_lassen", "dane"};
    if (access("../shared/planner/cases.json", R_OK) != 0) {
        printf("skipped: ../shared/planner/cases.json is not there\n");
        return;
    }
    for (int m = 0; m < 2; m++) {
        char line[200];
        snprintf(line, sizeof line, "plan --replay ../shared/planner/cases.json --agreement 1.6us%s", mode[m]);
        ns_value *answer = cli_json(line);
        for (size_t s = 0; s < COUNT(sets); s++) {
            const double last = m == 1 && strcmp(sets[s], "dane") == 0 ? 1.7 : 1.5;
            const double once = cell(answer, sets[s], "all-once", 100, "with_agreements");
            const double at[] = {cell(answer, sets[s], "planner", 100, "with_agreements"),
                                 cell(answer, sets[s], "planner", 1000, "with_agreements"),
                                 cell(answer, sets[s], "planner", 10000, "with_agreements")};
            ck_assert_msg(at[0] <= once, "%s%s: %g at 100 calls, every way once %g", sets[s], mode[m], at[0], once);
            ck_assert_msg(at[1] <= 8, "%s%s: %g at 1,000 calls", sets[s], mode[m], at[1]);
            ck_assert_msg(at[2] <= last, "%s%s: %g at 10,000 calls", sets[s], mode[m], at[2]);
        }
        ck_assert_double_le(cell(answer, "dane_wide", "planner", 1000, "broken"), 3);
    }
}

TEST_TIMEOUT(300)
