/* test_rendezvous.c -- rows of rendezvous with where they come from */
#include "../support/model_rows.h"

#define BY_HAND_1 "a=1us L=1.5us B_w=10GB/s B_c=5GB/s n_c=2 s=20kB protocol=eager"
#define BY_HAND_2 "a=1us L=1.5us B_w=10GB/s B_c=5GB/s n_c=2 s=20kB protocol=eager late=9us"
#define BY_HAND_3 "a=1us L=1.5us B_w=10GB/s B_c=5GB/s n_c=2 s=20kB protocol=rendezvous late=9us"
#define BY_HAND_4 "a=1us L=1.5us B_w=10GB/s B_c=5GB/s n_c=2 s=20kB protocol=eager late=2us"
#define BY_HAND_5 "a=1us L=1.5us B_w=10GB/s B_c=5GB/s n_c=2 s=20kB protocol=best"
#define BY_HAND_6 "a=1us L=1.5us B_w=10GB/s B_c=5GB/s n_c=2 s=20kB protocol=best late=30us"
#define BY_HAND_7 "a=1us L=1us B_w=10GB/s B_c=8GB/s n_c=1 s=16kB"
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
    /* inputs of no special value, by hand from the formulas at the head of the model */
    {NULL, BY_HAND_1, "startup", 1e-06, 1e-12, "a"},
    {NULL, BY_HAND_1, "wait", 0, 0, "what the receiver is late"},
    {NULL, BY_HAND_1, "handshake", 0, 0, "2 L"},
    {NULL, BY_HAND_1, "wire", 2e-06, 1e-12, "s/B_w"},
    {NULL, BY_HAND_1, "copies", 8e-06, 1e-12, "2 s/B_c"},
    {NULL, BY_HAND_1, "eager", 1.1e-05, 1e-12, "max(a + s/B_w, t) + 2 s/B_c"},
    {NULL, BY_HAND_1, "rendezvous", 6e-06, 1e-12, "max(a, t) + 2 L + s/B_w"},
    {NULL, BY_HAND_1, "sender_free", 4.9999999999999996e-06, 1e-12, "copied once, or L after the end"},
    {NULL, BY_HAND_1, "time", 1.1e-05, 1e-12, "the sum"},
    {NULL, BY_HAND_2, "startup", 1e-06, 1e-12, "a"},
    {NULL, BY_HAND_2, "wait", 6e-06, 1e-12, "what the receiver is late"},
    {NULL, BY_HAND_2, "handshake", 0, 0, "2 L"},
    {NULL, BY_HAND_2, "wire", 2e-06, 1e-12, "s/B_w"},
    {NULL, BY_HAND_2, "copies", 8e-06, 1e-12, "2 s/B_c"},
    {NULL, BY_HAND_2, "eager", 1.7e-05, 1e-12, "max(a + s/B_w, t) + 2 s/B_c"},
    {NULL, BY_HAND_2, "rendezvous", 1.4e-05, 1e-12, "max(a, t) + 2 L + s/B_w"},
    {NULL, BY_HAND_2, "sender_free", 4.9999999999999996e-06, 1e-12, "copied once, or L after the end"},
    {NULL, BY_HAND_2, "time", 1.7e-05, 1e-12, "the sum"},
    {NULL, BY_HAND_3, "startup", 1e-06, 1e-12, "a"},
    {NULL, BY_HAND_3, "wait", 8e-06, 1e-12, "what the receiver is late"},
    {NULL, BY_HAND_3, "handshake", 3e-06, 1e-12, "2 L"},
    {NULL, BY_HAND_3, "wire", 2e-06, 1e-12, "s/B_w"},
    {NULL, BY_HAND_3, "copies", 0, 0, "2 s/B_c"},
    {NULL, BY_HAND_3, "eager", 1.7e-05, 1e-12, "max(a + s/B_w, t) + 2 s/B_c"},
    {NULL, BY_HAND_3, "rendezvous", 1.4e-05, 1e-12, "max(a, t) + 2 L + s/B_w"},
    {NULL, BY_HAND_3, "sender_free", 1.55e-05, 1e-12, "copied once, or L after the end"},
    {NULL, BY_HAND_3, "time", 1.4e-05, 1e-12, "the sum"},
    {NULL, BY_HAND_4, "startup", 1e-06, 1e-12, "a"},
    {NULL, BY_HAND_4, "wait", 0, 0, "what the receiver is late"},
    {NULL, BY_HAND_4, "handshake", 0, 0, "2 L"},
    {NULL, BY_HAND_4, "wire", 2e-06, 1e-12, "s/B_w"},
    {NULL, BY_HAND_4, "copies", 8e-06, 1e-12, "2 s/B_c"},
    {NULL, BY_HAND_4, "eager", 1.1e-05, 1e-12, "max(a + s/B_w, t) + 2 s/B_c"},
    {NULL, BY_HAND_4, "rendezvous", 6.999999999999999e-06, 1e-12, "max(a, t) + 2 L + s/B_w"},
    {NULL, BY_HAND_4, "sender_free", 4.9999999999999996e-06, 1e-12, "copied once, or L after the end"},
    {NULL, BY_HAND_4, "time", 1.1e-05, 1e-12, "the sum"},
    {NULL, BY_HAND_5, "startup", 1e-06, 1e-12, "a"},
    {NULL, BY_HAND_5, "wait", 0, 0, "what the receiver is late"},
    {NULL, BY_HAND_5, "handshake", 3e-06, 1e-12, "2 L"},
    {NULL, BY_HAND_5, "wire", 2e-06, 1e-12, "s/B_w"},
    {NULL, BY_HAND_5, "copies", 0, 0, "2 s/B_c"},
    {NULL, BY_HAND_5, "eager", 1.1e-05, 1e-12, "max(a + s/B_w, t) + 2 s/B_c"},
    {NULL, BY_HAND_5, "rendezvous", 6e-06, 1e-12, "max(a, t) + 2 L + s/B_w"},
    {NULL, BY_HAND_5, "sender_free", 7.5e-06, 1e-12, "copied once, or L after the end"},
    {NULL, BY_HAND_5, "time", 6e-06, 1e-12, "the sum"},
    {NULL, BY_HAND_6, "startup", 1e-06, 1e-12, "a"},
    {NULL, BY_HAND_6, "wait", 2.8999999999999997e-05, 1e-12, "what the receiver is late"},
    {NULL, BY_HAND_6, "handshake", 3e-06, 1e-12, "2 L"},
    {NULL, BY_HAND_6, "wire", 2e-06, 1e-12, "s/B_w"},
    {NULL, BY_HAND_6, "copies", 0, 0, "2 s/B_c"},
    {NULL, BY_HAND_6, "eager", 3.7999999999999995e-05, 1e-12, "max(a + s/B_w, t) + 2 s/B_c"},
    {NULL, BY_HAND_6, "rendezvous", 3.5e-05, 1e-12, "max(a, t) + 2 L + s/B_w"},
    {NULL, BY_HAND_6, "sender_free", 3.65e-05, 1e-12, "copied once, or L after the end"},
    {NULL, BY_HAND_6, "time", 3.5e-05, 1e-12, "the sum"},
    {NULL, BY_HAND_7, "handshake", 0, 0, "equal times: eager, without a handshake"},
    {NULL, BY_HAND_7, "eager", 4.6e-06, 1e-12, "by hand"},
    {NULL, BY_HAND_7, "rendezvous", 4.6e-06, 1e-12, "by hand"},
    /* inputs of no special value, by hand from the formulas at the head of the model */
    {NULL, "a=1us L=1us B_w=10GB/s B_c=8GB/s n_c=1 s=8kB", "crossover", 16000, 1e-12, "2 L B_c"},
};

Suite *suite(void);

Suite *suite(void)
{
    return MODEL_SUITE("rendezvous", rows);
}
