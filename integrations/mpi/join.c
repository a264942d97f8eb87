/* join.c -- arrays of an exchange, rank 0's behind each other
 *
 * Routes, pairs and runs come by receiving node, and nodes are dealt out in blocks, so that what is known of a
 * process' nodes is one stretch of each array, and the whole array is the stretches by rank.
 */
#include "mpi/join.h"
#include "core/memory.h"
#include "mpi/watchdog.h"
#include "pattern/build.h"

#include <assert.h>
#include <string.h>

enum { ROUTES, PAIRS, RUNS, NEEDERS, INSIDES, INSIDE_NEEDERS, ARRAYS };

/* Of one array: where it is, how many items it has, and which of them are of this process' nodes. */
typedef struct stretch {
    void **items;
    int64_t *count;
    size_t size;
    int64_t from, end;
} stretch;

/* The stretch of those whose node, told by `at`, is in [first, end): the array is sorted by it. */
static void find(stretch *s, const ns_exchange *x, int64_t (*node_at)(const ns_exchange *, int64_t), int64_t first,
                 int64_t end)
{
    s->from = 0;
    while (s->from < *s->count && node_at(x, s->from) < first)
        s->from++;
    s->end = s->from;
    while (s->end < *s->count && node_at(x, s->end) < end)
        s->end++;
}

static int64_t node_of_route(const ns_exchange *x, int64_t i)
{
    return x->site->node_of[x->route[i].to];
}

static int64_t node_of_pair(const ns_exchange *x, int64_t i)
{
    return x->pair[i].to;
}

static int64_t node_of_inside(const ns_exchange *x, int64_t i)
{
    return x->site->node_of[x->inside[i].origin];
}

/* Runs and needers of a stretch of pairs or runs are a stretch, too. */
static void find_runs(stretch *runs, const ns_exchange *x, const stretch *pairs)
{
    runs->from = runs->end = 0;
    if (pairs->from == pairs->end)
        return;
    const ns_pair *last = &x->pair[pairs->end - 1];
    runs->from = x->pair[pairs->from].run;
    runs->end = last->run + last->runs;
}

static void find_needers(stretch *needers, const ns_run *run, const stretch *runs)
{
    needers->from = needers->end = 0;
    if (runs->from == runs->end)
        return;
    needers->from = run[runs->from].needer;
    needers->end = run[runs->end - 1].needer + run[runs->end - 1].needers;
}

/* Indices into other arrays count from the stretch's first item. */
static void count_from_own(ns_exchange *x, const stretch of[ARRAYS])
{
    for (int64_t i = of[PAIRS].from; i < of[PAIRS].end; i++)
        x->pair[i].run -= of[RUNS].from;
    for (int64_t i = of[RUNS].from; i < of[RUNS].end; i++)
        x->run[i].needer -= of[NEEDERS].from;
    for (int64_t i = of[INSIDES].from; i < of[INSIDES].end; i++)
        x->inside[i].needer -= of[INSIDE_NEEDERS].from;
}

enum { EACH = 1 << 28 }; /* B of a message, at most */

static void send_bytes(const ns_world *world, const unsigned char *bytes, int64_t size)
{
    for (int64_t at = 0; at < size; at += EACH)
        MPI_Send(bytes + at, (int)(size - at < EACH ? size - at : EACH), MPI_BYTE, 0, 0, world->comm);
}

static void receive_bytes(const ns_world *world, int from, unsigned char *bytes, int64_t size)
{
    for (int64_t at = 0; at < size; at += EACH) {
        MPI_Recv(bytes + at, (int)(size - at < EACH ? size - at : EACH), MPI_BYTE, from, 0, world->comm,
                 MPI_STATUS_IGNORE);
        ns_watchdog_feed();
    }
}

/* Collective: one array.  count[]: items of each process, on rank 0; NULL on all others. */
static ns_status gather(const ns_world *world, stretch *s, const int64_t *count, ns_error *err)
{
    int64_t total = 0;
    unsigned char *whole = NULL;
    for (int r = 0; count != NULL && r < world->ranks; r++)
        total += count[r * ARRAYS];
    if (count != NULL)
        whole = ns_malloc(ns_size_mul((size_t)total + 1, s->size));
    NS_TRY(ns_world_agree(world, count != NULL && whole == NULL ? ns_no_memory(err) : NS_OK, err));
    const int64_t own = (s->end - s->from) * (int64_t)s->size;
    const unsigned char *from = *s->items != NULL ? (unsigned char *)*s->items + (size_t)s->from * s->size : NULL;
    if (count == NULL)
        send_bytes(world, from, own);
    else if (own > 0 && whole != NULL && from != NULL)
        memcpy(whole, from, (size_t)own);
    for (int64_t r = 1, at = own; count != NULL && r < world->ranks; at += count[r++ * ARRAYS] * (int64_t)s->size)
        receive_bytes(world, (int)r, whole + at, count[r * ARRAYS] * (int64_t)s->size);
    ns_free(*s->items);
    *s->items = whole;
    *s->count = total;
    return NS_OK;
}

