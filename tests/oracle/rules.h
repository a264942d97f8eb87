/* rules.h -- what the rules of the strategies look at */
#ifndef TESTS_ORACLE_RULES_H
#define TESTS_ORACLE_RULES_H

#include "oracle.h"

typedef struct book {
    const oracle_need *need;
    const ns_exchange *exchange;
    const ns_schedule *schedule;
    oracle_lists direct, paired;
    int64_t cap;
    char *why;
} book;

/* A message from node to node. */
typedef struct crossing {
    int32_t from, to;
    int64_t bytes;
} crossing;

/* split's rules of its off-node messages: chunks within the cap, dealt in turn. */
bool oracle_rules_split(const book *b, const crossing *list, int64_t count);

#endif
