/* quote.h -- quotes with their whole prices */
#ifndef NS_PRICE_QUOTE_H
#define NS_PRICE_QUOTE_H

#include "price/choice.h"

#include <nsmodel/quote.h>

/* Use this many threads, at most NS_THREADS_MOST; 0, the initial value: as many as pay off.  Prices do not depend on
 * it. */
void ns_workspace_set_threads(ns_workspace *workspace, int threads);

/* Report the progress of each visit of all nodes to a watcher; each strategy with its own forms takes one visit. */
void ns_workspace_watch(ns_workspace *workspace, const ns_watcher *watcher);

/* Does a part send to at least half of all others, on average? */
bool ns_exchange_is_dense(const ns_exchange *exchange);

/* The cost model of a dense exchange, where the caller asks for none. */
const ns_form *ns_form_of_dense(const ns_machine *machine);

/* Quote i of the last ns_quote, whose first members are set, valid until the next ns_quote; NULL where there is
 * none. */
const ns_choice *ns_quote_at(const ns_workspace *workspace, int i);

/* ns_compare in a workspace's memory, for repeated comparisons.  After a failure the content of *comparison is
 * undefined. */
ns_status ns_compare_again(const ns_exchange *exchange, const ns_machine *machine, const ns_selection *selection,
                           ns_workspace *workspace, ns_comparison *comparison, ns_error *err);

#endif
