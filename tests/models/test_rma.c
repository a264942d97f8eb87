/* test_rma.c -- rows of rma with where they come from */
#include "../support/model_rows.h"

#define BY_HAND_11                                                                                                     \
    "alpha=0us beta=1ns/B L=2us rho_put=0.7 rho_get=0.4 rho_accumulate=0.6 rho_fetch=0.2 quoted=1000B "                \
    "limit_accumulate=500B limit_get_accumulate=60B limit_fetch=8B operation=put s=0B operations=1"
static const model_row rows[] = {
    {"bxi", "alpha=10us beta=1ns/B operations=1 operation=put s=64B", "reduction", 0.3, 1e-12, "[RS] 3.2: around 30 %"},
    {"bxi", "alpha=10us beta=1ns/B operations=1 operation=get s=64B", "reduction", 0.6, 1e-12,
     "[RS] 3.2: approx. 60 %"},
    {"bxi", "alpha=10us beta=1ns/B operations=1 operation=accumulate s=1024B", "reduction", 0.3, 1e-12,
     "[RS] 3.2: around 30 % up to 1024 B"},
    {"bxi", "alpha=10us beta=1ns/B operations=1 operation=accumulate s=1025B", "reduction", 0.0, 0,
     "[RS] 3.2: on par above the limit"},
    {"bxi", "alpha=10us beta=1ns/B operations=1 operation=get-accumulate s=64B", "reduction", 0.8, 1e-12,
     "[RS] 3.2: approx. 80 % up to 64 B"},
    {"bxi", "alpha=10us beta=1ns/B operations=1 operation=get-accumulate s=65B", "reduction", 0.0, 0,
     "above PtlFetchAtomic's limit"},
    {"bxi", "alpha=10us beta=1ns/B operations=1 operation=fetch-op s=8B", "reduction", 0.8, 1e-12,
     "[RS] 3.2: about 80 %"},
    {"bxi", "alpha=10us beta=1ns/B operations=1 operation=compare-swap s=8B", "reduction", 0.8, 1e-12,
     "[RS] 3.2: about 80 %"},
    {"bxi", "alpha=10us beta=1ns/B operations=1 operation=compare-swap s=16B", "hardware", 0.0, 0, "falls back"},
    {"bxi", "alpha=10us beta=1ns/B operations=1 operation=put s=64B layout=strided", "hardware", 0.0, 0,
     "[RS] 3.1.3: non-contiguous types are not supported"},
    {"bxi", "alpha=10us beta=1ns/B operations=1 operation=put s=100kB", "time", 0.0001066928, 1e-12,
     "beyond the quoted sizes the absolute saving stays"},
    {"bxi", "alpha=10us beta=1ns/B operations=1 operation=put s=0B sync=fence barrier=5us keys=2us", "time", 1.7e-05,
     1e-12, "flush + barrier, keys once"},
    {"bxi", "alpha=10us beta=1ns/B operations=1 operation=put s=0B sync=pscw", "synchronisation", 4.5e-06, 1e-12,
     "flush + acknowledgement"},
    {"bxi", "alpha=10us beta=1ns/B operations=0 s=8B", NULL, 0, 0, "operations has to be at least 1"},
    {"bxi", "alpha=1us beta=1ns/B operations=1 s=8B operation=swap", NULL, 0, 0, "operation has no choice"},
    /* By hand, each from its term. operation: operations, each rho or all of alpha + beta s; synchronisation:
     * flush 2 L, fence and barrier, else 3 L; key_exchange: keys; two_sided: alpha + beta s; reduction: 1 -
     * T/T_2s; hardware: 1 below the limit; time: the sum. */
    {NULL,
     "alpha=10us beta=1ns/B L=2us rho_put=0.7 rho_get=0.4 rho_accumulate=0.6 rho_fetch=0.2 quoted=1000B "
     "limit_accumulate=500B limit_get_accumulate=60B limit_fetch=8B operation=put s=500B operations=3 sync=fence "
     "barrier=5us keys=7us",
     "operation=2.2049999999999997e-05 synchronisation=8.999999999999999e-06 key_exchange=7e-06 two_sided=1.05e-05 "
     "reduction=0.30000000000000004 hardware=1 time=3.8049999999999997e-05",
     0, 1e-12, "by hand"},
    {NULL,
     "alpha=10us beta=1ns/B L=2us rho_put=0.7 rho_get=0.4 rho_accumulate=0.6 rho_fetch=0.2 quoted=1000B "
     "limit_accumulate=500B limit_get_accumulate=60B limit_fetch=8B operation=get s=1000B operations=2 sync=flush",
     "operation=8.8e-06 synchronisation=4e-06 key_exchange=0 two_sided=1.1e-05 reduction=0.6 hardware=1 time=1.28e-05",
     0, 1e-12, "by hand"},
    {NULL,
     "alpha=10us beta=1ns/B L=2us rho_put=0.7 rho_get=0.4 rho_accumulate=0.6 rho_fetch=0.2 quoted=1000B "
     "limit_accumulate=500B limit_get_accumulate=60B limit_fetch=8B operation=get s=3000B operations=2 sync=pscw",
     "operation=1.28e-05 synchronisation=6e-06 key_exchange=0 two_sided=1.3e-05 reduction=0.5076923076923077 "
     "hardware=1 time=1.88e-05",
     0, 1e-12, "by hand"},
    {NULL,
     "alpha=10us beta=1ns/B L=2us rho_put=0.7 rho_get=0.4 rho_accumulate=0.6 rho_fetch=0.2 quoted=1000B "
     "limit_accumulate=500B limit_get_accumulate=60B limit_fetch=8B operation=accumulate s=500B operations=1 "
     "sync=lock-unlock",
     "operation=6.3e-06 synchronisation=6e-06 key_exchange=0 two_sided=1.05e-05 reduction=0.4 hardware=1 time=1.23e-05",
     0, 1e-12, "by hand"},
    {NULL,
     "alpha=10us beta=1ns/B L=2us rho_put=0.7 rho_get=0.4 rho_accumulate=0.6 rho_fetch=0.2 quoted=1000B "
     "limit_accumulate=500B limit_get_accumulate=60B limit_fetch=8B operation=accumulate s=501B operations=1 sync=none",
     "operation=1.0501e-05 synchronisation=0 key_exchange=0 two_sided=1.0501e-05 reduction=0 hardware=0 "
     "time=1.0501e-05",
     0, 1e-12, "by hand"},
    {NULL,
     "alpha=10us beta=1ns/B L=2us rho_put=0.7 rho_get=0.4 rho_accumulate=0.6 rho_fetch=0.2 quoted=1000B "
     "limit_accumulate=500B limit_get_accumulate=60B limit_fetch=8B operation=get-accumulate s=60B operations=1 "
     "sync=fence",
     "operation=2.012e-06 synchronisation=4e-06 key_exchange=0 two_sided=1.0059999999999999e-05 "
     "reduction=0.7999999999999999 hardware=1 time=6.011999999999999e-06",
     0, 1e-12, "by hand"},
    {NULL,
     "alpha=10us beta=1ns/B L=2us rho_put=0.7 rho_get=0.4 rho_accumulate=0.6 rho_fetch=0.2 quoted=1000B "
     "limit_accumulate=500B limit_get_accumulate=60B limit_fetch=8B operation=get-accumulate s=61B operations=1 "
     "sync=none",
     "operation=1.0060999999999999e-05 synchronisation=0 key_exchange=0 two_sided=1.0060999999999999e-05 reduction=0 "
     "hardware=0 time=1.0060999999999999e-05",
     0, 1e-12, "by hand"},
    {NULL,
     "alpha=10us beta=1ns/B L=2us rho_put=0.7 rho_get=0.4 rho_accumulate=0.6 rho_fetch=0.2 quoted=1000B "
     "limit_accumulate=500B limit_get_accumulate=60B limit_fetch=8B operation=fetch-op s=8B operations=1 sync=none",
     "operation=2.0016e-06 synchronisation=0 key_exchange=0 two_sided=1.0008e-05 reduction=0.8 hardware=1 "
     "time=2.0016e-06",
     0, 1e-12, "by hand"},
    {NULL,
     "alpha=10us beta=1ns/B L=2us rho_put=0.7 rho_get=0.4 rho_accumulate=0.6 rho_fetch=0.2 quoted=1000B "
     "limit_accumulate=500B limit_get_accumulate=60B limit_fetch=8B operation=compare-swap s=9B operations=1 sync=none",
     "operation=1.0008999999999999e-05 synchronisation=0 key_exchange=0 two_sided=1.0008999999999999e-05 reduction=0 "
     "hardware=0 time=1.0008999999999999e-05",
     0, 1e-12, "by hand"},
    {NULL,
     "alpha=10us beta=1ns/B L=2us rho_put=0.7 rho_get=0.4 rho_accumulate=0.6 rho_fetch=0.2 quoted=1000B "
     "limit_accumulate=500B limit_get_accumulate=60B limit_fetch=8B operation=put s=100B operations=1 sync=none "
     "layout=strided",
     "operation=1.01e-05 synchronisation=0 key_exchange=0 two_sided=1.01e-05 reduction=0 hardware=0 time=1.01e-05", 0,
     1e-12, "by hand"},
    {NULL, BY_HAND_11, "reduction", 0, 0, "nothing to save"},
    {NULL, BY_HAND_11, "time", 0, 0, "nothing takes no time"},
};

MODEL_ROWS("rma", rows)
