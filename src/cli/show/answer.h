/* answer.h -- what predict and advise show: first screen, decisions, ways, networks, explanations; also as values */
#ifndef NS_CLI_SHOW_ANSWER_H
#define NS_CLI_SHOW_ANSWER_H

#include "cli/inputs/cases.h"
#include "study/answer.h"

#define NS_OPTION_ALL {"all", 0, NULL, NULL, "every way of every case, with what was read and where it is from"}
#define NS_OPTION_SURE                                                                                                 \
    {"sure", 0, "P", "0.9", "switch where the best way is faster than the incumbent with this probability"}
#define NS_OPTION_WORTH                                                                                                \
    {"worth", 0, "P", "0.05", "a saving, and a loss of the incumbent, up to this part is not worth a change"}

/* The cases of a comparison; *decided: free it. */
ns_status ns_cases_decided(const ns_cases *cases, ns_decided **decided, ns_error *err);

/* The command that comes next for a case: what to measure, or why it is so. */
enum { NS_COMMAND_LINE = 4200 };
void ns_answer_next(const ns_args *args, const ns_decided *decided, char text[NS_COMMAND_LINE]);

/* A text as notes, in lines of NS_ANSWER_WIDTH wherever it goes. */
void ns_answer_wrapped(ns_value *result, const char *text);

/* The lines, and "screen": {"title", "against", "headings", "rows", "advice", "trust", "next"} in JSON; with --network
 * "network", too: the hardware, each number with where it is from, and what is assumed.  What notes the result has
 * before are for wide tables and --all. */
ns_status ns_answer_show(const ns_cases *cases, const ns_decided *decided, ns_value *result, ns_error *err);

/* ---- a decision, ways and networks as values --------------------------------------------------------------------- */

/* "sentence" of the case, the heading of its rows, and "decision": the object, or null where there is nothing to choose
 * from; next: the command to run next, or NULL. */
void ns_decision_value(const ns_decided *decided, const char *next, ns_value *of_case);

/* What a row says beside its price; each may be NULL. */
typedef struct ns_way_words {
    const char *kind, *note;
    const ns_machine *machine; /* whose protocols are looked at */
    ns_value *result;          /* which with a machine has notes on the best way's protocols */
} ns_way_words;
/* One row: its time, how likely it is the best, where it stands, what it is made of. */
void ns_way_value(const ns_comparison *comparison, int choice, const ns_way_words *words, ns_value *list);

/* "searched": ways by groups that were tried, the fastest and its time. */
void ns_searched_value(const ns_searched *searched, ns_value *object);

/* "best": the way and the verdict. */
void ns_best_value(const ns_comparison *comparison, ns_value *object);

/* The networks that there are, instead of an answer. */
ns_status ns_network_list(ns_value *result);
/* "gathering" of a case: what stands behind the way of interfaces that gather, where the network has one. */
void ns_gathering_value(const ns_networked *network, ns_value *object);

/* ---- a decision with what would settle it ------------------------------------------------------------------------ */

/* "decision", "expected_loss", "measure" and so on of one case; plan NULL: there is nothing to decide. */
void ns_advice_value(const ns_args *args, const ns_decided *decided, const ns_measure_plan *plan, ns_value *object);
/* A line on what measuring would gain in a case that is to be measured, or with --all in any. */
void ns_advice_lines(const ns_args *args, const ns_decided *decided, const ns_measure_plan *plan, ns_value *result);
/* "steps": from a bare cluster to an answer of its own, on that matrix; each step reads what the one before it
 * wrote. */
void ns_measure_steps(const char *matrix, const char *last, ns_value *result);
/* The same, to the question that args put. */
void ns_advice_steps(const ns_args *args, ns_value *result);

/* ---- explanations and machines ----------------------------------------------------------------------------------- */

/* Path of the parameter, or the command that shows the model, or "" */
const char *ns_term_place(const ns_term *term, char *text, size_t size);
/* Has it terms below? */
bool ns_term_has_children(const ns_explanation *terms, size_t i);

/* Into the field `explain` of a request. */
#define NS_OPTION_EXPLAIN_OF(request_)                                                                                 \
    {"explain", 0, NULL, NULL, "every term with its share, inputs and sources, as a tree", NS_OPT(request_, explain)}
/* The tree as a table of the result. */
void ns_terms_show(const ns_explanation *terms, ns_value *result);

/* Every number with its source, as members of an object. */
void ns_machine_show(const ns_machine *machine, ns_value *result);

#endif
