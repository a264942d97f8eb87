/* test_cli.c -- command lines as people type them: answers, exit codes, the exact words of refusals */
#define _XOPEN_SOURCE 700 /* symlink */

#include "support/choices.h"
#include "support/cli.h"
#include "support/shell.h"
#include "support/values.h"

#include "support/test.h"
#include <fcntl.h>
#include <sys/stat.h>

/* ---- refusals ---------------------------------------------------------------------------------------------------- */

static const cli_refusal refused[] = {
    /* a command line that cannot be parsed: 2 */
    {"prdict", 2, "nsmodel: no command \"prdict\"; did you mean \"predict\"?\n"},
    {"xyzzy", 2, "nsmodel: no command \"xyzzy\"; `nsmodel help` lists them\n"},
    {"predict", 2, "nsmodel: predict wants --matrix M or --messages FILE.csv\n"},
    {"predict --matrix", 2, "nsmodel: --matrix wants M\n"},
    {"predict --matrx x", 2, "nsmodel: predict has no option --matrx; did you mean --matrix?\n"},
    {"predict --matrix stencil9:8x8 extra", 2, "unexpected argument \"extra\"; usage: nsmodel predict"},
    {"predict stencil9:8x8 extra", 2, "unexpected argument \"extra\"; usage: nsmodel predict"},
    {"predict --matrix stencil9:8x8 --matrix b", 2, "--matrix is given twice"},
    {"predict --matrix stencil9:8x8 --explain=yes", 2, "nsmodel: --explain takes no value"},
    {"predict --matrix stencil9:8x8 --format xml", 2, "--format is table, wide, json or csv, not \"xml\""},
    {"predict --matrix stencil9:8x8 --messages a.csv", 2, "or --messages FILE.csv, not both"},
    {"predict --matrix stencil9:8x8 --gpus 8 --parts 8", 2, "--gpus and --parts are the same option"},
    {"eval", 2, "eval needs the name of a model; usage: nsmodel eval MODEL NAME=VALUE..."},
    {"eval postal alpha=1us beta=1ns/B s=1B --set a=1", 2, "--set changes a machine: give --machine as well"},
    {"pattern --matrix stencil9:8x8", 2, "pattern wants --parts P"},
    {"pattern --parts 8", 2, "nsmodel: pattern wants --matrix M\n"},
    {"predict --messages a.csv --width 8B", 2, "--width is of a matrix' entries"},
    /* bad input: 1 */
    {"predict --matrix stencil9:8x8 --gpus 0", 1, "--gpus wants whole numbers from 1 to 16777216, got 0"},
    {"predict --matrix stencil9:8x8 --gpus 8,x", 1, "--gpus"},
    {"predict --matrix stencil9:8x8 --gpus 2.5", 1, "got 2.5"},
    {"predict --matrix stencil9:8x8 --per-node 0", 1, "--per-node wants whole numbers from 1"},
    {"predict --matrix stencil9:8x8 --width 8", 1, "--width wants a size like \"1 B\", got the bare number \"8\""},
    {"predict --matrix stencil9:8x8 --width 0B", 1, "--width wants a whole number of bytes from 1 B to 2^53 B\n"},
    {"predict --matrix stencil9:8x8 --width 8us", 1, "--width wants a size"},
    {"predict --matrix stencil9:8x8 --machine lasen", 1, "no machine or file \"lasen\"; did you mean \"lassen\"?"},
    {"predict --matrix stencil9:8x8 --machine lassen,,x", 1, "holds an empty name"},
    {"predict --matrix stencil9:8x8 --strategy three-stp", 1,
     "no strategy \"three-stp\"; did you mean \"three-step\"?"},
    {"predict --matrix stencil9:8x8 --transport carrier", 1, "no transport \"carrier\"; there are host and device"},
    {"predict --matrix stencil9:8x8 --strategy split-md --transport device", 1,
     "runs none of the strategies and transports"},
    {"predict --matrix stencil9:8x8 --machine bluewaters --transport device", 1,
     "runs none of the strategies and transports"},
    {"predict --matrix stencil9:8x8 --machine bxi", 1, "machine bxi has no table of messages, host or device"},
    {"predict --matrix no/such/file.mtx", 1, "no/such/file.mtx"},
    {"predict --matrix audikw1", 1, "did you mean \"audikw_1\"?"},
    {"predict --matrix stencil9:0x8", 1, "stencil9:0x8"},
    {"predict --matrix stencil9:4000x4000 --gpus 64 --max-memory 1kB", 1, "more than the limit of 1 kB (--max-memory)"},
    {"predict --matrix stencil9:4096x4096 --gpus 16777216 --max-memory 1GB", 1,
     "more than the limit of 1 GB (--max-memory)"},
    {"predict --messages no/such.csv", 1, "no/such.csv: no such file"},
    {"predict --matrix stencil9:8x8 --partition no/such.part", 1, "no/such.part"},
    {"pattern --matrix stencil9:8x8 --parts 0", 1, "--parts wants whole numbers from 1"},
    {"pattern --matrix stencil9:8x8 --parts 4,8", 1, "--parts wants one number"},
    {"eval postal", 1, "postal lacks alpha [us], beta [ns/B], s [B]; --machine can give some of them"},
    {"eval postal alpha=3 beta=1ns/B s=1KiB", 1, "alpha wants a time like \"1 us\", got the bare number \"3\""},
    {"eval postal alpha=-3us beta=1ns/B s=1KiB", 1, "alpha has to be at least 0 s, got -3 us"},
    {"eval postal alpha=3us alpha=4us", 1, "alpha is given twice"},
    {"eval postal alpa=3us", 1, "postal has no input \"alpa\"; did you mean \"alpha\"?"},
    {"eval postal alpha", 1, "\"alpha\" is not NAME=VALUE"},
    {"eval postl s=1B", 1, "no model \"postl\"; did you mean \"postal\"?"},
    {"eval postal --machine lassen s=1KiB locality=off-nod", 1,
     "locality has no choice \"off-nod\"; it is one of on-socket, on-node, off-node"},
    {"eval postal --machine lassen s=1KiB memory=device protocol=short", 1,
     "machine lassen has no protocol \"short\" for off-node messages in device memory"},
    {"eval postal --machine bluewaters s=1KiB memory=device", 1,
     "machine bluewaters has no off-node table for device memory"},
    {"eval max-rate alpha=1us m=1 s=1KiB ppn=4 R_N=0GB/s R_b=1GB/s", 1, "R_N has to be more than 0"},
    {"machines nowhere", 1, "no machine or file \"nowhere\"; `nsmodel machines` lists the machines"},
    {"models postall", 1, "did you mean \"postal\"?"},
    {"help xyzzy", 2, "no command \"xyzzy\""},
};

