/* program.h of the first 1.0: its declarations */
#ifndef NSMODEL_PROGRAM_H
#define NSMODEL_PROGRAM_H

#include <nsmodel/exchange.h>
#include <nsmodel/schedule.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ns_op_kind { NS_OP_COPY_OUT, NS_OP_RECEIVE, NS_OP_SEND, NS_OP_MOVE, NS_OP_COPY_IN } ns_op_kind;
typedef enum ns_buffer { NS_BUFFER_SEND, NS_BUFFER_WORK, NS_BUFFER_RECEIVE } ns_buffer;

typedef struct ns_op_slice {
    int64_t offset, entries;
    int64_t to;
    ns_buffer buffer;
} ns_op_slice;

typedef struct ns_op {
    ns_op_kind kind;
    int32_t step;
    int32_t peer;
    int32_t number;
    int64_t bytes;
    int64_t slices;
    const ns_op_slice *slice;
} ns_op;

typedef struct ns_program ns_program;

typedef struct ns_program_info {
    size_t size;
    int32_t process, part;
    int64_t width;
    int64_t send_entries, receive_entries, work_entries;
    int64_t ops;
} ns_program_info;

NS_API ns_status ns_schedule_ops(const ns_schedule *schedule, const ns_exchange *exchange, int32_t process,
                                 ns_program **program, ns_error *err);

NS_API void ns_program_describe(const ns_program *program, ns_program_info *info);

NS_API const ns_op *ns_program_op(const ns_program *program, int64_t i);
NS_API void ns_program_free(ns_program *program);

#ifdef __cplusplus
}
#endif
#endif
