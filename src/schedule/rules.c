/* rules.c -- what several strategies share: the rule of one message per route, and Algorithm 1 of [NA], messages of at
 * most a cap, dealt over all host processes
 *
 * The cap belongs to the receiving node.  x = most from one node, V = all that it receives:
 *     cap' = no cut                    where x < cap
 *            max(cap, ceil(V / PPN))   elsewhere
 * Receives are dealt largest first from local rank 0 up, sends from PPN-1 down.  Entries are never cut in two.
 */
#include "core/memory.h"
#include "schedule/strategy.h"

const ns_step_rule ns_route_steps[] = {{"exchange", NS_ONCE}, {NULL, NS_ONCE}};

const ns_rule ns_route_rule = {.deal = NULL, .takes = NULL};

static int64_t cap_entries(const ns_task *task, const ns_pair *pair, int64_t pairs)
{
    const int64_t width = task->exchange->width, cap = task->message_cap / width;
    int64_t most = 0, all = 0;
    for (int64_t i = 0; i < pairs; i++) {
        all += pair[i].entries;
        most = pair[i].entries > most ? pair[i].entries : most;
    }
    if (task->message_cap == 0 || most * width < task->message_cap)
        return most;
    if (all * width > ns_count_mul(task->message_cap, task->host_processes))
        return (all + task->host_processes - 1) / task->host_processes;
    return cap > 0 ? cap : 1;
}

static void deal(const ns_chunk_list *list, ns_hand *hand, int32_t *local)
{
    int32_t rank = 0;
    (void)hand;
    for (int64_t i = 0; i < list->count; i++) {
        local[list->order[i]] = list->receiving ? rank : list->size - 1 - rank;
        rank = rank + 1 < list->size ? rank + 1 : 0;
    }
}

/* Two nodes may exchange more than one chunk between the same two processes, and the size of a chunk is what
 * matters. */
const char *const ns_node_aware_most[] = {"max_num_L", "max_num_S", "max_num_G", "max_num_R", NULL};

const ns_step_rule ns_split_steps[] = {
    {"gather", NS_JOINED}, {"exchange", NS_APART}, {"scatter", NS_JOINED}, {NULL, NS_ONCE}};

const ns_rule ns_split_rule = {.deal = deal, .cap = cap_entries};
