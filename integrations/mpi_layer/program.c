/* program.c -- from the words of rank 0 to messages on the program's own buffers
 *
 * A program (nsmodel/program.h) refers to entries in send, work and receive.  Work is allocated here; the pieces of
 * send and receive belong to edges, according to the two maps.
 */
#include "mpi_layer/layer.h"

#include <nsmodel/program.h>

#include <stdlib.h>
#include <string.h>

/* Entries of send or receive, and their location in the caller's buffer. */
typedef struct piece {
    int64_t offset, entries;
    layer_segment at; /* location of the first entry; its bytes are undefined */
} piece;

typedef struct pieces {
    piece *item; /* by offset, without gaps */
    int64_t count;
} pieces;

typedef struct maker {
    layer_program *program;
    int64_t width, segment_room, move_room;
    pieces sent, received;
} maker;

static void add_move(maker *m, layer_move move)
{
    layer_program *p = m->program;
    p->move = layer_grown(p->move, &m->move_room, p->moves, sizeof move);
    p->move[p->moves++] = move;
}

/* ---- where entries are ------------------------------------------------------------------------------------------- */

static layer_segment shifted(const maker *m, const piece *p, int64_t offset, int64_t entries)
{
    layer_segment at = p->at;
    at.at += (offset - p->offset) * m->width;
    at.bytes = entries * m->width;
    return at;
}

/* Contiguous entries from an offset on: at most `entries`. */
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

/* Data that another edge receives too are copied from there when everything has arrived. */
static void read_received(maker *m, const int64_t *words, int64_t count)
{
    int64_t covered = 0;
    m->received.item = layer_memory((size_t)count, sizeof *m->received.item);
    for (int64_t i = 0; i < count; i++, words += 4) {
        piece p = {words[0], words[1], {.place = LAYER_RECEIVE, .edge = (int)words[2], .at = words[3]}};
        const int64_t end = p.offset + p.entries;
        for (int64_t at = p.offset; at < covered && at < end;) {
            const layer_segment from = locate(m, &m->received, at, (end < covered ? end : covered) - at);
            const int64_t entries = from.bytes / m->width;
            add_move(m, (layer_move){LAYER_LAST, from, shifted(m, &p, at, entries)});
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
}

/* ---- operations -------------------------------------------------------------------------------------------------- */

layer_program *layer_program_make(const layer_exchange *exchange, const int64_t *words)
{
    const layer_graph *g = exchange->graph;
    layer_program *p = layer_memory(1, sizeof *p);
    maker m = {.program = p, .width = words[LAYER_WIDTH]};
    const int64_t *op = words + LAYER_HEAD, *slice = op + 4 * words[LAYER_OPS];
    const int64_t *sent = slice + 4 * words[LAYER_SLICES];
    m.sent.item = layer_memory((size_t)words[LAYER_SENT], sizeof *m.sent.item);
    for (; m.sent.count < words[LAYER_SENT]; sent += 4)
        m.sent.item[m.sent.count++] =
            (piece){sent[0], sent[1], {.place = LAYER_SEND, .edge = (int)sent[2], .at = sent[3]}};
    read_received(&m, sent, words[LAYER_RECEIVED]);
    p->message = layer_memory((size_t)words[LAYER_OPS], sizeof *p->message);
    for (int64_t i = 0; i < words[LAYER_OPS]; i++, op += 4) {
        const int64_t *const end = slice + 4 * op[3];
        p->steps = op[1] >= p->steps ? (int)op[1] + 1 : p->steps;
        if (op[0] == NS_OP_SEND || op[0] == NS_OP_RECEIVE) {
            layer_message *message = &p->message[p->messages++];
            *message = (layer_message){.step = (int)op[1],
                                       .peer = (int)op[2],
                                       .sending = op[0] == NS_OP_SEND,
                                       .off_node = g->node_of[op[2]] != g->node_of[g->rank],
                                       .segment = p->segments};
            for (; slice < end; slice += 4)
                for (int64_t done = 0; done < slice[2];) {
                    const layer_segment s = find(&m, slice[0], slice[1] + done, slice[2] - done);
                    p->segment = layer_grown(p->segment, &m.segment_room, p->segments, sizeof s);
                    p->segment[p->segments++] = s;
                    message->segments++;
                    message->bytes += s.bytes;
                    done += s.bytes / m.width;
                }
        } else if (op[0] == NS_OP_MOVE) { /* no copies: data are in host memory */
            for (; slice < end; slice += 4)
                for (int64_t done = 0; done < slice[2];) {
                    layer_segment to = find(&m, NS_BUFFER_RECEIVE, slice[3] + done, slice[2] - done);
                    const layer_segment from = find(&m, slice[0], slice[1] + done, to.bytes / m.width);
                    to.bytes = from.bytes;
                    add_move(&m, (layer_move){(int)op[1], from, to});
                    done += from.bytes / m.width;
                }
        }
        slice = end;
    }
    /* In a step, receives precede sends.  Steps without operations here have no messages. */
    p->begin = layer_memory((size_t)p->steps + 1, sizeof *p->begin);
    p->sent = layer_memory((size_t)p->steps + 1, sizeof *p->sent);
    for (int64_t i = 0, step = 0; step <= p->steps; step++) {
        p->begin[step] = i;
        while (i < p->messages && p->message[i].step == step && !p->message[i].sending)
            i++;
        p->sent[step] = i;
        while (i < p->messages && p->message[i].step == step)
            i++;
    }
    /* Edges of a process to itself match in the order in which it lists them. */
    for (int i = 0, k = 0; i < g->in; i++) {
        if (g->source[i] != g->rank)
            continue;
        while (k < g->out && g->target[k] != g->rank)
            k++;
        if (k == g->out)
            break;
        add_move(&m, (layer_move){LAYER_LAST,
                                  {.place = LAYER_SEND, .edge = k, .bytes = exchange->send_bytes[k]},
                                  {.place = LAYER_RECEIVE, .edge = i, .bytes = exchange->send_bytes[k]}});
        k++;
    }
    /* Memory for messages that are not a single segment, and for entries that are forwarded. */
    int64_t packed = 0;
    for (int64_t i = 0; i < p->messages; i++)
        packed += p->message[i].segments > 1 ? p->message[i].bytes : 0;
    p->work = layer_memory((size_t)words[LAYER_WORK_ENTRIES], (size_t)m.width);
    p->packed = layer_memory((size_t)packed, 1);
    p->request = layer_memory((size_t)p->messages, sizeof(MPI_Request));
    packed = 0;
    for (int64_t i = 0; i < p->messages; i++) {
        p->request[i] = MPI_REQUEST_NULL;
        if (p->message[i].segments > 1) {
            p->message[i].packed = p->packed + packed;
            packed += p->message[i].bytes;
        }
    }
    free(m.sent.item);
    free(m.received.item);
    return p;
}

void layer_program_free(layer_program *program)
{
    if (program == NULL)
        return;
    free(program->message);
    free(program->begin);
    free(program->sent);
    free(program->segment);
    free(program->move);
    free(program->work);
    free(program->packed);
    free(program->request);
    free(program);
}
