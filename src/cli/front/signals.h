/* signals.h -- a program that is ended by a signal leaves no unfinished file */
#ifndef NS_CLI_SIGNALS_H
#define NS_CLI_SIGNALS_H

/* Handle the signals that would end this process and that are neither handled nor ignored.  A child that continues the
 * program calls it again. */
void ns_signals_catch(void);

#endif
