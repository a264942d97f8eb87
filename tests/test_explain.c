/* test_explain.c -- predict's explanations, plots and repeatability */
#include "core/memory.h"
#include "support/cli.h"
#include "support/files.h"
#include "support/needs.h"
#include "support/shell.h"
#include "support/test.h"
#include "support/values.h"

/* Whatever explain calls inactive must not move the answer, whatever it calls active must. */
TEST(test_explain)
{
    ns_value *root = cli_json("predict --machine lassen --matrix stencil9:300x300 --gpus 16 --explain");
    double sum = 0, estimate = 0;
    const ns_value *rows = ns_value_get(ns_value_get(root, "cases")->first, "strategies");
    for (const ns_value *t = ns_value_get(root, "explain")->first; t != NULL; t = t->next)
        if (strcmp(text_at(t, "strategy"), "three-step") == 0 && strcmp(text_at(t, "transport"), "host") == 0 &&
            strcmp(text_at(t, "step"), "published") != 0) {
            sum += number_at(t, "time_s");
            ck_assert_msg(text_at(t, "source")[0] != '\0', "%s has no source", text_at(t, "parameter"));
        }
    for (const ns_value *s = rows->first; s != NULL; s = s->next)
        if (strcmp(text_at(s, "strategy"), "three-step") == 0 && strcmp(text_at(s, "transport"), "host") == 0)
            estimate = number_at(s, "estimate_s");
    ck_assert_double_eq_tol(sum, estimate, 1e-12 * estimate);
    int active = 0, inactive = 0, named = 0;
    for (const ns_value *p = ns_value_get(root, "parameters")->first; p != NULL; p = p->next) {
        strcmp(text_at(p, "use"), "active") == 0 ? active++ : inactive++;
        for (const ns_value *t = ns_value_get(root, "explain")->first; t != NULL; t = t->next)
            if (strcmp(text_at(t, "parameter"), text_at(p, "parameter")) == 0) {
                ck_assert_str_eq(text_at(t, "source"), text_at(p, "source"));
                named++;
            }
    }
    ck_assert_int_gt(named, 10);
    ck_assert_int_gt(active, 5);
    ck_assert_int_gt(inactive, 1);
}

/* In every form and on every machine, the leaves of a choice add up to its estimate and their shares to 1. */
static const char *const priced[] = {
    "--matrix stencil27:12x12x20x3 --gpus 8,33 --per-node 4 --machine lassen",
    "--matrix stencil27:12x12x20x3 --parts 24,64 --machine bluewaters",
    "--matrix stencil27:12x12x20x3 --parts 64 --machine bluewaters --model postal",
    "--matrix stencil27:12x12x20x3 --parts 64 --machine bluewaters --model max-rate",
    "--matrix stencil27:12x12x20x3 --parts 64 --machine bluewaters --model queue",
    "--matrix stencil27:12x12x20x3 --parts 64 --machine bluewaters --model contention",
};

TEST_EACH(test_sums, sizeof priced / sizeof *priced)
{
    char line[300];
    int choices = 0;
    snprintf(line, sizeof line, "predict %s --explain", priced[_i]);
    ns_value *root = cli_json(line);
    for (const ns_value *c = ns_value_get(root, "cases")->first; c != NULL; c = c->next)
        for (const ns_value *s = ns_value_get(c, "strategies")->first; s != NULL; s = s->next, choices++) {
            double sum = 0, share = 0;
            for (const ns_value *t = ns_value_get(root, "explain")->first; t != NULL; t = t->next)
                if (number_at(t, "gpus") == number_at(c, "gpus") &&
                    strcmp(text_at(t, "strategy"), text_at(s, "strategy")) == 0 &&
                    strcmp(text_at(t, "transport"), text_at(s, "transport")) == 0 &&
                    strcmp(text_at(t, "step"), "published") != 0) {
                    sum += number_at(t, "time_s");
                    share += number_at(t, "share");
                    ck_assert_double_eq_tol(number_at(t, "amount") * number_at(t, "value"), number_at(t, "time_s"),
                                            1e-12 * number_at(t, "time_s"));
                }
            ck_assert_msg(fabs(sum - number_at(s, "estimate_s")) <= 1e-9 * sum,
                          "%s, %s/%s: the terms make %g, the estimate is %g", line, text_at(s, "strategy"),
                          text_at(s, "transport"), sum, number_at(s, "estimate_s"));
            ck_assert_double_eq_tol(share, 1, 1e-9);
        }
    ck_assert_int_ge(choices, 5);
}

