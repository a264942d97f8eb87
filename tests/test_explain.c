/* test_explain.c -- predict's explanations, plots and repeatability */
#include "support/cli.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double number(const ns_value *root, const char *path)
{
    const ns_value *value = ns_value_at(root, path);
    ck_assert_msg(value != NULL && value->kind == NS_NUMBER, "no number at %s", path);
    return value->number;
}

static const char *text(const ns_value *root, const char *path)
{
    const ns_value *value = ns_value_at(root, path);
    ck_assert_msg(value != NULL && value->kind == NS_TEXT, "no text at %s", path);
    return value->text;
}

/* Whatever explain calls inactive must not move the answer, whatever it calls active must. */
START_TEST(test_explain)
{
    ns_value *root = cli_json("predict --matrix stencil9:300x300 --gpus 16 --explain");
    double sum = 0, estimate = 0;
    const ns_value *rows = ns_value_get(ns_value_get(root, "cases")->first, "strategies");
    for (const ns_value *t = ns_value_get(root, "explain")->first; t != NULL; t = t->next)
        if (strcmp(text(t, "strategy"), "three-step") == 0 && strcmp(text(t, "transport"), "host") == 0 &&
            strcmp(text(t, "step"), "published") != 0) {
            sum += number(t, "time_s");
            ck_assert_msg(text(t, "source")[0] != '\0', "%s has no source", text(t, "parameter"));
        }
    for (const ns_value *s = rows->first; s != NULL; s = s->next)
        if (strcmp(text(s, "strategy"), "three-step") == 0 && strcmp(text(s, "transport"), "host") == 0)
            estimate = number(s, "estimate_s");
    ck_assert_double_eq_tol(sum, estimate, 1e-12 * estimate);
    int active = 0, inactive = 0;
    for (const ns_value *p = ns_value_get(root, "parameters")->first; p != NULL; p = p->next)
        strcmp(text(p, "use"), "active") == 0 ? active++ : inactive++;
    ck_assert_int_gt(active, 5);
    ck_assert_int_gt(inactive, 1);
    ns_value_free(root);
}
END_TEST

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
START_TEST(test_plot)
{
    cli_result r = cli("predict --matrix stencil9:40x40 --gpus 4,8 --plot build/plot.gp");
    ck_assert_int_eq(r.code, 0);
    ck_assert(begins("build/plot.gp", "$series0 << EOD"));
    cli_free(&r);
    r = cli("netsparse --matrix stencil9:40x40 --nodes 4 --k 1,16 --plot build/netsparse.gp");
    ck_assert_int_eq(r.code, 0);
    ck_assert(begins("build/netsparse.gp", "$series0 << EOD"));
    cli_free(&r);
    if (system("gnuplot --version > /dev/null 2>&1") == 0) {
        r = cli("predict --matrix stencil9:40x40 --gpus 4,8 --plot build/plot.svg");
        ck_assert_msg(r.code == 0, "%s", r.err);
        ck_assert(begins("build/plot.svg", "<?xml"));
        cli_free(&r);
    } else {
        printf("plot: rendering skipped (gnuplot is not installed)\n");
    }
    r = cli("predict --matrix stencil9:40x40 --gpus 4,8 --plot build/plot.jpeg");
    ck_assert_int_eq(r.code, 1);
    ck_assert_ptr_nonnull(strstr(r.err, "a plot ends in .svg, .png, .pdf or .gp"));
    cli_free(&r);
    remove("build/none.svg");
    ck_assert_int_eq(setenv("PATH", "/nowhere", 1), 0);
    r = cli("predict --matrix stencil9:40x40 --gpus 4,8 --plot build/none.svg");
    ck_assert_int_eq(r.code, 1);
    ck_assert_ptr_nonnull(strstr(r.err, "build/none.svg: gnuplot is not installed; a plot ending in .gp needs none"));
    ck_assert(!begins("build/none.svg", "") && !begins("build/none.svg.new", ""));
    cli_free(&r);
}
END_TEST

/* Everything that a case answers in time; -1 where there is no answer. */
static double answers(const char *line)
{
    cli_result first = cli(line);
    int code = first.code;
    cli_free(&first);
    if (code != 0)
        return -1;
    ns_value *root = cli_json(line);
    double sum = 0, weight = 1;
    for (const ns_value *c = ns_value_get(root, "cases")->first; c != NULL; c = c->next)
        for (const ns_value *s = ns_value_get(c, "strategies")->first; s != NULL; s = s->next) {
            sum += weight * number(s, "estimate_s");
            const ns_value *published = ns_value_get(s, "published_s");
            sum += (weight + 0.5) * (published->kind == NS_NUMBER ? published->number : 0);
            weight += 1;
        }
    ns_value_free(root);
    return sum;
}

/* Change every parameter of a machine by itself, through the command line: what is listed as active moves an answer, what is listed
 * as inactive moves none. */
START_TEST(test_every_parameter)
{
    static const char *const machines[] = {"lassen", "bluewaters"};
    char base[300], line[600], number_text[40], unit[24];
    snprintf(base, sizeof base, "predict --matrix stencil27:9x9x20x3 --parts 8,33 --per-node 4 --machine %s", machines[_i]);
    snprintf(line, sizeof line, "%s --explain", base);
    double before = answers(base);
    ns_value *root = cli_json(line);
    ns_machine *machine;
    ck_assert_int_eq(ns_machine_load(machines[_i], &machine, NULL), NS_OK);
    size_t i = 0;
    for (const ns_value *p = ns_value_get(root, "parameters")->first; p != NULL; p = p->next, i++) {
        const ns_parameter *parameter = &machine->parameter[i];
        ck_assert_str_eq(text(p, "parameter"), parameter->path);
        bool is_count = ns_dim_equal(parameter->dim, NS_DIMENSIONLESS);
        if (parameter->value == 0 && !is_count)
            continue; /* the first size of the first protocol */
        ns_double_format(is_count ? parameter->value + 1 : 1.1 * parameter->value, number_text, sizeof number_text);
        ns_dim_unit(parameter->dim, unit, sizeof unit);
        snprintf(line, sizeof line, "%s --set '%s=%s %s'", base, parameter->path, number_text, is_count ? "" : unit);
        bool moved = answers(line) != before, active = strcmp(text(p, "use"), "active") == 0;
        ck_assert_msg(moved == active, "%s of %s is listed as %s", parameter->path, machines[_i], text(p, "use"));
    }
    ck_assert_uint_eq(i, machine->parameters);
    ns_machine_free(machine);
    ns_value_free(root);
}
END_TEST

/* Each answer twice: the same bytes. */
START_TEST(test_repeatable)
{
    cli_result a = cli("predict --matrix stencil27:12x12x12x3 --gpus 7,16,33 --per-node 6 --format json");
    cli_result b = cli("predict --matrix stencil27:12x12x12x3 --gpus 7,16,33 --per-node 6 --format json");
    ck_assert_int_eq(a.code, 0);
    ck_assert_str_eq(a.out, b.out);
    ck_assert_ptr_nonnull(strstr(a.err, "note: 6 parts a node, but lassen has 4 GPUs a node"));
    cli_free(&a);
    cli_free(&b);
}
END_TEST

Suite *suite(void);
Suite *suite(void)
{
    Suite *s = suite_create("explain");
    TCase *tc = tcase_create("predict");
    tcase_set_timeout(tc, 300);
    tcase_add_test(tc, test_explain);
    tcase_add_loop_test(tc, test_every_parameter, 0, 2);
    tcase_add_test(tc, test_plot);
    tcase_add_test(tc, test_repeatable);
    suite_add_tcase(s, tc);
    return s;
}
