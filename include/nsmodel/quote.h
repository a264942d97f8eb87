/* quote.h -- what an exchange costs by each strategy, without making their schedules
 *
 * A quote adds up what each process sends and receives while a strategy names it, and prices the sums.  The price is
 * that of the strategy's schedule, bit for bit; it takes a fraction of the time and memory.
 */
#ifndef NSMODEL_QUOTE_H
#define NSMODEL_QUOTE_H

#include <nsmodel/choice.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Memory that successive quotes reuse: once it has grown to an exchange's size, a quote allocates nothing except what
 * the C library takes for threads.  One thread at a time. */
typedef struct ns_workspace ns_workspace;
NS_API ns_status ns_workspace_open(ns_workspace **workspace, ns_error *err);
NS_API void ns_workspace_free(ns_workspace *workspace);

/* Price every selected strategy (NULL: all) that the machine runs, by strategy, then transport; an error when there is
 * none.  *quotes: how many there are.  Large exchanges take as many threads as there are processors, at most 8; prices
 * do not depend on them. */
NS_API ns_status ns_quote(const ns_exchange *exchange, const ns_machine *machine, const ns_selection *selection,
                          ns_workspace *workspace, int *quotes, ns_error *err);

/* Quote i of the last ns_quote.  Fields that only a comparison knows are negative or false. */
NS_API ns_status ns_quote_choice(const ns_workspace *workspace, int i, ns_choice_info *info, ns_error *err);

#ifdef __cplusplus
}
#endif
#endif
