/* fits.c -- logs made for nsmodel fit, and what it answers */
#include "support/files.h"
#include "support/fits.h"

#include <check.h>
#include <stdarg.h>
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

ns_machine *fits_machine(char *said, size_t size, const char *format, ...)
{
    char line[3000] = "fit ";
    va_list args;
    va_start(args, format);
    vsnprintf(line + 4, sizeof line - 30, format, args);
    va_end(args);
    strcat(line, " -o TMP/fitted.json");
    cli_result r = cli(line);
    ck_assert_msg(r.code == 0, "%s", r.err);
    if (said != NULL)
        snprintf(said, size, "%s", r.err);
    ns_machine *machine;
    ns_error err = {0};
    ck_assert_msg(ns_machine_load(cli_path("fitted.json"), &machine, &err) == NS_OK, "%s", err.text);
    return test_keep(machine);
}
