/* staged.c -- store and forward along the dimensions of a virtual grid of processes
 *
 * The processes are cut into k_1 blocks, each of these into k_2, and so on to single ones; rank (a k_2 + b) k_3 + c has
 * the coordinates (a, b, c).  In step i every item that has not reached the block of its receiver moves there, to the
 * process with the same place in that block as its present holder has in its own.  So a process sends at most k_i - 1
 * messages in step i, and an item moves once for each coordinate in which its ends differ.  Where the grid has more
 * places than there are processes, block sizes differ by one, and a place that a block lacks is reduced modulo its
 * size.
 *
 * For the halo of a Cartesian grid a process has two messages per step; with k = 2 this is the crystal router.
 */
#include "schedule/schedule.h"

#include "core/context.h"

const ns_step_rule ns_staged_steps[NS_STEPS + 1] = {
    {"stage", NS_JOINED}, {"stage", NS_JOINED}, {"stage", NS_JOINED}, {"stage", NS_JOINED}, {"stage", NS_JOINED},
    {"stage", NS_JOINED}, {"stage", NS_JOINED}, {"stage", NS_JOINED}, {"stage", NS_JOINED}, {"stage", NS_JOINED},
    {"stage", NS_JOINED}, {"stage", NS_JOINED}, {"stage", NS_JOINED}, {"stage", NS_JOINED}, {"stage", NS_JOINED},
    {"stage", NS_JOINED}, {NULL, NS_ONCE}};

/* Processes [first, first + size). */
typedef struct block {
    int32_t first, size;
} block;

/* Which of the k sub-blocks of a block contains the process. */
static block within(block of, int32_t k, int32_t process)
{
    const int64_t j = ((int64_t)(process - of.first + 1) * k - 1) / of.size; /* the last with size j < (place + 1) k */
    const int32_t first = (int32_t)((int64_t)of.size * j / k), end = (int32_t)((int64_t)of.size * (j + 1) / k);
    return (block){of.first + first, end - first};
}

ns_status ns_staged_emit(const ns_task *task, ns_sink *sink, ns_error *err)
{
    const ns_exchange *x = task->exchange;
    const int32_t *grid = sink->strategy->grid, processes = task->processes->parts;
    int steps = 0;
    for (int64_t size = processes; size > 1; steps++) { /* of the largest block, until each is one process */
        if (grid[steps] == 0)
            return ns_fail(err, NS_ERR_RANGE,
                           "%s has fewer places than there are processes, %d; wanted as many or more",
                           sink->strategy->name, (int)processes);
        size = (size + grid[steps] - 1) / grid[steps];
    }
    sink->steps = steps > 0 ? steps : 1;
    for (int64_t i = 0; i < x->routes; i++) {
        const ns_route *route = &x->route[i];
        const ns_slice slice = {
            .pair = -1, .entries = route->entries, .from = route->from, .to = route->to, .only = -1};
        const int32_t to = task->home[route->to];
        int32_t holder = task->home[route->from];
        block all = {0, processes};
        NS_TRY(ns_context_turn(i, err));
        for (int step = 0; holder != to; step++) {
            const block mine = within(all, grid[step], holder), wanted = within(all, grid[step], to);
            const int32_t next =
                mine.first == wanted.first ? holder : wanted.first + (holder - mine.first) % wanted.size;
            NS_TRY(ns_sink_send(sink, step, holder, next, route->entries * x->width, &slice, err));
            holder = next;
            all = wanted;
        }
    }
    return ns_sink_route_copies(sink, task, err);
}
