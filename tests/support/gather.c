/* gather.c -- an event-by-event replay of NetSparse's NIC */
#include "gather.h"

#include "core/memory.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A matrix in memory reaches the library as a file, its columns in falling order. */
const char *gather_write(const oracle_matrix *a)
{
    static char path[] = "netsparse_replay_XXXXXX";
    memcpy(path, "netsparse_replay_XXXXXX", sizeof path);
    int descriptor = mkstemp(path);
    ck_assert_int_ge(descriptor, 0);
    FILE *file = fdopen(descriptor, "w");
    fprintf(file, "%%%%MatrixMarket matrix coordinate pattern general\n%lld %lld %lld\n", (long long)a->rows,
            (long long)a->cols, (long long)a->entries);
    for (int64_t row = 0; row < a->rows; row++)
        for (int64_t e = a->row_start[row + 1] - 1; e >= a->row_start[row]; e--)
            fprintf(file, "%lld %lld\n", (long long)row + 1, (long long)a->col_of[e] + 1);
    ck_assert_int_eq(fclose(file), 0);
    return path;
}

void gather_open(gather_subject *s, uint64_t seed, int64_t rows, int64_t cols, int64_t entries, int dense,
                 int32_t nodes, int32_t rack)
{
    oracle_random random = {seed};
    ns_matrix *matrix;
    ns_error err = {0};
    const ns_trace_options options = {.rack = rack};
    oracle_random_matrix(&random, rows, cols, entries, dense, &s->a);
    oracle_need_of(&s->a, nodes, NULL, &s->need);
    s->nodes = nodes;
    const char *path = gather_write(&s->a);
    ck_assert_msg(ns_matrix_open(path, &matrix, &err) == NS_OK, "%s", err.text);
    ck_assert_msg(ns_trace_open(matrix, nodes, &options, &s->trace, &err) == NS_OK, "%s", err.text);
    ns_matrix_free(matrix);
    remove(path);
}

void gather_close(gather_subject *s)
{
    ns_trace_free(s->trace);
    oracle_need_free(&s->need);
    oracle_matrix_free(&s->a);
}

/* ---- the replay of a node ---------------------------------------------------------------------------------------- */

int gather_by_time(const void *a, const void *b)
{
    const gather_event *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    return (x->unit > y->unit) - (x->unit < y->unit);
}

/* Hand the node's remote entries to its units, batch after batch; each unit works through its list. */
gather_event *gather_events(const gather_subject *s, int32_t node, const ns_gather_rule *rule, int64_t *count)
{
    gather_event *events = oracle_alloc(s->a.entries + 1, sizeof *events);
    int64_t *done = oracle_alloc(rule->clients, sizeof *done), in_batch = 0;
    int32_t unit = 0;
    *count = 0;
    for (int64_t row = node * s->a.rows / s->nodes; row < (node + 1) * s->a.rows / s->nodes; row++)
        for (int64_t e = s->a.row_start[row]; e < s->a.row_start[row + 1]; e++) {
            if (s->need.owner[s->a.col_of[e]] == node)
                continue;
            if (in_batch == rule->batch) {
                in_batch = 0;
                unit = (unit + 1) % rule->clients;
            }
            in_batch++;
            events[(*count)++] = (gather_event){(double)done[unit]++ * rule->tau, node, unit, s->a.col_of[e], false};
        }
    ns_free(done);
    qsort(events, (size_t)*count, sizeof *events, gather_by_time);
    return events;
}

/* Bit of each column once its property is there; pending[unit][col] until the unit's own request is answered. */
void gather_filter_events(const gather_subject *s, const ns_gather_rule *rule, gather_event *events, int64_t count)
{
    double *arrival = oracle_alloc(s->a.cols, sizeof *arrival),
           *pending = oracle_alloc(s->a.cols * rule->clients, sizeof *pending);
    for (int64_t c = 0; c < s->a.cols; c++)
        arrival[c] = INFINITY;
    for (int64_t i = 0; i < s->a.cols * rule->clients; i++)
        pending[i] = -1;
    for (int64_t i = 0; i < count; i++) {
        gather_event *e = &events[i];
        const bool bit = arrival[e->col] <= e->time, waits = pending[e->unit * s->a.cols + e->col] > e->time;
        e->issued = !rule->filter || (!bit && !(rule->coalesce && waits));
        if (!e->issued)
            continue;
        pending[e->unit * s->a.cols + e->col] = e->time + rule->rtt;
        arrival[e->col] = fmin(arrival[e->col], e->time + rule->rtt);
    }
    ns_free(arrival);
    ns_free(pending);
}

/* Packets of one direction: a queue per destination is sent when it is full or has waited. */
int64_t gather_packets(const gather_subject *s, const gather_event *events, int64_t count, double delay, int64_t most)
{
    double *expires = oracle_alloc(s->nodes, sizeof *expires);
    int64_t *held = oracle_alloc(s->nodes, sizeof *held), packets = 0;
    for (int64_t i = 0; i < count; i++) {
        if (!events[i].issued)
            continue;
        for (int32_t q = 0; q < s->nodes; q++)
            if (held[q] > 0 && (held[q] == most || expires[q] <= events[i].time)) {
                held[q] = 0;
                packets++;
            }
        const int32_t q = s->need.owner[events[i].col];
        if (held[q]++ == 0)
            expires[q] = events[i].time + delay;
    }
    for (int32_t q = 0; q < s->nodes; q++)
        packets += held[q] > 0;
    ns_free(expires);
    ns_free(held);
    return packets;
}

int64_t gather_owners_in_windows(const gather_subject *s, const gather_event *events, int64_t count, int64_t *windows)
{
    int64_t total = 0, filled = 0, distinct = 0;
    bool *seen = oracle_alloc(s->nodes, sizeof *seen);
    *windows = 0;
    for (int64_t i = 0; i < count; i++) {
        if (!events[i].issued)
            continue;
        const int32_t owner = s->need.owner[events[i].col];
        distinct += !seen[owner];
        seen[owner] = true;
        if (++filled == 64) {
            total += distinct;
            ++*windows;
            filled = distinct = 0;
            memset(seen, 0, (size_t)s->nodes * sizeof *seen);
        }
    }
    ns_free(seen);
    return total;
}
