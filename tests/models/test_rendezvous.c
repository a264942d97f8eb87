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
    /* By hand, each from its term. startup: a; wait: what the receiver is late; handshake: 2 L or equal times:
     * eager, without a handshake; wire: s/B_w; copies: 2 s/B_c; eager: max(a + s/B_w, t) + 2 s/B_c or by hand;
     * rendezvous: max(a, t) + 2 L + s/B_w or by hand; sender_free: copied once, or L after the end; time: the sum. */
    {NULL, "a=1us L=1.5us B_w=10GB/s B_c=5GB/s n_c=2 s=20kB protocol=eager",
     "startup=1e-06 wait=0 handshake=0 wire=2e-06 copies=8e-06 eager=1.1e-05 rendezvous=6e-06 "
     "sender_free=4.9999999999999996e-06 time=1.1e-05",
     0, 1e-12, "by hand"},
    {NULL, "a=1us L=1.5us B_w=10GB/s B_c=5GB/s n_c=2 s=20kB protocol=eager late=9us",
     "startup=1e-06 wait=6e-06 handshake=0 wire=2e-06 copies=8e-06 eager=1.7e-05 rendezvous=1.4e-05 "
     "sender_free=4.9999999999999996e-06 time=1.7e-05",
     0, 1e-12, "by hand"},
    {NULL, "a=1us L=1.5us B_w=10GB/s B_c=5GB/s n_c=2 s=20kB protocol=rendezvous late=9us",
     "startup=1e-06 wait=8e-06 handshake=3e-06 wire=2e-06 copies=0 eager=1.7e-05 rendezvous=1.4e-05 "
     "sender_free=1.55e-05 time=1.4e-05",
     0, 1e-12, "by hand"},
    {NULL, "a=1us L=1.5us B_w=10GB/s B_c=5GB/s n_c=2 s=20kB protocol=eager late=2us",
     "startup=1e-06 wait=0 handshake=0 wire=2e-06 copies=8e-06 eager=1.1e-05 rendezvous=6.999999999999999e-06 "
     "sender_free=4.9999999999999996e-06 time=1.1e-05",
     0, 1e-12, "by hand"},
    {NULL, "a=1us L=1.5us B_w=10GB/s B_c=5GB/s n_c=2 s=20kB protocol=best",
     "startup=1e-06 wait=0 handshake=3e-06 wire=2e-06 copies=0 eager=1.1e-05 rendezvous=6e-06 sender_free=7.5e-06 "
     "time=6e-06",
     0, 1e-12, "by hand"},
    {NULL, "a=1us L=1.5us B_w=10GB/s B_c=5GB/s n_c=2 s=20kB protocol=best late=30us",
     "startup=1e-06 wait=2.8999999999999997e-05 handshake=3e-06 wire=2e-06 copies=0 eager=3.7999999999999995e-05 "
     "rendezvous=3.5e-05 sender_free=3.65e-05 time=3.5e-05",
     0, 1e-12, "by hand"},
    {NULL, "a=1us L=1us B_w=10GB/s B_c=8GB/s n_c=1 s=16kB", "handshake=0 eager=4.6e-06 rendezvous=4.6e-06", 0, 1e-12,
     "by hand"},
    {NULL, "a=1us L=1us B_w=10GB/s B_c=8GB/s n_c=1 s=8kB", "crossover", 16000, 1e-12, "2 L B_c"},
};

MODEL_ROWS("rendezvous", rows)
