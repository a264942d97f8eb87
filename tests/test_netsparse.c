/* test_netsparse.c -- nsmodel netsparse: the answer's keys, its identities, what it refuses; test_netsparse_sweeps.c:
 * sweeps */
#include "support/cli.h"
#include "support/shared.h"
#include "support/test.h"
#include "support/values.h"

#include "oracle/oracle.h"

static const ns_value *nth(const ns_value *list, int index)
{
    const ns_value *v = list->first;
    for (; index > 0 && v != NULL; index--)
        v = v->next;
    ck_assert_ptr_nonnull(v);
    return v;
}

/* ---- refusals ---------------------------------------------------------------------------------------------------- */

static const struct {
    const char *options;
    int code;
    const char *message;
} refused[] = {
    {"", 2, "netsparse wants --nodes N"},
    {"--nodes 0", 1, "--nodes wants whole numbers from 1"},
    {"--nodes 16385", 1, "--nodes wants whole numbers from 1 to 16384"},
    {"--nodes 4 --k 0", 1, "--k wants whole numbers from 1"},
    {"--nodes 4 --k 1.5", 1, "got 1.5"},
    {"--nodes 4 --rack 0", 1, "--rack wants whole numbers from 1"},
    {"--nodes 4 --batch 0", 1, "--batch wants whole numbers from 1"},
    {"--nodes 4 --set models.concat.mtu=50B", 1, "mtu is 50 B, a packet wants 82 B for one request's headers"},
    {"--nodes 4 --set models.concat.mtu=120B", 1, "mtu is 120 B, a packet wants 146 B for one response"},
    {"--nodes 4 --set models.rig-batch.rate=0GB/s", 1, "models.rig-batch.rate has to be more than 0"},
    {"--nodes 4 --set models.rig-batch.units=1", 1, "models.rig-batch.units has to be 2 to 129"},
    {"--nodes 4 --set models.rig-batch.E=0", 1, "E has to be more than 0"},
    {"--nodes 4 --machine lassen", 1, "machine lassen has no \"models.rig-batch.units\""},
    {"--nodes 4 --topology hypercube", 1, "--topology has no choice \"hypercube\""},
    {"--nodes 4 --sweep bach", 1, "--sweep has no choice \"bach\"; it is one of batch, units, delay, cache, topology"},
    {"--nodes 4 --width 3", 1, "--width"},
    {"--nodes 4 --width 8B,4B", 1, "--width"},
    {"--nodes 4 --max-memory 1kB", 1, "more than the limit of 1 kB (--max-memory)"},
    {"--nodes 4 --width 0B", 1, "--width wants a whole number of bytes"},
};

TEST_EACH(refusal, sizeof refused / sizeof *refused)
{
    char line[512];
    snprintf(line, sizeof line, "netsparse --matrix stencil9:30x30 %s", refused[_i].options);
    cli_refused((cli_refusal){line, refused[_i].code, refused[_i].message});
}

/* ---- the answer -------------------------------------------------------------------------------------------------- */

static const char *const names[] = {"rig", "filter", "coalesce", "concat", "switch"};

/* Rows of a list of K and of CSV are a sweep's points where one was asked for, else the steps. */
TEST(rows_are_the_sweeps)
{
    static const struct {
        const char *options;
        bool step, point;
    } asked[] = {
        {"--k 16 --format csv", true, false},
        {"--k 16 --sweep topology --format csv", false, true},
        {"--k 1,16 --sweep topology --format csv", false, true},
        {"--k 1,16", true, false},
        {"--k 16 --sweep topology", true, true},
        {"--k 1,16 --sweep topology", false, true},
        {"--k 1,16 --sweep topology --json", true, true},
    };
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        char line[256];
        snprintf(line, sizeof line, "netsparse --matrix stencil9:30x30 --nodes 20 %s", asked[i].options);
        cli_result r = cli(line);
        ck_assert_msg(r.code == 0 && (strstr(r.out, "coalesce") != NULL) == asked[i].step &&
                          (strstr(r.out, "dragonfly") != NULL) == asked[i].point,
                      "%s", line);
    }
}

TEST(contract)
{
    ns_value *v = cli_json("netsparse --matrix stencil9:60x50 --nodes 20 --k 16");
    ck_assert_int_eq((int)number_at(v, "nodes"), 20);
    ck_assert_int_eq((int)number_at(v, "k"), 16);
    /* strips of rows of the grid: each boundary is 50 columns needed by the neighbour, each touched by 3 entries less
     * ends */
    ck_assert_int_eq((int)number_at(v, "unique"), 2 * 19 * 50);
    ck_assert_int_eq((int)number_at(v, "requests"), 2 * 19 * (3 * 50 - 2));
    NEAR(number_at(v, "traffic_bytes.su"), 19.0 * 3000 * 64, 1e-12);
    NEAR(number_at(v, "traffic_bytes.sa"), number_at(v, "requests") * (64 + 140), 1e-12);
    ck_assert(number_at(v, "traffic_bytes.netsparse") < number_at(v, "traffic_bytes.sa"));
    ck_assert(number_at(v, "payload_bytes.netsparse") >= number_at(v, "payload_bytes.useful"));
    NEAR(number_at(v, "bounds.speedup_most"), 2850.0 * 64 / (100 * (64 + 36.0)), 1e-12);
    NEAR(number_at(v, "bounds.prs_per_packet_most"), 2 / (1 / 79.0 + 1 / 17.0), 1e-12);
    NEAR(number_at(v, "bounds.filter_most"), 1 - 100.0 / 296, 1e-12);
    NEAR(number_at(v, "bounds.idx_filter_bytes"), 375, 1e-12);
    NEAR(number_at(v, "bounds.concat_queue_bytes"), 2 * 19 * 1500, 1e-12);
    NEAR(number_at(v, "bounds.su_s"), 19.0 / 20 * 3000 * 64 / 50e9, 1e-12);
    NEAR(number_at(v, "over_su") * number_at(v, "time_s"), number_at(v, "bounds.su_s"), 1e-12);
    NEAR(number_at(v, "over_sa") * number_at(v, "time_s"), number_at(v, "bounds.sa_s"), 1e-12);
    NEAR(number_at(v, "over_su"), number_at(nth(ns_value_get(v, "steps"), 4), "speedup"), 1e-12);
    ck_assert(strstr(ns_value_get(v, "sentence")->text, "times as fast as SAOpt") != NULL);
    const ns_value *steps = ns_value_get(v, "steps");
    for (int i = 0; i < 5; i++) {
        const ns_value *step = nth(steps, i);
        ck_assert_str_eq(ns_value_get(step, "step")->text, names[i]);
        ck_assert(number_at(step, "traffic_reduction") > 0 && number_at(step, "goodput") > 0 &&
                  number_at(step, "goodput") <= 1);
        ck_assert(number_at(step, "speedup") <= number_at(step, "speedup_best"));
    }
    ck_assert_ptr_null(nth(steps, 4)->next);
}

