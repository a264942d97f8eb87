/* ranges.c -- processor time and memory of the exchange of a generated matrix (for make bench)
 *
 * ranges MATRIX PARTS [GOAL]
 */
#include "api/library.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

int main(int argc, char **argv)
{
    ns_error err = {0};
    ns_matrix *matrix;
    ns_exchange *exchange;
    struct rusage usage;
    int64_t nonzeros;
    if (argc < 3)
        return EXIT_FAILURE;
    const ns_layout layout = {(int32_t)atol(argv[2]), 4};
    const clock_t begin = clock();
    if (ns_matrix_open(argv[1], &matrix, &err) != NS_OK ||
        ns_exchange_from_matrix(matrix, &layout, 1, NULL, &exchange, &nonzeros, &err) != NS_OK) {
        fprintf(stderr, "ranges: %s\n", err.text);
        return EXIT_FAILURE;
    }
    const double took = (double)(clock() - begin) / CLOCKS_PER_SEC;
    getrusage(RUSAGE_SELF, &usage);
    printf("  %-24s %8d parts %12lld nonzeros %9lld routes %8.3f s %8ld kB\n", argv[1], layout.parts,
           (long long)nonzeros, (long long)exchange->routes, took, usage.ru_maxrss);
    printf("%s, %d parts, %lld routes\t%.4f\t%s\ts\n", argv[1], layout.parts, (long long)exchange->routes, took,
           argc > 3 ? argv[3] : "");
    ns_exchange_free(exchange);
    ns_matrix_free(matrix);
    return 0;
}
