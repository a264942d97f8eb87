/* catalogue.h -- an open catalogue: two tables, their texts cut in place */
#ifndef NS_MATRIX_CATALOGUE_H
#define NS_MATRIX_CATALOGUE_H

#include <nsmodel/catalogue.h>

enum { NS_CATALOGUE_NUMBERS = 19 }; /* fields that are read on demand */

struct ns_catalogue {
    char *matrices, *measured; /* the tables' text */
    ns_catalogue_entry *entry;
    size_t entries;
    const char *(*number)[NS_CATALOGUE_NUMBERS]; /* [entries] */
    ns_catalogue_fact *fact;
    size_t facts;
};

/* All entries, by name, those of the same name by group; returns how many. */
size_t ns_catalogue_entries(const ns_catalogue *catalogue, const ns_catalogue_entry **entry);

/* The matrices called "NAME" or "GROUP/NAME": how many; *entry is the first of them, and the others follow it. */
size_t ns_catalogue_matches(const ns_catalogue *catalogue, const char *name, const ns_catalogue_entry **entry);

/* The facts about one entry: how many; *fact is the first of them, and the others follow it. */
size_t ns_catalogue_facts(const ns_catalogue *catalogue, const ns_catalogue_entry *entry,
                          const ns_catalogue_fact **fact);

#endif
