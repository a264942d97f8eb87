/* executed.c -- a world of processes that know their programs, and nothing else */
#include "support/executed.h"

#include "core/memory.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include <nsmodel/program.h>

enum { NOTHING = -1 };

/* One process: its program and the entries of its buffers, by item. */
typedef struct host {
    ns_program *program;
    ns_program_info info;
    int64_t *buffer[3];
} host;

/* A message on its way. */
typedef struct letter {
    const ns_op *op;
    int32_t from;
    int64_t *item;
    bool taken;
} letter;

typedef struct world {
    const ns_schedule *schedule;
    oracle_lists direct;
    host *host;
    int64_t **arrived; /* [parts] what of receive the part's device, or host, has in the end */
    letter *letter;
    int64_t letters, bytes;
    int64_t copied[2];
} world;

/* ---- the buffers ------------------------------------------------------------------------------------------------- */

/* All that a part has for others, by receiver, or gets, by sender; returns how many. */
static int64_t lay_out(const world *w, int32_t part, bool sending, int64_t *item)
{
    int64_t count = 0;
    for (int32_t other = 0; other < w->schedule->parts; other++) {
        const int64_t g = oracle_group(&w->direct, sending ? part : other, sending ? other : part);
        for (int64_t i = g >= 0 ? w->direct.start[g] : 0; g >= 0 && i < w->direct.start[g + 1]; i++, count++)
            if (item != NULL)
                item[count] = w->direct.item[i];
    }
    return count;
}

static int64_t *empty(int64_t count)
{
    int64_t *list = oracle_alloc(count + 1, sizeof *list);
    for (int64_t i = 0; i < count; i++)
        list[i] = NOTHING;
    return list;
}

static void open_host(world *w, const ns_exchange *x, int32_t process)
{
    host *h = &w->host[process];
    ns_error err = {0};
    h->info.size = sizeof h->info;
    ck_assert_msg(ns_schedule_ops(w->schedule, x, process, &h->program, &err) == NS_OK, "%s", err.text);
    ns_program_describe(h->program, &h->info);
    ck_assert_int_eq(h->info.process, process);
    ck_assert_int_eq(h->info.width, x->width);
    h->buffer[NS_BUFFER_SEND] = empty(h->info.send_entries);
    h->buffer[NS_BUFFER_WORK] = empty(h->info.work_entries);
    h->buffer[NS_BUFFER_RECEIVE] = empty(h->info.receive_entries);
    if (h->info.part < 0) {
        ck_assert(h->info.send_entries == 0 && h->info.receive_entries == 0);
        return;
    }
    ck_assert_int_eq(h->info.send_entries, lay_out(w, h->info.part, true, NULL));
    ck_assert_int_eq(h->info.receive_entries, lay_out(w, h->info.part, false, NULL));
    if (!w->schedule->staged)
        lay_out(w, h->info.part, true, h->buffer[NS_BUFFER_SEND]);
}

/* ---- operations -------------------------------------------------------------------------------------------------- */

static int64_t entries_of(const host *h, const ns_op *op)
{
    int64_t entries = 0;
    bool good = true; /* one assertion for all: each is a call to the kernel */
    for (int64_t i = 0; i < op->slices; i++) {
        const ns_op_slice *s = &op->slice[i];
        const int64_t room[] = {h->info.send_entries, h->info.work_entries, h->info.receive_entries};
        good = good && s->entries > 0 && s->offset >= 0 && s->offset + s->entries <= room[s->buffer];
        good = good &&
               (op->kind == NS_OP_MOVE ? s->to >= 0 && s->to + s->entries <= h->info.receive_entries : s->to == -1);
        /* what stands together is one slice */
        good = good && (i == 0 || s[-1].buffer != s->buffer || s[-1].offset + s[-1].entries != s->offset ||
                        (op->kind == NS_OP_MOVE && s[-1].to + s[-1].entries != s->to));
        entries += s->entries;
    }
    ck_assert(good);
    ck_assert_int_eq(entries * h->info.width, op->bytes);
    return entries;
}

