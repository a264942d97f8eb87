/* browser_page.h -- what the browser's tests do with pages: make, open, listen, look for barriers */
#ifndef TESTS_SUPPORT_BROWSER_PAGE_H
#define TESTS_SUPPORT_BROWSER_PAGE_H

#include <stdbool.h>
#include <stddef.h>

/* Run the program; it has to succeed. */
void make_page(const char *line);
/* A file below build/browser; its path is static. */
const char *write_control(const char *name, const char *content);
/* A text file, to be freed. */
char *read_whole(const char *path);

/* Open with the same window, colours and medium for every test, and with empty logs; live: until its charts are. */
void open_page(const char *path);
void open_live(const char *path);
void set_dark(void);

/* What the console holds: how many entries; the first in text. */
int console_entries(char *text, size_t size);
/* Requests for anything but the page itself and data inside it, the last one in text; *all counts every request. */
int foreign_requests(int *all, char *text, size_t size);
/* Did the page's policy stop a request before it was sent? */
bool was_blocked(void);

/* axe-core's findings as "rule: first element" lines; "" when there is none. */
const char *find_barriers(void);

#endif
