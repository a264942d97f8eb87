/* answer.h -- the first screen of predict and advise: rows, advice, trust and the next command, also as values */
#ifndef NS_CLI_SHOW_ANSWER_H
#define NS_CLI_SHOW_ANSWER_H

#include "cli/inputs/cases.h"
#include "study/answer.h"

#define NS_OPTION_ALL {"all", 0, NULL, NULL, "every way of every case, with what was read and where it is from"}
#define NS_OPTION_SURE                                                                                                 \
    {"sure", 0, "P", "0.9", "switch where the best way is faster than the incumbent with this probability"}
#define NS_OPTION_WORTH                                                                                                \
    {"worth", 0, "P", "0.05", "a saving, and a loss of the incumbent, up to this part is not worth a change"}

/* From here on the notes of the result are for wide tables and --all. */
void ns_answer_fold(const ns_args *args, ns_value *result);

/* The cases of a comparison; *decided: free it. */
ns_status ns_cases_decided(const ns_cases *cases, ns_decided **decided, ns_error *err);

/* "audikw_1 (generated stand-in, 943,695 rows) on lassen-spectrum, 4 GPUs a node" */
void ns_answer_title(const ns_cases *cases, char *text, size_t size);

/* The command that comes next for a case: what to measure, or why it is so. */
enum { NS_COMMAND_LINE = 4200 };
void ns_answer_next(const ns_args *args, const ns_decided *decided, char text[NS_COMMAND_LINE]);

/* A text as notes, in lines of NS_ANSWER_WIDTH wherever it goes. */
void ns_answer_wrapped(ns_value *result, const char *text);

/* The lines, and "screen": {"title", "against", "rows", "advice", "trust", "next"} in JSON.  own NULL: with the next
 * commands of the cases; else these lines stand for them. */
ns_status ns_answer_show(const ns_args *args, const char *title, const ns_decided *cases, size_t count,
                         ns_value *result, ns_error *err);

#endif