/* Each place is written once. */
static void put(int64_t *place, int64_t item)
{
    if (*place != NOTHING || item == NOTHING)
        ck_abort_msg("item %lld is put where item %lld is", (long long)item, (long long)*place);
    *place = item;
}

static void post(world *w, int32_t process, const ns_op *op)
{
    host *h = &w->host[process];
    letter *l = &w->letter[w->letters++];
    *l = (letter){.op = op, .from = process, .item = empty(entries_of(h, op))};
    for (int64_t i = 0, at = 0; i < op->slices; i++)
        for (int64_t k = 0; k < op->slice[i].entries; k++) {
            l->item[at] = h->buffer[op->slice[i].buffer][op->slice[i].offset + k];
            if (l->item[at++] == NOTHING)
                ck_abort_msg("process %d sends what it does not have", (int)process);
        }
    w->bytes += op->bytes;
}

static void take(world *w, int32_t process, const ns_op *op)
{
    host *h = &w->host[process];
    for (int64_t i = 0; i < w->letters; i++) {
        letter *l = &w->letter[i];
        if (l->from != op->peer || l->op->peer != process || l->op->step != op->step || l->op->number != op->number)
            continue;
        ck_assert(!l->taken && l->op->bytes == op->bytes);
        l->taken = true;
        entries_of(h, op);
        for (int64_t s = 0, at = 0; s < op->slices; s++)
            for (int64_t k = 0; k < op->slice[s].entries; k++)
                put(&h->buffer[op->slice[s].buffer][op->slice[s].offset + k], l->item[at++]);
        return;
    }
    ck_abort_msg("process %d waits for process %d in vain", (int)process, (int)op->peer);
}

static void move(host *h, const ns_op *op)
{
    ck_assert(op->peer == -1 && op->number == 0);
    entries_of(h, op);
    for (int64_t i = 0; i < op->slices; i++)
        for (int64_t k = 0; k < op->slice[i].entries; k++)
            put(&h->buffer[NS_BUFFER_RECEIVE][op->slice[i].to + k],
                h->buffer[op->slice[i].buffer][op->slice[i].offset + k]);
}

static void copy(world *w, int32_t process, const ns_op *op)
{
    host *h = &w->host[process];
    int64_t *device = empty(h->info.send_entries);
    ck_assert(op->peer == -1 && op->number == 0);
    lay_out(w, h->info.part, true, device);
    entries_of(h, op);
    for (int64_t i = 0; i < op->slices; i++)
        for (int64_t k = op->slice[i].offset; k < op->slice[i].offset + op->slice[i].entries; k++)
            if (op->kind == NS_OP_COPY_OUT)
                put(&h->buffer[NS_BUFFER_SEND][k], device[k]);
            else
                put(&w->arrived[h->info.part][k], h->buffer[NS_BUFFER_RECEIVE][k]);
    w->copied[op->kind == NS_OP_COPY_OUT ? NS_D2H : NS_H2D] += op->bytes;
    ns_free(device);
}

/* All operations of a kind and step, over all processes. */
static void each(world *w, ns_op_kind kind, int step)
{
    for (int32_t p = 0; p < w->schedule->processes; p++)
        for (int64_t i = 0; i < w->host[p].info.ops; i++) {
            const ns_op *op = ns_program_op(w->host[p].program, i);
            if (op->kind != kind || op->step != step)
                continue;
            if (kind == NS_OP_SEND)
                post(w, p, op);
            else if (kind == NS_OP_RECEIVE)
                take(w, p, op);
            else if (kind == NS_OP_MOVE)
                move(&w->host[p], op);
            else
                copy(w, p, op);
        }
}

