/* quote.c -- what a quote takes beside building and pricing schedules, per route and strategy (for make bench)
 *
 * Processor time of all threads; both in one run, so that their ratio means something on a busy machine.  The time that
 * goes by is the shortest of all calls: large exchanges are quoted by several threads.
 */

#include "api/library.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double read_clock(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double now(void)
{
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

static void must(ns_status status, const ns_error *err)
{
    char text[1024];
    if (status == NS_OK)
        return;
    fprintf(stderr, "quote: %s\n", ns_error_format(err, text, sizeof text));
    exit(EXIT_FAILURE);
}

/* Messages between any parts, of 1 B to 100 kB. */
static ns_exchange *any_messages(int32_t parts, size_t messages)
{
    ns_error err = {0};
    ns_exchange *exchange;
    ns_planned *message = malloc(messages * sizeof *message);
    uint64_t state = UINT64_C(88172645463325252);
    if (message == NULL)
        exit(EXIT_FAILURE);
    for (size_t i = 0; i < messages; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        const int32_t from = (int32_t)((state >> 33) % (uint64_t)parts),
                      away = 1 + (int32_t)((state & 0xffffffff) % (uint64_t)(parts - 1));
        message[i] = (ns_planned){from, (from + away) % parts, 1 + (int64_t)((state >> 20) % 100000)};
    }
    must(ns_exchange_from_messages(message, messages, (ns_layout){parts, 4}, NULL, &exchange, &err), &err);
    free(message);
    return exchange;
}

static ns_exchange *of_matrix(const char *name, int32_t parts)
{
    ns_error err = {0};
    const ns_layout layout = {parts, 4};
    ns_matrix *matrix;
    ns_exchange *exchange;
    must(ns_matrix_open(name, &matrix, &err), &err);
    must(ns_exchange_from_matrix(matrix, &layout, 1, NULL, &exchange, NULL, &err), &err);
    ns_matrix_free(matrix);
    return exchange;
}

static void build_and_price(const ns_exchange *exchange, const ns_machine *machine, const ns_choice *quoted)
{
    ns_error err = {0};
    ns_schedule *schedule;
    ns_price price;
    must(ns_schedule_build(quoted->strategy, quoted->transport, exchange, machine, &schedule, &err), &err);
    must(ns_schedule_price_as(schedule, machine, NULL, &price, &err), &err);
    ns_schedule_free(schedule);
}

static void row(const char *what, ns_exchange *exchange, const ns_machine *machine)
{
    ns_error err = {0};
    ns_workspace *workspace;
    int quotes = 0;
    long calls = 0;
    must(ns_workspace_open(&workspace, &err), &err);
    must(ns_quote(exchange, machine, NULL, workspace, &quotes, &err), &err);
    double begin = now(), took, shortest = 1e9;
    do {
        const double start = read_clock(CLOCK_MONOTONIC);
        must(ns_quote(exchange, machine, NULL, workspace, &quotes, &err), &err);
        const double passed = read_clock(CLOCK_MONOTONIC) - start;
        shortest = passed < shortest ? passed : shortest;
        calls++;
    } while ((took = now() - begin) < 0.5);
    const double quote = took / (double)calls;
    begin = now();
    for (int i = 0; i < quotes; i++)
        build_and_price(exchange, machine, ns_quote_at(workspace, i));
    const double built = now() - begin, each = (double)exchange->routes * quotes;
    printf("  %-34s %8lld routes %9.1f ns a route and strategy; schedules %9.1f ns, %5.1f x\n", what,
           (long long)exchange->routes, 1e9 * quote / each, 1e9 * built / each, built / quote);
    printf("%s, %lld routes\t%.1f\t15\tns\n", what, (long long)exchange->routes, 1e9 * quote / each);
    printf("the same, until it is there\t%.1f\t15\tns\n", 1e9 * shortest / each);
    printf("its schedules, made and priced\t%.1f\t\tns\n", 1e9 * built / each);
    ns_workspace_free(workspace);
    ns_exchange_free(exchange);
}

int main(void)
{
    ns_error err = {0};
    ns_machine *machine;
    must(ns_machine_load("lassen", &machine, &err), &err);
    row("stencil27:48x48x48x3, 64 parts", of_matrix("stencil27:48x48x48x3", 64), machine);
    row("any messages, 256 parts", any_messages(256, 6400), machine);
    row("any messages, 16384 parts", any_messages(16384, getenv("BENCH_FULL") != NULL ? 3280000 : 500000), machine);
    ns_machine_free(machine);
    return 0;
}
