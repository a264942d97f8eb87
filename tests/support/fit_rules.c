/* fit_rules.c -- logs of known numbers, and what a fit makes of them */
#include "fit_rules.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "fits.h"
#include "values.h"

typedef struct series {
    char kind[30], direction[8], locality[12], memory[8];
    int pairs, messages;
    double from, to, step, a, b, gamma, delta, latency;
} series;

static series series_of(const char *text)
{
    series s = {.locality = "off-node", .memory = "host"};
    const int read =
        sscanf(text, "%29s %d %d %lf %lf %lf %lf %lf %lf %lf %lf %7s %11s %7s", s.kind, &s.pairs, &s.messages, &s.from,
               &s.to, &s.step, &s.a, &s.b, &s.gamma, &s.delta, &s.latency, s.direction, s.locality, s.memory);
    ck_assert_msg(read >= 8, "%s", text);
    if (s.direction[0] == '-')
        s.direction[0] = '\0';
    return s;
}

static bool has_options(const fit_rule *rule)
{
    return rule->of[0] != NULL && strncmp(rule->of[0], "--", 2) == 0;
}

static const char *log_of(const fit_rule *rule, int number)
{
    static char text[65536], name[40];
    size_t used = (size_t)snprintf(text, sizeof text, "bytes,us,kind,pairs,messages,direction,memory,name,locality\n");
    for (int i = has_options(rule); i < FIT_SERIES && rule->of[i] != NULL; i++) {
        const series s = series_of(rule->of[i]);
        const double n = s.messages;
        for (double x = s.from; x <= s.to; x = x > 0 ? x * s.step : s.to + 1)
            used += (size_t)snprintf(
                text + used, sizeof text - used, "%.0f,%.12g,%s,%d,%d,%s,%s,%s,%s\n", x,
                s.latency + n * (s.a + 1e-3 * s.b * x) + 1e-3 * (s.gamma * n * n + s.delta * s.pairs * n * x), s.kind,
                s.pairs, s.messages, s.direction, strcmp(s.kind, "copy") == 0 ? "device" : s.memory,
                strcmp(s.kind, "collective") == 0 ? "allreduce" : "", s.locality);
    }
    ck_assert_uint_lt(used, sizeof text);
    snprintf(name, sizeof name, "rule-%d.csv", number);
    return cli_file(name, text);
}

/* A number, or an object that says where it comes from. */
static double value_at(const ns_value *root, const char *path)
{
    const ns_value *found = ns_value_at(root, path);
    return found != NULL && found->kind == NS_OBJECT ? number_at(found, "value") : number_at(root, path);
}

static void check(const char *about, const ns_value *root, const char *wanted)
{
    char path[100];
    const size_t length = strcspn(wanted, "=:");
    if (*wanted == '+' || *wanted == '-')
        ck_assert_msg(warns(root, wanted + 1) == (*wanted == '+'), "%s: %s", about, wanted);
    else if (*wanted == '!') {
        const ns_value *value = ns_value_at(root, wanted + 1);
        ck_assert_msg(value == NULL || value->kind == NS_NULL, "%s: there is %s", about, wanted + 1);
    } else {
        snprintf(path, sizeof path, "%.*s", (int)length, wanted);
        ck_assert_msg(ns_value_at(root, path) != NULL, "%s: no %s", about, path);
        if (wanted[length] == ':')
            ck_assert_str_eq(text_at(root, path), wanted + length + 1);
        else {
            const double value = value_at(root, path), number = strtod(wanted + length + 1, NULL);
            ck_assert_msg(fabs(value - number) <= 1e-6 * fabs(number), "%s: %s is %.10g, wanted %s", about, path, value,
                          wanted + length + 1);
        }
    }
}

void fit_rule_holds(const fit_rule *rule, int number)
{
    char line[600];
    snprintf(line, sizeof line, "fit %s %s", log_of(rule, number), has_options(rule) ? rule->of[0] : "");
    ns_value *root = cli_json(line);
    for (int i = 0; i < FIT_CHECKS && rule->checks[i] != NULL; i++)
        check(rule->about, root, rule->checks[i]);
}
