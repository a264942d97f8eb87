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

typedef struct ns_page_section {
    const char *id, *heading;
    const char *needs; /* a list or object of the tree that has to be there and not empty, or NULL */
    ns_status (*write)(ns_page *page);
} ns_page_section;

extern const ns_page_section ns_page_sections[]; /* in the page's order; closed by a NULL id */

#endif
