/* test_rma.c -- rows of rma with where they come from */
#include "../support/model_rows.h"

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
};

Suite *suite(void);

Suite *suite(void)
{
    return MODEL_SUITE("rma", rows);
}
