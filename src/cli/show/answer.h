/* answer.h -- the output of predict and advise: first screen, decisions, ways, networks, explanations; also as
 * values */
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

/* The next command for a case: what to measure, or an explanation. */
enum { NS_COMMAND_LINE = 4200 };
void ns_answer_next(const ns_args *args, const ns_decided *decided, char text[NS_COMMAND_LINE]);

/* A text as notes, wrapped to NS_ANSWER_WIDTH in every output. */
void ns_answer_wrapped(ns_value *result, const char *text);

/* The lines, and "screen": {"title", "against", "headings", "rows", "advice", "trust", "next"} in JSON; with --network
 * also "network": the hardware, each number with its source, and the assumptions.  Notes already in the result are
 * shown in wide tables and with --all only. */
ns_status ns_answer_show(const ns_cases *p, const ns_decided *cases, ns_value *result, ns_error *err);

/* ---- a decision, ways and networks as values --------------------------------------------------------------------- */

/* "sentence" of the case, the heading of its rows, and "decision": the object, or null where there is no choice; next:
 * the command to run next, or NULL. */
void ns_decision_value(const ns_decided *decided, const char *next, ns_value *of_case);

/* Text of a row in addition to its price; each member may be NULL. */
typedef struct ns_way_words {
    const char *kind, *note;
    const ns_machine *machine; /* the machine whose protocols are examined */
    ns_value *result;          /* if not NULL, with a machine, it gets notes on the best way's protocols */
} ns_way_words;
/* One row: its time, the probability that it is the best, its rank, and its terms. */
void ns_way_value(const ns_comparison *comparison, int choice, const ns_way_words *words, ns_value *list);

/* "searched": ways by groups that were tried, the fastest and its time. */
void ns_searched_value(const ns_searched *searched, ns_value *object);

/* "best": the way and the verdict. */
void ns_best_value(const ns_comparison *comparison, ns_value *object);

/* The list of networks, instead of an answer. */
ns_status ns_network_list(ns_value *result);
/* "gathering" of a case: the details of the way by gathering interfaces, where the network has one. */
void ns_gathering_value(const ns_networked *network, ns_value *object);

/* ---- a decision, and the measurement that would settle it -------------------------------------------------------- */

/* "decision", "expected_loss", "measure" and so on for one case; plan NULL: there is no decision to make. */
void ns_advice_value(const ns_args *args, const ns_decided *decided, const ns_measure_plan *plan, ns_value *object);
/* A line on what measuring would gain in a case that needs it, or with --all in any case. */
void ns_advice_lines(const ns_args *args, const ns_decided *decided, const ns_measure_plan *plan, ns_value *result);
/* "steps": from a bare cluster to an answer for it, on that matrix; each step reads the output of the one before. */
void ns_measure_steps(const char *matrix, const char *last, ns_value *result);
/* The same for the question in args. */
void ns_advice_steps(const ns_args *args, ns_value *result);

/* ---- explanations and machines ----------------------------------------------------------------------------------- */

/* Path of the parameter, or the command that shows the model, or "" */
const char *ns_term_place(const ns_term *term, char *text, size_t size);
/* Does it have terms below it? */
bool ns_term_has_children(const ns_explanation *terms, size_t i);

/* Into the field `explain` of a request. */
#define NS_OPTION_EXPLAIN_OF(request_)                                                                                 \
    {"explain", 0, NULL, NULL, "every term with its share, inputs and sources, as a tree", NS_OPT(request_, explain)}
/* The tree as a table of the result. */
void ns_terms_show(const ns_explanation *terms, ns_value *result);

/* Every number with its source, as members of an object. */
void ns_machine_show(const ns_machine *machine, ns_value *result);

#endif
