/* test_predict_network.c -- predict --network and --collective, and prices just past a protocol's drop: what is
 * answered, what is refused, in which words */
#include "core/memory.h"
#include "support/cli.h"
#include "support/files.h"
#include "support/test.h"
#include "support/values.h"

static const ns_value *first_case(const ns_value *root)
{
    return ns_value_get(root, "cases")->first;
}

static const ns_value *way_of(const ns_value *root, const char *strategy, const char *transport)
{
    for (const ns_value *s = ns_value_get(first_case(root), "strategies")->first; s != NULL; s = s->next)
        if (strcmp(text_at(s, "strategy"), strategy) == 0 && strcmp(text_at(s, "transport"), transport) == 0)
            return s;
    return NULL;
}

static int ways_of(const ns_value *root)
{
    int count = 0;
    for (const ns_value *s = ns_value_get(first_case(root), "strategies")->first; s != NULL; s = s->next)
        count++;
    return count;
}

static double terms_of(const ns_value *way)
{
    double sum = 0;
    for (const ns_value *t = ns_value_get(way, "terms")->first; t != NULL; t = t->next)
        sum += t->number;
    return sum;
}

/* ---- gathering --------------------------------------------------------------------------------------------------- */

/* The strategies as without the network, and one more way; one decision over all of them. */
TEST(one_table)
{
    static const char words[] = "predict --matrix rajat01 --gpus 16 --incumbent standard/host";
    ns_value *without = cli_json(words);
    ns_value *with = cli_json_with("%s --network netsparse", words);
    double sum = 0;
    for (const ns_value *s = ns_value_get(first_case(without), "strategies")->first; s != NULL; s = s->next) {
        const ns_value *same = way_of(with, text_at(s, "strategy"), text_at(s, "transport"));
        ck_assert_ptr_nonnull(same);
        ck_assert_double_eq(number_at(s, "estimate_s"), number_at(same, "estimate_s"));
        ck_assert_str_eq(text_at(same, "kind"), "messages");
        ck_assert_ptr_null(ns_value_get(s, "kind"));
        sum += number_at(same, "p_best");
    }
    const ns_value *own = way_of(with, "in-network-gather", "nic"), *g = ns_value_get(first_case(with), "gathering");
    ck_assert_ptr_nonnull(own);
    ck_assert_int_eq(ways_of(with), ways_of(without) + 1);
    ck_assert_str_eq(text_at(own, "kind"), "in-network");
    ck_assert_double_eq_tol(terms_of(own), number_at(own, "estimate_s"), 1e-15);
    ck_assert_double_eq_tol(number_at(g, "network_s") + number_at(g, "inside_s"), number_at(own, "estimate_s"), 1e-15);
    ck_assert_double_eq_tol(sum + number_at(own, "p_best"), 1, 1e-9);
    ck_assert_str_eq(text_at(with, "network.name"), "netsparse");
    ck_assert_str_eq(text_at(with, "network.effect"), "gathers");
    ck_assert_double_gt(number_at(first_case(with), "decision.incumbent.p_better"), 0.5);
    ck_assert_ptr_null(ns_value_get(without, "network"));
}

/* Every number says whose it is; --set makes it the user's, also the link. */
TEST(whose_numbers)
{
    static const char *const of[] = {"machine", "paper", "fitted", "assumed"};
    ns_value *root = cli_json("predict --matrix rajat01 --gpus 16 --network netsparse");
    bool seen[4] = {false};
    for (const ns_value *n = ns_value_get(ns_value_get(root, "network"), "numbers")->first; n != NULL; n = n->next)
        for (int i = 0; i < 4; i++)
            seen[i] = seen[i] || strcmp(text_at(n, "of"), of[i]) == 0;
    for (int i = 0; i < 4; i++)
        ck_assert_msg(seen[i], "%s", of[i]);
    ck_assert_ptr_nonnull(ns_value_get(ns_value_get(root, "network"), "assumed")->first);
    const double link = number_at(first_case(root), "gathering.link");
    root = cli_json("predict --matrix rajat01 --gpus 16 --network netsparse --set models.rig-batch.rate=400Gbit/s");
    ck_assert_double_gt(number_at(first_case(root), "gathering.link"), link);
    ck_assert_double_eq_tol(number_at(first_case(root), "gathering.link"), 50e9, 1);
    ck_assert_str_eq(text_at(ns_value_get(ns_value_get(root, "network"), "numbers")->first, "of"), "set");
    cli_result r = cli("predict --matrix rajat01 --gpus 16 --network netsparse");
    ck_assert_ptr_nonnull(strstr(r.out, "network    netsparse: "));
    ck_assert_ptr_nonnull(strstr(r.out, "each way, both at once: of lassen-spectrum, host.injection.inverse_R_N"));
    ck_assert_ptr_nonnull(strstr(r.out, "assumed    "));
    ck_assert_ptr_nonnull(strstr(r.out, "error      between nodes, a standard deviation of 2^0.26 = 1.2 times"));
}

