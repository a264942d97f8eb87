/* test_spin_throughput.c -- rows of spin-throughput with where they come from */
#include "../support/model_rows.h"

static const model_row rows[] = {
    {"fpspin", "t_rtt=60us t_handler=100.2us H=16", "per_handler", 9125000.0, 0.001,
     "[RS] 4.5.4.3: 73 Mbit/s are 160 us a packet"},
    {"fpspin", "t_rtt=60us t_handler=100.2us H=16", "throughput", 145300000.0, 0.02,
     "[RS] 4.5.4.3: 1162.4 Mbit/s with 16"},
    {"fpspin", "t_rtt=60us t_handler=174us H=16", "throughput", 100150000.0, 0.02,
     "[RS] 4.5.4.3: 801.2 Mbit/s with 16"},
    {"fpspin", "t_rtt=60us t_handler=100.2us H=64", "in_flight", 16.0, 0,
     "at most 16 messages in flight"},
    {"fpspin", "t_rtt=60us t_handler=100.2us H=16", "handlers_to_fill", 110.0, 0,
     "models.md 13: 110 HPUs fill 8 Gbit/s"},
    {"fpspin", "t_rtt=60us t_handler=100.2us H=200 parallelism=packet", "throughput", 1000000000.0, 1e-12,
     "capped by the line"},
    {"fpspin", "t_rtt=60us t_handler=100.2us H=16 state=100kB memory=512kB", "in_flight", 5.0, 0,
     "five states fit the memory"},
    {"fpspin", "t_rtt=60us t_handler=100.2us H=16 parallelism=packet buffers=4", "in_flight", 4.0, 0,
     "packet buffers"},
    {"fpspin", "t_rtt=1us t_handler=0us H=16", NULL, 0, 0, "t_handler has to be more than 0"},
    {"fpspin", "t_rtt=1us t_handler=1us H=0", NULL, 0, 0, "H has to be more than 0"},
};

Suite *suite(void);

Suite *suite(void)
{
    return MODEL_SUITE("spin-throughput", rows);
}
