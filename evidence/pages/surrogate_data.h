/* surrogate_data.h -- what the tables of surrogates are made from: tables whose cells stand between tabs */
#ifndef TOOLS_SURROGATE_DATA_H
#define TOOLS_SURROGATE_DATA_H

#include <stdbool.h>
#include <stddef.h>

typedef struct table {
    char *text, ***row; /* row[0] names the columns */
    size_t rows, columns;
} table;

/* params/catalogue/suitesparse.tsv and measured.tsv, tests/data/volumes.tsv and likeness.tsv. */
extern table catalogue, known, volume, likeness;

/* A number that may not be there. */
typedef struct number {
    bool given;
    double is;
} number;

void stop(const char *what, const char *name);
char *read_whole(const char *path);
table read_table(const char *path);

/* A cell, "" where there is none. */
const char *cell(const table *t, size_t row, size_t column);
const char *cell_named(const table *t, size_t row, const char *column);
number number_of(const char *text);

/* By GROUP/NAME: of the catalogue; what a scan counts, papers print ("su", "sa", "destinations" of [NS]); "mean" or
 * "most" values that METIS parts send, as a paper measured them and of our graph. */
const char *real_text(const char *name, const char *what);
size_t made_row(const char *name); /* 0: none */
number made(const char *name, const char *what);
const char *published(const char *name, const char *what);
number measured(const char *name, const char *parts, const char *which);
number sent(const char *name, const char *parts, const char *which);

#endif
