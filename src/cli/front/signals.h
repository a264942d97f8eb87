/* signals.h -- a program that a signal ends leaves no unfinished file */
#ifndef NS_CLI_SIGNALS_H
#define NS_CLI_SIGNALS_H

/* Handle the signals that would end this process and that nobody else handles or ignores.  A child that goes on with
 * the program calls it again. */
void ns_signals_catch(void);

#endif
