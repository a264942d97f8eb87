/* likeness_counts.c -- what a matrix and its surrogate are compared by; recorded in evidence/pages/likeness.tsv */
#include "pages/likeness_counts.h"

#include "core/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const likeness_names[LIKENESS_STATISTICS] = {
    "rows",       "entries",      "diagonal",     "lower",        "upper",        "row_min",    "row_q1",
    "row_median", "row_q3",       "row_max",      "col_min",      "col_q1",       "col_median", "col_q3",
    "col_max",    "row_variance", "row_skewness", "col_variance", "col_skewness", "symmetry"};

static void *take(int64_t number, size_t size)
{
    void *memory = ns_calloc((size_t)number + 1, size);
    if (memory == NULL) {
        fputs("out of memory\n", stderr);
        exit(1);
    }
    return memory;
}

/* ---- counting --------------------------------------------------------------------------------------------------- */

void likeness_open(likeness_tally *t, int64_t size)
{
    *t = (likeness_tally){.size = size, .last_row = -1, .last_col = -1, .hash = UINT64_C(0xCBF29CE484222325)};
    t->sample = size > 1 << 20 ? 255 : 0;
    t->row = take(size, sizeof *t->row);
    t->column = take(size, sizeof *t->column);
}

void likeness_close(likeness_tally *t)
{
    ns_free(t->row);
    ns_free(t->column);
    ns_free(t->pair);
    *t = (likeness_tally){.size = 0};
}

ns_status likeness_receive(void *tally, const ns_entry *entries, size_t number, ns_error *err)
{
    likeness_tally *t = tally;
    (void)err;
    for (size_t i = 0; i < number; i++) {
        const ns_entry e = entries[i];
        t->entries++;
        if (e.row < 0 || e.row >= t->size || e.col < 0 || e.col >= t->size) {
            t->outside++;
            t->begin = t->entries <= LIKENESS_BEGIN ? t->hash : t->begin;
            continue;
        }
        const int64_t reach = e.col - e.row;
        t->disorder += e.row < t->last_row || (e.row == t->last_row && e.col <= t->last_col);
        t->last_row = e.row;
        t->last_col = e.col;
        t->row[e.row]++;
        t->column[e.col]++;
        t->diagonal += reach == 0;
        t->upper = reach > t->upper ? reach : t->upper;
        t->lower = -reach > t->lower ? -reach : t->lower;
        t->hash = (t->hash ^ (uint64_t)(e.row << 32 | e.col)) * UINT64_C(0x100000001B3);
        t->begin = t->entries <= LIKENESS_BEGIN ? t->hash : t->begin;
        if (reach == 0)
            continue;
        /* the same decision for an entry and its mirror image */
        const uint64_t low = (uint64_t)(reach > 0 ? e.row : e.col), high = (uint64_t)(reach > 0 ? e.col : e.row);
        uint64_t hash = (low << 32 | high) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 29;
        hash *= UINT64_C(0xBF58476D1CE4E5B9);
        t->balance += reach > 0 ? hash : -hash;
        if ((hash >> 40 & t->sample) != 0)
            continue;
        if (t->pairs == t->room) {
            t->room = 2 * t->room + 1024;
            t->pair = ns_realloc(t->pair, (size_t)t->room * sizeof *t->pair);
            if (t->pair == NULL) {
                fputs("out of memory\n", stderr);
                exit(1);
            }
        }
        t->pair[t->pairs++] = low << 32 | high;
    }
    return NS_OK;
}

/* ---- lengths ---------------------------------------------------------------------------------------------------- */

/* The number of lengths of each value; *longest is the largest value. */
static int64_t *histogram_of(const uint32_t *length, int64_t size, int64_t *longest)
{
    *longest = 0;
    for (int64_t i = 0; i < size; i++)
        *longest = length[i] > *longest ? (int64_t)length[i] : *longest;
    int64_t *number = take(*longest + 1, sizeof *number);
    for (int64_t i = 0; i < size; i++)
        number[length[i]]++;
    return number;
}

