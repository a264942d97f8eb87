/* likeness_counts.h -- what a matrix and its surrogate are compared by; recorded in evidence/pages/likeness.tsv
 *
 * evidence/pages/likeness.c measures, `make surrogates-report` records, docs/evidence/surrogates.md shows and
 * tests/test_surrogates.c measures again.
 */
#ifndef NS_PAGES_LIKENESS_COUNTS_H
#define NS_PAGES_LIKENESS_COUNTS_H

#include <nsmodel/matrix.h>

/* Lengths of rows and columns at places 0, (n - 1)/4, (n - 1)/2, (n - 1)/4 * 3 and n - 1 of their ascending lists. */
enum {
    LIKENESS_ROWS,
    LIKENESS_ENTRIES,
    LIKENESS_DIAGONAL,
    LIKENESS_LOWER,
    LIKENESS_UPPER,
    LIKENESS_ROW_MIN,
    LIKENESS_ROW_Q1,
    LIKENESS_ROW_MEDIAN,
    LIKENESS_ROW_Q3,
    LIKENESS_ROW_MAX,
    LIKENESS_COL_MIN,
    LIKENESS_COL_Q1,
    LIKENESS_COL_MEDIAN,
    LIKENESS_COL_Q3,
    LIKENESS_COL_MAX,
    LIKENESS_EXACT, /* whole numbers up to here */
    LIKENESS_ROW_VARIANCE = LIKENESS_EXACT,
    LIKENESS_ROW_SKEWNESS,
    LIKENESS_COL_VARIANCE,
    LIKENESS_COL_SKEWNESS,
    LIKENESS_SYMMETRY, /* share of the entries off the diagonal that have their mirror image; sampled from 1 Mi rows on
                        */
    LIKENESS_STATISTICS
};
extern const char *const likeness_names[LIKENESS_STATISTICS];

enum { LIKENESS_BEGIN = 1 << 24 };

/* A square matrix as it is scanned. */
typedef struct likeness_tally {
    int64_t size, entries, diagonal, lower, upper;
    int64_t disorder, outside; /* entries that are not after their predecessor; entries outside the matrix */
    int64_t last_row, last_col;
    uint64_t hash, begin;   /* of the entries in their order; of the first LIKENESS_BEGIN of them */
    uint64_t balance;       /* hashes of pairs above the diagonal less those below: 0 for a symmetric pattern */
    uint32_t *row, *column; /* lengths */
    uint64_t *pair, sample; /* lower and higher number of entries off the diagonal whose hash has none of these bits */
    int64_t pairs, room;
} likeness_tally;

void likeness_open(likeness_tally *tally, int64_t size);
ns_status likeness_receive(void *tally, const ns_entry *entries, size_t number, ns_error *err);
void likeness_measure(const likeness_tally *tally, double found[LIKENESS_STATISTICS]);
void likeness_close(likeness_tally *tally);

/* Length at a place of the ascending list of rows or columns. */
int64_t likeness_length_at(const uint32_t *length, int64_t size, int64_t place);

/* One line of the record. */
typedef struct likeness_record {
    char name[64];        /* as "Janna/Serena" */
    uint64_t hash, begin; /* predictions rest on this very pattern */
    double statistic[LIKENESS_STATISTICS];
} likeness_record;

/* The line of `name`; false when there is none. */
bool likeness_read(const char *path, const char *name, likeness_record *record);

#endif
