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

#endif
