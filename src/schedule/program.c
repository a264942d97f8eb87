/* program.c -- from a schedule's slices to one process' operations on its buffers
 *
 * The location of every entry that the process has is tracked step by step: entries that its part owns are in send,
 * entries received in an earlier step are in work or receive.
 */
#include "schedule/pieces.h"

#include "core/memory.h"
#include "core/own.h"
#include "core/sized.h"

#include <stdlib.h>
#include <string.h>

struct ns_program {
    ns_program_info info;
    ns_op *op;
    ns_op_slice *slice;
};

typedef struct maker {
    const ns_schedule *schedule;
    const ns_exchange *exchange;
    ns_program *program;
    int64_t op_capacity, slice_capacity, slices;
    ns_piece_offsets send, receive;
    ns_pieces known;  /* entries received in earlier steps */
    ns_pieces fresh;  /* entries received in this step */
    ns_pieces passed; /* entries of the part that this process passes to another holder of the part's data */
    ns_pieces named;  /* entries of the current slice */
} maker;

/* ---- operations -------------------------------------------------------------------------------------------------- */

static ns_status begin_op(maker *m, ns_op_kind kind, int step, int32_t peer, int32_t number, ns_error *err)
{
    NS_TRY(ns_grow((void **)&m->program->op, &m->op_capacity, m->program->info.ops + 1, sizeof(ns_op), &(ns_budget){0},
                   err));
    m->program->op[m->program->info.ops++] = (ns_op){.kind = kind, .step = step, .peer = peer, .number = number};
    return NS_OK;
}

/* Add entries to the last operation; contiguous entries form one slice. */
static ns_status add_slice(maker *m, ns_buffer buffer, int64_t offset, int64_t entries, int64_t to, ns_error *err)
{
    ns_op *op = &m->program->op[m->program->info.ops - 1];
    ns_op_slice *last = op->slices > 0 ? &m->program->slice[m->slices - 1] : NULL;
    op->bytes += entries * m->program->info.width;
    if (last != NULL && last->buffer == buffer && last->offset + last->entries == offset &&
        (to < 0 || last->to + last->entries == to)) {
        last->entries += entries;
        return NS_OK;
    }
    NS_TRY(ns_grow((void **)&m->program->slice, &m->slice_capacity, m->slices + 1, sizeof(ns_op_slice), &(ns_budget){0},
                   err));
    m->program->slice[m->slices++] = (ns_op_slice){.offset = offset, .entries = entries, .to = to, .buffer = buffer};
    op->slices++;
    return NS_OK;
}

/* ---- messages ---------------------------------------------------------------------------------------------------- */

/* Entries that are sent are read where they were received in an earlier step, otherwise from send.  Received entries
 * that the part needs go to their places in receive, others to the next places of work. */
static ns_status add_entries(maker *m, const ns_message *message, int step, bool sending, const ns_slice *slice,
                             ns_error *err)
{
    const int32_t part = m->program->info.part;
    const bool own = part >= 0 && slice->pair >= 0 && slice->only == part;
    m->named.count = 0;
    NS_TRY(ns_slice_pieces(m->exchange, slice, &m->named, err));
    if (slice->pair < 0 && (sending ? slice->from : slice->to) == part) {
        const int64_t begin = sending ? m->send.at[slice->to] : m->receive.at[slice->from];
        return add_slice(m, sending ? NS_BUFFER_SEND : NS_BUFFER_RECEIVE, begin + slice->first, slice->entries, -1,
                         err);
    }
    for (const ns_piece *p = m->named.piece; p < m->named.piece + m->named.count; p++)
        for (int64_t at = p->first, end = p->first + p->entries; at < end;) {
            ns_piece one = {p->key, at, end - at, m->program->info.work_entries, NS_BUFFER_WORK};
            if (sending) {
                one = ns_pieces_from(&m->known, p->key, at, end - at);
                if (one.offset < 0)
                    one = ns_pieces_from(&m->send.lists, p->key, at, one.entries);
                if (one.offset < 0)
                    return ns_fail(err, NS_ERR_DATA,
                                   "process %d sends entries to process %d in step \"%s\" that it does not have",
                                   (int)message->from, (int)message->to, m->schedule->step[step].name);
            } else if (own)
                one = ns_pieces_from(&m->receive.lists, p->key, at, end - at);
            else
                m->program->info.work_entries += one.entries;
            NS_TRY(add_slice(m, one.buffer, one.offset, one.entries, -1, err));
            if (!sending)
                NS_TRY(ns_pieces_add(&m->fresh, one, err));
            at += one.entries;
        }
    return NS_OK;
}

