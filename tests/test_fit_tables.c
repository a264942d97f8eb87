/* test_fit_tables.c -- tables of many pairs at once, by hand: what a node shares, and its start-up while all send */
#include "core/memory.h"
#include "fit/fit.h"
#include "support/test.h"

enum { MOST = 64, PAIRS = 8 };

static ns_sample sample[MOST];
static ns_log log_of;
static ns_fit_group group;
static ns_fit fit;

static void setup(void)
{
    log_of = (ns_log){.sample = sample};
    group = (ns_fit_group){.locality = NS_ON_NODE, .in_machine = true, .classes = 1, .of = {{.protocol = NS_EAGER}}};
    fit = (ns_fit){.group = &group, .groups = 1, .options.processes = 2 * PAIRS - 1};
}

static ns_sample *add(ns_sample_kind kind, ns_locality locality, int pairs, double bytes, double seconds)
{
    ck_assert_uint_lt(log_of.samples, MOST);
    sample[log_of.samples] = (ns_sample){
        .kind = kind, .locality = locality, .pairs = pairs, .messages = 1, .bytes = bytes, .seconds = seconds};
    return &sample[log_of.samples++];
}

static void fit_all(void)
{
    ns_error err = {0};
    ck_assert_msg(ns_fit_loaded_tables(&fit, &log_of, &err) == NS_OK, "%s", err.text);
}

/* ---- off node: the median of times up to 512 B ------------------------------------------------------------------- */

static const double time_us[] = {3, 1, 2, 9, 4, 5, 8};

static void add_times(int count)
{
    for (int i = 0; i < count; i++)
        add(NS_NODE_PONG, NS_OFF_NODE, PAIRS, 512 >> i, 1e-6 * time_us[i]);
    add(NS_NODE_PONG, NS_OFF_NODE, PAIRS, 513, 1);
    add(NS_NODE_PONG, NS_OFF_NODE, PAIRS - 1, 8, 1);
    add(NS_NODE_PONG, NS_ON_NODE, PAIRS + 8, 8, 1);
    add(NS_NODE_PONG, NS_OFF_NODE, PAIRS + 8, 8, 1)->memory = NS_DEVICE;
    add(NS_MULTI_MESSAGE, NS_OFF_NODE, PAIRS, 8, 1);
}

/* Error: 1.4826 x 1.2533 / sqrt n of the median distance, which is of {0, 1, 1, 2, 3, 4, 5} and {0.5, 0.5, 1.5, 1.5,
 * 2.5, 5.5} us. */
TEST_EACH(start_up, 4)
{
    const struct {
        int count;
        double median_us, distance_us;
    } of[] = {{7, 4, 2}, {6, 3.5, 1.5}, {4, 2.5, 1}, {3, 2, 1}};
    const ns_fit_loaded *s = &fit.start_up[NS_HOST];
    add_times(of[_i].count);
    fit_all();
    ck_assert(s->number.given);
    ck_assert_int_eq(s->pairs, PAIRS);
    ck_assert_uint_eq(s->number.samples, (size_t)of[_i].count);
    ck_assert_double_eq_tol(s->number.value, 1e-6 * of[_i].median_us, 1e-15);
    ck_assert_double_eq_tol(s->number.se, 1.4826 * 1.2533 * 1e-6 * of[_i].distance_us / sqrt(of[_i].count), 1e-15);
}

/* Two sizes are no table; half of the processes, or three pairs, do not load a node; a ping-pong is of one pair,
 * whatever its row says. */
TEST_EACH(no_start_up, 4)
{
    if (_i == 0)
        add_times(2);
    else
        add_times(7);
    if (_i == 1)
        fit.options.processes = 2 * PAIRS;
    for (size_t i = 0; i < log_of.samples; i++)
        if (_i == 2)
            sample[i].pairs = 3;
        else if (_i == 3 && sample[i].kind == NS_NODE_PONG)
            sample[i].kind = NS_PING_PONG;
    if (_i == 2)
        fit.options.processes = 1;
    fit_all();
    ck_assert(!fit.start_up[NS_HOST].number.given);
}

