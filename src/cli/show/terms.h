/* terms.h -- an explanation: a tree of terms with values, shares, sources and warnings, in depth-first order */
#ifndef NS_CLI_TERMS_H
#define NS_CLI_TERMS_H

#include <nsmodel/nsmodel.h>

typedef struct ns_term {
    int depth; /* 0 for the whole */
    char name[96];
    char formula[64];                   /* "messages x alpha", or "" */
    bool has_value, has_amount, counts; /* counts: a summand of the whole, with a share */
    double value;
    ns_dim dim;
    double amount; /* the factor of the parameter */
    ns_dim amount_dim;
    char path[128]; /* of the parameter, or "" */
    bool has_parameter;
    double parameter;
    ns_dim parameter_dim;
    const char *source; /* borrowed from machine or model; "" */
    char warning[160];
} ns_term;

typedef struct ns_terms {
    ns_term *term;
    size_t count, room;
    bool failed;   /* memory was out: an error once, at the end */
    ns_term spare; /* then written, never shown */
} ns_terms;

/* A new last term; its place holds until the next one.  Never NULL: after a failure a spare one. */
ns_term *ns_terms_add(ns_terms *terms, int depth, const char *format, ...) NS_PRINTF(3, 4);
void ns_term_set_value(ns_term *term, double value, ns_dim dim, bool counts);
/* Value, unit, source of a machine's parameter; false when there is none. */
bool ns_term_set_parameter(ns_term *term, const ns_machine *machine, const char *path);
ns_status ns_terms_check(const ns_terms *terms, ns_error *err);
void ns_terms_free(ns_terms *terms);

/* Share of the whole that stands above this term, or negative where it does not count. */
double ns_terms_share(const ns_terms *terms, size_t i);
/* Is this the last of its parent's terms? */
bool ns_terms_is_last(const ns_terms *terms, size_t i);
/* Has it terms below? */
bool ns_terms_has_children(const ns_terms *terms, size_t i);

/* "8 x 7.76 us", or "" */
const char *ns_term_product(const ns_term *term, char *text, size_t size);

/* ---- the ways to show it ---------------------------------------------------------------------------------------- */

typedef enum ns_explain_style { NS_EXPLAIN_TREE, NS_EXPLAIN_LATEX, NS_EXPLAIN_DOT } ns_explain_style;
#define NS_OPTION_EXPLAIN                                                                                              \
    {                                                                                                                  \
        "explain", 0, "[tree|latex|dot]", NULL,                                                                        \
            "every term with its share, inputs and sources, as a tree, or as a LaTeX or Graphviz document", false      \
    }
/* Of the option's value. */
ns_explain_style ns_explain_style_of(const char *word);

/* The tree as a table of the result; latex and dot are the document itself, printed instead of the tables. */
ns_status ns_terms_show(const ns_terms *terms, ns_explain_style style, const char *title, ns_value *result,
                        ns_error *err);

typedef void ns_terms_emit(void *context, const char *line);
typedef struct ns_terms_writer {
    ns_terms_emit *emit;
    void *context;
} ns_terms_writer;
/* One line. */
void ns_terms_put(const ns_terms_writer *writer, const char *format, ...) NS_PRINTF(2, 3);
void ns_terms_latex(const ns_terms *terms, const char *title, ns_terms_emit *emit, void *context);
void ns_terms_dot(const ns_terms *terms, const char *title, ns_terms_emit *emit, void *context);

#endif