/* Messages with the same ends are adjacent. */
static ns_status add_message(maker *m, int step, int64_t index, bool sending, ns_error *err)
{
    const ns_step *of = &m->schedule->step[step];
    const ns_message *message = &of->message[index];
    int32_t number = 0;
    while (index - number > 0 && message[-number - 1].from == message->from && message[-number - 1].to == message->to)
        number++;
    NS_TRY(begin_op(m, sending ? NS_OP_SEND : NS_OP_RECEIVE, step, sending ? message->to : message->from, number, err));
    for (int64_t s = message->slice; s < message->slice + message->slices; s++)
        NS_TRY(add_entries(m, message, step, sending, &m->schedule->slice[s], err));
    const ns_op *op = &m->program->op[m->program->info.ops - 1];
    return op->bytes == message->bytes
               ? NS_OK
               : ns_fail(err, NS_ERR_DATA, "a message from process %d to %d carries %lld B, and %lld B were priced",
                         (int)message->from, (int)message->to, (long long)op->bytes, (long long)message->bytes);
}

/* ---- copies ------------------------------------------------------------------------------------------------------ */

static int by_offset(const void *a, const void *b)
{
    const ns_op_slice *x = a, *y = b;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

/* What the process takes from send, or adds to receive, each entry once. */
static ns_status add_copies(maker *m, ns_op_kind kind, ns_error *err)
{
    const bool out = kind == NS_OP_COPY_OUT;
    NS_OWN(ns_free) ns_op_slice *list = ns_malloc(ns_size_mul((size_t)m->slices + 1, sizeof *list));
    if (list == NULL)
        return ns_no_memory(err);
    int64_t count = 0, passed = 0;
    for (int64_t i = 0; i < m->slices; i++) {
        const ns_op_slice *s = &m->program->slice[i];
        if (out ? s->buffer == NS_BUFFER_SEND : s->buffer == NS_BUFFER_RECEIVE)
            list[count++] = *s;
        else if (!out && s->to >= 0)
            list[count++] = (ns_op_slice){.offset = s->to, .entries = s->entries};
    }
    qsort(list, (size_t)count, sizeof *list, by_offset);
    if (count > 0)
        NS_TRY(begin_op(m, kind, out ? 0 : m->schedule->steps - 1, -1, 0, err));
    for (int64_t i = 0; i < count; i++) {
        const int64_t end = list[i].offset + list[i].entries, first = list[i].offset > passed ? list[i].offset : passed;
        if (first < end)
            NS_TRY(add_slice(m, out ? NS_BUFFER_SEND : NS_BUFFER_RECEIVE, first, end - first, -1, err));
        passed = end > passed ? end : passed;
    }
    return NS_OK;
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

static ns_status make(maker *m, ns_error *err)
{
    const ns_schedule *schedule = m->schedule;
    const int32_t process = m->program->info.process, part = m->program->info.part;
    if (part >= 0) {
        NS_TRY(ns_piece_offsets_open(m->exchange, part, true, &m->send, err));
        NS_TRY(ns_piece_offsets_open(m->exchange, part, false, &m->receive, err));
        m->program->info.send_entries = m->send.at[m->exchange->parts];
        m->program->info.receive_entries = m->receive.at[m->exchange->parts];
    }
    for (const ns_step *step = schedule->step; part >= 0 && step < schedule->step + schedule->steps; step++)
        for (int64_t i = step->sent[process]; i < step->sent[process + 1]; i++)
            for (int64_t k = 0; k < step->message[i].slices; k++) {
                const ns_slice *slice = &schedule->slice[step->message[i].slice + k];
                if (slice->pair >= 0 && slice->only == part)
                    NS_TRY(ns_slice_pieces(m->exchange, slice, &m->passed, err));
            }
    ns_pieces_sort(&m->passed);
    for (int s = 0; s < schedule->steps; s++) {
        const ns_step *step = &schedule->step[s];
        bool begun = false;
        m->fresh.count = 0;
        for (int64_t i = step->received[process]; i < step->received[process + 1]; i++)
            NS_TRY(add_message(m, s, step->by_receiver[i], false, err));
        for (int64_t i = step->sent[process]; i < step->sent[process + 1]; i++)
            NS_TRY(add_message(m, s, i, true, err));
        /* Move the entries that were received into work, that the part needs, and that no other holder of its data
         * gets; with a staged way, however, what a part needs is received under its own name. */
        for (const ns_piece *p = m->fresh.piece; p < m->fresh.piece + m->fresh.count; p++)
            for (int64_t at = p->first, end = p->first + p->entries;
                 schedule->strategy->grid == NULL && p->buffer == NS_BUFFER_WORK && at < end;) {
                const ns_piece away = ns_pieces_from(&m->passed, p->key, at, end - at);
                const ns_piece wanted = ns_pieces_from(&m->receive.lists, p->key, at, away.entries);
                if (wanted.offset >= 0 && away.offset < 0) {
                    if (!begun)
                        NS_TRY(begin_op(m, NS_OP_MOVE, s, -1, 0, err));
                    begun = true;
                    NS_TRY(add_slice(m, NS_BUFFER_WORK, p->offset + at - p->first, wanted.entries, wanted.offset, err));
                }
                at += wanted.entries;
            }
        for (int64_t i = 0; i < m->fresh.count; i++)
            NS_TRY(ns_pieces_add(&m->known, m->fresh.piece[i], err));
        ns_pieces_sort(&m->known);
    }
    if (schedule->staged)
        NS_TRY(add_copies(m, NS_OP_COPY_IN, err));
    const int64_t before = m->program->info.ops;
    if (schedule->staged)
        NS_TRY(add_copies(m, NS_OP_COPY_OUT, err));
    const ns_op_slice *at = m->program->slice; /* they are in the order of their operations; addresses are final now */
    for (int64_t i = 0; i < m->program->info.ops; i++) {
        m->program->op[i].slice = at;
        at += m->program->op[i].slices;
    }
    if (m->program->info.ops > before) { /* what is copied out is known last, but must come first */
        const ns_op last = m->program->op[before];
        memmove(m->program->op + 1, m->program->op, (size_t)before * sizeof last);
        m->program->op[0] = last;
    }
    return NS_OK;
}

ns_status ns_schedule_ops(const ns_schedule *schedule, const ns_exchange *exchange, int32_t process,
                          ns_program **program, ns_error *err)
{
    ns_error_clear(err);
    if (process < 0 || process >= schedule->processes)
        return ns_fail(err, NS_ERR_RANGE, "process %d: the schedule has processes 0 to %d", (int)process,
                       (int)schedule->processes - 1);
    if (schedule->parts != exchange->parts || schedule->nodes != exchange->nodes)
        return ns_fail(err, NS_ERR_DATA, "the schedule is of %d parts on %d nodes, the exchange of %d on %d",
                       (int)schedule->parts, (int)schedule->nodes, (int)exchange->parts, (int)exchange->nodes);
    maker m = {.schedule = schedule,
               .exchange = ns_schedule_names(schedule, exchange),
               .program = ns_calloc(1, sizeof *m.program)};
    if (m.program == NULL)
        return ns_no_memory(err);
    m.program->info =
        (ns_program_info){.size = sizeof m.program->info, .process = process, .part = -1, .width = exchange->width};
    for (int32_t p = schedule->parts - 1; p >= 0; p--)
        if (process >= schedule->home[p] && process < schedule->home[p] + schedule->holders)
            m.program->info.part = p;
    const ns_status status = make(&m, err);
    ns_piece_offsets_free(&m.send);
    ns_piece_offsets_free(&m.receive);
    ns_pieces *const lists[] = {&m.known, &m.fresh, &m.passed, &m.named};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        ns_pieces_free(lists[i]);
    if (status == NS_OK)
        *program = m.program;
    else
        ns_program_free(m.program);
    return status;
}

void ns_program_describe(const ns_program *program, ns_program_info *info)
{
    (void)ns_sized_give(info, &program->info, sizeof *info, NULL);
}

const ns_op *ns_program_op(const ns_program *program, int64_t i)
{
    return i >= 0 && i < program->info.ops ? &program->op[i] : NULL;
}

void ns_program_free(ns_program *program)
{
    if (program == NULL)
        return;
    ns_free(program->op);
    ns_free(program->slice);
    ns_free(program);
}