/* Indices count from the whole arrays' first items again. */
static void count_from_all(ns_exchange *x, const int64_t *count, int ranks)
{
    int64_t at[ARRAYS] = {0};
    assert(count != NULL);
    for (int r = 0; r < ranks; r++, count += ARRAYS) {
        for (int64_t i = at[PAIRS]; i < at[PAIRS] + count[PAIRS]; i++)
            x->pair[i].run += at[RUNS];
        for (int64_t i = at[RUNS]; i < at[RUNS] + count[RUNS]; i++)
            x->run[i].needer += at[NEEDERS];
        for (int64_t i = at[INSIDES]; i < at[INSIDES] + count[INSIDES]; i++)
            x->inside[i].needer += at[INSIDE_NEEDERS];
        for (int k = 0; k < ARRAYS; k++)
            at[k] += count[k];
    }
    memset(x->need, 0, (size_t)x->parts * sizeof *x->need);
    for (int64_t i = 0; i < x->routes; i++)
        x->need[x->route[i].to] += x->route[i].entries;
}

ns_status ns_exchange_join(const ns_world *world, const ns_deal *deal, size_t layout, ns_exchange *x, ns_error *err)
{
    const int64_t *node = deal->node + layout * ((size_t)deal->ranks + 1) + world->rank;
    int64_t mine[ARRAYS], *count = NULL;
    void *items[ARRAYS] = {x->route, x->pair, x->run, x->needer, x->inside, x->inside_needer};
    stretch of[ARRAYS] = {
        [ROUTES] = {&items[ROUTES], &x->routes, sizeof *x->route, 0, 0},
        [PAIRS] = {&items[PAIRS], &x->pairs, sizeof *x->pair, 0, 0},
        [RUNS] = {&items[RUNS], &x->runs, sizeof *x->run, 0, 0},
        [NEEDERS] = {&items[NEEDERS], &x->needers, sizeof *x->needer, 0, 0},
        [INSIDES] = {&items[INSIDES], &x->insides, sizeof *x->inside, 0, 0},
        [INSIDE_NEEDERS] = {&items[INSIDE_NEEDERS], &x->inside_needers, sizeof *x->inside_needer, 0, 0},
    };
    find(&of[ROUTES], x, node_of_route, node[0], node[1]);
    find(&of[PAIRS], x, node_of_pair, node[0], node[1]);
    find(&of[INSIDES], x, node_of_inside, node[0], node[1]);
    find_runs(&of[RUNS], x, &of[PAIRS]);
    find_needers(&of[NEEDERS], x->run, &of[RUNS]);
    find_needers(&of[INSIDE_NEEDERS], x->inside, &of[INSIDES]);
    count_from_own(x, of);
    if (world->rank == 0)
        count = ns_calloc((size_t)world->ranks * ARRAYS, sizeof *count);
    NS_TRY(ns_world_agree(world, world->rank == 0 && count == NULL ? ns_no_memory(err) : NS_OK, err));
    for (int k = 0; k < ARRAYS; k++)
        mine[k] = of[k].end - of[k].from;
    MPI_Gather(mine, ARRAYS, MPI_INT64_T, count, ARRAYS, MPI_INT64_T, 0, world->comm);
    ns_status status = NS_OK;
    for (int k = 0; status == NS_OK && k < ARRAYS; k++)
        status = gather(world, &of[k], count != NULL ? count + k : NULL, err);
    x->route = items[ROUTES];
    x->pair = items[PAIRS];
    x->run = items[RUNS];
    x->needer = items[NEEDERS];
    x->inside = items[INSIDES];
    x->inside_needer = items[INSIDE_NEEDERS];
    if (status == NS_OK && world->rank == 0) {
        count_from_all(x, count, world->ranks);
        x->pattern = (ns_pattern){0};
        status = ns_exchange_count(x, err);
    }
    ns_free(count);
    return ns_world_agree(world, status, err);
}