/* Operations come as they are to be executed. */
static void check_order(const world *w, int32_t process)
{
    const host *h = &w->host[process];
    bool good = true;
    for (int64_t i = 1; i < h->info.ops; i++) {
        const ns_op *a = ns_program_op(h->program, i - 1), *b = ns_program_op(h->program, i);
        good = good && (a->kind == NS_OP_COPY_OUT || b->kind == NS_OP_COPY_IN || a->step < b->step ||
                        (a->step == b->step && a->kind <= b->kind));
    }
    ck_assert(good);
    ck_assert_ptr_null(ns_program_op(h->program, h->info.ops));
    ck_assert_ptr_null(ns_program_op(h->program, -1));
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

static int64_t count_messages(const ns_schedule *s)
{
    int64_t count = 0;
    for (int i = 0; i < s->steps; i++)
        count += s->step[i].messages;
    return count;
}

static int64_t count_bytes(const ns_schedule *s)
{
    int64_t bytes = 0;
    for (int i = 0; i < s->steps; i++)
        for (int64_t k = 0; k < s->step[i].messages; k++)
            bytes += s->step[i].message[k].bytes;
    return bytes;
}

/* Without a device, the shares of the processes that hold the part. */
static void join_shares(world *w, int32_t part)
{
    for (int32_t t = 0; t < w->schedule->holders && !w->schedule->staged; t++) {
        const host *h = &w->host[w->schedule->home[part] + t];
        for (int64_t i = 0; i < h->info.receive_entries; i++)
            if (h->buffer[NS_BUFFER_RECEIVE][i] != NOTHING)
                put(&w->arrived[part][i], h->buffer[NS_BUFFER_RECEIVE][i]);
    }
}

static void check_arrived(world *w)
{
    for (int32_t p = 0; p < w->schedule->parts; p++) {
        const int64_t count = lay_out(w, p, false, NULL);
        int64_t *expected = empty(count);
        lay_out(w, p, false, expected);
        join_shares(w, p);
        for (int64_t i = 0; i < count; i++)
            if (w->arrived[p][i] != expected[i])
                ck_abort_msg("%s: entry %lld of part %d is %lld, not %lld", w->schedule->strategy->name, (long long)i,
                             (int)p, (long long)w->arrived[p][i], (long long)expected[i]);
        ns_free(expected);
    }
}

static void check_amounts(const world *w)
{
    ck_assert_int_eq(w->letters, count_messages(w->schedule));
    ck_assert_int_eq(w->bytes, count_bytes(w->schedule));
    for (int64_t i = 0; i < w->letters; i++)
        ck_assert(w->letter[i].taken);
    for (int d = 0; d < 2; d++) {
        int64_t bytes = 0;
        for (int64_t i = 0; i < w->schedule->copies[d]; i++)
            bytes += w->schedule->copy[d][i].bytes;
        ck_assert_int_eq(w->copied[d], bytes);
    }
}

static void close_world(world *w)
{
    for (int32_t p = 0; p < w->schedule->processes; p++) {
        for (int b = 0; b < 3; b++)
            ns_free(w->host[p].buffer[b]);
        ns_program_free(w->host[p].program);
    }
    for (int32_t p = 0; p < w->schedule->parts; p++)
        ns_free(w->arrived[p]);
    for (int64_t i = 0; i < w->letters; i++)
        ns_free(w->letter[i].item);
    ns_free(w->host);
    ns_free(w->arrived);
    ns_free(w->letter);
}

void execute_programs(const ns_schedule *schedule, const ns_exchange *x, const oracle_lists *direct)
{
    world w = {.schedule = schedule,
               .direct = *direct,
               .host = oracle_alloc(schedule->processes, sizeof *w.host),
               .arrived = oracle_alloc(schedule->parts, sizeof *w.arrived),
               .letter = oracle_alloc(count_messages(schedule) + 1, sizeof *w.letter)};
    for (int32_t p = 0; p < schedule->processes; p++) {
        open_host(&w, x, p);
        check_order(&w, p);
    }
    for (int32_t p = 0; p < schedule->parts; p++)
        w.arrived[p] = empty(lay_out(&w, p, false, NULL));
    each(&w, NS_OP_COPY_OUT, 0);
    for (int s = 0; s < schedule->steps; s++) {
        each(&w, NS_OP_SEND, s);
        each(&w, NS_OP_RECEIVE, s);
        each(&w, NS_OP_MOVE, s);
    }
    each(&w, NS_OP_COPY_IN, schedule->steps - 1);
    check_arrived(&w);
    check_amounts(&w);
    close_world(&w);
}
