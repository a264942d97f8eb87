/* quote.h -- quotes with their whole prices */
#ifndef NS_PRICE_QUOTE_H
#define NS_PRICE_QUOTE_H

#include "price/choice.h"

#include <nsmodel/quote.h>

/* So many threads, at most NS_THREADS_MOST; 0, as it is opened with: as many as pay.  Prices do not depend on it. */
void ns_workspace_set_threads(ns_workspace *workspace, int threads);

/* Tell a watcher how far each visit of all nodes is; strategies in forms of their own take a visit each. */
void ns_workspace_watch(ns_workspace *workspace, const ns_watcher *watcher);

/* Does a part send to half of all others or more, in the mean? */
bool ns_exchange_is_dense(const ns_exchange *exchange);

/* The cost model of such an exchange, where none is asked for. */
const ns_form *ns_form_of_dense(const ns_machine *machine);

/* Quote i of the last ns_quote, until the next, of which the first members are set; NULL where there is none. */
const ns_choice *ns_quote_at(const ns_workspace *workspace, int i);

/* ns_compare in a workspace's memory, for comparisons one after the other.  After a failure *comparison is of any
 * content. */
ns_status ns_compare_again(const ns_exchange *exchange, const ns_machine *machine, const ns_selection *selection,
                           ns_workspace *workspace, ns_comparison *comparison, ns_error *err);

#endif
