/* test_multirail.c -- rows of multirail with where they come from */
#include "../support/model_rows.h"

static const model_row rows[] = {
    {"bxi", "s=4MiB B=10GB/s,10GB/s", "speedup", 1.98, 0.002, "models.md 8: 1.98 on 2 rails"},
    {"bxi", "s=4MiB B=10GB/s,10GB/s,10GB/s,10GB/s", "speedup", 3.88, 0.002, "models.md 8: 3.88 on 4 rails"},
    {"bxi", "s=1.5MiB B=10GB/s,10GB/s,10GB/s,10GB/s", "speedup", 2.84, 0.002, "models.md 8: 3 fragments, 2.84"},
    {"bxi", "s=1.5MiB B=10GB/s,10GB/s,10GB/s,10GB/s", "rails_busy", 3.0, 0,
     "three fragments: the fourth rail stays idle"},
    {"bxi", "s=4MiB f=512kB B=10GB/s,10GB/s,10GB/s,10GB/s", "speedup", 3.63, 0.002,
     "models.md 8: 3.63 with f = 512,000 B"},
    {"bxi", "s=1MB B=10GB/s,10GB/s,10GB/s,10GB/s", "speedup", 1.0, 1e-12, "not striped at the threshold"},
    {"bxi", "s=1MB B=10GB/s,10GB/s,10GB/s,10GB/s", "fragments", 1.0, 0, "not striped at the threshold"},
    {"bxi", "s=4MiB host=10GB/s B=10GB/s,10GB/s,10GB/s,10GB/s", "transfer", 0.0004194304, 1e-12,
     "never above host memory bandwidth"},
    {"bxi", "s=4MiB B=10GB/s,10GB/s,10GB/s,10GB/s design=rendezvous-per-fragment", "handshake", 6e-06, 1e-12,
     "two fragments on the busiest rail"},
    {"bxi", "s=2MiB B=30GB/s,10GB/s", "transfer", 5.3328800000000003e-05, 1e-12,
     "unequal rails: three fragments to one"},
    {"bxi", "s=4MiB", NULL, 0, 0, "multirail lacks B [GB/s]"},
    {"bxi", "s=4MiB B=0GB/s", NULL, 0, 0, "the bandwidth of rail 1 has to be more than 0"},
    {"bxi", "s=8MB f=8B B=1GB/s", "fragments", 1e6, 0, "the most that are looked at"},
    {"bxi", "s=8000008B f=8B B=1GB/s", NULL, 0, 0, "fragments are too many"},
    {"bxi", "s=1kB B=1B/s", "fragments", 1, 0, "a rail may be as slow as it likes"},
    {"bxi", "s=1TB f=1B B=1GB/s", NULL, 0, 0, "fragments are too many"},
    {"bxi", "s=4MiB f=0B B=10GB/s,10GB/s", NULL, 0, 0, "f has to be more than 0"},
    /* By hand, each from its term. startup: a; handshake: 2 L for each rendezvous on the busiest rail; transfer:
     * dealt to the rail that ends first; fragments: ceil(s/f); rails_busy: by hand; speedup: the fastest rail
     * alone over it; best_fragment: sqrt(2 s o_f B/r), B the mean rail; time: the sum. */
    {NULL, "B=10GB/s,5GB/s s=90kB a=3us L=2us o_f=1us f=20kB threshold=30kB",
     "startup=3e-06 handshake=4e-06 transfer=9e-06 fragments=5 rails_busy=2 speedup=1.3125 "
     "best_fragment=25980.76211353316 time=1.6e-05",
     0, 1e-12, "by hand"},
    {NULL, "B=10GB/s,5GB/s s=90kB a=3us L=2us o_f=1us f=20kB threshold=30kB design=rendezvous-per-fragment",
     "startup=3e-06 handshake=1.2e-05 transfer=9e-06 fragments=5 rails_busy=2 speedup=1.5416666666666665 "
     "best_fragment=25980.76211353316 time=2.4e-05",
     0, 1e-12, "by hand"},
    {NULL, "B=10GB/s,5GB/s s=90kB a=3us L=2us o_f=1us f=20kB threshold=90kB",
     "startup=3e-06 handshake=4e-06 transfer=1e-05 fragments=1 rails_busy=1 speedup=1 best_fragment=25980.76211353316 "
     "time=1.7e-05",
     0, 1e-12, "by hand"},
    {NULL, "B=10GB/s,5GB/s,4GB/s s=41kB a=3us L=2us o_f=1us f=20kB threshold=30kB host=6GB/s",
     "startup=3e-06 handshake=4e-06 transfer=6.833333333333334e-06 fragments=3 rails_busy=3 speedup=1.0192771084337349 "
     "best_fragment=13157.169570660366 time=1.3833333333333334e-05",
     0, 1e-12, "by hand"},
    {NULL, "B=10GB/s,5GB/s s=0B a=3us L=2us o_f=0us f=20kB threshold=30kB design=rendezvous-per-fragment", "handshake",
     4e-06, 1e-12, "one rendezvous, however little moves"},
};

MODEL_ROWS("multirail", rows)
