/* likeness.c -- one line of evidence/pages/likeness.tsv: the statistics of a matrix, and what reading it costs
 *
 *     likeness                the line of names
 *     likeness MATRIX NAME    the line of a matrix (path or name), as NAME
 *
 * Seconds and peak memory are those of this process: for one scan that evaluates nothing, then for what `nsmodel
 * netsparse --nodes 128` counts before any mechanism, windows and racks included.
 */
#include "pages/likeness_counts.h"

#include "api/library.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

static const int32_t parts_of[] = {16, 128};
enum { COUNTS = 2 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double peak_megabytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss * 1024e-6;
}

static void stop(const ns_error *err)
{
    fprintf(stderr, "likeness: %s\n", err->text);
    exit(1);
}

static ns_status ignore(void *context, const ns_entry *entries, size_t number, ns_error *err)
{
    (void)context, (void)entries, (void)number, (void)err;
    return NS_OK;
}

/* Peak memory never decreases, so the measurement that needs least comes first. */
static void measure(ns_matrix *matrix, const char *name)
{
    ns_error err = {0};
    int64_t messages[COUNTS], neighbours[COUNTS]; /* which parts need what, at each number of parts */
    ns_netsparse_view counts[COUNTS];
    likeness_tally tally;
    double found[LIKENESS_STATISTICS], start = now(), count_s = 0;
    if (ns_matrix_scan(matrix, ignore, NULL, &err) != NS_OK)
        stop(&err);
    const double scan_s = now() - start, scan_mb = peak_megabytes();
    for (int i = 0; i < COUNTS; i++) {
        ns_exchange *exchange;
        const ns_exchange_options options = {.width = 1, .view = &counts[i]};
        const ns_layout layout = {parts_of[i], 1};
        start = now();
        counts[i].size = sizeof counts[i];
        if (ns_exchange_from_matrix(matrix, &layout, 1, &options, &exchange, NULL, &err) != NS_OK)
            stop(&err);
        messages[i] = exchange->pattern.messages_total;
        neighbours[i] = exchange->pattern.m_proc;
        ns_exchange_free(exchange);
        count_s = now() - start;
    }
    const double count_mb = peak_megabytes();
    likeness_open(&tally, ns_matrix_describe(matrix)->rows);
    if (ns_matrix_scan(matrix, likeness_receive, &tally, &err) != NS_OK)
        stop(&err);
    likeness_measure(&tally, found);
    printf("%s\t%" PRIu64 "\t%" PRIu64, name, tally.hash, tally.begin);
    for (int i = 0; i < LIKENESS_STATISTICS; i++)
        printf(i < LIKENESS_EXACT ? "\t%.0f" : "\t%.10g", found[i]);
    likeness_close(&tally);
    printf("\t%.2g\t%.0f", scan_s, scan_mb);
    for (int i = 0; i < COUNTS; i++) {
        const ns_netsparse_view *v = &counts[i];
        printf("\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t%.6g\t%.6g\t%.6g\t%.6g", messages[i],
               neighbours[i], v->unique, v->unique_max, v->su_redundant_per_useful, v->sa_redundant_per_useful,
               v->destinations_per_window, v->rack_shared_fraction);
    }
    printf("\t%.2g\t%.0f\t%s\n", count_s, count_mb, ns_matrix_source_words[ns_matrix_describe(matrix)->source]);
}

int main(int argc, char **argv)
{
    ns_error err = {0};
    ns_matrix *matrix;
    if (argc == 1) {
        printf("name\thash\tbegin");
        for (int i = 0; i < LIKENESS_STATISTICS; i++)
            printf("\t%s", likeness_names[i]);
        printf("\tscan_s\tscan_MB");
        for (int i = 0; i < COUNTS; i++) {
            const int p = (int)parts_of[i];
            printf("\tmessages_%d\tneighbours_%d\tunique_%d\tunique_max_%d\tsu_%d\tsa_%d\tdestinations_%d\t"
                   "rack_shared_%d",
                   p, p, p, p, p, p, p, p);
        }
        printf("\tcount_s\tcount_MB\tsource\n");
        return 0;
    }
    if (argc != 3) {
        fputs("usage: likeness [MATRIX NAME]\n", stderr);
        return 2;
    }
    if (ns_matrix_open(argv[1], &matrix, &err) != NS_OK)
        stop(&err);
    measure(matrix, argv[2]);
    ns_matrix_free(matrix);
    return 0;
}