TEST_EACH(test_refused, sizeof refused / sizeof *refused)
{
    cli_refused(refused[_i]);
}

/* ---- answers ----------------------------------------------------------------------------------------------------- */

TEST(test_predict_json)
{
    ns_value *root = cli_json("predict --matrix stencil9:200x200 --gpus 4,8");
    ck_assert_str_eq(text_at(root, "schema"), "nsmodel/predict/1");
    ck_assert_str_eq(text_at(root, "matrix.source"), "generated");
    ck_assert_double_eq(number_at(root, "matrix.rows"), 40000);
    ck_assert_double_eq(number_at(root, "matrix.nonzeros"), 598.0 * 598.0); /* (3 k - 2)^2 */
    ck_assert_str_eq(text_at(root, "machine.name"), NS_MACHINE_DEFAULT);
    const ns_value *cases = ns_value_get(root, "cases");
    int count = 0, strategies = 0;
    for (const ns_value *c = cases->first; c != NULL; c = c->next, count++) {
        double best = INFINITY;
        ck_assert_double_eq(number_at(c, "per_node"), 4);
        ck_assert_double_eq(number_at(c, "nodes"), ceil(number_at(c, "gpus") / 4));
        for (const ns_value *s = ns_value_get(c, "strategies")->first; s != NULL; s = s->next, strategies++) {
            double sum = 0, estimate = number_at(s, "estimate_s");
            for (const ns_value *t = ns_value_get(s, "terms")->first; t != NULL; t = t->next)
                sum += t->number;
            ck_assert_double_eq_tol(sum, estimate, 1e-15 * estimate);
            ck_assert_ptr_nonnull(ns_value_at(s, "terms.off_node_s"));
            ck_assert_ptr_nonnull(ns_value_at(s, "terms.on_node_s"));
            ck_assert_ptr_nonnull(ns_value_at(s, "terms.copy_s"));
            ck_assert_int_eq(ns_value_get(s, "interval_s")->kind, NS_LIST);
            ck_assert_int_eq(ns_value_get(s, "published_s")->kind,
                             number_at(c, "nodes") > 1 && is_published(text_at(s, "strategy")) ? NS_NUMBER : NS_NULL);
            ck_assert_int_eq(ns_value_get(s, "corrected_s")->kind, ns_value_get(s, "published_s")->kind);
            ck_assert_double_ge(number_at(s, "messages_off_node_max"), 0);
            best = fmin(best, estimate);
        }
        for (const ns_value *s = ns_value_get(c, "strategies")->first; s != NULL; s = s->next)
            if (strcmp(text_at(s, "strategy"), text_at(c, "best.strategy")) == 0 &&
                strcmp(text_at(s, "transport"), text_at(c, "best.transport")) == 0)
                ck_assert_double_eq(number_at(s, "estimate_s"), best);
        ck_assert_ptr_nonnull(ns_value_at(c, "pattern.unique_s_node_node"));
    }
    ck_assert_int_eq(count, 2);
    ck_assert_int_eq(strategies, 2 * choices_on(NS_MACHINE_DEFAULT));
}

