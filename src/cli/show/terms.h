/* terms.h -- an explanation shown: as a table, a LaTeX document or a graph */
#ifndef NS_CLI_TERMS_H
#define NS_CLI_TERMS_H

#include "api/library.h"

/* "8 x 7.76 us", or "" */
const char *ns_term_product(const ns_term *term, char *text, size_t size);
/* Path of the parameter, or the command that shows the model, or "" */
const char *ns_term_place(const ns_term *term, char *text, size_t size);
/* Has it terms below? */
bool ns_term_has_children(const ns_explanation *terms, size_t i);

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
ns_status ns_terms_show(const ns_explanation *terms, ns_explain_style style, const char *title, ns_value *result,
                        ns_error *err);

typedef void ns_terms_emit(void *context, const char *line);
typedef struct ns_terms_writer {
    ns_terms_emit *emit;
    void *context;
} ns_terms_writer;
/* One line. */
void ns_terms_put(const ns_terms_writer *writer, const char *format, ...) NS_PRINTF(2, 3);
void ns_terms_latex(const ns_explanation *terms, const char *title, ns_terms_emit *emit, void *context);
void ns_terms_dot(const ns_explanation *terms, const char *title, ns_terms_emit *emit, void *context);

#endif
