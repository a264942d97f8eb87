/* test_sensitivity.c -- elasticities against derivatives written out, tornado ends against what-if, variances by
 * hand */
#include "support/cli.h"
#include "support/test.h"
#include "support/values.h"

static const ns_value *move_of(const ns_value *root, const char *parameter)
{
    for (const ns_value *m = ns_value_get(root, "moves")->first; m != NULL; m = m->next)
        if (strcmp(text_at(m, "parameter"), parameter) == 0)
            return m;
    return NULL;
}

/* T = alpha m + ppn s / R_N on the injection side of (2.2): shares of the two terms. */
TEST(test_max_rate)
{
    ns_value *root = cli_json("sensitivity max-rate --machine lassen m=10 s=1MiB ppn=40");
    const double startup = 10 * 7.76e-6, transfer = 40 * 1048576 * 0.0419e-9, time = startup + transfer;
    static const char *const of_transfer[] = {"host.injection.inverse_R_N", "ppn", "s"};
    static const char *const of_startup[] = {"host.off-node.rendezvous.alpha", "m"};
    ck_assert_double_eq_tol(number_at(root, "base"), time, 1e-12 * time);
    for (size_t i = 0; i < 3; i++) {
        const ns_value *m = move_of(root, of_transfer[i]);
        ck_assert_msg(m != NULL, "%s", of_transfer[i]);
        ck_assert_double_eq_tol(number_at(m, "elasticity"), transfer / time, 1e-7);
        ck_assert_double_eq_tol(number_at(m, "if_lower"), startup + 0.9 * transfer, 1e-12);
        ck_assert_double_eq_tol(number_at(m, "if_higher"), startup + 1.1 * transfer, 1e-12);
    }
    for (size_t i = 0; i < 2; i++)
        ck_assert_double_eq_tol(number_at(move_of(root, of_startup[i]), "elasticity"), startup / time, 1e-7);
    ck_assert_ptr_null(move_of(root, "host.off-node.rendezvous.beta")); /* hidden below the injection limit */
    ck_assert_ptr_null(move_of(root, "topology.gpus"));
    ck_assert_ptr_nonnull(
        strstr(text_at(root, "measure_next"), "host.injection.inverse_R_N: 1 % of it moves time by 0.958 %"));
}

/* Where the two sides of the maximum meet, the slopes differ to the left and to the right: half of each. */
TEST(test_kink)
{
    ns_value *root = cli_json("sensitivity max-rate alpha=1us m=1 s=1MB ppn=2 R_N=2GB/s R_b=1GB/s");
    const ns_value *m = move_of(root, "R_N");
    ck_assert(ns_value_get(m, "kink")->truth);
    ck_assert_double_eq_tol(number_at(m, "elasticity"), -0.5 * 1000 / 1001, 1e-3);
    ck_assert_double_eq_tol(number_at(m, "if_higher"), 1001e-6, 1e-12); /* a faster node alone helps nothing */
    ck_assert(!ns_value_get(move_of(root, "alpha"), "kink")->truth);
}

/* At a protocol's first size the answer leaps: no slope on that side, and it says so. */
TEST(test_jump)
{
    ns_value *root = cli_json("sensitivity postal --machine lassen s=16KiB");
    const ns_value *m = move_of(root, "s");
    const double below = 2.44e-6 + 0.9 * 16384 * 0.379e-9, at = 7.76e-6 + 16384 * 0.0797e-9;
    ck_assert(ns_value_get(m, "jump")->truth);
    ck_assert_double_eq_tol(number_at(m, "elasticity"), 16384 * 0.0797e-9 / at, 1e-6);
    ck_assert_double_eq_tol(number_at(m, "if_lower"), below, 1e-15);
}

static const char *const exchanges[] = {
    "--machine lassen --matrix stencil27:12x12x12x3 --gpus 16 --strategy three-step/device",
    "--machine lassen --matrix stencil27:12x12x12x3 --gpus 16 --strategy standard/host",
    "--machine lassen --matrix stencil9:200x200 --gpus 24 --strategy split-md",
    "--matrix stencil27:20x20x20x3 --gpus 32 --machine bluewaters --per-node 16",
    "--matrix stencil27:20x20x20x3 --gpus 32 --machine bluewaters --per-node 16 --strategy two-step:8/host",
};

