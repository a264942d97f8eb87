/* fit_rules.h -- what a fit has to make of logs of known numbers, a rule a row */
#ifndef TESTS_SUPPORT_FIT_RULES_H
#define TESTS_SUPPORT_FIT_RULES_H

enum { FIT_SERIES = 8, FIT_CHECKS = 8 };

/* Options of the command line, if any, then series of samples, each
 *     "KIND PAIRS MESSAGES FROM TO STEP A B GAMMA DELTA L DIRECTION LOCALITY MEMORY"
 * (B; us, ns/B, ns, ns/B, us; from GAMMA on as many as are wanted): n messages of s bytes in flight between each of p
 * pairs take L + n (A + B s) + GAMMA n^2 + DELTA p n s.
 * Checks: "+TEXT" is warned of, "-TEXT" is not, "PATH=NUMBER", "PATH:TEXT", "!PATH" is not there. */
typedef struct fit_rule {
    const char *about, *of[FIT_SERIES], *checks[FIT_CHECKS];
} fit_rule;

/* Fit the log of a rule, off node where a series does not say, and check it; the number names its file. */
void fit_rule_holds(const fit_rule *rule, int number);

#endif