static int64_t place_in(const int64_t *number, int64_t place)
{
    int64_t length = 0;
    while (place >= number[length])
        place -= number[length++];
    return length;
}

int64_t likeness_length_at(const uint32_t *length, int64_t size, int64_t place)
{
    int64_t longest, *number = histogram_of(length, size, &longest), found = place_in(number, place);
    ns_free(number);
    return found;
}

/* Computes the quantiles at five places, and the variance and skewness of the whole population. */
static void measure_lengths(const uint32_t *length, int64_t size, double places[5], double moments[2])
{
    const int64_t last = size - 1, place[5] = {0, last / 4, last / 2, last / 4 * 3, last};
    int64_t longest, *number = histogram_of(length, size, &longest);
    double mean = 0, second = 0, third = 0;
    for (int i = 0; i < 5; i++)
        places[i] = (double)place_in(number, place[i]);
    for (int64_t k = 0; k <= longest; k++)
        mean += (double)number[k] / (double)size * (double)k;
    for (int64_t k = 0; k <= longest; k++) {
        const double off = (double)k - mean, share = (double)number[k] / (double)size;
        second += share * off * off;
        third += share * off * off * off;
    }
    moments[0] = second;
    moments[1] = second > 0 ? third / (second * sqrt(second)) : 0;
    ns_free(number);
}

static int ascending(const void *a, const void *b)
{
    const uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

void likeness_measure(const likeness_tally *t, double found[LIKENESS_STATISTICS])
{
    found[LIKENESS_ROWS] = (double)t->size;
    found[LIKENESS_ENTRIES] = (double)t->entries;
    found[LIKENESS_DIAGONAL] = (double)t->diagonal;
    found[LIKENESS_LOWER] = (double)t->lower;
    found[LIKENESS_UPPER] = (double)t->upper;
    measure_lengths(t->row, t->size, &found[LIKENESS_ROW_MIN], &found[LIKENESS_ROW_VARIANCE]);
    measure_lengths(t->column, t->size, &found[LIKENESS_COL_MIN], &found[LIKENESS_COL_VARIANCE]);
    int64_t mirrored = 0; /* a pair that occurs twice is an entry and its mirror image */
    if (t->pairs > 0)
        qsort(t->pair, (size_t)t->pairs, sizeof *t->pair, ascending);
    for (int64_t i = 1; i < t->pairs; i++)
        mirrored += t->pair[i] == t->pair[i - 1] ? 2 : 0;
    found[LIKENESS_SYMMETRY] = t->pairs > 0 ? (double)mirrored / (double)t->pairs : 1;
}

/* ---- the record ------------------------------------------------------------------------------------------------- */

/* The tab-separated field `index` of a line. */
static const char *field(const char *line, int index)
{
    for (; index > 0 && line != NULL; index--) {
        line = strchr(line, '\t');
        line = line != NULL ? line + 1 : NULL;
    }
    return line;
}

bool likeness_read(const char *path, const char *name, likeness_record *record)
{
    char line[2048];
    const size_t length = strlen(name);
    FILE *file = fopen(path, "r");
    bool found = false;
    while (file != NULL && !found && fgets(line, sizeof line, file) != NULL)
        found = strncmp(line, name, length) == 0 && line[length] == '\t';
    if (file != NULL)
        fclose(file);
    if (!found)
        return false;
    snprintf(record->name, sizeof record->name, "%s", name);
    record->hash = strtoull(field(line, 1), NULL, 10);
    record->begin = strtoull(field(line, 2), NULL, 10);
    for (int i = 0; i < LIKENESS_STATISTICS; i++) {
        const char *at = field(line, 3 + i);
        if (at == NULL)
            return false;
        record->statistic[i] = strtod(at, NULL);
    }
    return true;
}