/* The closed form as printed and corrected, apart: standard by host, where the printed form pays no copies, and
 * three-step, where it gives a process one node of several. */
TEST(test_printed_and_corrected)
{
    ns_value *root = cli_json("predict --machine lassen --matrix stencil27:12x12x12x3 --gpus 64 --transport host");
    const ns_value *one = ns_value_get(root, "cases")->first;
    for (const ns_value *s = ns_value_get(one, "strategies")->first; s != NULL; s = s->next) {
        const char *const forms[] = {"printed", "corrected"}, *const keys[] = {"published_s", "corrected_s"};
        const char *name = text_at(s, "strategy");
        const bool split = strncmp(name, "split", 5) == 0;
        for (int f = 0; f < 2 && is_published(name); f++) {
            char line[600];
            snprintf(line, sizeof line, "eval %s --machine lassen form=%s %s s_proc=%.17gB s_recv=%.17gB",
                     split ? "split" : name, forms[f],
                     split ? name[6] == 'm' ? "variant=md" : "variant=dd" : "transport=host",
                     number_at(one, "pattern.s_proc"), number_at(one, "pattern.s_recv"));
            if (strcmp(name, "standard") == 0)
                sprintf(line + strlen(line), " m_proc=%.17g", number_at(one, "pattern.m_proc"));
            else
                sprintf(line + strlen(line), " s_node=%.17gB s_node_node=%.17gB", number_at(one, "pattern.s_node"),
                        number_at(one, "pattern.s_node_node"));
            if (strcmp(name, "three-step") == 0)
                sprintf(line + strlen(line), " send_nodes=%.17g", number_at(one, "pattern.send_nodes"));
            if (strcmp(name, "two-step") == 0 || split)
                sprintf(line + strlen(line), " m_proc_node=%.17g", number_at(one, "pattern.m_proc_node"));
            if (split)
                sprintf(line + strlen(line), " recv_nodes=%.17g", number_at(one, "pattern.recv_nodes"));
            ns_value *eval = cli_json(line);
            const double time = number_at(eval, "outputs.time.value");
            ck_assert_msg(fabs(number_at(s, keys[f]) - time) <= 1e-12 * time, "%s %s: %g, eval says %g", name, keys[f],
                          number_at(s, keys[f]), time);
        }
    }
}

