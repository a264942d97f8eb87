/* candidates.h -- completions for a position in a line: names from the tables that define them, for shells and the
 * repl */
#ifndef NS_CLI_CANDIDATES_H
#define NS_CLI_CANDIDATES_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/front/command.h"

typedef struct ns_candidate {
    char *text;
    const char *doc; /* a description; may be "" */
} ns_candidate;

/* Initialise to zero.  Free with ns_candidates_free. */
typedef struct ns_candidates {
    ns_candidate *of;
    size_t count, room;
    bool files;         /* file names are also valid here */
    const char *prefix; /* a prefix for every text added from now on; NULL: none */
} ns_candidates;

/* Add prefix + name + suffix, if name begins as typed. */
void ns_candidates_add(ns_candidates *list, const char *typed, const char *name, const char *suffix, const char *doc);
void ns_candidates_free(ns_candidates *list);

void ns_candidates_machines(ns_candidates *list, const char *typed);
/* By name, or by group and name once a slash is typed; without a prefix none is listed, since there are 2,904. */
void ns_candidates_matrices(ns_candidates *list, const char *typed);
void ns_candidates_models(ns_candidates *list, const char *typed, const char *suffix);
/* "alpha=", "locality=" */
void ns_candidates_inputs(ns_candidates *list, const ns_model *model, const char *typed);
/* The words that an input can take; the length of its name is given. */
void ns_candidates_choices(ns_candidates *list, const ns_model *model, const char *input, size_t length,
                           const char *typed);

/* ---- complete.c ---- */
/* The completions at the end of a command line that begins with "nsmodel ": each is the whole of the last word. */
struct ns_program;
void ns_complete_words(const struct ns_program *program, const char *line, ns_candidates *list);

#endif
