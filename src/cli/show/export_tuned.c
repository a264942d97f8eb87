/* export_tuned.c -- rules for Open MPI's coll_tuned: which algorithm for which communicators and messages
 *
 * Only the algorithms of coll_tuned that have a model here are used: for an allreduce, with one process per node,
 *
 *     3 recursive doubling    4 ring    6 Rabenseifner
 *
 * and for an alltoall, for which coll_tuned's message size is all that a rank sends,
 *
 *     1 linear    2 pairwise    3 modified Bruck
 *
 * Between two sizes of a grid, eight to an octave, the first size with another choice is found by bisection.
 */
#include "cli/show/export.h"
#include "core/memory.h"
#include "model/parts/allreduce.h"
#include "network/network.h"
#include "report/cell.h"
#include "report/columns.h"

#include <string.h>

enum { SIZE_MOST = 1 << 30, STEPS = 8, OCTAVES = 30, CHANGES_MOST = 200, CHOICES = 3 };

static const struct {
    const char *name;
    int number; /* coll_tuned's number */
    int algorithm[CHOICES], tuned[CHOICES];
    const char *const *words;
} collectives[NS_TUNED_COLLECTIVES] = {
    [NS_TUNED_ALLREDUCE] =
        {"allreduce", 2, {NS_RECURSIVE_DOUBLING, NS_RING, NS_RABENSEIFNER}, {3, 4, 6}, ns_allreduce_words},
    [NS_TUNED_ALLTOALL] = {"alltoall", 3, {NS_LINEAR, NS_PAIRWISE, NS_MODIFIED_BRUCK}, {1, 2, 3}, ns_alltoall_words},
};

/* Index of the fastest among the collective's algorithms; of equals the first. */
static ns_status choose(const ns_tuned *t, ns_tuned_collective of, int32_t ranks, int64_t bytes, int *best,
                        ns_error *err)
{
    double time[(int)NS_ALLREDUCES > (int)NS_ALLTOALLS ? (int)NS_ALLREDUCES : (int)NS_ALLTOALLS];
    const int *algorithm = collectives[of].algorithm;
    const ns_collective job = {
        .machine = t->machine, .memory = NS_HOST, .nodes = ranks, .s = (double)bytes, .gamma = t->gamma};
    NS_TRY(of == NS_TUNED_ALLREDUCE
               ? ns_allreduce_times(&job, time, NULL, err)
               : ns_alltoall_times(t->machine, ranks, t->per_node, (double)bytes / ranks, time, err));
    *best = 0;
    for (int i = 1; i < CHOICES; i++)
        if (time[algorithm[i]] < time[algorithm[*best]])
            *best = i;
    return NS_OK;
}

static ns_status add(ns_tuned *t, ns_tuned_collective of, int32_t ranks, int64_t from, int best, ns_error *err)
{
    if (t->rules == t->room) {
        const size_t room = t->room > 0 ? 2 * t->room : 64;
        ns_tuned_rule *more = ns_realloc(t->rule, ns_size_mul(room, sizeof *more));
        if (more == NULL)
            return ns_no_memory(err);
        t->rule = more;
        t->room = room;
    }
    t->rule[t->rules++] = (ns_tuned_rule){of, ranks, from, collectives[of].words[collectives[of].algorithm[best]],
                                          collectives[of].tuned[best]};
    return NS_OK;
}

static ns_status add_ranks(ns_tuned *t, ns_tuned_collective of, int32_t ranks, ns_error *err)
{
    int last, best;
    int64_t from = 0;
    NS_TRY(choose(t, of, ranks, from, &last, err));
    NS_TRY(add(t, of, ranks, from, last, err));
    for (int i = 0; i <= OCTAVES * STEPS; i++) {
        const int64_t to = ((int64_t)(STEPS + i % STEPS) << (i / STEPS)) / STEPS;
        if (to <= from || to > SIZE_MOST)
            continue;
        NS_TRY(choose(t, of, ranks, to, &best, err));
        for (int change = 0; best != last && change < CHANGES_MOST; change++) {
            /* The first size, up to `to`, with a choice other than the last one. */
            int64_t end = to;
            while (end - from > 1) {
                const int64_t middle = from + (end - from) / 2;
                int there;
                NS_TRY(choose(t, of, ranks, middle, &there, err));
                *(there == last ? &from : &end) = middle;
            }
            from = end;
            NS_TRY(choose(t, of, ranks, from, &last, err));
            NS_TRY(add(t, of, ranks, from, last, err));
        }
        from = to;
    }
    return NS_OK;
}

