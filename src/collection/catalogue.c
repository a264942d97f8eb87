/* catalogue.c -- inflate the embedded tables and cut them into entries and facts
 *
 * params/catalogue/suitesparse.tsv and measured.tsv, made by tools/catalogue.py: a line of titles, then one line an
 * entry, fields apart by tabs.  What is a fraction is kept as text until ns_catalogue_details asks.
 */
#include "collection/catalogue.h"

#include <string.h>

#include <nsmodel/quantity.h>

#include "bytes/packed.h"
#include "core/embedded.h"
#include "core/memory.h"

/* Where a field of a line goes. */
enum kind { TEXT, WHOLE, TRUTH, LATER };

typedef struct column {
    enum kind kind;
    size_t offset; /* in ns_catalogue_entry; of LATER: which number */
} column;

#define IN(member) offsetof(ns_catalogue_entry, member)

static const column columns[] = {
    {WHOLE, IN(id)},
    {TEXT, IN(group)},
    {TEXT, IN(name)},
    {WHOLE, IN(rows)},
    {WHOLE, IN(cols)},
    {WHOLE, IN(nonzeros)},
    {WHOLE, IN(stored)},
    {TEXT, IN(field)},
    {TEXT, IN(structure)},
    {LATER, 0},
    {LATER, 1},
    {TRUTH, IN(positive_definite)},
    {TRUTH, IN(grid)},
    {TEXT, IN(kind)},
    {TEXT, IN(date)},
    {TEXT, IN(author)},
    {WHOLE, IN(diagonal)},
    {WHOLE, IN(lower_bandwidth)},
    {WHOLE, IN(upper_bandwidth)},
    {WHOLE, IN(components)},
    {TEXT, IN(title)},
    {LATER, 2},
    {LATER, 3},
    {LATER, 4},
    {LATER, 5},
    {LATER, 6},
    {LATER, 7},
    {LATER, 8},
    {LATER, 9},
    {LATER, 10},
    {LATER, 11},
    {LATER, 12},
    {LATER, 13},
    {LATER, 14},
    {LATER, 15},
    {LATER, 16},
    {LATER, 17},
    {LATER, 18},
};
enum { COLUMNS = sizeof columns / sizeof *columns, FACT_COLUMNS = 7, FIELDS_MOST = COLUMNS + 1 };

static ns_status damaged(const char *path, size_t line, ns_error *err)
{
    return ns_fail_at(err, NS_ERR_DATA, path, (long)line, 0, "a line of the embedded table does not hold together");
}

/* The table's text, closed by a zero byte. */
static ns_status inflate_table(const char *path, char **text, ns_error *err)
{
    const ns_embedded *file = ns_embedded_files;
    while (file->path != NULL && strcmp(file->path, path) != 0)
        file++;
    if (file->path == NULL || file->raw == 0)
        return ns_fail_at(err, NS_ERR_FILE, path, 0, 0, "not built into this library");
    size_t size = file->raw;
    char *raw = ns_malloc(file->raw + 1);
    if (raw == NULL)
        return ns_fail(err, NS_ERR_MEMORY, "not enough memory for the catalogue");
    *text = raw; /* freed with the catalogue */
    const int code = ns_zlib_unpack(raw, &size, file->data, file->size);
    if (code == Z_MEM_ERROR)
        return ns_fail(err, NS_ERR_MEMORY, "not enough memory for the catalogue");
    if (code != Z_OK || size != file->raw)
        return damaged(path, 0, err);
    raw[size] = '\0';
    return NS_OK;
}

static size_t count_lines(const char *text)
{
    size_t lines = 0;
    for (; (text = strchr(text, '\n')) != NULL; text++)
        lines++;
    return lines;
}

/* Cut the line at *text into fields and step to the next; returns how many there were. */
static size_t cut_line(char **text, const char *field[FIELDS_MOST])
{
    size_t fields = 0;
    char *end = *text + strcspn(*text, "\n");
    for (char *at = *text; at <= end && fields < FIELDS_MOST;) {
        char *stop = at + strcspn(at, "\t\n");
        field[fields++] = at;
        at = stop + 1;
        if (stop == end)
            break;
        *stop = '\0';
    }
    *text = *end == '\n' ? end + 1 : end;
    *end = '\0';
    return fields;
}

/* -1 for an empty field. */
static bool read_whole(const char *text, int64_t *value)
{
    *value = *text == '\0' ? -1 : 0;
    for (; *text >= '0' && *text <= '9' && *value < INT64_MAX / 100; text++)
        *value = 10 * *value + (*text - '0');
    return *text == '\0';
}

static bool read_entry(const char *const *field, ns_catalogue_entry *entry, const char **number)
{
    int64_t whole;
    entry->size = sizeof *entry;
    for (size_t i = 0; i < COLUMNS; i++) {
        char *at = (char *)entry + columns[i].offset;
        switch (columns[i].kind) {
        case TEXT:
            *(const char **)(void *)at = field[i];
            break;
        case WHOLE:
            if (!read_whole(field[i], (int64_t *)(void *)at))
                return false;
            break;
        case TRUTH:
            if (!read_whole(field[i], &whole))
                return false;
            *(bool *)(void *)at = whole == 1;
            break;
        case LATER:
            number[columns[i].offset] = field[i];
        }
    }
    return true;
}

