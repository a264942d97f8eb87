/* nsmodel_hypre.h -- for users of hypre: the strategy by which each level of BoomerAMG is exchanged best
 *
 *     HYPRE_BoomerAMGSetup(solver, A, b, x);
 *     nsmodel_hypre_levels(solver, MPI_COMM_WORLD, "machine.json", stdout);
 *
 * Link -lnsmodel beside -lHYPRE.  Every process calls it; process 0 prints.  From the column maps of a level follows
 * the exchange of its products; process 0 prices all strategies for it between the nodes that the processes are on.
 * Host memory alone: copies to and from a device are not counted.
 */
#ifndef NSMODEL_HYPRE_H
#define NSMODEL_HYPRE_H

#include <HYPRE.h>
#include <_hypre_parcsr_ls.h>
#include <_hypre_parcsr_mv.h>

#include <nsmodel/nsmodel.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What process 0 knows of a level: own columns and need-list of each process. */
typedef struct nsmodel_hypre_level {
    int ranks;
    int *count, *first;       /* [ranks], [ranks + 1] of each need-list in column */
    int64_t *bounds, *column; /* [2 ranks] own columns: first, and one past the last */
} nsmodel_hypre_level;

/* Every process' number of its node: the lowest rank there, counted up.  NSMODEL_EMULATE_PPN: so many ranks a node. */
static inline ns_status nsmodel_hypre_site(MPI_Comm comm, ns_site **site, ns_error *err)
{
    const char *emulated = getenv("NSMODEL_EMULATE_PPN");
    const int ppn = emulated != NULL ? atoi(emulated) : 0;
    MPI_Comm node;
    int rank, ranks, lowest, nodes = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
    lowest = ppn > 0 ? rank / ppn * ppn : rank;
    if (ppn <= 0)
        MPI_Bcast(&lowest, 1, MPI_INT, 0, node);
    MPI_Comm_free(&node);
    int32_t *node_of = (int32_t *)malloc(2 * (size_t)ranks * sizeof *node_of), *number = node_of + ranks;
    if (node_of == NULL)
        MPI_Abort(comm, 1);
    MPI_Allgather(&lowest, 1, MPI_INT, node_of, 1, MPI_INT32_T, comm);
    for (int p = 0; p < ranks; p++)
        number[p] = node_of[p] == p ? nodes++ : number[node_of[p]];
    const ns_status status = ns_site_from_map(ranks, nodes, number, 0, NULL, site, err);
    free(node_of);
    return status;
}

/* Collective; filled on process 0 of comm.  The lists belong to the caller. */
static inline void nsmodel_hypre_gather(hypre_ParCSRMatrix *a, MPI_Comm comm, nsmodel_hypre_level *level)
{
    int rank, mine = (int)hypre_CSRMatrixNumCols(hypre_ParCSRMatrixOffd(a));
    const HYPRE_BigInt *map = hypre_ParCSRMatrixColMapOffd(a);
    int64_t bounds[2] = {hypre_ParCSRMatrixFirstColDiag(a), hypre_ParCSRMatrixLastColDiag(a) + 1};
    int64_t *own = (int64_t *)malloc((size_t)(mine + 1) * sizeof *own);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &level->ranks);
    level->count = (int *)calloc((size_t)level->ranks, sizeof *level->count);
    level->first = (int *)calloc((size_t)level->ranks + 1, sizeof *level->first);
    level->bounds = (int64_t *)calloc(2 * (size_t)level->ranks, sizeof *level->bounds);
    level->column = NULL;
    if (own == NULL || level->count == NULL || level->first == NULL || level->bounds == NULL)
        MPI_Abort(comm, 1);
    for (int i = 0; i < mine; i++)
        own[i] = map[i];
    MPI_Gather(&mine, 1, MPI_INT, level->count, 1, MPI_INT, 0, comm);
    MPI_Gather(bounds, 2, MPI_INT64_T, level->bounds, 2, MPI_INT64_T, 0, comm);
    for (int p = 0; p < level->ranks; p++)
        level->first[p + 1] = level->first[p] + level->count[p];
    if (rank == 0)
        level->column = (int64_t *)malloc(((size_t)level->first[level->ranks] + 1) * sizeof *level->column);
    if (rank == 0 && level->column == NULL)
        MPI_Abort(comm, 1);
    MPI_Gatherv(own, mine, MPI_INT64_T, level->column, level->count, level->first, MPI_INT64_T, 0, comm);
    free(own);
}

static inline void nsmodel_hypre_free(nsmodel_hypre_level *level)
{
    free(level->count);
    free(level->first);
    free(level->bounds);
    free(level->column);
}

static inline ns_status nsmodel_hypre_exchange(const nsmodel_hypre_level *level, const ns_site *site,
                                               ns_exchange **exchange, ns_error *err)
{
    ns_needs *needs;
    NS_TRY(ns_needs_begin(site, sizeof(HYPRE_Complex), NULL, &needs, err));
    ns_status status = NS_OK;
    for (int p = 0; status == NS_OK && p < level->ranks; p++)
        status = ns_needs_add_64(needs, p, level->bounds[2 * p], level->bounds[2 * p + 1],
                                 level->column + level->first[p], level->count[p], err);
    if (status == NS_OK)
        status = ns_needs_finish(needs, exchange, err);
    ns_needs_free(needs);
    return status;
}

