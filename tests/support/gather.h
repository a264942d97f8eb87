/* gather.h -- an event-by-event replay of NetSparse's NIC: units, filter, pending tables, concatenation queues
 *
 * It keeps what the hardware keeps: a list of events by time, a bit per column set when a property arrives, a pending
 * table per unit, a queue per destination that expires.  It shares no code with the library, which only opens the
 * trace.
 */
#ifndef NS_TESTS_GATHER_H
#define NS_TESTS_GATHER_H

#include "../oracle/oracle.h"
#include "netsparse/netsparse.h"

typedef struct gather_subject {
    oracle_matrix a;
    oracle_need need;
    int32_t nodes;
    ns_trace *trace;
} gather_subject;

typedef struct gather_event {
    double time;
    int32_t node, unit;
    int64_t col;
    bool issued;
} gather_event;

/* Events by time, then node, then unit; for qsort. */
int gather_by_time(const void *a, const void *b);

/* A matrix in memory as a file, its columns in falling order; returns its path, to be removed (static). */
const char *gather_write(const oracle_matrix *a);
/* A random matrix on so many nodes, and its trace. */
void gather_open(gather_subject *s, uint64_t seed, int64_t rows, int64_t cols, int64_t entries, int dense,
                 int32_t nodes, int32_t rack);
void gather_close(gather_subject *s);

/* The node's remote entries handed to its units, batch after batch; free them. */
gather_event *gather_events(const gather_subject *s, int32_t node, const ns_gather_rule *rule, int64_t *count);
/* Which of them become requests. */
void gather_filter_events(const gather_subject *s, const ns_gather_rule *rule, gather_event *events, int64_t count);
/* Packets of one direction. */
int64_t gather_packets(const gather_subject *s, const gather_event *events, int64_t count, double delay, int64_t most);
/* Distinct owners in full windows of 64 requests. */
int64_t gather_owners_in_windows(const gather_subject *s, const gather_event *events, int64_t count, int64_t *windows);

#endif