/* ---- the tree --------------------------------------------------------------------------------------------------- */

/* Branches as they should be, by a machine and a model whose numbers are known. */
TEST(test_tree)
{
    cli_result r = cli("eval max-rate alpha=2us m=3 s=3kB ppn=2 R_N=2GB/s R_b=2GB/s --explain");
    ck_assert_int_eq(r.code, 0);
    ck_assert_ptr_nonnull(strstr(r.out, "\ntime of max-rate  9 us  100.0 %"));
    ck_assert_ptr_nonnull(strstr(r.out, "\n|- startup        6 us   66.7 %"));
    ck_assert_ptr_nonnull(strstr(r.out, "\n|- transfer       3 us   33.3 %"));
    ck_assert_ptr_nonnull(strstr(r.out, "\n|  |- alpha"));
    ck_assert_ptr_nonnull(strstr(r.out, "\n|  `- R_b"));
    ck_assert_ptr_nonnull(strstr(r.out, "\n`- assumptions"));
    r = cli("predict --machine lassen --matrix stencil9:300x300 --gpus 16 --explain");
    ck_assert_ptr_nonnull(strstr(r.out, "\nstandard/host, 16 parts on lassen"));
    ck_assert_ptr_nonnull(strstr(r.out, "\n|- step 1, process 3 sends"));
    /* a message in and one out, each at half of the ping-pong's 461 ns; 0.91 + 0.171 us move the bytes, the rest of the
     * floor of 7.76 + 6.77 us is paid */
    ck_assert_ptr_nonnull(strstr(r.out, "\n|  |- on-socket eager                461 ns    1.1 %  messages x alpha"));
    ck_assert_ptr_nonnull(strstr(r.out, "\n|- fixed, once an exchange         13.45 us   31.0 %"));
    ck_assert_ptr_nonnull(strstr(r.out, "\n|- corrected, for comparison       29.19 us "));
    ck_assert_ptr_nonnull(strstr(r.out, "\n`- published, for comparison        3.35 us "));
    ck_assert_msg(strstr(r.out, "three-step/host, 16 parts") == NULL, "a tree of a strategy that does not win");
    r = cli("predict --machine lassen --matrix stencil9:300x300 --gpus 16 --strategy three-step --explain");
    ck_assert_ptr_nonnull(strstr(r.out, "\nthree-step/host, 16 parts"));
    ck_assert_ptr_nonnull(strstr(r.out, "\nthree-step/device, 16 parts"));
}

/* A model that reads the tables itself: the parameters that moved it are the ones that --set can move it with. */
TEST(test_tables)
{
    cli_result r = cli("eval standard --machine lassen transport=device m_proc=8 s_proc=128KiB --explain");
    ck_assert_int_eq(r.code, 0);
    ck_assert_ptr_nonnull(strstr(r.out, "device.off-node.rendezvous.alpha"));
    ck_assert_ptr_nonnull(strstr(r.out, "device.off-node.rendezvous.beta"));
    ck_assert_ptr_null(strstr(r.out, "host.off-node"));
    ck_assert_ptr_null(strstr(r.out, "copy.1"));
}

