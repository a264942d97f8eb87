/* candidates.h -- what may stand at a place of a line: names from the tables that define them, for shells and the
 * repl */
#ifndef NS_CLI_CANDIDATES_H
#define NS_CLI_CANDIDATES_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/front/command.h"

typedef struct ns_candidate {
    char *text;
    const char *doc; /* what it is; "" where nothing is to be said */
} ns_candidate;

/* All zero is a good start.  Free with ns_candidates_free. */
typedef struct ns_candidates {
    ns_candidate *of;
    size_t count, room;
    bool files;         /* names of files would do as well */
    const char *prefix; /* what every text begins with that is added from now on; NULL: nothing */
} ns_candidates;

/* prefix + name + suffix, if name begins as typed. */
void ns_candidates_add(ns_candidates *list, const char *typed, const char *name, const char *suffix, const char *doc);
void ns_candidates_free(ns_candidates *list);

void ns_candidates_machines(ns_candidates *list, const char *typed);
/* By name, or by group and name once there is a slash; 2,904 are too many to be shown for nothing. */
void ns_candidates_matrices(ns_candidates *list, const char *typed);
void ns_candidates_models(ns_candidates *list, const char *typed, const char *suffix);
/* "alpha=", "locality=" */
void ns_candidates_inputs(ns_candidates *list, const ns_model *model, const char *typed);
/* The words that an input can be, its name's length given. */
void ns_candidates_choices(ns_candidates *list, const ns_model *model, const char *input, size_t length,
                           const char *typed);

/* ---- complete.c ---- */
/* What may stand at the end of a command line that begins with "nsmodel ": the whole of its last word. */
struct ns_program;
void ns_complete_words(const struct ns_program *program, const char *line, ns_candidates *list);

#endif
