/* catalogue_find.c -- matrices of the catalogue by name, near name and properties */
#include "collection/catalogue.h"
#include "core/memory.h"
#include "core/refuse.h"

#include <stdio.h>
#include <string.h>

#include <nsmodel/quantity.h>

enum { LONGEST_NAME = 64 }; /* of "GROUP/NAME"; the longest has 41 letters */

size_t ns_catalogue_entries(const ns_catalogue *catalogue, const ns_catalogue_entry **entry)
{
    *entry = catalogue->entry;
    return catalogue->entries;
}

static bool is_called(const ns_catalogue_entry *entry, const char *name)
{
    size_t length = strlen(entry->group);
    return strcmp(name, entry->name) == 0 || (strncmp(name, entry->group, length) == 0 && name[length] == '/' &&
                                              strcmp(name + length + 1, entry->name) == 0);
}

size_t ns_catalogue_matches(const ns_catalogue *catalogue, const char *name, const ns_catalogue_entry **entry)
{
    size_t first = 0, count = 0;
    while (first < catalogue->entries && !is_called(&catalogue->entry[first], name))
        first++;
    while (first + count < catalogue->entries && is_called(&catalogue->entry[first + count], name))
        count++;
    *entry = count > 0 ? &catalogue->entry[first] : NULL;
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

static ns_status fail_unknown(const ns_catalogue *catalogue, const char *name, ns_error *err)
{
    char closest[LONGEST_NAME];
    if (ns_catalogue_closest(catalogue, name, closest, sizeof closest))
        return ns_fail(err, NS_ERR_NAME, "no matrix \"%.100s\" in the catalogue; did you mean \"%s\"?", name, closest);
    char entries[32];
    snprintf(entries, sizeof entries, "%zu", catalogue->entries);
    return ns_fail_for(err, NS_ERR_NAME, NS_REMEDY_CATALOGUE, entries, "no matrix \"%.100s\" in the catalogue", name);
}

ns_status ns_catalogue_find(const ns_catalogue *catalogue, const char *name, const ns_catalogue_entry **entry,
                            ns_error *err)
{
    const ns_catalogue_entry *first;
    char list[300] = "";
    size_t used = 0, count = ns_catalogue_matches(catalogue, name, &first);
    if (count == 0)
        return fail_unknown(catalogue, name, err);
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

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool begins_with(const char *text, const char *part)
{
    while (*part != '\0' && lower(*text) == lower(*part))
        text++, part++;
    return *part == '\0';
}

static bool same_text(const char *a, const char *b)
{
    return strlen(a) == strlen(b) && begins_with(a, b);
}

static bool has_text(const char *text, const char *part)
{
    for (; *text != '\0'; text++)
        if (begins_with(text, part))
            return true;
    return *part == '\0';
}

/* "directed graph" is no part of "undirected graph". */
static bool has_words(const char *text, const char *part)
{
    for (const char *at = text; *at != '\0'; at++)
        if ((at == text || strchr(" /-", at[-1]) != NULL) && begins_with(at, part))
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
           (filter->name == NULL || has_text(entry->name, filter->name)) &&
           (filter->kind == NULL || has_words(entry->kind, filter->kind)) &&
           (filter->field == NULL || same_text(entry->field, filter->field)) &&
           (filter->structure == NULL || same_text(entry->structure, filter->structure)) &&
           within(filter->rows, entry->rows) && within(filter->cols, entry->cols) &&
           within(filter->nonzeros, entry->nonzeros) && (!filter->positive_definite || entry->positive_definite) &&
           (!filter->grid || entry->grid) && (!filter->square || entry->rows == entry->cols) &&
           (!filter->measured || ns_catalogue_facts(catalogue, entry, &fact) > 0);
}
