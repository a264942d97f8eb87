/* page.h -- the sections of a report; each reads what it shows from the report's tree and knows nothing else */
#ifndef NS_REPORT_PAGE_H
#define NS_REPORT_PAGE_H

#include "report/html.h"

typedef struct ns_page {
    FILE *out;
    const ns_value *report;
    int figures; /* so far */
    ns_error *err;
} ns_page;

/* The value at a path, or NULL; the text or number there, or what stands in for it. */
const char *ns_page_text(const ns_value *object, const char *path);
double ns_page_number(const ns_value *object, const char *path, double otherwise);
size_t ns_page_count(const ns_value *list);
/* The cases of the m-th machine are the m-th block of predict's cases. */
const ns_value *ns_page_cases(const ns_page *page, size_t machine, size_t *count);
/* NetSparse's cases, one for each K. */
const ns_value *ns_page_gathers(const ns_page *page, size_t *count);
/* "GPUs", or "processes" for a machine without them. */
const char *ns_page_parts(const ns_value *machine);

/* page_curves.c */
ns_status ns_page_times(ns_page *page);
ns_status ns_page_steps(ns_page *page);

/* page_sections.c */
ns_status ns_page_answer(ns_page *page);
ns_status ns_page_warnings(ns_page *page);
ns_status ns_page_strategies(ns_page *page);
ns_status ns_page_pattern(ns_page *page);
ns_status ns_page_netsparse(ns_page *page);
ns_status ns_page_inputs(ns_page *page);
ns_status ns_page_machines(ns_page *page);
ns_status ns_page_words(ns_page *page);

#endif
