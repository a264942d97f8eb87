/* page.h -- what a report's page and those who fill it read from its tree */
#ifndef NS_REPORT_PAGE_H
#define NS_REPORT_PAGE_H

#include "core/value.h"

/* The text or the number at a path, or what stands in for it: "", otherwise. */
const char *ns_page_text(const ns_value *object, const char *path);
double ns_page_number(const ns_value *object, const char *path, double otherwise);
/* Members of a list, which may be NULL. */
size_t ns_page_count(const ns_value *list);

#endif
