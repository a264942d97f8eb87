/* page.h -- pages of nsmodel report as texts */
#ifndef TESTS_SUPPORT_PAGE_H
#define TESTS_SUPPORT_PAGE_H

/* A page that is soon made, up to its last options. */
#define PAGE_SMALL "report --matrix stencil9:40x40 --gpus 4,8 --nodes 4 --k 16 "

/* The page of a command line, and the same up to its scripts; to be freed. */
char *page_of(const char *line);
char *page_markup_of(const char *line);

/* The test fails where the page lacks this. */
void page_holds(const char *page, const char *what);

#endif
