/* test_spin_throughput.c -- rows of spin-throughput with where they come from */
#include "../support/model_rows.h"

#define BY_HAND_3 "P=1000B t_rtt=3us t_handler=2us H=6 messages=4 line=4Gbit/s state=2kB memory=5kB"
#define BY_HAND_4 "P=1000B t_rtt=3us t_handler=2us H=6 messages=4 line=4Gbit/s buffers=1"
static const model_row rows[] = {
    {"fpspin", "", "handlers_to_fill", 110, 0, "with the fitted times as defaults: 8 Gbit/s over 73 Mbit/s a unit"},
    {"fpspin", "", "throughput", 1162.4e6 / 8, 0.01, "[RS] 4.5.4.3: 16 units, by default"},
    {"fpspin", "t_rtt=60us t_handler=100.2us H=16", "per_handler", 9125000.0, 0.001,
     "[RS] 4.5.4.3: 73 Mbit/s are 160 us a packet"},
    {"fpspin", "t_rtt=60us t_handler=100.2us H=16", "throughput", 145300000.0, 0.02,
     "[RS] 4.5.4.3: 1162.4 Mbit/s with 16"},
    {"fpspin", "t_rtt=60us t_handler=174us H=16", "throughput", 100150000.0, 0.02,
     "[RS] 4.5.4.3: 801.2 Mbit/s with 16"},
    {"fpspin", "t_rtt=60us t_handler=100.2us H=64", "in_flight", 16.0, 0, "at most 16 messages in flight"},
    {"fpspin", "t_rtt=60us t_handler=100.2us H=16", "handlers_to_fill", 110.0, 0,
     "models.md 13: 110 HPUs fill 8 Gbit/s"},
    {"fpspin", "t_rtt=60us t_handler=100.2us H=200 parallelism=packet", "throughput", 1000000000.0, 1e-12,
     "capped by the line"},
    {"fpspin", "t_rtt=60us t_handler=100.2us H=16 state=100kB memory=512kB", "in_flight", 5.0, 0,
     "five states fit the memory"},
    {"fpspin", "t_rtt=60us t_handler=100.2us H=16 parallelism=packet buffers=4", "in_flight", 4.0, 0, "packet buffers"},
    {"fpspin", "t_rtt=1us t_handler=0us H=16", NULL, 0, 0, "t_handler has to be more than 0"},
    {"fpspin", "t_rtt=1us t_handler=1us H=0", NULL, 0, 0, "H has to be more than 0"},
    /* By hand, each from its term. per_handler: 1000 B in 5 us or 1000 B in 2 us; in_flight: the messages or every
     * handler; handlers_to_fill: 0.5 GB/s over 0.2 or one fills the line; throughput: the line. */
    {NULL, "P=1000B t_rtt=3us t_handler=2us H=6 messages=4 line=4Gbit/s",
     "per_handler=200000000 in_flight=4 handlers_to_fill=3 throughput=500000000", 0, 1e-12, "by hand"},
    {NULL, "P=1000B t_rtt=3us t_handler=2us H=6 messages=4 line=4Gbit/s parallelism=packet",
     "per_handler=500000000 in_flight=6 handlers_to_fill=1", 0, 1e-12, "by hand"},
    {NULL, BY_HAND_3, "in_flight", 2, 1e-12, "two states of 2 kB fit 5 kB"},
    {NULL, BY_HAND_3, "throughput", 400000000, 1e-12, "two handlers"},
    {NULL, BY_HAND_4, "in_flight", 1, 1e-12, "one buffer"},
    {NULL, BY_HAND_4, "throughput", 200000000, 1e-12, "one handler"},
    {NULL, "P=1000B t_rtt=3us t_handler=2us H=6 messages=4 line=4Gbit/s state=2kB", "in_flight", 4, 1e-12,
     "no memory given: enough"},
    {NULL, "P=1000B t_rtt=3us t_handler=2us H=6 messages=4 line=4Gbit/s memory=5kB", "in_flight", 4, 1e-12,
     "states of no size"},
    {NULL, "P=1000B t_rtt=3us t_handler=2us H=6 messages=4 line=4Gbit/s memory=2B", "in_flight", 4, 1e-12,
     "states of no size fit any memory"},
    {NULL, "P=1000B t_rtt=3us t_handler=2us H=6 messages=4 line=4Gbit/s state=1B memory=2B", "in_flight", 2, 1e-12,
     "two states of a byte"},
    {NULL, "P=1000B t_rtt=3us t_handler=2us H=6 messages=4 line=4Gbit/s state=1B memory=1B", "in_flight", 1, 1e-12,
     "one"},
};

MODEL_ROWS("spin-throughput", rows)