/* Words for people and rows for programs. */
TEST(test_predict_formats)
{
    cli_result table = cli("predict --matrix audikw_1 --gpus 16 --strategy standard,three-step --all");
    ck_assert_int_eq(table.code, 0);
    ck_assert_int_eq(strncmp(table.out, "surrogate: ", 11), 0); /* first line of all */
    ck_assert_ptr_nonnull(strstr(table.out, "nsmodel matrix get GHS_psdef/audikw_1"));
    ck_assert_ptr_nonnull(strstr(table.out, "partition  equal contiguous blocks"));
    ck_assert_ptr_nonnull(strstr(table.out, "machine    " NS_MACHINE_DEFAULT " (4 a node)"));
    ck_assert_ptr_nonnull(strstr(table.out, "\n* "));
    cli_result csv = cli("predict --matrix audikw_1 --gpus 16 --strategy standard,three-step --format csv");
    int lines = 0;
    for (const char *c = csv.out; *c != '\0'; c++)
        lines += *c == '\n';
    ck_assert_int_eq(lines, 5); /* a header and two strategies both ways */
    char header[512];
    snprintf(header, sizeof header, "%.*s", (int)strcspn(csv.out, "\n"), csv.out);
    ck_assert_ptr_nonnull(strstr(header, "source"));
    ck_assert_ptr_nonnull(strstr(header, "estimate_s"));
    ck_assert_ptr_null(strstr(header, "verdict"));
    ck_assert_ptr_nonnull(strstr(csv.out, ",surrogate,"));
}

TEST(test_machines_and_what_if)
{
    ns_value *root = cli_json("predict --matrix stencil9:400x400 --parts 64 --machine lassen,bluewaters");
    const ns_value *cases = ns_value_get(root, "cases");
    ck_assert_str_eq(text_at(cases->first, "machine"), "lassen");
    ck_assert_str_eq(text_at(cases->last, "machine"), "bluewaters");
    ck_assert_double_eq(number_at(cases->first, "nodes"), 16);
    ck_assert_double_eq(number_at(cases->last, "nodes"), 4); /* 16 processes a node */
    for (const ns_value *s = ns_value_get(cases->last, "strategies")->first; s != NULL; s = s->next)
        ck_assert_double_eq(number_at(s, "terms.copy_s"), 0); /* no GPUs, no copies */
    ck_assert_ptr_nonnull(ns_value_get(root, "machines"));

    /* 63 boundaries of 25 rows of 400: an inner part sends one message of 401 columns each way; off node (part 3 -> 4)
     * it is one eager message of 3208 B: 2.44 us + 3208 B x 0.379 ns/B, plus the on-node one to its other side */
    ns_value *before =
        cli_json("predict --machine lassen --matrix stencil9:400x400 --gpus 64 --strategy standard --transport host");
    ns_value *after =
        cli_json("predict --machine lassen --matrix stencil9:400x400 --gpus 64 --strategy standard --transport host "
                 "--set host.off-node.eager.alpha=3.44us");
    double a = number_at(ns_value_get(before, "cases")->first->last->first, "estimate_s");
    double b = number_at(ns_value_get(after, "cases")->first->last->first, "estimate_s");
    ck_assert_double_eq_tol(b - a, 1e-6, 1e-12);
    ck_assert_ptr_nonnull(strstr(text_at(after, "machine.source"), "with host.off-node.eager.alpha=3.44us"));
    ns_value_free(before);
    ns_value_free(after);
}

/* Parts that alternate make every row remote to its neighbours; the default blocks do not. */
TEST(test_partition)
{
    char part[200] = "";
    for (int i = 0; i < 36; i++)
        strcat(part, i % 2 == 0 ? "0\n" : "1\n");
    ns_value *root = cli_json_with("pattern --matrix stencil9:6x6 --partition %s", cli_file("alternate.part", part));
    ck_assert_double_eq(number_at(root, "parts"), 2);
    ck_assert_double_eq(number_at(root, "bytes_off_node"), 36 * 8);
    root = cli_json_with("pattern --matrix stencil9:6x6 --parts 2");
    ck_assert_double_eq(number_at(root, "bytes_off_node"), 2 * 6 * 8); /* one grid row each way */
    ck_assert_double_eq(number_at(root, "netsparse.unique"), 12);
    cli_result r = cli_with("predict --matrix stencil9:6x6 --gpus 4 --partition %s", cli_file("alternate.part", part));
    ck_assert_int_eq(r.code, 1);
    ck_assert_ptr_nonnull(strstr(r.err, "the partition has 2 parts, --gpus says 4"));
}

