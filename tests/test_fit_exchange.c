/* test_fit_exchange.c -- constants of whole exchanges are found again in logs that were written with them */

#include "machine/form.h"
#include "num/plane_fit.h"
#include "support/cli.h"
#include "support/events.h"
#include "support/fits.h"
#include "support/forms.h"
#include "support/test.h"

/* Off node: ping-pong 2 us + 0.5 ns/B; in flight 1.5 us a message between two nodes; on lines 1.8 us and 16 processes
 * share 1/R = 0.4 ns/B, the queue 3 ns n^2.  On node: ping-pong 1 us + 1 ns/B, in flight 0.6 us + 0.8 ns/B.  One
 * protocol. */
enum { PPN = 16, NOISE = 1000 };

typedef struct law {
    double a, b, gamma, rest; /* T = a n + b n s + gamma n^2; rest: of large messages, start-ups are this much dearer */
    int pairs;
} law;

static void write_ranks(FILE *file, int first, int count)
{
    for (int i = 0; i < count; i++)
        fprintf(file, "%s%d", i > 0 ? ", " : " ", first + i);
    fputc('\n', file);
}

/* nodecomm's tables of many messages; four repeats that scatter by a thousandth. */
static void write_queue(const char *path, law w, uint64_t seed)
{
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fprintf(file, "Pingpong for\nmaster: ");
    write_ranks(file, 0, w.pairs);
    fprintf(file, "partner: ");
    write_ranks(file, w.pairs, w.pairs);
    for (int size = 64; size <= 16384; size *= 2)
        for (int n = 1; n <= 64 && size / n >= 1; n *= 2) {
            const double s = 4.0 * size / n, a = s >= 4096 ? w.a * w.rest : w.a;
            fprintf(file, "\nNum Msgs %d\nSizeMsgs %d\n", n, size);
            for (int k = 0; k < 4; k++)
                fprintf(file, "%.9e\t",
                        2 * (a * n + w.b * n * s + w.gamma * n * n) * (1 + (event_uniform(&seed) - 0.5) / NOISE));
            fputc('\n', file);
        }
    fclose(file);
}

static void write_pong(const char *path, double alpha, double beta)
{
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fprintf(file, "Pingpong for\nmaster: 0\npartner: 16\n");
    for (int size = 1; size <= 16384; size *= 2)
        fprintf(file, "%d\t%.9e\t\n", size, 2 * (alpha + beta * 4 * size));
    fclose(file);
}

static ns_machine *fit(double rest)
{
    char pong[300], node_pong[300], two[300], line[300], node[300];
    snprintf(pong, sizeof pong, "%s", cli_file("x_pong", ""));
    snprintf(node_pong, sizeof node_pong, "%s", cli_file("x_node_pong", ""));
    snprintf(two, sizeof two, "%s", cli_file("x_two_nodes", ""));
    snprintf(line, sizeof line, "%s", cli_file("x_line", ""));
    snprintf(node, sizeof node, "%s", cli_file("x_node", ""));
    write_pong(pong, 2e-6, 0.5e-9);
    write_pong(node_pong, 1e-6, 1e-9);
    write_queue(two, (law){1.5e-6, 0.2e-9, 0, rest, PPN}, 1);
    write_queue(line, (law){1.8e-6, 0.4e-9 * PPN, 3e-9, 1, 4 * PPN}, 2);
    write_queue(node, (law){0.6e-6, 0.8e-9, 0, 1, PPN / 2}, 3);
    return fits_machine(NULL, 0,
                        "%s %s %s %s %s --per-node 16 --switch %s --locality off-node --locality x_node=on-node "
                        "--locality x_node_pong=on-node --kind x_node=in-order --gpus 0 --processes 16",
                        pong, node_pong, two, line, node, rest > 1 ? "4096" : "0");
}