/* The figure of `nsmodel netsparse` for the same matrix, nodes, bytes and link. */
TEST(as_netsparse)
{
    ns_value *predict =
                 cli_json("predict --matrix rajat01 --nodes 8 --per-node 1 --machine bluewaters --network netsparse "
                          "--set models.rig-batch.rate=400Gbit/s"),
             *own = cli_json("netsparse --matrix rajat01 --nodes 8 --k 2 --ablation");
    const ns_value *last = ns_value_get(own, "steps")->first;
    while (last->next != NULL)
        last = last->next;
    ck_assert_double_eq(number_at(way_of(predict, "in-network-gather", "nic"), "estimate_s"),
                        number_at(last, "time_s"));
    ns_value_free(predict);
}

/* Nothing leaves a node: on one node, and where every part needs only its own. */
TEST(nothing_between_nodes)
{
    static const char head[] = "%%MatrixMarket matrix coordinate pattern general\n8 8 8\n";
    char text[300];
    size_t used = (size_t)snprintf(text, sizeof text, "%s", head);
    for (int i = 1; i <= 8; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%d %d\n", i, i);
    ns_value *root = cli_json("predict --matrix rajat01 --gpus 4 --network netsparse");
    ck_assert_double_eq(number_at(first_case(root), "gathering.network_s"), 0);
    ck_assert_double_eq(number_at(way_of(root, "in-network-gather", "nic"), "terms.off_node_s"), 0);
    ck_assert_double_gt(number_at(way_of(root, "in-network-gather", "nic"), "estimate_s"), 0);
    root = cli_json_with("predict --matrix %s --nodes 4 --per-node 2 --machine bluewaters --network netsparse",
                         cli_file("diagonal.mtx", text));
    ck_assert_double_eq(number_at(way_of(root, "in-network-gather", "nic"), "estimate_s"), 0);
    ck_assert_int_eq(ns_value_get(first_case(root), "decision")->kind, NS_NULL);
}

/* It may be chosen by name, alone or beside others, and be what is in use. */
TEST(by_name)
{
    ns_value *root = cli_json("predict --matrix rajat01 --gpus 16 --network netsparse --strategy in-network-gather");
    ck_assert_int_eq(ways_of(root), 1);
    root = cli_json("predict --matrix rajat01 --gpus 16 --network netsparse --strategy 3-step,in-network-gather "
                    "--transport host,nic --incumbent in-network-gather");
    ck_assert_int_eq(ways_of(root), 2);
    ck_assert_str_eq(text_at(first_case(root), "decision.incumbent.transport"), "nic");
    root = cli_json("predict --matrix rajat01 --gpus 16 --network netsparse --transport device");
    ck_assert_ptr_null(way_of(root, "in-network-gather", "nic"));
}

TEST(explained)
{
    cli_result r = cli("predict --matrix rajat01 --gpus 16 --network netsparse --explain");
    static const char *const words[] = {"in-network-gather/nic, 16 parts on lassen-spectrum with netsparse",
                                        "between nodes, limited by ", "whole exchange after coalesce",
                                        "pending tables"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        ck_assert_msg(strstr(r.out, words[i]) != NULL, "%s", words[i]);
    ns_value *root = cli_json("predict --matrix rajat01 --gpus 16 --network netsparse --explain");
    double sum = 0;
    for (const ns_value *row = ns_value_get(root, "explain")->first; row != NULL; row = row->next)
        if (strcmp(text_at(row, "strategy"), "in-network-gather") == 0 && ns_value_get(row, "share")->kind != NS_NULL)
            sum += number_at(row, "share");
    ck_assert_double_gt(sum, 0.5);
    ck_assert_double_lt(sum, 1.001);
}

TEST(other_formats)
{
    char *csv = cli_output("predict --matrix rajat01 --gpus 16 --network netsparse --format csv"),
         *plot = cli_output("predict --matrix rajat01 --gpus 16,64 --network netsparse --plot"),
         *list = cli_output("predict --network help");
    ck_assert_ptr_nonnull(strstr(csv, "in-network-gather,nic,in-network,"));
    ck_assert_ptr_nonnull(strstr(plot, "in-network-gather, nic"));
    for (const ns_network_kind *kind = ns_network_kinds; kind->name != NULL; kind++)
        ck_assert_msg(strstr(list, kind->name) != NULL, "%s", kind->name);
}

/* ---- rails ------------------------------------------------------------------------------------------------------- */

TEST(rails)
{
    ns_value *one = cli_json("predict --matrix audikw_1 --gpus 64 --network bxi-multirail --set topology.rails=1"),
             *four = cli_json("predict --matrix audikw_1 --gpus 64 --network bxi-multirail");
    ck_assert_int_eq(ways_of(one), ways_of(four));
    ck_assert_str_eq(text_at(four, "network.effect"), "carries");
    for (const ns_value *s = ns_value_get(first_case(one), "strategies")->first; s != NULL; s = s->next)
        ck_assert_double_le(number_at(way_of(four, text_at(s, "strategy"), text_at(s, "transport")), "estimate_s"),
                            number_at(s, "estimate_s"));
    ck_assert_double_lt(number_at(way_of(four, "standard", "host"), "estimate_s"),
                        number_at(way_of(one, "standard", "host"), "estimate_s"));
}

static const cli_refusal refusals[] = {
    {"predict --matrix rajat01 --gpus 16 --network netspars", 1, "did you mean \"netsparse\"?"},
    {"predict --matrix rajat01 --gpus 16 --machine tioga --network netsparse", 1,
     "tioga has no \"host.injection.inverse_R_N\": the rate of a node's link"},
    {"predict --messages alltoall:4KiB --gpus 16 --network netsparse", 1, "planned messages have none"},
    {"predict --matrix rajat01 --gpus 16 --network bxi-multirail --strategy in-network-gather", 1,
     "bxi-multirail has no way of its own"},
    {"predict --matrix rajat01 --gpus 16 --strategy in-network-gather", 1, "no strategy \"in-network-gather\""},
    {"predict --matrix rajat01 --gpus 16 --transport nic", 1, "no transport \"nic\""},
    {"predict --matrix rajat01 --gpus 16 --network netsparse --strategy in-network-gather --schedule /dev/null", 2,
     "what interfaces do by themselves"},
    {"predict --matrix rajat01 --gpus 16 --network netsparse --set models.rig-batch.units=1", 1, "units has to be 2"},
    {"predict --exchange nothere.csv --network netsparse", 2, "--network has no use beside --exchange"},
    {"predict --collective allreduce", 2, "--collective wants allreduce:SIZE"},
    {"predict --collective broadcast:8B --nodes 4", 2, "--collective wants allreduce:SIZE"},
    {"predict --collective allreduce:1.5B --nodes 4", 1, "whole bytes"},
    {"predict --collective allreduce:8B --gpus 10 --machine lassen", 1, "no whole number of nodes of 4"},
    {"predict --collective allreduce:8B --nodes 4 --matrix rajat01", 2, "--matrix has no use beside --collective"},
    {"predict --collective allreduce:8B --nodes 4 --machine netsparse", 1, "no off-node table"},
    {"predict --collective allreduce:8B --nodes 4 --incumbent rings", 1, "did you mean \"ring\"?"},
};

TEST_EACH(refused, sizeof refusals / sizeof *refusals)
{
    cli_refused(refusals[_i]);
}

/* ---- collectives ------------------------------------------------------------------------------------------------- */

/* The hosts' algorithms and the switches cost what their models say. */
TEST(allreduce)
{
    static const char *const hosts[] = {"recursive-doubling", "rabenseifner", "ring", "reduce-broadcast"};
    ns_value *root = cli_json("predict --collective allreduce:1KiB --nodes 128 --per-node 1 --machine sharp-switchib2");
    for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++) {
        ns_value *model =
            cli_json_with("eval host-allreduce --machine sharp-switchib2 nodes=128 s=1KiB algorithm=%s", hosts[i]);
        const ns_value *way = way_of(root, hosts[i], "host");
        ck_assert_double_eq(number_at(way, "estimate_s"), number_at(model, "outputs.time.value"));
        ck_assert_str_eq(text_at(way, "kind"), "messages");
        ck_assert_double_eq_tol(terms_of(way), number_at(way, "estimate_s"), 1e-18);
    }
    ns_value *model = cli_json("eval sharp --machine sharp-switchib2 hosts=128 s=1KiB");
    const ns_value *way = way_of(root, "in-switches", "nic");
    ck_assert_double_eq(number_at(way, "estimate_s"), number_at(model, "outputs.time.value"));
    ck_assert_str_eq(text_at(way, "kind"), "in-network");
    ck_assert_str_eq(text_at(way, "note"), "");
    ck_assert_str_eq(text_at(first_case(root), "best.strategy"), "in-switches");
    ck_assert_str_eq(text_at(root, "collective.operation"), "allreduce");
    ck_assert_double_eq(number_at(root, "collective.bytes"), 1024);
}

/* Beyond what the data behind a model reach it is in the table, with its note, as is hardware the machine lacks. */
TEST(allreduce_noted)
{
    ns_value *root =
        cli_json("predict --collective allreduce:64KiB --nodes 16 --machine lassen --incumbent ring/device");
    const ns_value *way = way_of(root, "in-switches", "nic");
    ck_assert_ptr_nonnull(strstr(text_at(way, "note"), "hardware of sharp-switchib2"));
    ck_assert_ptr_nonnull(strstr(text_at(way, "note"), "s = 64 KiB is beyond 4 KiB"));
    for (const ns_value *s = ns_value_get(first_case(root), "strategies")->first; s != NULL; s = s->next)
        ck_assert_double_eq_tol(terms_of(s), number_at(s, "estimate_s"), 1e-15);
    ck_assert_double_gt(number_at(way_of(root, "ring", "host"), "terms.copy_s"), 0);
    ck_assert_double_eq(number_at(way_of(root, "ring", "device"), "terms.copy_s"), 0);
    ck_assert_str_eq(text_at(first_case(root), "decision.incumbent.strategy"), "ring");
    ns_value_free(root);
    cli_result r = cli("predict --collective allreduce:64KiB --nodes 16 --machine lassen");
    ck_assert_ptr_nonnull(strstr(r.out, "in-switches/nic: hardware of sharp-switchib2; s = 64 KiB is beyond 4 KiB"));
}

/* More bytes never take less time on a table with one line, nor do more nodes. */
TEST(allreduce_grows)
{
    double last[2] = {0};
    for (int nodes = 2; nodes <= 256; nodes *= 2) {
        char line[200];
        snprintf(line, sizeof line,
                 "predict --collective allreduce:256B --nodes %d --per-node 1 --machine sharp-switchib2", nodes);
        ns_value *root = cli_json(line);
        const double now[2] = {number_at(way_of(root, "recursive-doubling", "host"), "estimate_s"),
                               number_at(way_of(root, "in-switches", "nic"), "estimate_s")};
        for (int i = 0; i < 2; i++) {
            ck_assert_double_ge(now[i], last[i]);
            last[i] = now[i];
        }
    }
}

/* ---- drops ------------------------------------------------------------------------------------------------------- */

static ns_value *one_message(long bytes)
{
    char line[300], text[100];
    snprintf(text, sizeof text, "src,dst,bytes\n0,1,%ld\n1,0,%ld\n", bytes, bytes);
    snprintf(line, sizeof line,
             "predict --messages %s --parts 2 --per-node 1 --machine bluewaters --strategy standard "
             "--model max-rate",
             cli_file("drop.csv", text));
    return cli_json(line);
}

/* Blue Waters' rendezvous, from 8000 B on, is faster there than eager: the price falls, and says so until a message
 * takes as long as the last eager one; not before, and not far behind. */
TEST(just_past_a_drop)
{
    ns_value *below = one_message(7999), *at = one_message(8000), *near_it = one_message(20000),
             *far = one_message(60000);
    const double eager = number_at(way_of(below, "standard", "host"), "estimate_s");
    ck_assert_double_lt(number_at(way_of(at, "standard", "host"), "estimate_s"), eager);
    ck_assert_double_lt(number_at(way_of(near_it, "standard", "host"), "estimate_s"), eager);
    ck_assert_double_gt(number_at(way_of(far, "standard", "host"), "estimate_s"), eager);
    ck_assert_ptr_null(ns_value_get(way_of(below, "standard", "host"), "protocol_drops"));
    ck_assert_ptr_null(ns_value_get(way_of(far, "standard", "host"), "protocol_drops"));
    const ns_value *drop = ns_value_get(way_of(at, "standard", "host"), "protocol_drops")->first;
    ck_assert_str_eq(text_at(drop, "locality"), "off-node");
    ck_assert_str_eq(text_at(drop, "from"), "eager");
    ck_assert_str_eq(text_at(drop, "to"), "rendezvous");
    ck_assert_double_eq(number_at(drop, "at_bytes"), 8000);
    ck_assert_double_lt(number_at(drop, "after_s"), number_at(drop, "before_s"));
    ck_assert_ptr_nonnull(ns_value_get(way_of(near_it, "standard", "host"), "protocol_drops"));
    cli_result r =
        cli("predict --messages alltoall:8000B --parts 2 --per-node 1 --machine bluewaters --model max-rate --all");
    ck_assert_ptr_nonnull(strstr(r.out, "lie past 8 kB, where rendezvous takes over from eager on bluewaters"));
}

TEST_TIMEOUT(120)
