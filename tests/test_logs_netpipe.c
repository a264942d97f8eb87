/* test_logs_netpipe.c -- NetPIPE: its files, known by their columns alone, its terminal; a real run over loopback */
#include "support/log_rows.h"
#include "support/test.h"

#define PP NS_PING_PONG, NS_OFF_NODE, NS_HOST

/* 0.75 us and 9.5 us: rates to six decimals, as 3.7.2 writes them. */
#define FILE_3 "       1 10.172526   0.00000075\n    1024 822.368421   0.00000950\n   65536 4999.000000   0.00010002\n"

static const log_row rows[] = {
    {"np.out of 3.7: bytes, Mbit/s of 2^20, seconds one way", FILE_3, .samples = 3,
     .want = {{1, PP, 1, 1, 1, 0.75e-6, ""}, {2, PP, 1, 1, 1024, 9.5e-6, ""}, {3, PP, 1, 1, 65536, 100.02e-6, ""}}},
    {"... said to be round trips", FILE_3, .said = {.round_trip = "full"}, .samples = 3,
     .want = {{2, PP, 1, 1, 1024, 4.75e-6, ""}}},
    {"np.out of 5: bytes, three rates in Gbit/s, microseconds",
     "        1     0.009     0.008     0.010    0.89\n    65536    21.845    21.312    22.410   24.00\n"
     "  1048576    41.943    41.900    42.000  200.00\n  2097152    41.943    41.900    42.000  400.00\n",
     .samples = 4, .want = {{2, PP, 1, 1, 65536, 24e-6, ""}}},
    {"... of two pairs, whose rates are added up",
     "    65536    43.691    42.000    44.000   24.00\n  1048576    83.886    83.800    84.000  200.00\n"
     "  2097152    83.886    83.800    84.000  400.00\n",
     .samples = 3, .want = {{1, NS_NODE_PONG, NS_OFF_NODE, NS_HOST, 2, 1, 65536, 24e-6, ""}}},
    {"both ways at once: the file's bytes are those of both messages",
     "       2 12.207031   0.00000125\n       4 24.414062   0.00000125\n       6 36.621094   0.00000125\n"
     "       8 48.828125   0.00000125\n      12 73.242188   0.00000125\n      16 97.656250   0.00000125\n"
     "      26 158.691406   0.00000125\n   16384 5000.000000   0.00002500\n",
     .samples = 8, .want = {{7, NS_BIDIRECTIONAL, NS_OFF_NODE, NS_HOST, 1, 1, 13, 1.25e-6, ""}},
     .note = {{0, "every size is even: taken as messages of half of it both ways at once"}}},
    {"the terminal, with what mpirun puts before and among it",
     "1: node2\n0: node1\nNow starting the main loop\n  0:       1 bytes 181965 times --> Sending output to np.out\n"
     "     3.12 Mbps in       2.44 usec\n"
     "  1:       2 bytes  40917 times -->      5.53 Mbps in       2.75 usec\n"
     "[1,0]<stdout>:  2:       3 bytes  36253 times -->     16.54 Mbps in       1.50 usec\n",
     .samples = 2, .want = {{6, PP, 1, 1, 2, 2.75e-6, ""}, {7, PP, 1, 1, 3, 1.5e-6, ""}},
     .note = {{4, "1 rows break off: left out"}}},
    {"... of a stream",
     "Streaming in one direction only.\n  0:       1 bytes 178481 times -->     12.04 Mbps in       0.63 usec\n",
     .samples = 1, .want = {{2, NS_STREAMING, NS_OFF_NODE, NS_HOST, 1, 1, 1, 0.63e-6, ""}}},
    {"... of both ways, where the bytes are of one message",
     "Passing data in both directions simultaneously.\n  0:       1 bytes 158574 times -->      3.88 Mbps in       "
     "3.93 "
     "usec\n",
     .samples = 1, .want = {{2, NS_BIDIRECTIONAL, NS_OFF_NODE, NS_HOST, 1, 1, 1, 3.93e-6, ""}}},
    {"sizes that fall, and a row that may be cut in its last number",
     FILE_3 "     512 411.184211   0.00000950\n  131072 4999.000000   0.0002", .samples = 3,
     .note = {{4, "a row whose size does not rise"}, {5, "the file ends in the middle of a row"}}},
    {"columns that do not say the same twice are another program's",
     "1 10.0 0.00000075\n1024 822.0 0.00000950\n65536 9.0 0.00010002\n", .refusal = "no table of a known benchmark"},
    {"the terminal of 4 and 5 rounds its sizes", "  1:   1  B  4794 times -->   1.07 Mbps  in   7.10 usecs\n",
     .refusal = "no row of NetPIPE's terminal with bytes and usec; its file np.out has them", .refusal_line = 1},
};

/* The file and the terminal of one run say the same, but for digits. */
TEST(test_a_real_run)
{
    const char *const paths[] = {"tests/data/netpipe_tcp_loopback.out", "tests/data/netpipe_tcp_loopback.txt"};
    ns_log *log;
    ns_error err = {.code = NS_OK};
    ck_assert_msg(ns_log_read(paths, 2, NULL, &log, &err) == NS_OK, "%s", err.text);
    const size_t half = log->samples / 2;
    ck_assert_uint_eq(log->samples, 2 * half);
    ck_assert_uint_eq(half, 22);
    for (size_t i = 0; i < half; i++) {
        const ns_sample *a = &log->sample[i], *b = &log->sample[half + i];
        ck_assert_double_eq(a->bytes, b->bytes);
        ck_assert_double_eq_tol(a->seconds, b->seconds, 0.006e-6);
        ck_assert_int_eq(a->kind, NS_PING_PONG);
    }
    ck_assert_double_eq_tol(log->sample[0].seconds, 7.1e-6, 1e-12);
    ns_log_free(log);
}

LOG_ROWS("netpipe", rows)