TEST(test_warnings)
{
    ns_value *root = cli_json("eval postal --machine lassen s=1MiB protocol=eager --explain");
    ck_assert_str_eq(text_at(root, "warning"),
                     "a message of 1 MiB travels by rendezvous on lassen (from 16 KiB); protocol=eager was forced");
    root = cli_json("eval postal --machine lassen s=1KiB protocol=eager --explain");
    ck_assert_str_eq(text_at(root, "warning"), "");
    char line[300];
    const char *path =
        cli_file("short-range.json",
                 "{\"schema\": \"nsmodel/machine/1\", \"name\": \"measured\", \"title\": \"t\", \"source\": \"s\","
                 " \"topology\": {\"sockets\": 1, \"gpus\": 0, \"host_processes\": 2}, \"host\": {\"protocols\": "
                 "{\"eager\": \"0 B\"},"
                 " \"on-socket\": {\"eager\": {\"alpha\": \"1 us\", \"beta\": \"1 ns/B\"}},"
                 " \"off-node\": {\"eager\": {\"alpha\": \"2 us\", \"beta\": \"0.5 ns/B\", \"to\": \"4 KiB\"}}}}");
    snprintf(line, sizeof line, "eval postal --machine %s s=8KiB --explain", path);
    root = cli_json(line);
    ck_assert_str_eq(text_at(root, "warning"), "a message of 8 KiB; the line was fitted up to 4 KiB");
    snprintf(line, sizeof line,
             "predict --matrix stencil9:3000x8 --parts 8 --width 1KiB --machine %s --strategy standard --explain",
             path);
    root = cli_json(line);
    int warned = 0;
    for (const ns_value *t = ns_value_get(root, "explain")->first; t != NULL; t = t->next)
        if (strcmp(text_at(t, "warning"), "") != 0) {
            ck_assert_ptr_nonnull(strstr(text_at(t, "warning"), "on average; the line was fitted up to 4 KiB"));
            ck_assert_ptr_nonnull(strstr(text_at(t, "parameter"), "off-node.eager"));
            warned++;
        }
    ck_assert_int_ge(warned, 1);
}

/* The form full pays a start-up at both ends inside a node; the messages are as long as they were sent. */
TEST(long_inside_a_node)
{
    char line[400], messages[300];
    const char *path =
        cli_file("inside-a-node.json",
                 "{\"schema\": \"nsmodel/machine/1\", \"name\": \"measured\", \"title\": \"t\", \"source\": \"s\","
                 " \"topology\": {\"sockets\": 1, \"gpus\": 0, \"host_processes\": 2}, \"host\": {\"protocols\": "
                 "{\"eager\": \"0 B\"}, \"on-socket\": {\"eager\": {\"alpha\": \"1 us\", \"beta\": \"1 ns/B\", "
                 "\"to\": \"4 KiB\"}}, \"off-node\": {\"eager\": {\"alpha\": \"2 us\", \"beta\": \"0.5 ns/B\"}}}}");
    snprintf(messages, sizeof messages, "%s", cli_file("inside-a-node.csv", "src,dst,bytes\n0,1,6144\n1,0,5000\n"));
    snprintf(line, sizeof line,
             "predict --messages %s --per-node 2 --machine %s --strategy standard --model full --explain", messages,
             path);
    ns_value *root = cli_json(line);
    int warned = 0;
    for (const ns_value *t = ns_value_get(root, "explain")->first; t != NULL; t = t->next)
        if (strcmp(text_at(t, "warning"), "") != 0) {
            ck_assert_str_eq(text_at(t, "warning"), "messages of 6 KiB on average; the line was fitted up to 4 KiB");
            warned++;
        }
    ck_assert_int_eq(warned, 1);
}

static bool begins(const char *path, const char *with)
{
    char text[64] = "";
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return false;
    size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    return size > 0 && strstr(text, with) != NULL;
}

/* The script needs no gnuplot; without gnuplot the others say so and leave nothing behind. */
TEST(test_plot)
{
    cli_result r = cli("predict --matrix stencil9:40x40 --gpus 4,8 --plot TMP/plot.gp");
    ck_assert_int_eq(r.code, 0);
    ck_assert(begins(cli_path("plot.gp"), "$series0 << EOD"));
    r = cli("netsparse --matrix stencil9:40x40 --nodes 4 --k 1,16 --plot TMP/netsparse.gp");
    ck_assert_int_eq(r.code, 0);
    ck_assert(begins(cli_path("netsparse.gp"), "$series0 << EOD"));
    if (!lacks(__func__, "gnuplot")) {
        r = cli("predict --matrix stencil9:40x40 --gpus 4,8 --plot TMP/plot.svg");
        ck_assert_msg(r.code == 0, "%s", r.err);
        ck_assert(begins(cli_path("plot.svg"), "<?xml"));
    }
    r = cli("predict --matrix stencil9:40x40 --gpus 4,8 --plot TMP/plot.jpeg");
    ck_assert_int_eq(r.code, 1);
    ck_assert_ptr_nonnull(strstr(r.err, "a plot ends in .svg, .png, .pdf or .gp"));
    remove(cli_path("none.svg"));
    ck_assert_int_eq(setenv("PATH", "/nowhere", 1), 0);
    cli_refused((cli_refusal){"predict --matrix stencil9:40x40 --gpus 4,8 --plot TMP/none.svg", 1,
                              "TMP/none.svg: gnuplot is not installed; a plot ending in .gp needs none"});
    ck_assert(!begins(cli_path("none.svg"), ""));
}

