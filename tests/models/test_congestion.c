/* test_congestion.c -- by hand, and against a fluid played in small steps */
#include "../support/model_rows.h"

#include "api/library.h"

/* 5 senders of 10 GB/s into 10 GB/s: 40 GB/s too much, 400 kB of memory are full after 10 us; each sends 1 MB */
#define FLOWS "n=5 hot=1MB rate=10GB/s link=10GB/s "
#define HOT   FLOWS "buffer=400kB react=20us "
static const model_row rows[] = {
    {NULL, HOT "s=2MB", "t_fill", 10e-6, NEAR, "400 kB at 40 GB/s"},
    {NULL, HOT "s=2MB", "hot_time", 500e-6, NEAR, "5 MB at 10 GB/s"},
    {NULL, HOT "s=2MB", "hot_slowdown", 5, NEAR, "alone 100 us"},
    {NULL, HOT "s=2MB", "pushed_back", 490e-6, NEAR, "from the full queue to the end"},
    {NULL, HOT "s=2MB", "before", 10e-6, NEAR, "100 kB pass freely"},
    {NULL, HOT "s=2MB", "blocked", 490e-6, NEAR, "980 kB at a fifth of the link"},
    {NULL, HOT "s=2MB", "after", 92e-6, NEAR, "the other 920 kB"},
    {NULL, HOT "s=2MB", "time", 592e-6, NEAR, "together"},
    {NULL, HOT "s=2MB", "slowdown", 2.96, NEAR, "alone 200 us"},
    {NULL, HOT "s=2MB", "buffer_wanted", 4e6, NEAR, "40 GB/s for 100 us"},
    {NULL, HOT "s=2MB management=throttle", "time", 10e-6 + 20e-6 + 186e-6, NEAR, "40 kB in the 20 us, then free"},
    {NULL, HOT "s=2MB management=throttle", "hot_time", 500e-6, NEAR, "throttled senders still fill the link"},
    {NULL, HOT "s=2MB management=throttle keep=0.5", "hot_time", 30e-6 + 940e-6, NEAR, "half of it from 30 us on"},
    {NULL, FLOWS "buffer=400kB s=2MB management=throttle react=1s", "time", 592e-6, NEAR, "too late to help"},
    {NULL, FLOWS "react=20us s=2MB buffer=5MB", "time", 200e-6, NEAR, "enough memory: nobody is pushed back"},
    {NULL, FLOWS "react=20us s=2MB buffer=5MB", "t_fill", 0, 0, "never full"},
    {NULL, "n=1 hot=1MB rate=10GB/s link=20GB/s buffer=0kB react=0us s=1MB", "slowdown", 1, 0, "no excess"},
    {NULL, HOT "s=50kB", "time", 5e-6, NEAR, "gone before the queue is full"},
    {"bxi", "n=8 hot=1MiB s=1MiB", "hot_time", 8 * 1048576 / 12.5e9, NEAR, "[RS] 2.5: 100 Gb/s"},
    {NULL, HOT "s=2MB keep=0", NULL, 0, 0, "keep has to be more than 0"},
    {NULL, "n=1.5 hot=1MB rate=10GB/s link=20GB/s buffer=0kB react=0us s=1MB", NULL, 0, 0, "whole number of senders"},
};

/* Step by step: senders and message share a queue that passes what the hot link and the free ways take. */
static double played(double n, double hot, double rate, double link, double buffer, double s)
{
    const double dt = hot / rate / 20000;
    double queued = 0, sent = 0, left = s, t = 0;
    for (; left > 0 && t < 1; t += dt) {
        const bool full = queued >= buffer, sending = sent < n * hot;
        const double offered = sending ? n * rate : 0, in = full ? fmin(offered, link) : offered;
        queued = fmax(0, queued + (in - link) * dt);
        sent += in * dt;
        left -= (full && sending && offered > link ? fmin(rate, link / n) : rate) * dt;
    }
    return t;
}

TEST(agrees_with_a_played_fluid)
{
    for (double n = 2; n < 40; n *= 3)
        for (double buffer = 1e4; buffer < 2e6; buffer *= 6)
            for (double s = 1e5; s < 2e7; s *= 5) {
                ns_binding binding;
                ns_model_buffer out;
                ns_bind_open(&binding, ns_model_find("congestion"), NULL);
                const struct {
                    const char *name;
                    double value;
                } given[] = {{"n", n},           {"hot", 1e6},    {"rate", 1e10}, {"link", 1.2e10},
                             {"buffer", buffer}, {"react", 1e-5}, {"s", s}};
                for (size_t i = 0; i < sizeof given / sizeof *given; i++)
                    ck_assert_int_eq(ns_bind_number(&binding, given[i].name, given[i].value, NULL), NS_OK);
                ck_assert_int_eq(ns_bind_close(&binding, NULL), NS_OK);
                ck_assert_int_eq(ns_model_eval(&binding, &out, NULL), NS_OK);
                const double fast = ns_field_number(ns_field_find(binding.model->outputs, "time"), out.bytes);
                const double slow = played(n, 1e6, 1e10, 1.2e10, buffer, s);
                const double last = buffer / 1e10; /* played senders end when the queue has taken their last byte */
                ck_assert_msg(fabs(fast - slow) < 0.01 * slow + last, "n %g, buffer %g, s %g: %g, played %g", n, buffer,
                              s, fast, slow);
            }
}

MODEL_ROWS("congestion", rows)