TEST(recovered)
{
    ns_machine *m = fit(1);
    const ns_parameter *alpha = ns_machine_parameter(m, "host.exchange.off-node.alpha"),
                       *rate = ns_machine_parameter(m, "host.exchange.inverse_R");
    ns_line(*lines_of)[NS_PROTOCOLS] = m->in_flight[NS_HOST];
    ck_assert(alpha != NULL && rate != NULL);
    ck_assert_double_eq_tol(alpha->value / 1.5e-6, 1, 0.002);
    ck_assert_double_eq_tol(rate->value / 0.4e-9, 1, 0.002);
    ck_assert(rate->se > 0 && rate->se < 0.01 * rate->value);
    int lines = 0;
    for (int p = 0; p < NS_PROTOCOLS; p++)
        if (lines_of[NS_ON_NODE][p].given) {
            lines++;
            ck_assert_double_eq_tol(lines_of[NS_ON_NODE][p].alpha / 0.6e-6, 1, 0.002);
            ck_assert_double_eq_tol(lines_of[NS_ON_NODE][p].beta / 0.8e-9, 1, 0.002);
        }
    ck_assert_int_eq(lines, 1);
    ck_assert(!lines_of[NS_ON_SOCKET][NS_SHORT].given); /* was not measured */
    ck_assert_ptr_null(ns_machine_parameter(m, "host.exchange.model_error.time"));
    ck_assert_ptr_eq(ns_form_of(m, NULL), &ns_form_full);
    ns_machine_free(m);
}

/* Later protocols whose messages in flight cost three times the start-up: there is no common one, each keeps its
 * own. */
TEST(no_common_start_up)
{
    ns_machine *m = fit(3);
    const ns_parameter *rate = ns_machine_parameter(m, "host.exchange.inverse_R");
    ck_assert_ptr_null(ns_machine_parameter(m, "host.exchange.off-node.alpha"));
    ck_assert(rate != NULL);
    ck_assert_double_eq_tol(rate->value / 0.4e-9, 1, 0.002);
    ns_machine_free(m);
}

/* Without messages in flight there is nothing to say of whole exchanges. */
TEST(nothing_in_flight)
{
    char pong[300];
    snprintf(pong, sizeof pong, "%s", cli_file("alone_pong", ""));
    write_pong(pong, 2e-6, 0.5e-9);
    ns_machine *m = fits_machine(NULL, 0, "%s --switch 0", pong);
    ck_assert_ptr_null(ns_machine_parameter(m, "host.exchange.off-node.alpha"));
    ck_assert_ptr_null(ns_machine_parameter(m, "host.exchange.inverse_R"));
    ck_assert_double_eq(m->line[NS_HOST][NS_OFF_NODE][NS_EAGER].given ? m->line[NS_HOST][NS_OFF_NODE][NS_EAGER].to
                                                                      : m->line[NS_HOST][NS_OFF_NODE][NS_SHORT].to,
                        65536);
}

TEST(records_refused)
{
    char pong[300], line[1200], rows[300];
    snprintf(pong, sizeof pong, "%s", cli_file("refused_pong", ""));
    snprintf(rows, sizeof rows, "%s", cli_file("refused_rows.csv", "strategy,measured_s\nstandard,1e-6\n"));
    write_pong(pong, 2e-6, 0.5e-9);
    snprintf(line, sizeof line, "fit %s --switch 0 --records %s -o %s", pong, rows, cli_file("refused.json", ""));
    cli_result r = cli(line);
    ck_assert_int_eq(r.code, 1);
    ck_assert_ptr_nonnull(strstr(r.err, "no row passes --where and can be priced"));
}

/* y = 2 x0 + 3 x1, exactly; dependent columns and too few points are said. */
TEST(planes)
{
    const double x[] = {1, 2, 3, 4, 1, 0, 2, 5}, y[] = {5, 4, 12, 23}, dependent[] = {1, 2, 3, 4, 2, 4, 6, 8};
    double rate[2], se[2];
    ns_error err = {0};
    ck_assert(ns_plane_fit(x, y, 4, 2, rate, se, &err) == NS_OK);
    ck_assert_double_eq_tol(rate[0], 2, 1e-12);
    ck_assert_double_eq_tol(rate[1], 3, 1e-12);
    ck_assert(se[0] >= 0 && se[0] < 1e-9);
    ck_assert(ns_plane_fit(dependent, y, 4, 2, rate, se, &err) == NS_ERR_DATA);
    ck_assert_ptr_nonnull(strstr(err.text, "dependent columns"));
    err = (ns_error){0};
    ck_assert(ns_plane_fit(x, y, 2, 2, rate, se, &err) == NS_ERR_DATA);
}