static ns_status read_matrices(ns_catalogue *c, ns_error *err)
{
    static const char path[] = "params/catalogue/suitesparse.tsv";
    const char *field[FIELDS_MOST];
    NS_TRY(inflate_table(path, &c->matrices, err));
    size_t lines = count_lines(c->matrices);
    c->entry = ns_calloc(ns_size_add(lines, 1), sizeof *c->entry);
    c->number = ns_calloc(ns_size_add(lines, 1), sizeof *c->number);
    if (c->entry == NULL || c->number == NULL)
        return ns_fail(err, NS_ERR_MEMORY, "not enough memory for the catalogue");
    char *at = c->matrices;
    cut_line(&at, field); /* titles */
    for (; *at != '\0'; c->entries++)
        if (cut_line(&at, field) != COLUMNS || !read_entry(field, &c->entry[c->entries], c->number[c->entries]))
            return damaged(path, c->entries + 2, err);
    return NS_OK;
}

static ns_status read_measured(ns_catalogue *c, ns_error *err)
{
    static const char path[] = "params/catalogue/measured.tsv";
    const char *field[FIELDS_MOST];
    char *end;
    NS_TRY(inflate_table(path, &c->measured, err));
    c->fact = ns_calloc(ns_size_add(count_lines(c->measured), 1), sizeof *c->fact);
    if (c->fact == NULL)
        return ns_fail(err, NS_ERR_MEMORY, "not enough memory for the catalogue");
    char *at = c->measured;
    cut_line(&at, field);
    for (; *at != '\0'; c->facts++) {
        if (cut_line(&at, field) != FACT_COLUMNS)
            return damaged(path, c->facts + 2, err);
        double value = ns_strtod(field[3], &end);
        if (end == field[3] || *end != '\0')
            return damaged(path, c->facts + 2, err);
        c->fact[c->facts] = (ns_catalogue_fact){.size = sizeof c->fact[0],
                                                .group = field[0],
                                                .name = field[1],
                                                .what = field[2],
                                                .value = value,
                                                .unit = field[4],
                                                .where = field[5],
                                                .source = field[6]};
    }
    return NS_OK;
}

ns_status ns_catalogue_open(ns_catalogue **catalogue, ns_error *err)
{
    ns_catalogue *c = ns_calloc(1, sizeof *c);
    if (c == NULL)
        return ns_fail(err, NS_ERR_MEMORY, "not enough memory for the catalogue");
    ns_status status = read_matrices(c, err);
    if (status == NS_OK)
        status = read_measured(c, err);
    if (status == NS_OK)
        *catalogue = c;
    else
        ns_catalogue_free(c);
    return status;
}

void ns_catalogue_free(ns_catalogue *catalogue)
{
    if (catalogue == NULL)
        return;
    ns_free(catalogue->matrices);
    ns_free(catalogue->measured);
    ns_free(catalogue->entry);
    ns_free(catalogue->number);
    ns_free(catalogue->fact);
    ns_free(catalogue);
}

/* ---- fractions, on demand ---------------------------------------------------------------------------------------- */

static ns_status read_number(const char *text, double *value, ns_error *err)
{
    char *end;
    *value = ns_strtod(text, &end);
    return end != text && *end == '\0' ? NS_OK : damaged("params/catalogue/suitesparse.tsv", 0, err);
}

static ns_status read_spread(const char *const *number, ns_spread *spread, ns_error *err)
{
    double *const value[] = {&spread->min, &spread->q1,   &spread->median,   &spread->q3,
                             &spread->max, &spread->mean, &spread->variance, &spread->skewness};
    for (size_t i = 0; i < sizeof value / sizeof *value; i++)
        NS_TRY(read_number(number[i], value[i], err));
    return NS_OK;
}

ns_status ns_catalogue_details(const ns_catalogue *catalogue, const ns_catalogue_entry *entry,
                               ns_catalogue_detail *detail, ns_error *err)
{
    const char *const *number = catalogue->number[entry - catalogue->entry];
    ns_catalogue_detail d = {.counted = -1};
    NS_TRY(read_number(number[0], &d.pattern_symmetry, err));
    NS_TRY(read_number(number[1], &d.numeric_symmetry, err));
    if (!read_whole(number[2], &d.counted))
        return damaged("params/catalogue/suitesparse.tsv", 0, err);
    if (d.counted >= 0) {
        NS_TRY(read_spread(number + 3, &d.row, err));
        d.col = d.row;
        if (strcmp(number[11], "=") != 0) /* else columns are like rows */
            NS_TRY(read_spread(number + 11, &d.col, err));
    }
    *detail = d;
    return NS_OK;
}