static const struct {
    const char *line;
    double time; /* published.md, in seconds, to the digits printed there */
} checks[] = {
    {"eval postal --machine lassen memory=host protocol=eager locality=off-node s=4096B", 3.992384e-6},
    {"eval postal --machine lassen s=4096B", 3.992384e-6}, /* the same by default */
    {"eval max-rate --machine lassen memory=host protocol=eager m=1 s=4096B ppn=40", 9.304896e-6},
    {"eval max-rate --machine lassen m=10 s=1MiB ppn=40", 1835.013e-6},
    {"eval max-rate --machine lassen m=10 s=1MiB ppn=1", 161.1715e-6},
    {"eval on-node --machine lassen memory=host protocol=eager s=1000B", 3.3082e-6},
    {"eval on-node --machine lassen memory=device protocol=eager s=1000B", 42.7579e-6},
    {"eval on-node-split --machine lassen memory=host protocol=eager s=1000B ppg=1", 37.8718e-6},
    {"eval on-node-split --machine lassen memory=host protocol=eager s=1000B ppg=4", 9.0688e-6},
    {"eval copy --machine lassen s_send=1MiB s_recv=1MiB", 65.65075e-6},
};

TEST_EACH(test_eval, sizeof checks / sizeof *checks)
{
    ns_value *root = cli_json(checks[_i].line);
    ck_assert_double_eq_tol(number_at(root, "outputs.time.value"), checks[_i].time, 5e-7 * checks[_i].time);
    ck_assert_str_eq(text_at(root, "outputs.time.unit"), "s");
    double sum = 0;
    for (const ns_value *t = ns_value_get(root, "terms")->first; t != NULL; t = t->next)
        sum += t->number;
    ck_assert_double_eq_tol(sum, number_at(root, "outputs.time.value"), 1e-12 * sum);
}

TEST(test_models_and_machines)
{
    ns_value *root = cli_json("models max-rate");
    const ns_value *model = ns_value_get(root, "models")->first;
    ck_assert_str_eq(text_at(model, "name"), "max-rate");
    ck_assert_str_eq(text_at(ns_value_get(model, "inputs")->first, "name"), "alpha");
    root = cli_json("models");
    int count = 0;
    for (const ns_value *m = ns_value_get(root, "models")->first; m != NULL; m = m->next)
        count++;
    ck_assert_int_ge(count, 13);
    root = cli_json("machines lassen --set host.off-node.eager.alpha=3us");
    ck_assert_str_eq(text_at(root, "name"), "lassen");
    cli_result r = cli("machines");
    ck_assert_ptr_nonnull(strstr(r.out, "lassen"));
    r = cli("eval postal --machine lassen s=4KiB --explain");
    ck_assert_ptr_nonnull(strstr(r.out, "host.off-node.eager.alpha of lassen: [NA] Table 2"));
}

/* A smaller cap cuts into more messages; the rendezvous size is the cap by default; other strategies have none. */
TEST(split_is_cut_at_the_cap)
{
    static const char *const caps[] = {"--cap 4KiB", "--cap 64KiB", "", "--set models.split.cap=4KiB"};
    double messages[4], standard[4];
    for (int i = 0; i < 4; i++) {
        ns_value *root =
            cli_json_with("predict audikw_1 --gpus 64 --strategy split-md,standard --transport host %s", caps[i]);
        const ns_value *of = ns_value_get(ns_value_get(root, "cases")->first, "strategies")->first;
        for (; of != NULL; of = of->next)
            *(strcmp(ns_value_get(of, "strategy")->text, "standard") == 0 ? &standard[i] : &messages[i]) =
                ns_value_get(of, "messages_off_node_max")->number;
    }
    ck_assert_double_gt(messages[0], messages[2]);
    ck_assert_double_gt(messages[2], messages[1]);
    ck_assert_double_eq(messages[0], messages[3]);
    ck_assert_double_eq(standard[0], standard[1]);
    cli_refused((cli_refusal){"predict rajat01 --gpus 8 --cap 0B", 1, "--cap has to be at least 1 B"});
    cli_refused((cli_refusal){"predict rajat01 --gpus 8 --cap 3us", 1, "--cap wants a size"});
}

TEST_TIMEOUT(300)