/* What predict says of the strategy with one parameter a tenth, or for a count one, larger. */
static double with_larger(const char *base, const char *subject, const char *path, double value)
{
    char strategy[64], transport[16], text_of_value[40], unit[24];
    const char *last = strrchr(path, '.') + 1;
    const bool count = strncmp(path, "topology.", 9) == 0;
    const bool seconds = strcmp(last, "alpha") == 0 || strcmp(last, "gamma") == 0;
    const bool bytes = strncmp(path + strcspn(path, "."), ".protocols", 10) == 0;
    const ns_dim dim = {.second = (signed char)!bytes, .byte = (signed char)(bytes ? 1 : seconds ? 0 : -1)};
    ck_assert_int_eq(sscanf(subject, "%63[^/]/%15s", strategy, transport), 2);
    ns_double_format(count ? value + 1 : 1.1 * value, text_of_value, sizeof text_of_value);
    ns_value *after = cli_json_with("%s --strategy %s --transport %s --set '%s=%s %s'", base, strategy, transport, path,
                                    text_of_value, count ? "" : ns_dim_unit(dim, unit, sizeof unit));
    const ns_value *choice = ns_value_get(ns_value_get(after, "cases")->first, "strategies")->first;
    const double estimate = number_at(choice, "estimate_s");
    return estimate;
}

/* Times are of degree one in start-ups and times per byte: their elasticities add up to 1.  And each end of the tornado
 * is what predict says with that one number changed. */
TEST_EACH(test_exchange, sizeof exchanges / sizeof *exchanges)
{
    char line[400], base[400];
    double sum = 0;
    int checked = 0;
    snprintf(line, sizeof line, "sensitivity %s", exchanges[_i]);
    snprintf(base, sizeof base, "predict %.300s", exchanges[_i]);
    char *named = strstr(base, " --strategy");
    if (named != NULL)
        *named = '\0';
    ns_value *root = cli_json(line);
    for (const ns_value *m = ns_value_get(root, "moves")->first; m != NULL; m = m->next) {
        const char *path = text_at(m, "parameter"), *last = strrchr(path, '.') + 1;
        if (strcmp(last, "alpha") == 0 || strcmp(last, "gamma") == 0 || strcmp(last, "beta") == 0 ||
            strcmp(last, "delta") == 0 || strncmp(last, "inverse_R", 9) == 0)
            sum += number_at(m, "elasticity");
        if (ns_value_get(m, "if_higher")->kind != NS_NUMBER || strcmp(path, "topology.gpus") == 0)
            continue; /* with other GPUs a node, predict would cut other nodes */
        const double wanted = with_larger(base, text_at(root, "subject"), path, number_at(m, "value"));
        ck_assert_msg(fabs(wanted - number_at(m, "if_higher")) <= 1e-12 * wanted, "%s: %g, predict says %g", path,
                      number_at(m, "if_higher"), wanted);
        checked++;
    }
    ck_assert_double_eq_tol(sum, 1, 1e-6);
    ck_assert_int_ge(checked, 3);
    ck_assert(_i != 0 || move_of(root, "topology.sockets") != NULL); /* another shape of nodes */
}

/* A machine with standard errors: T = alpha + beta s, of which (se alpha)^2 and (s se beta)^2 are the parts; together
 * se(T)^2 = 0.09 + 0.04 - 2 x 0.5 x 0.3 x 0.2 us^2. */
static const char machine_text[] =
    "{\"schema\": \"nsmodel/machine/1\", \"name\": \"measured\", \"title\": \"t\", \"source\": \"s\","
    " \"topology\": {\"sockets\": 1, \"gpus\": 0, \"host_processes\": 4},"
    " \"host\": {\"protocols\": {\"eager\": \"0 B\"},"
    " \"on-socket\": {\"eager\": {\"alpha\": \"1 us\", \"beta\": \"1 ns/B\"}},"
    " \"on-node\": {\"eager\": {\"alpha\": \"1 us\", \"beta\": \"1 ns/B\"}},"
    " \"off-node\": {\"eager\": {\"alpha\": \"2 us\", \"alpha_se\": \"0.3 us\", \"beta\": \"0.5 ns/B\", \"beta_se\": "
    "\"0.02 ns/B\", \"correlation\": -0.5}}}}";

TEST(test_standard_errors)
{
    const char *path = cli_file("measured.json", machine_text);
    ns_value *root = cli_json_with("sensitivity postal --machine %s s=10kB", path);
    const double a = 0.3e-6, b = 10000 * 0.02e-9, all = a * a + b * b;
    ck_assert_double_eq_tol(number_at(move_of(root, "host.off-node.eager.alpha"), "share_of_variance"), a * a / all,
                            1e-6);
    ck_assert_double_eq_tol(number_at(move_of(root, "host.off-node.eager.beta"), "share_of_variance"), b * b / all,
                            1e-6);
    /* beta moves the answer more, but alpha is what is known worst */
    ck_assert_str_eq(text_at(ns_value_get(root, "moves")->first, "parameter"), "host.off-node.eager.beta");
    ck_assert_ptr_nonnull(strstr(text_at(root, "measure_next"),
                                 "host.off-node.eager.alpha: its standard error makes 69 % of the variance of time"));
    ck_assert_ptr_nonnull(strstr(text_at(root, "measure_next"), "265 ns"));
}

