/* watchdog.h -- ends a process that waits for one that will never answer
 *
 * A job hangs when one of its processes is stopped or lost without its launcher noticing.  Each process counts the time
 * since it last got on; past the limit rank 0 says what it was waiting in and leaves, and the launcher ends the rest.
 */
#ifndef NS_MPI_WATCHDOG_H
#define NS_MPI_WATCHDOG_H

#ifdef NS_SIMULATED /* it knows by itself that all its processes wait */
#define ns_watchdog_start(rank, seconds) ((void)(rank), (void)(seconds))
#define ns_watchdog_limit(seconds)       ((void)(seconds))
#define ns_watchdog_feed()               ((void)0)
#define ns_watchdog_doing(what)          ((void)(what))
#define ns_watchdog_busy(what)           ((void)(what))
#define ns_watchdog_silence()            ((void)0)
#define ns_watchdog_stop()               ((void)0)
#else
/* The process also reports a request of the launcher to end (SIGTERM). */
void ns_watchdog_start(int rank, double seconds);
/* Another limit from now on. */
void ns_watchdog_limit(double seconds);
/* The process makes progress. */
void ns_watchdog_feed(void);
/* The process makes progress, and this is what it does now; the text is static. */
void ns_watchdog_doing(const char *what);
/* Local work from here on: no limit until the next call of ns_watchdog_feed or ns_watchdog_doing. */
void ns_watchdog_busy(const char *what);
/* Report nothing any more. */
void ns_watchdog_silence(void);
void ns_watchdog_stop(void);
#endif

#endif
