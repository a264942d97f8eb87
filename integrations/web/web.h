/* web.h -- what the page's worker calls: the program, and a line of the calculator; both answer into files in memory */
#ifndef NS_WEB_WEB_H
#define NS_WEB_WEB_H

/* Where an answer goes, and where words for people go: a device of the worker's that shows progress. */
#define WEB_ANSWER "/answer"
#define WEB_WORDS  "/dev/words"

/* The program with so many words, each closed by a NUL, its own name not among them; returns its exit code. */
int web_run(int count, const char *words);

/* A line more of the calculator, which remembers the earlier ones; 0, or 1 when it failed.  "quit" begins a new
 * session. */
int web_line(const char *line);

#endif
