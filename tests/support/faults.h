/* faults.h -- the program with one of its calls made to fail, at every place where that can happen */
#ifndef NS_TESTS_FAULTS_H
#define NS_TESTS_FAULTS_H

#include <stdbool.h>
#include <stddef.h>

/* A command line that runs well.  It runs in an empty folder; what it reads is in ../in, what it may keep goes
 * to ../home. */
typedef struct fault_line {
    const char *line;
    const char *output;  /* the file that it writes, which was there before; NULL: none */
    const char *input;   /* standard input, or NULL: nothing */
    bool tells_of_files; /* it answers what can be reached, so that a file that cannot be is another right answer */
} fault_line;

/* Can the program be run so here?  If not, says why. */
bool faults_possible(void);

/* An empty scratch folder with a folder in it for inputs, whose path it returns (static). */
const char *faults_open(void);
void faults_close(void);

/* A good run, then runs with one call for memory or for input or output failing, alone or with all that follow: as
 * many as `sample` says, chosen by `seed`; 0: all.  Each has to fail with a message or to answer the same (or what can
 * be reached, where that is asked); the output file is the old or the new one, nothing else is left, nothing stays
 * open.  Prints each that does not; returns how many, and in *runs how many there were. */
size_t faults_try(const fault_line *line, size_t sample, unsigned seed, size_t *runs);

#endif