ns_status ns_tuned_make(const ns_machine *machine, double gamma, int per_node, const int32_t *ranks, size_t count,
                        ns_tuned *tuned, ns_error *err)
{
    ns_tuned made = {.machine = machine, .gamma = gamma, .per_node = per_node};
    ns_status status = NS_OK;
    for (size_t i = 1; i < count; i++)
        if (ranks[i] <= ranks[i - 1])
            return ns_fail(err, NS_ERR_RANGE, "--ranks wants rising numbers, got %d after %d", (int)ranks[i],
                           (int)ranks[i - 1]);
    for (int of = 0; of < NS_TUNED_COLLECTIVES; of++)
        for (size_t i = 0; status == NS_OK && i < count; i++)
            status = add_ranks(&made, (ns_tuned_collective)of, ranks[i], err);
    if (status == NS_OK)
        *tuned = made;
    else
        ns_tuned_free(&made);
    return status;
}

void ns_tuned_free(ns_tuned *tuned)
{
    ns_free(tuned->rule);
    *tuned = (ns_tuned){.rule = NULL};
}

/* ---- the file, and what is said of it ---------------------------------------------------------------------------- */

/* The number of rules for one collective and number of ranks, from the first of them on. */
static size_t rules_from(const ns_tuned *t, size_t first)
{
    size_t end = first;
    while (end < t->rules && t->rule[end].of == t->rule[first].of && t->rule[end].ranks == t->rule[first].ranks)
        end++;
    return end - first;
}

void ns_tuned_write(const ns_tuned *t, FILE *out)
{
    fputs("# allreduce and alltoall on ", out);
    ns_cell_print(out, t->machine->name, strlen(t->machine->name));
    fprintf(out,
            ", by nsmodel: allreduce with one process a node, alltoall with %d\n"
            "# mpirun --mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_dynamic_rules_filename THIS_FILE\n"
            "# Open MPI says nothing when it finds no file: give the whole path.\n"
            "%d # collectives\n",
            t->per_node, (int)NS_TUNED_COLLECTIVES);
    for (size_t i = 0; i < t->rules;) {
        const ns_tuned_collective of = t->rule[i].of;
        int sizes = 0;
        for (size_t k = i; k < t->rules && t->rule[k].of == of; k += rules_from(t, k))
            sizes++;
        fprintf(out, "%d # %s\n%d # sizes of communicators\n", collectives[of].number, collectives[of].name, sizes);
        for (; i < t->rules && t->rule[i].of == of;) {
            const size_t rules = rules_from(t, i), end = i + rules;
            fprintf(out, "%d # ranks, or more\n%zu # sizes of messages\n", (int)t->rule[i].ranks, rules);
            for (; i < end; i++)
                fprintf(out, "%lld %d 0 0 # B or more: %s\n", (long long)t->rule[i].from, t->rule[i].tuned,
                        t->rule[i].algorithm);
        }
    }
}

static const ns_table_column columns[] = {{"ranks", NS_COL(ns_tuned_rule, ranks)},
                                          {"from_B", NS_COL(ns_tuned_rule, from), .unit = "B"},
                                          {"algorithm", NS_COL(ns_tuned_rule, algorithm)},
                                          {"coll_tuned", NS_COL(ns_tuned_rule, tuned)},
                                          {NULL}};

void ns_tuned_value(const ns_tuned *t, ns_value *result)
{
    size_t first = 0; /* of the alltoall */
    while (first < t->rules && t->rule[first].of == NS_TUNED_ALLREDUCE)
        first++;
    ns_value_text(result, "machine", t->machine->name);
    ns_value_text(result, "collective", collectives[NS_TUNED_ALLREDUCE].name);
    ns_put_table(result, "rules", columns, t->rule, first, sizeof *t->rule);
    ns_put_table(result, "alltoall_rules", columns, t->rule + first, t->rules - first, sizeof *t->rule);
    ns_note(result, "Open MPI says nothing when it does not find the file, and takes its own rules");
}
