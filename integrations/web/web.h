/* web.h -- functions for the page's worker: the program, and a line of the calculator; both write to files in memory */
#ifndef NS_WEB_WEB_H
#define NS_WEB_WEB_H

/* The file for the answer, and the one for messages to people: a device of the worker that shows progress. */
#define WEB_ANSWER "/answer"
#define WEB_WORDS  "/dev/words"

/* Run the program with this many words, each closed by a NUL, without its own name; returns its exit code. */
int web_run(int count, const char *words);

/* Evaluate one more line of the calculator, which remembers the earlier ones; 0, or 1 on failure.  "quit" begins a new
 * session. */
int web_line(const char *line);

#endif
