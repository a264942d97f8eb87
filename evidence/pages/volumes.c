/* volumes.c -- values that each part of a METIS k-way partition sends in one product
 *
 *     cc -std=c11 -O2 -Iinclude -Isrc -o build/tools/volumes evidence/pages/volumes.c build/libnsmodel.a \
 *       -lmetis -lz -lpthread -lm
 *     build/tools/volumes MATRIX PARTS... >> evidence/pages/volumes.tsv
 *
 * It does what the program did with whose published runs docs/evidence/surrogates.md compares: METIS_PartGraphKway on
 * the graph of the matrix (symmetric pattern, one vertex per row), default options, imbalance 1.01; a part sends each
 * other part the values that the other part needs.  Nothing in the build needs this file (Debian: libmetis-dev).
 */

#include "api/library.h"

#include <metis.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct graph {
    idx_t rows, *first, *neighbour;
    idx_t used;
} graph;

static ns_status count(void *context, const ns_entry *entries, size_t number, ns_error *err)
{
    graph *g = context;
    (void)err;
    for (size_t i = 0; i < number; i++)
        g->first[entries[i].row + 1] += entries[i].row != entries[i].col;
    return NS_OK;
}

static ns_status fill(void *context, const ns_entry *entries, size_t number, ns_error *err)
{
    graph *g = context;
    (void)err;
    for (size_t i = 0; i < number; i++)
        if (entries[i].row != entries[i].col)
            g->neighbour[g->used++] = (idx_t)entries[i].col; /* surrogates give rows in order */
    return NS_OK;
}

static void *take(size_t number, size_t size)
{
    void *memory = ns_calloc(number, size);
    if (memory == NULL) {
        fputs("volumes: out of memory\n", stderr);
        exit(1);
    }
    return memory;
}

static void read_graph(const char *name, graph *g)
{
    ns_error err = {0};
    ns_matrix *matrix;
    if (ns_matrix_open(name, &matrix, &err) != NS_OK) {
        fprintf(stderr, "volumes: %s\n", err.text);
        exit(1);
    }
    g->rows = (idx_t)ns_matrix_describe(matrix)->rows;
    g->first = take((size_t)g->rows + 1, sizeof *g->first);
    ns_matrix_scan(matrix, count, g, NULL);
    for (idx_t i = 0; i < g->rows; i++)
        g->first[i + 1] += g->first[i];
    g->neighbour = take((size_t)g->first[g->rows], sizeof *g->neighbour);
    ns_matrix_scan(matrix, fill, g, NULL);
    ns_matrix_free(matrix);
}

static void print_volumes(const char *name, const graph *g, const idx_t *part, idx_t parts)
{
    long long sent[64] = {0}, most = 0, least = -1, sum = 0;
    for (idx_t i = 0; i < g->rows; i++) {
        unsigned long long needed = 0; /* bits of the parts that need it */
        for (idx_t k = g->first[i]; k < g->first[i + 1]; k++)
            needed |= 1ULL << part[g->neighbour[k]];
        needed &= ~(1ULL << part[i]);
        for (; needed != 0; needed &= needed - 1)
            sent[part[i]]++;
    }
    for (idx_t p = 0; p < parts; p++) {
        most = sent[p] > most ? sent[p] : most;
        least = least < 0 || sent[p] < least ? sent[p] : least;
        sum += sent[p];
    }
    printf("%s\t%d\t%lld\t%.0f\t%lld\n", name, (int)parts, least, (double)sum / parts, most);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    graph g = {0};
    idx_t options[METIS_NOPTIONS], one = 1, cut;
    if (argc < 3) {
        fputs("usage: volumes MATRIX PARTS...\n", stderr);
        return 2;
    }
    read_graph(argv[1], &g);
    idx_t *part = take((size_t)g.rows, sizeof *part);
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_UFACTOR] = 10;
    for (int i = 2; i < argc; i++) {
        idx_t parts = (idx_t)atoi(argv[i]);
        if (parts < 2 || parts > 64 ||
            METIS_PartGraphKway(&g.rows, &one, g.first, g.neighbour, NULL, NULL, NULL, &parts, NULL, NULL, options,
                                &cut, part) != METIS_OK) {
            fprintf(stderr, "volumes: no partition into %s parts\n", argv[i]);
            return 1;
        }
        print_volumes(argv[1], &g, part, parts);
    }
    ns_free(g.first);
    ns_free(g.neighbour);
    ns_free(part);
    return 0;
}
