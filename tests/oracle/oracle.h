/* oracle.h -- what the library has to say, worked out again in the plainest way
 *
 * Nothing here calls the library; only its public types are shared.  Matrices are whole arrays, sets are lists, every
 * count is taken over a dense table.  Written from the definitions of the pattern and of the strategies, not from their
 * code. Functions that check return false and say why in `why`; allocation failures abort, since these are tests.
 */
#ifndef TESTS_ORACLE_H
#define TESTS_ORACLE_H

#include "machine/machine.h"
#include "pattern/exchange.h"
#include "price/choice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- support.c --------------------------------------------------------------------------------------------------- */
void *oracle_alloc(int64_t count, size_t size);                          /* zeroed, never NULL */
bool oracle_say(char why[256], const char *format, ...) NS_PRINTF(2, 3); /* always false */

/* To 1e-12 of the expected value: the same sums in another order. */
bool oracle_equal(double expected, double got);

/* Every file below `folder`, sorted; closed by NULL. */
char **oracle_walk(const char *folder);
void oracle_walk_free(char **files);

/* splitmix64: the same numbers everywhere. */
typedef struct oracle_random {
    uint64_t state;
} oracle_random;
int64_t oracle_below(oracle_random *random, int64_t bound);

/* ---- reader.c, matrix.c ------------------------------------------------------------------------------------------ */
typedef struct oracle_matrix {
    int64_t rows, cols, entries;
    int64_t *row_start, *col_of; /* columns of each row, ascending, repeats kept */
    int64_t *col_start, *row_of; /* rows of each column, ascending, repeats kept */
} oracle_matrix;

/* Read a Matrix Market file, a gzip of it or a .tar.gz with one; false when it is none of these. */
bool oracle_read(const char *path, oracle_matrix *matrix);
void oracle_from_entries(int64_t rows, int64_t cols, int64_t entries, const int64_t *row, const int64_t *col,
                         oracle_matrix *matrix);
/* `entries` random entries; with dense > 0 also that many full rows. */
void oracle_random_matrix(oracle_random *random, int64_t rows, int64_t cols, int64_t entries, int dense,
                          oracle_matrix *matrix);
void oracle_matrix_free(oracle_matrix *matrix);

/* ---- pattern.c --------------------------------------------------------------------------------------------------- */
/* Who needs what: item i (a column, or a piece of a planned message) is owned by owner[i] and needed by the parts
 * part[start[i] .. start[i + 1]), ascending, never its owner. */
typedef struct oracle_need {
    int32_t parts;
    int64_t items;
    int32_t *owner;
    int64_t *start;
    int32_t *part;
} oracle_need;

void oracle_need_of(const oracle_matrix *matrix, int32_t parts, const int32_t *partition, oracle_need *need);
/* Items of `message`, one byte each, parts renumbered by place (or NULL). */
void oracle_need_planned(const ns_planned *message, size_t messages, int32_t parts, const int32_t *place,
                         oracle_need *need);
void oracle_need_free(oracle_need *need);

/* Counts with part p on node p / per_node, or on node_of[p]. */
void oracle_pattern(const oracle_need *need, int32_t per_node, int64_t width, ns_pattern *pattern);
void oracle_pattern_on(const oracle_need *need, const int32_t *node_of, int32_t nodes, int64_t width,
                       ns_pattern *pattern);
void oracle_netsparse(const oracle_matrix *matrix, const oracle_need *need, const int32_t *partition, int32_t rack,
                      ns_netsparse_view *view);

bool oracle_same_pattern(const ns_pattern *expected, const ns_pattern *got, char why[256]);
bool oracle_same_view(const ns_netsparse_view *expected, const ns_netsparse_view *got, char why[256]);

/* ---- lists.c ----------------------------------------------------------------------------------------------------- */
/* Groups of items: D(q, p) by receiver, then sender, or L(M, N) by receiving node, then sending node.  Items of a group
 * are by owner, then number; group g holds item[start[g] .. start[g + 1]). */
typedef struct oracle_lists {
    int64_t groups;
    int32_t *from, *to;
    int64_t *start, *item;
} oracle_lists;

void oracle_direct(const oracle_need *need, oracle_lists *lists);                          /* D */
void oracle_by_node(const oracle_need *need, const int32_t *node_of, oracle_lists *lists); /* L */
void oracle_lists_free(oracle_lists *lists);
int64_t oracle_group(const oracle_lists *lists, int32_t from, int32_t to); /* -1 when there is none */
bool oracle_needs(const oracle_need *need, int64_t item, int32_t part);
/* Is need->part[i] the first of its node among the parts that need the item? */
bool oracle_first_on_node(const oracle_need *need, const int32_t *node_of, int64_t item, int64_t i);

/* Is the site the one where part p is on node node_of[p], or with NULL on p / per_node? */
bool oracle_same_site(const ns_site *site, const int32_t *node_of, char why[256]);

/* Are routes, pairs, runs and needs of the exchange those of `need`? */
bool oracle_same_exchange(const oracle_need *need, const ns_exchange *exchange, char why[256]);

/* ---- replay.c ---------------------------------------------------------------------------------------------------- */
/* Off-node traffic by ordered pair of nodes: [from * nodes + to]. */
typedef struct oracle_traffic {
    int32_t nodes;
    int64_t *bytes, *messages;
} oracle_traffic;
void oracle_traffic_free(oracle_traffic *traffic);

/* Move real items by the schedule: every sender holds what it sends when the step begins, bytes are width x items,
 * every needed item arrives exactly once where it is needed. */
bool oracle_replay(const oracle_need *need, const ns_exchange *exchange, const ns_schedule *schedule,
                   oracle_traffic *traffic, char why[256]);

/* ---- rules.c ----------------------------------------------------------------------------------------------------- */
/* The rules of the strategy that is named so: who sends what to whom, in what sizes. `cap`: split's, in bytes. */
bool oracle_rules(const oracle_need *need, const ns_exchange *exchange, const ns_schedule *schedule, int64_t cap,
                  char why[256]);

/* ---- cost.c ------------------------------------------------------------------------------------------------------ */
/* The price of a schedule, message by message. */
typedef struct oracle_cost {
    double on_node_s, off_node_s, copy_s, estimate_s;
} oracle_cost;
void oracle_price(const ns_schedule *schedule, const ns_machine *machine, oracle_cost *cost);
/* What every process has to do in a step, [processes]; free with free.  one_table: protocols by the off-node sizes. */
ns_load *oracle_loads(const ns_schedule *schedule, int index, const ns_machine *machine, bool one_table);

/* Seconds of a schedule in the full form. */
double oracle_price_full(const ns_schedule *schedule, const ns_machine *machine);

#endif
