/* export_tuned.c -- rules for Open MPI's coll_tuned: which allreduce for which communicators and messages
 *
 * Of the algorithms of coll_tuned those that the model host-allreduce has as well, one process a node:
 *
 *     3 recursive doubling    4 ring    6 Rabenseifner
 *
 * Between two sizes of a grid, eight to an octave, the first byte of another choice is found by bisection.
 */
#include "cli/show/export.h"
#include "core/memory.h"
#include "model/parts/allreduce.h"
#include "report/cell.h"
#include "report/columns.h"

enum { SIZE_MOST = 1 << 30, STEPS = 8, OCTAVES = 30, CHANGES_MOST = 200, ALLREDUCE = 2 };

static const struct {
    int algorithm, tuned;
} known[] = {{NS_RECURSIVE_DOUBLING, 3}, {NS_RING, 4}, {NS_RABENSEIFNER, 6}};
enum { KNOWN = sizeof known / sizeof *known };

/* Index into known of the fastest; of equals the first. */
static ns_status choose(const ns_tuned *t, int32_t ranks, int64_t bytes, int *best, ns_error *err)
{
    const ns_collective job = {
        .machine = t->machine, .memory = NS_HOST, .nodes = ranks, .s = (double)bytes, .gamma = t->gamma};
    double time[NS_ALLREDUCES];
    NS_TRY(ns_allreduce_times(&job, time, NULL, err));
    *best = 0;
    for (int i = 1; i < KNOWN; i++)
        if (time[known[i].algorithm] < time[known[*best].algorithm])
            *best = i;
    return NS_OK;
}

static ns_status add(ns_tuned *t, int32_t ranks, int64_t from, int best, ns_error *err)
{
    if (t->rules == t->room) {
        const size_t room = t->room > 0 ? 2 * t->room : 64;
        ns_tuned_rule *more = ns_realloc(t->rule, ns_size_mul(room, sizeof *more));
        if (more == NULL)
            return ns_no_memory(err);
        t->rule = more;
        t->room = room;
    }
    t->rule[t->rules++] = (ns_tuned_rule){ranks, from, ns_allreduce_words[known[best].algorithm], known[best].tuned};
    return NS_OK;
}

/* Where `last` chosen at `from`, is another taken first, up to `to`, where one is? */
static ns_status first_change(const ns_tuned *t, int32_t ranks, int64_t from, int64_t to, int last, int64_t *at,
                              ns_error *err)
{
    while (to - from > 1) {
        const int64_t middle = from + (to - from) / 2;
        int best;
        NS_TRY(choose(t, ranks, middle, &best, err));
        if (best == last)
            from = middle;
        else
            to = middle;
    }
    *at = to;
    return NS_OK;
}

/* The brackets between two sizes, the choice at the first of which is *last. */
static ns_status add_between(ns_tuned *t, int32_t ranks, int64_t from, int64_t to, int *last, ns_error *err)
{
    int best;
    NS_TRY(choose(t, ranks, to, &best, err));
    for (int i = 0; best != *last && i < CHANGES_MOST; i++) {
        NS_TRY(first_change(t, ranks, from, to, *last, &from, err));
        NS_TRY(choose(t, ranks, from, last, err));
        NS_TRY(add(t, ranks, from, *last, err));
    }
    return NS_OK;
}

static ns_status add_ranks(ns_tuned *t, int32_t ranks, ns_error *err)
{
    int last;
    int64_t from = 0;
    NS_TRY(choose(t, ranks, from, &last, err));
    NS_TRY(add(t, ranks, from, last, err));
    for (int i = 0; i <= OCTAVES * STEPS; i++) {
        const int64_t to = ((int64_t)(STEPS + i % STEPS) << (i / STEPS)) / STEPS;
        if (to <= from || to > SIZE_MOST)
            continue;
        NS_TRY(add_between(t, ranks, from, to, &last, err));
        from = to;
    }
    return NS_OK;
}

ns_status ns_tuned_make(const ns_machine *machine, double gamma, const int32_t *ranks, size_t count, ns_tuned *tuned,
                        ns_error *err)
{
    ns_tuned made = {.machine = machine, .gamma = gamma};
    ns_status status = NS_OK;
    for (size_t i = 0; status == NS_OK && i < count; i++)
        status = i > 0 && ranks[i] <= ranks[i - 1]
                     ? ns_fail(err, NS_ERR_RANGE, "--ranks wants rising numbers, got %d after %d", (int)ranks[i],
                               (int)ranks[i - 1])
                     : add_ranks(&made, ranks[i], err);
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

/* Rules of one number of ranks from the first of them. */
static size_t rules_from(const ns_tuned *t, size_t first)
{
    size_t end = first;
    while (end < t->rules && t->rule[end].ranks == t->rule[first].ranks)
        end++;
    return end - first;
}

void ns_tuned_write(const ns_tuned *t, FILE *out)
{
    int sizes = 0;
    for (size_t i = 0; i < t->rules; i += rules_from(t, i))
        sizes++;
    fputs("# allreduce on ", out);
    ns_cell_print(out, t->machine->name);
    fprintf(out,
            ", one process a node, by nsmodel's model host-allreduce\n"
            "# mpirun --mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_dynamic_rules_filename THIS_FILE\n"
            "# Open MPI says nothing when it finds no file: give the whole path.\n"
            "1 # collective\n%d # allreduce\n%d # sizes of communicators\n",
            ALLREDUCE, sizes);
    for (size_t i = 0; i < t->rules;) {
        const size_t end = i + rules_from(t, i);
        fprintf(out, "%d # ranks, or more\n%zu # sizes of messages\n", (int)t->rule[i].ranks, end - i);
        for (; i < end; i++)
            fprintf(out, "%lld %d 0 0 # B or more: %s\n", (long long)t->rule[i].from, t->rule[i].tuned,
                    t->rule[i].algorithm);
    }
}

static const ns_table_column columns[] = {{"ranks", NS_COL(ns_tuned_rule, ranks)},
                                          {"from_B", NS_COL(ns_tuned_rule, from), .unit = "B"},
                                          {"algorithm", NS_COL(ns_tuned_rule, algorithm)},
                                          {"coll_tuned", NS_COL(ns_tuned_rule, tuned)},
                                          {NULL}};

void ns_tuned_value(const ns_tuned *t, ns_value *result)
{
    ns_value_text(result, "machine", t->machine->name);
    ns_value_text(result, "collective", "allreduce");
    ns_put_table(result, "rules", columns, t->rule, t->rules, sizeof *t->rule);
    ns_note(result, "Open MPI says nothing when it does not find the file, and takes its own rules");
}
