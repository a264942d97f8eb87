/* catalogue.h -- an open catalogue: two tables whose texts are split in place */
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

/* All entries, by name, and those of the same name by group; returns their number. */
size_t ns_catalogue_entries(const ns_catalogue *catalogue, const ns_catalogue_entry **entry);

/* The matrices called "NAME" or "GROUP/NAME": returns their number; *entry is the first, followed by the others. */
size_t ns_catalogue_matches(const ns_catalogue *catalogue, const char *name, const ns_catalogue_entry **entry);

/* The facts about one entry: returns their number; *fact is the first, followed by the others. */
size_t ns_catalogue_facts(const ns_catalogue *catalogue, const ns_catalogue_entry *entry,
                          const ns_catalogue_fact **fact);

#endif
