/* web.c -- the program as functions for the page: the same command lines, the same answers */
#include "web/web.h"
#include "core/memory.h"

#include "cli/program/program.h"
#include "cli/repl/repl.h"

#include <stdlib.h>
#include <string.h>

/* Both streams are opened, or neither. */
static bool open_streams(FILE **out, FILE **err)
{
    *out = fopen(WEB_ANSWER, "wb");
    *err = fopen(WEB_WORDS, "wb");
    if (*out != NULL && *err != NULL)
        return true;
    if (*out != NULL)
        fclose(*out);
    if (*err != NULL)
        fclose(*err);
    return false;
}

static bool close_streams(FILE *out, FILE *err)
{
    const bool whole = fclose(out) == 0;
    return fclose(err) == 0 && whole;
}

int web_run(int count, const char *words)
{
    static char name[] = "nsmodel";
    FILE *out, *err;
    char **argv = ns_malloc(((size_t)count + 2) * sizeof *argv);
    if (argv == NULL || !open_streams(&out, &err)) {
        ns_free(argv);
        return EXIT_FAILURE;
    }
    argv[0] = name;
    for (int i = 1; i <= count; i++, words += strlen(words) + 1)
        argv[i] = (char *)(size_t)words; /* the program does not write to its arguments */
    argv[count + 1] = NULL;
    const int code = ns_cli_run(count + 1, argv, out, err);
    ns_free(argv);
    return close_streams(out, err) ? code : EXIT_FAILURE;
}

/* ---- the calculator ---------------------------------------------------------------------------------------------- */

/* A page has one session, which exists as long as the page, or until quit. */
static struct {
    bool open;
    ns_program program;
    ns_repl repl;
} session;

int web_line(const char *line)
{
    FILE *out, *err;
    if (!open_streams(&out, &err))
        return EXIT_FAILURE;
    ns_error error = {0};
    char text[1024];
    ns_status status = NS_OK;
    if (!session.open) {
        ns_program_make(&session.program);
        status = ns_repl_open(&session.repl, &session.program, out, err, "line", &error);
        session.open = status == NS_OK;
    }
    if (!session.open) {
        fprintf(err, "nsmodel: %s\n", ns_error_line(&error, text, sizeof text));
        ns_repl_close(&session.repl);
    }
    if (status == NS_OK) {
        session.repl.out = out;
        session.repl.err = err;
        status = ns_repl_line(&session.repl, line);
    }
    if (session.open && session.repl.ended) {
        ns_repl_close(&session.repl);
        session.open = false;
    }
    return close_streams(out, err) && status == NS_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
