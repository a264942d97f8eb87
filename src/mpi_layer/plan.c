/* plan.c -- from the words of rank 0 to messages on the program's own buffers
 *
 * A program (nsmodel/program.h) speaks of entries in send, work and receive.  Work is the plan's; send and receive are
 * the caller's buffers, whose pieces stand where the two maps say.
 */
#include "mpi_layer/layer.h"

#include <nsmodel/program.h>

#include <stdlib.h>
#include <string.h>

/* Entries of send or receive, and where they are in the caller's buffer. */
typedef struct piece {
    int64_t offset, entries;
    layer_segment at; /* of the first of them; its bytes mean nothing */
} piece;

typedef struct pieces {
    piece *item; /* by offset, without gaps */
    int64_t count;
} pieces;

typedef struct maker {
    const layer_graph *graph;
    layer_plan *plan;
    int64_t width, segment_room, move_room;
    pieces sent, received;
} maker;

/* ---- growing lists ----------------------------------------------------------------------------------------------- */

static bool grow(void **list, int64_t *room, int64_t count, size_t size)
{
    if (count < *room)
        return true;
    void *grown = realloc(*list, (size_t)(2 * *room + 16) * size);
    if (grown == NULL)
        return false;
    memset((char *)grown + (size_t)*room * size, 0, (size_t)(*room + 16) * size);
    *list = grown;
    *room = 2 * *room + 16;
    return true;
}

static bool add_segment(maker *m, layer_segment segment)
{
    void *list = m->plan->segment;
    if (!grow(&list, &m->segment_room, m->plan->segments, sizeof segment))
        return false;
    m->plan->segment = list;
    m->plan->segment[m->plan->segments++] = segment;
    return true;
}

static bool add_move(maker *m, layer_move move)
{
    void *list = m->plan->move;
    if (!grow(&list, &m->move_room, m->plan->moves, sizeof move))
        return false;
    m->plan->move = list;
    m->plan->move[m->plan->moves++] = move;
    return true;
}

/* ---- where entries are ------------------------------------------------------------------------------------------- */

static layer_segment shifted(const maker *m, const piece *p, int64_t offset, int64_t entries)
{
    layer_segment at = p->at;
    at.at += (offset - p->offset) * m->width;
    at.bytes = entries * m->width;
    return at;
}

/* Entries from an offset on that stand together: at most `entries`. */
static layer_segment locate(const maker *m, const pieces *in, int64_t offset, int64_t entries)
{
    int64_t low = 0, high = in->count;
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (in->item[middle].offset <= offset)
            low = middle;
        else
            high = middle;
    }
    const piece *p = &in->item[low];
    const int64_t left = p->offset + p->entries - offset;
    return shifted(m, p, offset, left < entries ? left : entries);
}

static layer_segment find(const maker *m, int64_t buffer, int64_t offset, int64_t entries)
{
    if (buffer == NS_BUFFER_WORK)
        return (layer_segment){.place = LAYER_WORK, .at = offset * m->width, .bytes = entries * m->width};
    return locate(m, buffer == NS_BUFFER_SEND ? &m->sent : &m->received, offset, entries);
}

static bool read_sent(maker *m, const int64_t *words, int64_t count)
{
    m->sent.item = calloc((size_t)count + 1, sizeof *m->sent.item);
    for (int64_t i = 0; m->sent.item != NULL && i < count; i++, words += 4)
        m->sent.item[m->sent.count++] = (piece){words[0], words[1], {.place = LAYER_SEND, .at = words[3]}};
    return m->sent.item != NULL;
}

/* What another edge brings too is copied from there when all has arrived. */
static bool read_received(maker *m, const int64_t *words, int64_t count)
{
    int64_t covered = 0;
    m->received.item = calloc((size_t)count + 1, sizeof *m->received.item);
    if (m->received.item == NULL)
        return false;
    for (int64_t i = 0; i < count; i++, words += 4) {
        piece p = {words[0], words[1], {.place = LAYER_RECEIVE, .edge = (int)words[2], .at = words[3]}};
        const int64_t end = p.offset + p.entries;
        for (int64_t at = p.offset; at < covered && at < end;) {
            const layer_segment from = locate(m, &m->received, at, (end < covered ? end : covered) - at);
            const int64_t entries = from.bytes / m->width;
            if (!add_move(m, (layer_move){LAYER_LAST, from, shifted(m, &p, at, entries)}))
                return false;
            at += entries;
        }
        if (end <= covered)
            continue;
        if (p.offset < covered) {
            p.at = shifted(m, &p, covered, 0);
            p.entries = end - covered;
            p.offset = covered;
        }
        m->received.item[m->received.count++] = p;
        covered = end;
    }
    return true;
}

/* ---- operations -------------------------------------------------------------------------------------------------- */