/* ---- inside a node: T = a + 2 p L s ------------------------------------------------------------------------------ */

/* One pair takes 1 ns/B; the processes' share of the limit is `share` of that. */
static void add_lines(double share)
{
    const double limit = share * 1e-9 / fit.options.processes;
    for (int s = 1024; s <= 1 << 14; s *= 2) {
        add(NS_NODE_PONG, NS_ON_NODE, PAIRS, s, 3e-6 + 2 * PAIRS * limit * s);
        add(NS_NODE_PONG, NS_ON_NODE, 2, s, 2e-6 + 1e-9 * s);
        add(NS_NODE_PONG, NS_ON_NODE, 5, s, 1);
    }
}

TEST_EACH(limit, 3)
{
    const double shares[] = {3, 1.11, 1.09};
    const ns_fit_loaded *of = &fit.limit[NS_HOST][NS_ON_NODE];
    add_lines(shares[_i]);
    fit_all();
    ck_assert_int_eq(of->number.given, shares[_i] > 1.1);
    ck_assert(!fit.limit[NS_HOST][NS_ON_SOCKET].number.given && !fit.limit[NS_DEVICE][NS_ON_NODE].number.given);
    if (!of->number.given)
        return;
    ck_assert_int_eq(of->pairs, PAIRS);
    ck_assert_uint_eq(of->number.samples, 5);
    ck_assert_double_eq_tol(of->number.value, shares[_i] * 1e-9 / (2 * PAIRS - 1), 1e-9 * 1e-9);
}

/* Sizes of a rendezvous are not of the limit's line. */
TEST(below_rendezvous)
{
    group.classes = 2;
    group.of[1] = (ns_fit_class){.protocol = NS_RENDEZVOUS, .from = 4096};
    add_lines(3);
    fit_all(); /* two sizes are left */
    ck_assert(!fit.limit[NS_HOST][NS_ON_NODE].number.given);
    group.of[1].from = 8192;
    fit_all();
    ck_assert_uint_eq(fit.limit[NS_HOST][NS_ON_NODE].number.samples, 3);
}

/* Messages in flight of as many pairs hold the limit already; fewer pairs, another place or memory, or one message do
 * not; and more than half of the processes have to take part. */
TEST_EACH(already_held, 9)
{
    const struct {
        ns_sample_kind kind;
        ns_memory memory;
        ns_locality locality;
        int pairs, messages, processes;
        bool given;
    } by[] = {
        {NS_MULTI_MESSAGE, NS_HOST, NS_ON_NODE, PAIRS, 2, 15, false},
        {NS_QUEUE_IN_ORDER, NS_HOST, NS_ON_NODE, PAIRS + 1, 2, 15, false},
        {NS_QUEUE_REVERSED, NS_HOST, NS_ON_NODE, PAIRS, 2, 15, true},
        {NS_MULTI_MESSAGE, NS_DEVICE, NS_ON_NODE, PAIRS, 2, 15, true},
        {NS_MULTI_MESSAGE, NS_HOST, NS_ON_SOCKET, PAIRS, 2, 15, true},
        {NS_MULTI_MESSAGE, NS_HOST, NS_ON_NODE, PAIRS - 1, 2, 15, true},
        {NS_MULTI_MESSAGE, NS_HOST, NS_ON_NODE, PAIRS, 1, 15, true},
        {NS_MULTI_MESSAGE, NS_DEVICE, NS_OFF_NODE, 1, 1, 31, true},
        {NS_MULTI_MESSAGE, NS_DEVICE, NS_OFF_NODE, 1, 1, 32, false},
    };
    fit.options.processes = by[_i].processes;
    add_lines(3);
    ns_sample *s = add(by[_i].kind, by[_i].locality, by[_i].pairs, 1024, 1);
    s->memory = by[_i].memory;
    s->messages = by[_i].messages;
    fit_all();
    ck_assert_int_eq(fit.limit[NS_HOST][NS_ON_NODE].number.given, by[_i].given);
}

