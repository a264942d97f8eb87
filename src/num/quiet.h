/* quiet.h -- GSL's default error handler ends the process: it is off around every call, then restored
 *
 * The handler is GSL's global, so two threads may not fit at the same time.
 */
#ifndef NS_NUM_QUIET_H
#define NS_NUM_QUIET_H

#include <gsl/gsl_errno.h>

#define NS_QUIET(statement)                                                     \
    do {                                                                        \
        gsl_error_handler_t *ns_quiet_before_ = gsl_set_error_handler_off();    \
        statement;                                                              \
        gsl_set_error_handler(ns_quiet_before_);                                \
    } while (0)

#endif
