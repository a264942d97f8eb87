/* change.h -- a machine with some of its numbers changed by a rule, not by a user's assignment */
#ifndef NS_MACHINE_FILE_CHANGE_H
#define NS_MACHINE_FILE_CHANGE_H

#include <nsmodel/machine.h>

typedef struct ns_change {
    const char *path;
    double value; /* SI */
    const char *source;
} ns_change;

/* A copy of the machine with these numbers; its source gives the reason.  Free it with ns_machine_free. */
ns_status ns_machine_change(const ns_machine *machine, const ns_change *change, size_t changes, const char *why,
                            ns_machine **changed, ns_error *err);

#endif
