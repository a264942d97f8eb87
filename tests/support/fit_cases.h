/* fit_cases.h -- logs made for nsmodel fit, and what it has to make of them: a case a row */
#ifndef TESTS_SUPPORT_FIT_CASES_H
#define TESTS_SUPPORT_FIT_CASES_H

enum { FIT_SERIES = 12, FIT_CHECKS = 15 };

/* What is given to fit, in any order:
 *     "--..."                      options, behind the logs
 *     "KIND PAIRS MESSAGES FROM TO STEP A B GAMMA DELTA L DIRECTION LOCALITY MEMORY"
 *                                  samples of one CSV file (B; us, ns/B, ns, ns/B, us; from GAMMA on as many as are
 *                                  wanted): n messages of s bytes in flight between each of p pairs take
 *                                  L + n (A + B s) + GAMMA n^2 + DELTA p n s
 *     "@NAME plain KIND FACTOR"    the log of fits_log, so many times as slow
 *     "@NAME line F FROM COUNT"    F (1 us + 1 ns/B), so many sizes
 *     "@NAME osu A B [LINE]|..."   tables of osu_latency, A us + B us/B up to 4 MiB, each below that line
 *     "@NAME rates PAIRS RATE"     a table of osu_mbw_mr that shows so many MB/s at all sizes
 *     "@NAME\nTEXT"                this text
 *     "%NAME ..."                  a file as after @ that is not given to fit
 *     "=PATH"                      a file that is there
 *
 * Checks, of fit's JSON until another command is run:
 *     "+TEXT", "-TEXT"             is among the warnings, is not
 *     "PATH=NUMBER", "PATH=NUMBER~SHARE", "PATH:TEXT", "PATH^TEXT", "!PATH"
 *                                  is this number, to 1e-6 or that share of it; is, or begins with, this text; is not
 *                                  there, or null
 *     "> COMMAND", "1> COMMAND"    run it, with exit code 0 or 1, for the checks that follow: + and - of its stderr,
 *                                  paths of its JSON where it is asked for that; MACHINE is the file that `fit ... -o`
 *                                  wrote, LINE fit and what is given, TMP/ the folder of these files
 *     ">+TEXT", ">-TEXT"           is in its answer, is not
 *     "refused 2 TEXT"             alone: fit ends with this code and one line with these words */
typedef struct fit_case {
    const char *about, *of[FIT_SERIES], *checks[FIT_CHECKS];
} fit_case;

/* Samples of a series are off node in host memory where it does not say; the number names the files. */
void fit_case_holds(const fit_case *c, int number);
/* "fit" and what is given, after its files are written; static. */
const char *fit_case_line(const fit_case *c);

#endif
