/* catalogue.c -- the embedded tables cut into entries and facts; matrices by name, near name and properties
 *
 * params/catalogue/suitesparse.tsv and measured.tsv, made by tools/catalogue.py: a line of titles, then one line per
 * entry with fields separated by tabs.  Fractions are kept as text until ns_catalogue_details reads them.
 */
#include "collection/catalogue.h"

#include <stdio.h>
#include <string.h>

#include <nsmodel/quantity.h>

#include "bytes/bytes.h"
#include "bytes/gunzip.h"
#include "core/embedded.h"
#include "core/memory.h"
#include "core/refuse.h"

/* How a field of a line is stored. */
enum kind { TEXT, WHOLE, TRUTH, LATER };

typedef struct column {
    enum kind kind;
    size_t offset; /* in ns_catalogue_entry; for LATER: the number of consecutive fields */
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
    {LATER, 2},
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
    {LATER, 17},
};
enum { COLUMNS = sizeof columns / sizeof *columns, FACT_COLUMNS = 7 };
enum { FIELDS = COLUMNS - 2 + NS_CATALOGUE_NUMBERS, FIELDS_MOST = FIELDS + 1 };
enum { LONGEST_NAME = 64 }; /* of "GROUP/NAME"; the longest has 41 letters */

static ns_status damaged(const char *path, size_t line, ns_error *err)
{
    return ns_fail_at(err, NS_ERR_DATA, path, (long)line, 0, "a line of the embedded table does not hold together");
}

/* The table's text, closed by a zero byte, and its number of lines. */
static ns_status inflate_table(const char *path, char **text, size_t *lines, ns_error *err)
{
    const ns_embedded *file = ns_embedded_find(path);
    if (file == NULL || file->raw == 0)
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
    *lines = 0;
    for (const char *end = raw; (end = strchr(end, '\n')) != NULL; end++)
        ++*lines;
    return NS_OK;
}

/* Split the line at *text into fields and advance to the next line; returns the number of fields. */
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

static ns_status read_matrices(ns_catalogue *c, ns_error *err)
{
    static const char path[] = "params/catalogue/suitesparse.tsv";
    const char *field[FIELDS_MOST];
    size_t lines;
    NS_TRY(inflate_table(path, &c->matrices, &lines, err));
    c->entry = ns_calloc(ns_size_add(lines, 1), sizeof *c->entry);
    c->number = ns_calloc(ns_size_add(lines, 1), sizeof *c->number);
    if (c->entry == NULL || c->number == NULL)
        return ns_fail(err, NS_ERR_MEMORY, "not enough memory for the catalogue");
    char *at = c->matrices;
    cut_line(&at, field); /* titles */
    for (; *at != '\0'; c->entries++) {
        ns_catalogue_entry *entry = &c->entry[c->entries];
        bool whole = cut_line(&at, field) == FIELDS;
        entry->size = sizeof *entry;
        const char **next = field, **number = c->number[c->entries];
        for (size_t i = 0; whole && i < COLUMNS; i++, next++) {
            void *to = (char *)entry + columns[i].offset;
            int64_t truth;
            switch (columns[i].kind) {
            case TEXT:
                *(const char **)to = *next;
                break;
            case WHOLE:
                whole = read_whole(*next, to);
                break;
            case TRUTH:
                whole = read_whole(*next, &truth);
                *(bool *)to = whole && truth == 1;
                break;
            case LATER:
                memcpy(number, next, columns[i].offset * sizeof *next);
                number += columns[i].offset;
                next += columns[i].offset - 1;
            }
        }
        if (!whole)
            return damaged(path, c->entries + 2, err);
    }
    return NS_OK;
}

static ns_status read_measured(ns_catalogue *c, ns_error *err)
{
    static const char path[] = "params/catalogue/measured.tsv";
    const char *field[FIELDS_MOST];
    char *end;
    size_t lines;
    NS_TRY(inflate_table(path, &c->measured, &lines, err));
    c->fact = ns_calloc(ns_size_add(lines, 1), sizeof *c->fact);
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
    ns_error_clear(err);
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
    ns_error_clear(err);
    const char *const *number = catalogue->number[entry - catalogue->entry];
    ns_catalogue_detail d = {.counted = -1};
    NS_TRY(read_number(number[0], &d.pattern_symmetry, err));
    NS_TRY(read_number(number[1], &d.numeric_symmetry, err));
    if (!read_whole(number[2], &d.counted))
        return damaged("params/catalogue/suitesparse.tsv", 0, err);
    if (d.counted >= 0) {
        NS_TRY(read_spread(number + 3, &d.row, err));
        d.col = d.row;
        if (strcmp(number[11], "=") != 0) /* otherwise the columns have the same values as the rows */
            NS_TRY(read_spread(number + 11, &d.col, err));
    }
    *detail = d;
    return NS_OK;
}

/* ---- by name ----------------------------------------------------------------------------------------------------- */

size_t ns_catalogue_entries(const ns_catalogue *catalogue, const ns_catalogue_entry **entry)
{
    *entry = catalogue->entry;
    return catalogue->entries;
}