/* Everything that a case answers in time; -1 where there is no answer. */
static double answers(const char *line)
{
    cli_result first = cli(line);
    int code = first.code;
    if (code != 0)
        return -1;
    ns_value *root = cli_json(line);
    double sum = 0, weight = 1;
    for (const ns_value *c = ns_value_get(root, "cases")->first; c != NULL; c = c->next)
        for (const ns_value *s = ns_value_get(c, "strategies")->first; s != NULL; s = s->next) {
            sum += weight * number_at(s, "estimate_s");
            const ns_value *published = ns_value_get(s, "published_s");
            sum += (weight + 0.5) * (published->kind == NS_NUMBER ? published->number : 0);
            weight += 1;
        }
    return sum;
}

/* Change every parameter of a machine by itself, through the command line: what is listed as active moves an answer,
 * what is listed as inactive moves none. */
TEST_EACH(test_every_parameter, 2)
{
    static const char *const machines[] = {"lassen", "bluewaters"};
    char base[300], line[600], number_text[40], unit[24];
    snprintf(base, sizeof base, "predict --matrix stencil27:9x9x20x3 --parts 8,33 --per-node 4 --machine %s",
             machines[_i]);
    snprintf(line, sizeof line, "%s --explain", base);
    double before = answers(base);
    ns_value *root = cli_json(line);
    ns_machine *machine;
    ck_assert_int_eq(ns_machine_load(machines[_i], &machine, NULL), NS_OK);
    size_t i = 0;
    for (const ns_value *p = ns_value_get(root, "parameters")->first; p != NULL; p = p->next, i++) {
        const ns_parameter *parameter = &machine->parameter[i];
        ck_assert_str_eq(text_at(p, "parameter"), parameter->path);
        bool is_count = ns_dim_equal(parameter->dim, NS_DIMENSIONLESS);
        if (parameter->value == 0 && !is_count)
            continue; /* the first size of the first protocol */
        ns_double_format(is_count ? parameter->value + 1 : 1.1 * parameter->value, number_text, sizeof number_text);
        ns_dim_unit(parameter->dim, unit, sizeof unit);
        snprintf(line, sizeof line, "%s --set '%s=%s %s'", base, parameter->path, number_text, is_count ? "" : unit);
        /* bytes that a floor hides move the last bit */
        bool moved = fabs(answers(line) - before) > 1e-13 * before, active = strcmp(text_at(p, "use"), "active") == 0;
        ck_assert_msg(moved == active, "%s of %s is listed as %s", parameter->path, machines[_i], text_at(p, "use"));
    }
    ck_assert_uint_eq(i, machine->parameters);
    ns_machine_free(machine);
}

/* Each answer twice: the same bytes. */
TEST(test_repeatable)
{
    cli_result a =
        cli("predict --machine lassen --matrix stencil27:12x12x12x3 --gpus 7,16,33 --per-node 6 --format json");
    cli_result b =
        cli("predict --machine lassen --matrix stencil27:12x12x12x3 --gpus 7,16,33 --per-node 6 --format json");
    ck_assert_int_eq(a.code, 0);
    ck_assert_str_eq(a.out, b.out);
    ck_assert_ptr_nonnull(strstr(a.err, "note: 6 parts a node, but lassen has 4 GPUs a node"));
}

TEST_TIMEOUT(300)
