/* watchdog.h -- ends a process that waits for another one that will never answer
 *
 * A job hangs when one of its processes is stopped or lost without its launcher noticing.  Each process counts the time
 * since it last made progress; past the limit rank 0 reports the operation in which it was waiting and exits, and the
 * launcher ends the other processes.
 */
#ifndef NS_MPI_WATCHDOG_H
#define NS_MPI_WATCHDOG_H

#ifdef NS_SIMULATED /* SimGrid itself detects that all its processes wait */
#define ns_watchdog_start(rank, seconds) ((void)(rank), (void)(seconds))
#define ns_watchdog_limit(seconds)       ((void)(seconds))
#define ns_watchdog_feed()               ((void)0)
#define ns_watchdog_doing(what)          ((void)(what))
#define ns_watchdog_busy(what)           ((void)(what))
#define ns_watchdog_silence()            ((void)0)
#define ns_watchdog_stop()               ((void)0)
#else
/* Start the watchdog.  The process also reports a request of the launcher to end (SIGTERM). */
void ns_watchdog_start(int rank, double seconds);
/* Set another limit. */
void ns_watchdog_limit(double seconds);
/* Report progress. */
void ns_watchdog_feed(void);
/* Report progress, and what the process does from now on; the text is static. */
void ns_watchdog_doing(const char *what);
/* Local work begins: there is no limit until the next call of ns_watchdog_feed or ns_watchdog_doing. */
void ns_watchdog_busy(const char *what);
/* Stop all reports. */
void ns_watchdog_silence(void);
void ns_watchdog_stop(void);
#endif

#endif
