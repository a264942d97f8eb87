/* page.h -- the sections of a report; each uses only the values in the report's tree */
#ifndef NS_REPORT_PAGE_H
#define NS_REPORT_PAGE_H

#include "report/html.h"

/* The text or the number at a path; "" or `otherwise` where there is none. */
const char *ns_page_text(const ns_value *object, const char *path);
double ns_page_number(const ns_value *object, const char *path, double otherwise);
/* Members of a list, which may be NULL. */
size_t ns_page_count(const ns_value *list);

typedef struct ns_page {
    FILE *out;
    const ns_value *report;
    int figures; /* so far */
    ns_error *err;
} ns_page;

typedef struct ns_page_section {
    const char *id, *heading;
    const char *needs; /* a list or object of the tree that must be present and not empty, or NULL */
    ns_status (*write)(ns_page *page);
} ns_page_section;

extern const ns_page_section ns_page_sections[]; /* in the page's order; closed by a NULL id */

#endif