/* Who would win instead: at the end of the tornado, as predict says with --set. */
TEST(test_winner)
{
    ns_value *root = cli_json("sensitivity --machine lassen --matrix stencil27:30x30x30x1 --gpus 32 --by 50%");
    int flips = 0;
    for (const ns_value *m = ns_value_get(root, "moves")->first; m != NULL; m = m->next) {
        const char *path = text_at(m, "parameter"), *winner = text_at(m, "winner_if_higher");
        char value[40], got[80];
        if (strncmp(strrchr(path, '.') + 1, "alpha", 5) != 0)
            continue;
        ns_double_format(1.5 * number_at(m, "value"), value, sizeof value);
        ns_value *after = cli_json_with(
            "predict --machine lassen --matrix stencil27:30x30x30x1 --gpus 32 --set '%s=%s s'", path, value);
        const ns_value *best = ns_value_get(ns_value_get(after, "cases")->first, "best");
        snprintf(got, sizeof got, "%s/%s", text_at(best, "strategy"), text_at(best, "transport"));
        if (*winner != '\0')
            ck_assert_str_eq(winner, got);
        else
            ck_assert_msg(strncmp(text_at(root, "subject"), got, strlen(got)) == 0, "%s: %s", path, got);
        flips += *winner != '\0';
    }
    ck_assert_int_ge(flips, 1);
}

TEST(test_strategy_curve)
{
    ns_value *root = cli_json("sensitivity standard/device s=64KiB messages=32 nodes=4 --machine lassen");
    /* (2.1): 8 messages a GPU */
    const double startup = 8 * 11.0e-6, transfer = 8 * 65536 * 0.172e-9, time = startup + transfer;
    ck_assert_double_eq_tol(number_at(root, "base"), time, 1e-12 * time);
    ck_assert_double_eq_tol(number_at(move_of(root, "s"), "elasticity"), transfer / time, 1e-6);
    ck_assert_double_eq_tol(number_at(move_of(root, "messages"), "elasticity"), 1, 1e-6);
    ck_assert_ptr_null(move_of(root, "nodes"));
}

/* A name of a way may have a slash itself, and is taken although it is only by name. */
TEST(test_way_by_name)
{
    ns_value *root = cli_json("sensitivity --matrix stencil27:20x20x20x3 --gpus 32 --machine bluewaters --per-node 16 "
                              "--strategy standard/pairwise/host");
    ns_value *predicted = cli_json("predict --matrix stencil27:20x20x20x3 --gpus 32 --machine bluewaters --per-node 16 "
                                   "--strategy standard/pairwise/host");
    const ns_value *way = ns_value_get(ns_value_get(predicted, "cases")->first, "strategies")->first;
    ck_assert_double_eq(number_at(root, "base"), number_at(way, "estimate_s"));
}

static const cli_refusal refused[] = {
    {"sensitivity", 2, "sensitivity wants one model, one STRATEGY/TRANSPORT, or --matrix M"},
    {"sensitivity rajat01", 1, "no model \"rajat01\"; it is a matrix: nsmodel sensitivity --matrix rajat01"},
    {"sensitivity postal max-rate", 2, "sensitivity wants one model"},
    {"sensitivity postal --machine lassen", 1, "postal lacks s"},
    {"sensitivity postal --machine lassen s=1kB --by 0", 1, "--by wants a share above 0 and below 1"},
    {"sensitivity postal --machine lassen s=1kB --by 200%", 1, "--by wants a share above 0 and below 1"},
    {"sensitivity postal --machine lassen s=1kB --by 1us", 1, "--by wants"},
    {"sensitivity postal --machine lassen s=1kB --of tme", 1, "did you mean \"time\"?"},
    {"sensitivity postal --machine lassen,bluewaters s=1kB", 2, "sensitivity takes one machine"},
    {"sensitivity postal s=1kB --set host.off-node.eager.alpha=1us", 2, "--set changes a machine"},
    {"sensitivity postal --matrix stencil9:9x9", 2, "a model or a matrix, not both"},
    {"sensitivity --matrix stencil9:9x9 --strategy split-xx", 1, "did you mean"},
    {"sensitivity --matrix stencil9:9x9 --strategy split-dd/device", 1,
     "machine lassen-spectrum does not run split-dd/device"},
    {"sensitivity --matrix stencil9:9x9 --of time", 2, "--of names an output of a model"},
    {"sensitivity postal --machine lassen s=1kB --gpus 4", 2, "--gpus is for --matrix and --messages"},
    {"sensitivity split-md/host --machine lassen --of copy", 1, "strategies have one output, time; got --of copy"},
    {"sensitivity --matrix stencil9:9x9 --gpus 0", 1, "--gpus wants whole numbers from 1"},
    {"sensitivity --matrix stencil9:9x9 --messages x.csv", 2, "not both"},
};

TEST_EACH(test_refused, sizeof refused / sizeof *refused)
{
    cli_refused(refused[_i]);
}

TEST_TIMEOUT(120)