/* ---- what a node injects, how many processes it has -------------------------------------------------------------- */

/* Repeats in any order: their median counts, and nothing is as often as it was measured. */
TEST(repeats)
{
    static const double factor[] = {1.3, 1, 0.9, 0.8, 1};
    const int times[] = {1, 3, 5};
    double inverse[3];
    for (int way = 0; way < 3; way++) {
        setup();
        group.locality = NS_OFF_NODE;
        group.of[0] = (ns_fit_class){.protocol = NS_EAGER, .line = {.alpha = 2e-6, .beta = 1e-10}};
        for (int pairs = 4; pairs <= 8; pairs *= 2)
            for (int r = 0; r < times[way]; r++)
                for (int s = 1 << 18; s <= 1 << 20; s *= 2)
                    add(NS_NODE_PONG, NS_OFF_NODE, pairs, s,
                        (2e-6 + pairs * 4e-11 * s * (s == 1 << 20 ? 1.02 : 1)) * (way == 0 ? 1 : factor[r]));
        ns_error err = {0};
        ck_assert_msg(ns_fit_injections(&fit, &log_of, &err) == NS_OK, "%s", err.text);
        const ns_fit_injection *i = &fit.injection[NS_HOST];
        ck_assert(i->inverse_R_N > 0 && i->rates == 2);
        ck_assert_int_eq(i->rate[0].pairs, 4);
        ck_assert_int_eq(i->rate[1].pairs, 8);
        inverse[way] = i->inverse_R_N;
        ns_free(i->rate);
    }
    ck_assert_double_eq_tol(inverse[0] / 4e-11, 1, 0.03);
    ck_assert_double_eq_tol(inverse[1], inverse[0], 1e-12 * inverse[0]);
    ck_assert_double_eq_tol(inverse[2], inverse[0], 1e-12 * inverse[0]);
}

/* Pairs between nodes are one process of each, inside a node two; more than 512 are no node's, more than 16 have no GPU
 * each; a copy or an allreduce says nothing. */
TEST_EACH(processes, 12)
{
    static const struct {
        ns_sample_kind kind;
        ns_locality locality;
        bool stated, device;
        int pairs, processes, gpus;
    } of[] = {
        {NS_NODE_PONG, NS_OFF_NODE, true, false, 512, 512, 0}, {NS_NODE_PONG, NS_OFF_NODE, true, false, 513, 0, 0},
        {NS_NODE_PONG, NS_ON_NODE, true, false, 9, 18, 0},     {NS_NODE_PONG, NS_ON_NODE, false, false, 9, 9, 0},
        {NS_NODE_PONG, NS_ON_NODE, true, true, 8, 16, 16},     {NS_NODE_PONG, NS_OFF_NODE, true, true, 17, 17, 0},
        {NS_PING_PONG, NS_ON_SOCKET, true, true, 0, 2, 2},     {NS_COPY_SAMPLE, NS_OFF_NODE, true, true, 4, 0, 0},
        {NS_COLLECTIVE, NS_OFF_NODE, true, false, 64, 0, 0},   {NS_STAGED, NS_OFF_NODE, true, true, 3, 3, 3},
        {NS_CONTENTION, NS_OFF_NODE, true, false, 3, 0, 0},    {NS_ONE_SIDED, NS_ON_NODE, true, false, 3, 6, 0},
    };
    ns_sample *s = add(of[_i].kind, of[_i].locality, of[_i].pairs, 8, 1e-6);
    s->locality_stated = of[_i].stated;
    s->memory = of[_i].device ? NS_DEVICE : NS_HOST;
    ns_fit_count_processes(&fit, &log_of);
    ck_assert_int_eq(fit.most_processes, of[_i].processes);
    ck_assert_int_eq(fit.most_gpus, of[_i].gpus);
}

TEST_FIXTURE(setup, NULL)
