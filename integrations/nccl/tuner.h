/* tuner.h -- what NCCL expects of a tuner plugin, version 3 (NCCL 2.22 and later): our own words for it */
#ifndef NS_NCCL_TUNER_H
#define NS_NCCL_TUNER_H

#include <stddef.h>

enum { NCCL_SUCCESS = 0 };
enum { NCCL_LEVEL_INFO = 3, NCCL_TOPIC_TUNING = 64 };
enum { NCCL_ALLREDUCE = 4 };                                            /* collectives */
enum { NCCL_TREE, NCCL_RING, NCCL_COLLNET_DIRECT, NCCL_COLLNET_CHAIN }; /* rows of the cost table */
enum { NCCL_LL, NCCL_LL128, NCCL_SIMPLE };                              /* its columns */

typedef void ns_nccl_log(int level, unsigned long topics, const char *file, int line, const char *format, ...);

/* Functions return an error's number, 0 for none.  cost is handed on as float **, but is one array of numAlgo rows of
 * numProto costs, us; what NCCL cannot run is negative, and stays so.  channels may stay as it is. */
typedef struct ns_nccl_tuner {
    const char *name;
    int (*init)(size_t ranks, size_t nodes, ns_nccl_log *log, void **context);
    int (*cost)(void *context, int collective, size_t bytes, int grouped, float **cost, int algorithms, int protocols,
                int *channels);
    int (*destroy)(void *context);
} ns_nccl_tuner;

#endif