static bool read_moves(maker *m, int step, const int64_t *slice, int64_t slices)
{
    for (int64_t i = 0; i < slices; i++, slice += 4)
        for (int64_t done = 0; done < slice[2];) {
            const layer_segment to = find(m, NS_BUFFER_RECEIVE, slice[3] + done, slice[2] - done);
            const int64_t entries = to.bytes / m->width;
            if (!add_move(m, (layer_move){step, find(m, slice[0], slice[1] + done, entries), to}))
                return false;
            done += entries;
        }
    return true;
}

static bool read_message(maker *m, const int64_t *op, const int64_t *slice)
{
    const layer_graph *g = m->graph;
    layer_message *message = &m->plan->message[m->plan->messages++];
    *message = (layer_message){.step = (int)op[1],
                               .peer = (int)op[2],
                               .sending = op[0] == NS_OP_SEND,
                               .off_node = g->node_of[op[2]] != g->node_of[g->rank],
                               .segment = m->plan->segments};
    for (int64_t i = 0; i < op[3]; i++, slice += 4)
        for (int64_t done = 0; done < slice[2];) {
            const layer_segment s = find(m, slice[0], slice[1] + done, slice[2] - done);
            if (!add_segment(m, s))
                return false;
            message->segments++;
            message->bytes += s.bytes;
            done += s.bytes / m->width;
        }
    return true;
}

static bool read_ops(maker *m, const int64_t *head)
{
    const int64_t *op = head + LAYER_HEAD, *slice = op + 4 * head[LAYER_OPS];
    m->plan->message = calloc((size_t)head[LAYER_OPS] + 1, sizeof *m->plan->message);
    if (m->plan->message == NULL)
        return false;
    for (int64_t i = 0; i < head[LAYER_OPS]; i++, op += 4) {
        const bool is_message = op[0] == NS_OP_SEND || op[0] == NS_OP_RECEIVE;
        if (op[1] >= m->plan->steps)
            m->plan->steps = (int)op[1] + 1;
        if (is_message ? !read_message(m, op, slice)
                       : op[0] == NS_OP_MOVE && !read_moves(m, (int)op[1], slice, op[3])) /* no copies: host memory */
            return false;
        slice += 4 * op[3];
    }
    return true;
}

/* Edges of a process to itself match in the order in which it names them. */
static bool add_own(maker *m, const layer_call *b)
{
    const layer_graph *g = m->graph;
    for (int i = 0, k = 0; i < g->in; i++) {
        if (g->source[i] != g->rank)
            continue;
        while (k < g->out && g->target[k] != g->rank)
            k++;
        if (k == g->out)
            return true;
        const int64_t bytes = b->send_bytes[k] < b->receive_bytes[i] ? b->send_bytes[k] : b->receive_bytes[i];
        if (!add_move(m, (layer_move){LAYER_LAST,
                                      {.place = LAYER_SEND, .at = b->send_at[k], .bytes = bytes},
                                      {.place = LAYER_RECEIVE, .edge = i, .bytes = bytes}}))
            return false;
        k++;
    }
    return true;
}

/* Room for messages that are no one segment, and for what is on its way. */
static bool add_room(maker *m, int64_t work_entries)
{
    layer_plan *plan = m->plan;
    int64_t packed = 0;
    for (int64_t i = 0; i < plan->messages; i++)
        packed += plan->message[i].segments > 1 ? plan->message[i].bytes : 0;
    plan->work = malloc((size_t)(work_entries * m->width) + 1);
    plan->packed = malloc((size_t)packed + 1);
    plan->request = malloc(((size_t)plan->messages + 1) * sizeof(MPI_Request));
    if (plan->work == NULL || plan->packed == NULL || plan->request == NULL)
        return false;
    packed = 0;
    for (int64_t i = 0; i < plan->messages; i++)
        if (plan->message[i].segments > 1) {
            plan->message[i].packed = plan->packed + packed;
            packed += plan->message[i].bytes;
        }
    return true;
}

bool layer_plan_make(const layer_graph *graph, const layer_call *call, const int64_t *words, layer_plan *plan)
{
    maker m = {.graph = graph, .plan = plan, .width = words[LAYER_WIDTH]};
    const int64_t *sent = words + LAYER_HEAD + 4 * (words[LAYER_OPS] + words[LAYER_SLICES]);
    const bool made = read_sent(&m, sent, words[LAYER_SENT]) &&
                      read_received(&m, sent + 4 * words[LAYER_SENT], words[LAYER_RECEIVED]) && read_ops(&m, words) &&
                      add_own(&m, call) && add_room(&m, words[LAYER_WORK_ENTRIES]);
    free(m.sent.item);
    free(m.received.item);
    return made;
}

void layer_plan_free(layer_plan *plan)
{
    free(plan->signature);
    free(plan->message);
    free(plan->segment);
    free(plan->move);
    free(plan->work);
    free(plan->packed);
    free(plan->request);
}
