/* partners.h -- other nodes that processes meet in a step whose messages come in any order */
#ifndef NS_PRICE_PARTNERS_H
#define NS_PRICE_PARTNERS_H

#include "price/tally.h"

/* Before a row's sums: the last of the other end, plus 1 (0: none yet), and how many nodes were met. */
typedef struct ns_head {
    int32_t place, node, partners, unused;
} ns_head;
enum { NS_HEAD_WORDS = sizeof(ns_head) / sizeof(int64_t) };

/* Run the strategy of a tally again, list the messages of one step, and set the partners of all processes in it; an
 * error where its messages are sent once and two go from a process to the same other. */
ns_status ns_partners_count(ns_tally *tally, int step, ns_error *err);

#endif
