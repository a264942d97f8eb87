/* test_rendezvous.c -- rows of rendezvous with where they come from */
#include "../support/model_rows.h"

static const model_row rows[] = {
    {NULL, "a=1us L=1.5us B_w=10GB/s B_c=5GB/s n_c=2 s=10kB protocol=eager", "time", 6e-06, 1e-12,
     "a + s/B_w + 2 s/B_c by hand"},
    {NULL, "a=1us L=1.5us B_w=10GB/s B_c=5GB/s n_c=2 s=10kB protocol=rendezvous", "time", 4.9999999999999996e-06, 1e-12,
     "a + 2 L + s/B_w by hand"},
    {NULL, "a=1us L=1.5us B_w=10GB/s B_c=5GB/s n_c=2 s=10kB", "time", 5e-06, 1e-12, "the faster of the two"},
    {NULL, "a=1us L=1.5us B_w=10GB/s B_c=5GB/s n_c=2 s=10kB", "crossover", 7500.0, 1e-12, "2 L B_c / n_c"},
    {NULL, "a=1us L=1.5us B_w=10GB/s B_c=5GB/s n_c=2 s=7.5kB protocol=eager", "time", 4.75e-06, 1e-12,
     "at the crossover both are equal"},
    {NULL, "a=1us L=1.5us B_w=10GB/s B_c=5GB/s n_c=2 s=7.5kB protocol=rendezvous", "time", 4.75e-06, 1e-12,
     "at the crossover both are equal"},
    {NULL, "a=1us L=1.5us B_w=10GB/s B_c=5GB/s n_c=0 s=1MB", "crossover", 0.0, 0, "no copies: eager always wins"},
    {NULL, "a=1us L=1.5us B_w=10GB/s B_c=5GB/s n_c=2 s=10kB protocol=rendezvous late=20us", "time",
     2.4000000000000004e-05, 1e-12, "rendezvous waits for a late receiver"},
    {NULL, "a=1us L=1.5us B_w=10GB/s B_c=5GB/s n_c=2 s=10kB protocol=eager late=20us", "time", 2.4e-05, 1e-12,
     "eager pays its copies only"},
    {NULL, "a=1us L=1.5us B_w=10GB/s B_c=5GB/s n_c=2 s=10kB protocol=rendezvous", "sender_free", 6.5e-06, 1e-12,
     "FIN: one latency later"},
    {NULL, "a=1us L=1.5us B_w=10GB/s B_c=5GB/s n_c=2 s=10kB protocol=rendezvous completion=notified", "sender_free",
     5e-06, 1e-12, "no FIN with notified RMA, [RS] 2.3.2"},
    {NULL, "a=1us L=1us B_w=0GB/s B_c=1GB/s n_c=2 s=1kB", NULL, 0, 0, "B_w has to be more than 0"},
    {NULL, "s=1kB", NULL, 0, 0, "rendezvous lacks a [us]"},
};

Suite *suite(void);

Suite *suite(void)
{
    return MODEL_SUITE("rendezvous", rows);
}
