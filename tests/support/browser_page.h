/* browser_page.h -- what the browser's tests do with pages: make, open, listen, look for barriers */
#ifndef TESTS_SUPPORT_BROWSER_PAGE_H
#define TESTS_SUPPORT_BROWSER_PAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "cli.h"

/* What every test may open, in the program's own folder; browser_begin_pages starts the browser and makes them. */
#define PAGE          cli_path("page.html")
#define MACHINES_PAGE cli_path("machines.html")
/* For an unchecked fixture. */
void browser_begin_pages(void);

/* Run the program; it has to succeed. */
void make_page(const char *line);

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

/* ---- the first chart: where things lie, from the page's data and nothing that its script computed ---------------- */

/* A script that begins with placeX(i), placeY(value, axis, log), data, figure, over. */
const char *with_chart(const char *rest);
/* Move the pointer to the i-th number of parts. */
void point_at(int i);
/* Is the canvas, within two pixels of the place of value i of series s, of the colour of that series? */
bool is_drawn(int series, int i, bool logarithmic);
void click(const char *selector);

#endif