/* speedup = traffic reduction x line utilisation; a strip's nodes send what they receive, so the models give the
 * tail. */
TEST(identities)
{
    ns_value *v = cli_json("netsparse --matrix stencil9:60x50 --nodes 20 --k 16 --ablation --batch 64");
    const ns_value *steps = ns_value_get(v, "steps"), *rig = nth(steps, 0), *coalesce = nth(steps, 2);
    for (int i = 0; i < 5; i++) {
        const ns_value *s = nth(steps, i);
        near(number_at(s, "speedup"), number_at(s, "traffic_reduction") * number_at(s, "line_utilisation"), 1e-12,
             names[i]);
        near(number_at(s, "time_s"), number_at(v, "bounds.su_s") / number_at(s, "speedup"), 1e-12, names[i]);
    }
    ck_assert_int_eq((int)number_at(rig, "prs"), 2 * 148);
    ck_assert_int_eq((int)number_at(coalesce, "requests"), 2 * 148); /* the tail node's, before they are filtered */
    /* R = SU transfers per request; reduction = R P/(P + 140) before concatenation */
    NEAR(number_at(rig, "traffic_reduction"), 2850.0 / 296 * 64 / 204, 1e-12);
    NEAR(number_at(rig, "goodput"), 296 * 64 / (50e9 * number_at(rig, "time_s")), 1e-12);
    ck_assert(number_at(coalesce, "prs") < number_at(rig, "prs") && number_at(coalesce, "prs") >= 100);
}

/* More nodes than rows leaves parts empty; one node asks for nothing. */
TEST(extremes)
{
    ns_value *v = cli_json("netsparse --matrix stencil9:5x5 --nodes 100");
    ck_assert_int_eq((int)number_at(v, "unique"), 144);
    ck_assert(ns_value_get(v, "destinations_per_window")->kind == NS_NULL);
    v = cli_json("netsparse --matrix stencil9:5x5 --nodes 1");
    ck_assert(number_at(v, "traffic_bytes.netsparse") == 0 && number_at(v, "unique") == 0);
    ck_assert(ns_value_get(nth(ns_value_get(v, "steps"), 4), "speedup")->kind == NS_NULL);
    ck_assert(ns_value_get(v, "su_redundant_per_useful")->kind == NS_NULL);
    v = cli_json(
        "netsparse --matrix stencil9:40x40 --nodes 21 --rack 8 --k 1,1024"); /* racks of 8, 8 and 5; 4 KiB in 8 tiles */
    const ns_value *cases = ns_value_get(v, "cases");
    near(number_at(nth(cases, 1), "traffic_bytes.su"), 1024 * number_at(nth(cases, 0), "traffic_bytes.su"), 1e-12,
         "SU grows with K");
}

TEST(twice)
{
    cli_result a = cli("netsparse --matrix stencil9:60x50 --nodes 33 --ablation"),
               b = cli("netsparse --matrix stencil9:60x50 --nodes 33 --ablation");
    ck_assert_int_eq(a.code, 0);
    ck_assert_str_eq(a.out, b.out);
}

/* ---- real matrices: [NS] Section 9 ------------------------------------------------------------------------------ */

/* Large for a structural matrix, small for roads: filter and coalescing, concatenation. */
TEST_EACH(gains, shared_matrices("gains"))
{
    static const char *const files[] = {"ship_001.mtx.gz", "luxembourg_osm.mtx.gz"};
    double filter[2], packets[2];
    for (int i = 0; i < 2; i++) {
        ns_value *v =
            cli_json_with("netsparse --matrix %s/data/matrices/%s --nodes 128 --ablation", shared_dir(), files[i]);
        const ns_value *steps = ns_value_get(v, "steps");
        filter[i] = number_at(nth(steps, 2), "traffic_reduction") / number_at(nth(steps, 0), "traffic_reduction");
        packets[i] = number_at(nth(steps, 3), "prs_per_packet");
    }
    ck_assert_msg(filter[0] > 5 && filter[1] < 1.1, "filter gains %g and %g", filter[0], filter[1]);
    ck_assert_msg(packets[0] > 5 && packets[1] < 2, "requests per packet %g and %g", packets[0], packets[1]);
}

TEST_TIMEOUT(300)