/* The fastest way from host memory, and hypre's own, which is the standard one. */
static inline ns_status nsmodel_hypre_choose(const ns_comparison *comparison, ns_choice_info *best,
                                             ns_choice_info *standard, ns_error *err)
{
    double least = -1;
    for (int i = 0; i < ns_comparison_choices(comparison); i++) {
        ns_choice_info way;
        way.size = sizeof way;
        NS_TRY(ns_comparison_choice(comparison, i, &way, err));
        way.estimate_s -= way.copy_s;
        if (strcmp(way.name, "standard") == 0)
            *standard = way;
        if (least < 0 || way.estimate_s < least) {
            least = way.estimate_s;
            *best = way;
        }
    }
    return least >= 0 ? NS_OK : ns_fail(err, NS_ERR_DATA, "the machine runs no strategy from host memory");
}

/* A line of the table. */
static inline ns_status nsmodel_hypre_line(int number, int64_t rows, const ns_exchange *exchange,
                                           const ns_machine *machine, FILE *out, ns_error *err)
{
    ns_selection *selection;
    ns_comparison *comparison = NULL;
    ns_choice_info best = {0}, standard = {0};
    ns_pattern counts;
    counts.size = sizeof counts;
    NS_TRY(ns_exchange_counts(exchange, &counts, err));
    NS_TRY(ns_selection_open(&selection, err));
    ns_status status = ns_selection_transports(selection, 1u << NS_VIA_HOST, err);
    if (status == NS_OK)
        status = ns_compare(exchange, machine, selection, &comparison, err);
    if (status == NS_OK)
        status = nsmodel_hypre_choose(comparison, &best, &standard, err);
    if (status == NS_OK)
        fprintf(out, "%5d %12lld %10lld %12.2f  %-12s %12.2f %7.2f\n", number, (long long)rows,
                (long long)counts.messages_off_node, 1e6 * standard.estimate_s, best.name, 1e6 * best.estimate_s,
                best.estimate_s > 0 ? standard.estimate_s / best.estimate_s : 1.0);
    ns_comparison_free(comparison);
    ns_selection_free(selection);
    return status;
}

static inline ns_status nsmodel_hypre_table(hypre_ParAMGData *amg, MPI_Comm comm, const ns_site *site,
                                            const ns_machine *machine, FILE *out, ns_error *err)
{
    ns_status status = NS_OK;
    if (machine != NULL)
        fprintf(out, "level         rows   messages  standard us  fastest      fastest us    gain\n");
    for (int l = 0; l < hypre_ParAMGDataNumLevels(amg); l++) {
        hypre_ParCSRMatrix *a = hypre_ParAMGDataAArray(amg)[l];
        nsmodel_hypre_level level;
        ns_exchange *exchange = NULL;
        nsmodel_hypre_gather(a, comm, &level); /* everybody, also after a failure */
        if (machine != NULL && status == NS_OK) {
            status = nsmodel_hypre_exchange(&level, site, &exchange, err);
            if (status == NS_OK)
                status = nsmodel_hypre_line(l, hypre_ParCSRMatrixGlobalNumRows(a), exchange, machine, out, err);
            ns_exchange_free(exchange);
        }
        nsmodel_hypre_free(&level);
    }
    return status;
}

/* The machine with as many host processes a node as there are: no strategy may take others to help. */
static inline ns_status nsmodel_hypre_machine(const char *name, const ns_site *site, ns_machine **machine,
                                              ns_error *err)
{
    const int32_t *node_of = ns_site_node_of(site), nodes = ns_site_nodes(site);
    int *size = (int *)calloc((size_t)nodes, sizeof *size), most = 1;
    char text[60];
    ns_machine *given;
    if (size == NULL)
        return ns_fail(err, NS_ERR_MEMORY, "out of memory");
    for (int32_t p = 0; p < ns_site_parts(site); p++)
        most = ++size[node_of[p]] > most ? size[node_of[p]] : most;
    free(size);
    snprintf(text, sizeof text, "topology.host_processes=%d", most);
    NS_TRY(ns_machine_load(name, &given, err));
    const ns_status status = ns_machine_with(given, text, machine, err);
    ns_machine_free(given);
    return status;
}

/* A table to `out` of process 0: of every level its rows, messages between nodes in an exchange, the predicted time of
 * hypre's own way and of the fastest, and how many times as fast that is.  machine: a name or a file.  Every process
 * returns 0, or 1 after process 0 said on stderr what was wrong. */
static inline int nsmodel_hypre_levels(HYPRE_Solver boomeramg, MPI_Comm comm, const char *machine, FILE *out)
{
    int rank, failed;
    ns_site *site = NULL;
    ns_machine *loaded = NULL;
    ns_error err;
    memset(&err, 0, sizeof err);
    MPI_Comm_rank(comm, &rank);
    ns_status status = nsmodel_hypre_site(comm, &site, &err);
    if (status == NS_OK && rank == 0)
        status = nsmodel_hypre_machine(machine, site, &loaded, &err);
    const ns_status table = nsmodel_hypre_table((hypre_ParAMGData *)boomeramg, comm, site, loaded, out, &err);
    failed = status != NS_OK || table != NS_OK;
    if (failed && rank == 0)
        fprintf(stderr, "nsmodel: %s\n", err.text);
    MPI_Bcast(&failed, 1, MPI_INT, 0, comm);
    ns_machine_free(loaded);
    ns_site_free(site);
    return failed;
}

#endif
