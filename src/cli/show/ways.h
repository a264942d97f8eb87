/* ways.h -- the ways of a comparison as rows */
#ifndef NS_CLI_SHOW_WAYS_H
#define NS_CLI_SHOW_WAYS_H

#include "cli/front/command.h"
#include "cli/inputs/cases.h"

/* What a row says beside its price; each may be NULL. */
typedef struct ns_way_words {
    const char *kind, *note;
    const ns_machine *machine; /* whose protocols are looked at */
} ns_way_words;
/* One row: its time, how likely it is the best, where it stands, what it is made of. */
void ns_way_value(const ns_comparison *comparison, int choice, const ns_way_words *words, ns_value *list);

/* "searched": ways by groups that were tried, the fastest and its time; nothing where none was. */
void ns_searched_value(const ns_searched *searched, ns_value *object);

/* The same of the best way in a line above the table. */
void ns_drops_say(const ns_machine *machine, const ns_comparison *comparison, ns_value *result);

/* "best": the way and the verdict. */
void ns_best_value(const ns_comparison *comparison, ns_value *object);

#endif
