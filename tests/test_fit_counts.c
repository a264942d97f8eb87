/* test_fit_counts.c -- what fit counts on top of lines, from made logs: queue search, contention, copies, LogGP */
#include <stdarg.h>

#include "support/cli.h"
#include "support/test.h"
#include "support/values.h"

static char text[65536];
static size_t used;

static void begin(const char *header)
{
    used = (size_t)snprintf(text, sizeof text, "%s\n", header);
}

static void put(const char *format, ...) __attribute__((__format__(__printf__, 1, 2)));

static ns_value *fit_of(const char *name)
{
    char line[400];
    snprintf(line, sizeof line, "fit %s --locality off-node --memory host", cli_file(name, text));
    return cli_json(line);
}

static void put(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    used += (size_t)vsnprintf(text + used, sizeof text - used, format, list);
    va_end(list);
    ck_assert_uint_lt(used, sizeof text);
}

/* 2.385 us + 0.317 ns/B a message. */
static double alone(double bytes)
{
    return 2.385e-6 + 0.317e-9 * bytes;
}

static void put_ping_pong(void)
{
    begin("bytes,seconds,kind,pairs,messages");
    for (int i = 0; i < 18; i++)
        put("%d,%.9e,ping-pong,1,1\n", 1 << i, alone(1 << i));
}

/* Receives in the worst order cost 7.1 ns n^2, in the best 0.03 ns n^2. */
TEST(test_queue)
{
    put_ping_pong();
    for (int n = 1; n <= 4096; n *= 4) {
        put("64,%.9e,queue-reversed,1,%d\n", n * alone(64) + 7.1e-9 * n * n, n);
        put("64,%.9e,queue-in-order,1,%d\n", n * alone(64) + 0.03e-9 * n * n, n);
    }
    ns_value *root = fit_of("queue.csv");
    NEAR(number_at(root, "queue_gamma.value"), 7.1e-9, 1e-3);
    NEAR(number_at(root, "queue_gamma_in_order.value"), 0.03e-9, 1e-2);
    ck_assert_ptr_nonnull(ns_value_at(root, "machine.host.queue.gamma"));
    ns_value_free(root);
}

/* Contention is what is left after the queue: 0.21 ns for each byte of all pairs. */
TEST(test_contention)
{
    put_ping_pong();
    for (int n = 1; n <= 16; n *= 2)
        for (int bytes = 1024; bytes <= 65536; bytes *= 4)
            put("%d,%.9e,contention,8,%d\n", bytes, n * alone(bytes) + 7.1e-9 * n * n + 0.21e-9 * 8 * n * bytes, n);
    for (int n = 16; n <= 1024; n *= 4)
        put("64,%.9e,queue-reversed,1,%d\n", n * alone(64) + 7.1e-9 * n * n, n);
    ns_value *root = fit_of("contention.csv");
    NEAR(number_at(root, "contention_delta.value"), 0.21e-9, 1e-3);
    ck_assert_ptr_nonnull(ns_value_at(root, "machine.network.contention.delta"));
    ns_value_free(root);
}

/* Without ping-pong there is nothing to subtract; messages that take no longer than alone have no gamma. */
TEST(test_no_gamma)
{
    begin("bytes,seconds,kind,pairs,messages");
    for (int n = 1; n <= 64; n *= 2)
        put("64,%.9e,queue-reversed,1,%d\n", n * alone(64), n);
    ns_value *root = fit_of("no-base.csv");
    ck_assert_ptr_null(ns_value_get(root, "queue_gamma"));
    ck_assert(warns(root, "gamma wants ping-pong data"));
    ns_value_free(root);
    put_ping_pong();
    for (int n = 2; n <= 64; n *= 2)
        put("64,%.9e,queue-reversed,1,%d\n", 0.5 * n * alone(64), n);
    root = fit_of("negative.csv");
    ck_assert_ptr_null(ns_value_get(root, "queue_gamma"));
    ck_assert(warns(root, "gamma would be negative"));
    ns_value_free(root);
}

/* Four processes wait for their turn up to 8 KiB: the line is of what is longer, and the wait is kept beside it. */
TEST(test_copies)
{
    begin("bytes,seconds,kind,memory,pairs,direction");
    for (int i = 2; i < 20; i++)
        for (int d = 0; d < 2; d++) {
            const char *direction = d == 0 ? "d2h" : "h2d";
            put("%d,%.9e,copy,device,1,%s\n", 1 << i, 12.7e-6 + 0.0196e-9 * (1 << i), direction);
            put("%d,%.9e,copy,device,4,%s\n", 1 << i, i < 14 ? 300e-6 : 14e-6 + 0.05e-9 * (1 << i), direction);
        }
    ns_value *root = fit_of("copies.csv");
    int rows = 0;
    for (const ns_value *c = ns_value_get(root, "copies")->first; c != NULL; c = c->next, rows++) {
        const bool four = number_at(c, "processes") == 4;
        NEAR(number_at(c, "alpha_s"), four ? 14e-6 : 12.7e-6, 1e-3);
        NEAR(number_at(c, "beta_s_per_B"), four ? 0.05e-9 : 0.0196e-9, 1e-3);
        ck_assert(number_at(c, "from_B") == (four ? 16384 : 4));
    }
    ck_assert_int_eq(rows, 4);
    ck_assert(warns(root, "copies by 4 to 4 processes: those below 16384 B take up to 20 times as long"));
    ck_assert_ptr_nonnull(ns_value_at(root, "machine.copy.4.h2d.beta"));
    ck_assert_str_eq(ns_value_at(root, "machine.copy.4.h2d.wait")->text, "300 us");
    ck_assert_str_eq(ns_value_at(root, "machine.copy.4.d2h.wait_below")->text, "16384 B");
    ck_assert_ptr_null(ns_value_at(root, "machine.copy.1.d2h.wait"));
    ns_value_free(root);
}

/* netgauge's columns: L of all, o of the smallest, g of the first protocol, G of the last; nan and negative values are
 * none. */
TEST(test_loggp)
{
    begin("# size n PRTT(1,0,s) PRTT(n,0,s) PRTT(n,PRTT(1,0,s),s) L o_s o_r g G lsqu(g,G)");
    put("1 10 2.2 4 23 1.122 0.14 0.16 -nan -nan -nan\n");
    for (int i = 1; i <= 30; i++) {
        const int size = 1024 * i + 1;
        const bool large = i > 12;
        const double trip = large ? 12 + 0.00008 * size : 2.2 + 0.0008 * size;
        put("%d 10 %.6f 40 230 1.122 %.6f %.6f %.6f %.6f 0.1\n", size, trip, 0.2 * i, 0.2 * i, large ? -3.0 : 0.31,
            large ? 0.00004 : 0.0004);
    }
    ns_value *root = fit_of("netgauge.out");
    ck_assert(!ns_value_at(root, "loggp.derived")->truth);
    NEAR(number_at(root, "loggp.L.value"), 1.122e-6, 1e-9);
    ck_assert_int_eq(ns_value_at(root, "loggp.L.se")->kind, NS_NULL); /* measured once: no error is known, not none */
    NEAR(number_at(root, "loggp.o.value"), 0.15e-6, 1e-9);
    NEAR(number_at(root, "loggp.g.value"), 0.31e-6, 1e-9);
    NEAR(number_at(root, "loggp.G.value"), 0.04e-9, 1e-9);
    ck_assert_ptr_nonnull(ns_value_at(root, "machine.models.loggp.L"));
    ns_value_free(root);
}
