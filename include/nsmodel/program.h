/* program.h -- one process' share of a schedule: operations to execute, in order; it needs nothing else
 *
 * A process that holds the data of part p works on three buffers, each a row of entries of the exchange's width:
 *   send     what p sends when every part sends to every other by itself: for each receiving part, by rising number,
 *            the entries of p that it needs, by rising column.  An entry that several parts need is repeated
 *            for each.  This is what solvers pack: PETSc's and hypre's send buffers are laid out so.
 *   receive  what p receives: for each sending part, by rising number, the entries of it that p needs, by rising
 *            column.  PETSc's garray and hypre's col_map_offd list ghost columns in this order.
 *   work     entries on their way, work_entries of them; its contents at the beginning do not matter.
 * Of an exchange of planned messages an entry is a byte: send has what goes to the first receiver, then to the next.
 *
 * To execute a program, go through its operations in order.
 *   NS_OP_RECEIVE  a message of `bytes` from process `peer`: its entries go to the slices, one slice after the other.
 *   NS_OP_SEND     a message of `bytes` to process `peer`: its entries are those of the slices, one after the other.
 *   NS_OP_MOVE     inside the process: entries of each slice go to `to` in receive.
 *   NS_OP_COPY_OUT, NS_OP_COPY_IN   where data are staged: slices of send go from the device to the host before the
 *                  first step, slices of receive from the host to the device after the last.
 * A step has its receives, then its sends, then its moves.  Messages of a step may all be in flight at once, in any
 * order.  Before the step's moves and before the next step, everything received has to be in its place; messages that
 * were sent need not have left, as long as their entries were taken.  A send reads what is in place when its step
 * begins.  No entry of work or receive is written twice, and all of receive is written when every process has executed
 * its program.  Several messages from one process to another in a step have numbers, the same at both ends: use them as
 * a tag, or rely on messages that do not overtake.
 *
 * Where several processes hold the data of a part (split-dd), all have the same send and receive, each reads and writes
 * its share of them, and the shares make up the whole.  A process without a part has neither.
 */
#ifndef NSMODEL_PROGRAM_H
#define NSMODEL_PROGRAM_H

#include <nsmodel/exchange.h>
#include <nsmodel/schedule.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ns_op_kind { NS_OP_COPY_OUT, NS_OP_RECEIVE, NS_OP_SEND, NS_OP_MOVE, NS_OP_COPY_IN } ns_op_kind;
typedef enum ns_buffer { NS_BUFFER_SEND, NS_BUFFER_WORK, NS_BUFFER_RECEIVE } ns_buffer;

/* Entries [offset, offset + entries) of a buffer. */
typedef struct ns_op_slice {
    int64_t offset, entries;
    int64_t to; /* NS_OP_MOVE: where they go in receive; else -1 */
    ns_buffer buffer;
} ns_op_slice;

typedef struct ns_op {
    ns_op_kind kind;
    int32_t step;   /* of the schedule */
    int32_t peer;   /* the other process of a message; else -1 */
    int32_t number; /* of this message among those from the one process to the other in this step, from 0 */
    int64_t bytes;
    int64_t slices;
    const ns_op_slice *slice;
} ns_op;

typedef struct ns_program ns_program;

typedef struct ns_program_info {
    size_t size;           /* of this struct, B: set by the caller, who has as much of it as this says */
    int32_t process, part; /* part: -1 without one */
    int64_t width;         /* bytes of an entry */
    int64_t send_entries, receive_entries, work_entries;
    int64_t ops;
} ns_program_info;

/* The program of a process.  The exchange is the one that the schedule was built of.  Free it with ns_program_free;
 * neither schedule nor exchange is used any more.  O(parts log routes + runs of the process' node). */
NS_API ns_status ns_schedule_ops(const ns_schedule *schedule, const ns_exchange *exchange, int32_t process,
                                 ns_program **program, ns_error *err);

NS_API void ns_program_describe(const ns_program *program, ns_program_info *info);
/* Operation i of ops; NULL beyond them. */
NS_API const ns_op *ns_program_op(const ns_program *program, int64_t i);
NS_API void ns_program_free(ns_program *program);

#ifdef __cplusplus
}
#endif
#endif
