/* quote.h of the first 1.0: its declarations */
#ifndef NSMODEL_QUOTE_H
#define NSMODEL_QUOTE_H

#include <nsmodel/choice.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ns_workspace ns_workspace;
NS_API ns_status ns_workspace_open(ns_workspace **workspace, ns_error *err);
NS_API void ns_workspace_free(ns_workspace *workspace);

NS_API ns_status ns_quote(const ns_exchange *exchange, const ns_machine *machine, const ns_selection *selection,
                          ns_workspace *workspace, int *quotes, ns_error *err);

NS_API ns_status ns_quote_choice(const ns_workspace *workspace, int i, ns_choice_info *info, ns_error *err);

#ifdef __cplusplus
}
#endif
#endif
