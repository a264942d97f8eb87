/* test_rendezvous.c -- rows of rendezvous with where they come from */
#include "support/eval_rows.h"

#include <check.h>

static const eval_row rows[] = {
    {"rendezvous a=1us L=1.5us B_w=10GB/s B_c=5GB/s n_c=2 s=10kB protocol=eager",
     "time", 6e-06, 1e-12, "a + s/B_w + 2 s/B_c by hand"},
    {"rendezvous a=1us L=1.5us B_w=10GB/s B_c=5GB/s n_c=2 s=10kB protocol=rendezvous",
     "time", 4.9999999999999996e-06, 1e-12, "a + 2 L + s/B_w by hand"},
    {"rendezvous a=1us L=1.5us B_w=10GB/s B_c=5GB/s n_c=2 s=10kB",
     "time", 5e-06, 1e-12, "the faster of the two"},
    {"rendezvous a=1us L=1.5us B_w=10GB/s B_c=5GB/s n_c=2 s=10kB",
     "crossover", 7500.0, 1e-12, "2 L B_c / n_c"},
    {"rendezvous a=1us L=1.5us B_w=10GB/s B_c=5GB/s n_c=2 s=7.5kB protocol=eager",
     "time", 4.75e-06, 1e-12, "at the crossover both are equal"},
    {"rendezvous a=1us L=1.5us B_w=10GB/s B_c=5GB/s n_c=2 s=7.5kB protocol=rendezvous",
     "time", 4.75e-06, 1e-12, "at the crossover both are equal"},
    {"rendezvous a=1us L=1.5us B_w=10GB/s B_c=5GB/s n_c=0 s=1MB",
     "crossover", 0.0, 0, "no copies: eager always wins"},
    {"rendezvous a=1us L=1.5us B_w=10GB/s B_c=5GB/s n_c=2 s=10kB protocol=rendezvous late=20us",
     "time", 2.4000000000000004e-05, 1e-12, "rendezvous waits for a late receiver"},
    {"rendezvous a=1us L=1.5us B_w=10GB/s B_c=5GB/s n_c=2 s=10kB protocol=eager late=20us",
     "time", 2.4e-05, 1e-12, "eager pays its copies only"},
    {"rendezvous a=1us L=1.5us B_w=10GB/s B_c=5GB/s n_c=2 s=10kB protocol=rendezvous",
     "sender_free", 6.5e-06, 1e-12, "FIN: one latency later"},
    {"rendezvous a=1us L=1.5us B_w=10GB/s B_c=5GB/s n_c=2 s=10kB protocol=rendezvous completion=notified",
     "sender_free", 5e-06, 1e-12, "no FIN with notified RMA, [RS] 2.3.2"},
};

static const refusal_row refusals[] = {
    {"rendezvous a=1us L=1us B_w=0GB/s B_c=1GB/s n_c=2 s=1kB", "B_w has to be more than 0"},
    {"rendezvous s=1kB", "rendezvous lacks a [us]"},
};

EVAL_SUITE("rendezvous")
