/* fits.c -- logs made for nsmodel fit, and what it answers */
#include "support/fits.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/cli.h"

const char *fits_log(const char *name, const char *kind, double factor, int sizes)
{
    char text[8192];
    size_t used = (size_t)snprintf(text, sizeof text, "bytes,seconds,kind,locality,memory,pairs\n");
    for (int i = 0; i < sizes; i++)
        for (int repeat = -1; repeat <= 1; repeat++) {
            const double x = (double)(1 << i), t = x < 4096 ? 1e-6 + 1e-9 * x : 5e-6 + 0.1e-9 * x;
            used += (size_t)snprintf(text + used, sizeof text - used, "%.0f,%.9e,%s,off-node,host,1\n", x,
                                     factor * t * (1 + 0.003 * (repeat + i % 3 - 1)), kind);
        }
    return cli_file(name, text);
}

ns_value *fits_json(const char *format, const char *file)
{
    char line[1024];
    snprintf(line, sizeof line, format, file);
    return cli_json(line);
}

double fits_number(const ns_value *object, const char *path)
{
    const ns_value *value = ns_value_at(object, path);
    ck_assert_msg(value != NULL && value->kind == NS_NUMBER, "no number %s", path);
    return value->number;
}

const char *fits_text(const ns_value *object, const char *path)
{
    return ns_value_at(object, path)->text;
}

bool fits_warns(const ns_value *root, const char *words)
{
    for (const ns_value *w = ns_value_get(root, "warnings")->first; w != NULL; w = w->next)
        if (strstr(w->text, words) != NULL)
            return true;
    return false;
}

void fits_near(double value, double wanted, double relative)
{
    ck_assert_msg(fabs(value / wanted - 1) <= relative, "%.6g, wanted %.6g", value, wanted);
}