size_t ns_catalogue_matches(const ns_catalogue *catalogue, const char *name, const ns_catalogue_entry **entry)
{
    size_t count = 0;
    *entry = NULL;
    for (size_t i = 0; i < catalogue->entries; i++) {
        const ns_catalogue_entry *e = &catalogue->entry[i];
        const size_t length = strlen(e->group);
        const bool called =
            strcmp(name, e->name) == 0 ||
            (strncmp(name, e->group, length) == 0 && name[length] == '/' && strcmp(name + length + 1, e->name) == 0);
        if (!called && count > 0)
            break;
        if (called && count++ == 0)
            *entry = e;
    }
    return count;
}

bool ns_catalogue_closest(const ns_catalogue *catalogue, const char *name, char *closest, size_t size)
{
    bool grouped = strchr(name, '/') != NULL;
    const char **names = ns_malloc(ns_size_mul(ns_size_add(catalogue->entries, 1), sizeof *names));
    char(*full)[LONGEST_NAME] = ns_malloc(ns_size_mul(ns_size_add(catalogue->entries, 1), sizeof *full));
    const char *best = NULL;
    if (names != NULL && full != NULL) {
        for (size_t i = 0; i < catalogue->entries; i++) {
            const ns_catalogue_entry *e = &catalogue->entry[i];
            snprintf(full[i], sizeof full[i], "%s/%s", e->group, e->name);
            names[i] = grouped ? full[i] : e->name;
        }
        best = ns_closest(name, names, catalogue->entries);
    }
    if (best != NULL)
        snprintf(closest, size, "%s", best);
    ns_free(full);
    ns_free(names);
    return best != NULL;
}

ns_status ns_catalogue_find(const ns_catalogue *catalogue, const char *name, const ns_catalogue_entry **entry,
                            ns_error *err)
{
    ns_error_clear(err);
    const ns_catalogue_entry *first;
    char list[300] = "";
    size_t used = 0, count = ns_catalogue_matches(catalogue, name, &first);
    if (count == 0) {
        char closest[LONGEST_NAME];
        if (ns_catalogue_closest(catalogue, name, closest, sizeof closest))
            return ns_fail(err, NS_ERR_NAME, "no matrix \"%.100s\" in the catalogue; did you mean \"%s\"?", name,
                           closest);
        char entries[32];
        snprintf(entries, sizeof entries, "%zu", catalogue->entries);
        return ns_fail_for(err, NS_ERR_NAME, NS_REMEDY_CATALOGUE, entries, "no matrix \"%.100s\" in the catalogue",
                           name);
    }
    for (size_t i = 0; i < count && used < sizeof list; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s/%s", i > 0 ? ", " : "", first[i].group,
                                 first[i].name);
    if (count > 1)
        return ns_fail(err, NS_ERR_NAME, "\"%s\" names several matrices: %s", name, list);
    *entry = first;
    return NS_OK;
}

size_t ns_catalogue_facts(const ns_catalogue *catalogue, const ns_catalogue_entry *entry,
                          const ns_catalogue_fact **fact)
{
    size_t count = 0;
    *fact = NULL;
    for (size_t i = 0; i < catalogue->facts; i++) {
        const ns_catalogue_fact *f = &catalogue->fact[i];
        if (strcmp(f->name, entry->name) != 0 || strcmp(f->group, entry->group) != 0)
            continue;
        if (count++ == 0)
            *fact = f;
    }
    return count;
}

/* ---- filters ----------------------------------------------------------------------------------------------------- */

static bool begins_with(const char *text, const char *part)
{
    while (*part != '\0' && ns_lower(*text) == ns_lower(*part))
        text++, part++;
    return *part == '\0';
}

static bool same_text(const char *a, const char *b)
{
    return strlen(a) == strlen(b) && begins_with(a, b);
}

/* words: match whole words, so that "directed graph" does not match "undirected graph". */
static bool has_text(const char *text, const char *part, bool words)
{
    for (const char *at = text; *at != '\0'; at++)
        if ((!words || at == text || strchr(" /-", at[-1]) != NULL) && begins_with(at, part))
            return true;
    return *part == '\0';
}

static bool within(ns_catalogue_range range, int64_t value)
{
    return value >= range.from && (range.to == 0 || value <= range.to);
}

bool ns_catalogue_fits(const ns_catalogue *catalogue, const ns_catalogue_entry *entry,
                       const ns_catalogue_filter *filter)
{
    const ns_catalogue_fact *fact;
    return (filter->group == NULL || same_text(entry->group, filter->group)) &&
           (filter->name == NULL || has_text(entry->name, filter->name, false)) &&
           (filter->kind == NULL || has_text(entry->kind, filter->kind, true)) &&
           (filter->field == NULL || same_text(entry->field, filter->field)) &&
           (filter->structure == NULL || same_text(entry->structure, filter->structure)) &&
           within(filter->rows, entry->rows) && within(filter->cols, entry->cols) &&
           within(filter->nonzeros, entry->nonzeros) && (!filter->positive_definite || entry->positive_definite) &&
           (!filter->grid || entry->grid) && (!filter->square || entry->rows == entry->cols) &&
           (!filter->measured || ns_catalogue_facts(catalogue, entry, &fact) > 0);
}
