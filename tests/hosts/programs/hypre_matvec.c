/* hypre_matvec.c -- a ParCSR matrix of hypre in equal blocks of rows, multiplied; its communication package; an advice
 *
 * The package says which entries each process sends to whom.  From its need-lists and from the whole matrix the same
 * exchange has to follow.  hypre sends by messages of its own, so a layer in front of MPI leaves it alone.
 */
#include <HYPRE.h>
#include <HYPRE_IJ_mv.h>
#include <HYPRE_parcsr_ls.h>
#include <_hypre_parcsr_ls.h>
#include <_hypre_parcsr_mv.h>

#include <nsmodel/choice.h>
#include <nsmodel/needs.h>

enum { WIDE = 31, HIGH = 29, ROWS = WIDE * HIGH, PER_NODE = 4 };

static int rank, ranks;

static HYPRE_BigInt first_of(int process)
{
    return (HYPRE_BigInt)ROWS * process / ranks;
}

/* A five-point stencil and one entry far away. */
static int columns_of(HYPRE_BigInt i, HYPRE_BigInt *col, double *value)
{
    const HYPRE_BigInt at[] = {i,        i % WIDE > 0 ? i - 1 : -1,       i % WIDE < WIDE - 1 ? i + 1 : -1,
                               i - WIDE, i + WIDE < ROWS ? i + WIDE : -1, i * 7919 % ROWS};
    int count = 0;
    for (int k = 0; k < 6; k++) {
        int known = at[k] < 0;
        for (int j = 0; j < count; j++)
            known |= col[j] == at[k];
        if (known)
            continue;
        value[count] = k == 0 ? 8.0 : -1.0 - 0.01 * (double)(i % 5);
        col[count++] = at[k];
    }
    return count;
}

static HYPRE_IJMatrix make_matrix(void)
{
    HYPRE_IJMatrix matrix;
    const HYPRE_BigInt first = first_of(rank), last = first_of(rank + 1) - 1;
    HYPRE_IJMatrixCreate(MPI_COMM_WORLD, first, last, first, last, &matrix);
    HYPRE_IJMatrixSetObjectType(matrix, HYPRE_PARCSR);
    HYPRE_IJMatrixInitialize(matrix);
    for (HYPRE_BigInt i = first; i <= last; i++) {
        HYPRE_BigInt col[6];
        double value[6];
        HYPRE_Int count = columns_of(i, col, value);
        HYPRE_IJMatrixSetValues(matrix, 1, &count, &i, col, value);
    }
    HYPRE_IJMatrixAssemble(matrix);
    return matrix;
}

/* ---- the pattern ------------------------------------------------------------------------------------------------- */

static void need(ns_status status, const ns_error *err)
{
    if (status == NS_OK)
        return;
    fprintf(stderr, "%s\n", err->text);
    MPI_Abort(MPI_COMM_WORLD, 4);
}

/* The exchange of everybody's need-lists, in every process. */
static ns_exchange *from_needs(hypre_ParCSRMatrix *a, const ns_site *site)
{
    int mine = (int)hypre_CSRMatrixNumCols(hypre_ParCSRMatrixOffd(a)), *count = malloc(sizeof(int) * (size_t)ranks),
        *displ = calloc((size_t)ranks + 1, sizeof(int));
    int64_t *own = malloc(sizeof *own * (size_t)mine + 8), bounds[2] = {a->first_row_index, a->last_row_index + 1},
            *all_bounds = malloc(sizeof *all_bounds * 2 * (size_t)ranks);
    ns_error err = {0};
    ns_needs *needs;
    ns_exchange *x;
    for (int i = 0; i < mine; i++)
        own[i] = hypre_ParCSRMatrixColMapOffd(a)[i];
    MPI_Allgather(&mine, 1, MPI_INT, count, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgather(bounds, 2, MPI_INT64_T, all_bounds, 2, MPI_INT64_T, MPI_COMM_WORLD);
    for (int p = 0; p < ranks; p++)
        displ[p + 1] = displ[p] + count[p];
    int64_t *all = malloc(sizeof *all * (size_t)displ[ranks] + 8);
    MPI_Allgatherv(own, mine, MPI_INT64_T, all, count, displ, MPI_INT64_T, MPI_COMM_WORLD);
    need(ns_needs_begin(site, sizeof(double), NULL, &needs, &err), &err);
    for (int p = 0; p < ranks; p++)
        need(ns_needs_add_64(needs, p, all_bounds[2 * p], all_bounds[2 * p + 1], all + displ[p], count[p], &err), &err);
    need(ns_needs_finish(needs, &x, &err), &err);
    ns_needs_free(needs);
    free(count);
    free(displ);
    free(own);
    free(all_bounds);
    free(all);
    return x;
}

/* Of the finest level, the same from all rows of the matrix. */
static void compare_with_matrix(const ns_exchange *x, const ns_site *site)
{
    int64_t *row = calloc(ROWS + 1, sizeof *row), *col = malloc(6 * ROWS * sizeof *col);
    const ns_exchange_options options = {.width = sizeof(double), .site = site};
    ns_exchange *whole;
    ns_error err = {0};
    for (int64_t i = 0; i < ROWS; i++) {
        HYPRE_BigInt one[6];
        double value[6];
        const int count = columns_of((HYPRE_BigInt)i, one, value);
        row[i + 1] = row[i] + count;
        for (int k = 0; k < count; k++)
            col[row[i] + k] = one[k];
    }
    need(ns_exchange_from_csr(ROWS, ROWS, row, col, (ns_layout){ranks, PER_NODE}, &options, &whole, &err), &err);
    const ns_route *route[2];
    const int64_t routes = ns_exchange_routes(x, &route[0]);
    ns_pattern counts[2] = {{.size = sizeof *counts}, {.size = sizeof *counts}};
    need(ns_exchange_counts(x, &counts[0], &err), &err);
    need(ns_exchange_counts(whole, &counts[1], &err), &err);
    int same = ns_exchange_routes(whole, &route[1]) == routes &&
               memcmp(route[0], route[1], (size_t)routes * sizeof **route) == 0 &&
               memcmp(&counts[0], &counts[1], sizeof *counts) == 0;
    if (rank == 0)
        printf("pattern %s\n", same ? "same" : "differs");
    ns_exchange_free(whole);
    free(row);
    free(col);
}

/* What hypre sends and receives here has to be the routes from and to this process. */
static void compare_with_package(hypre_ParCSRMatrix *a, const ns_exchange *x)
{
    if (hypre_ParCSRMatrixCommPkg(a) == NULL)
        hypre_MatvecCommPkgCreate(a);
    const hypre_ParCSRCommPkg *p = hypre_ParCSRMatrixCommPkg(a);
    int wrong = 0, routes = 0, all_wrong = 0;
    const ns_route *route;
    for (int64_t r = ns_exchange_routes(x, &route); r > 0; r--, route++) {
        int64_t entries = -1;
        routes += route->from == rank || route->to == rank;
        for (int i = 0; i < p->num_sends && route->from == rank; i++)
            if (p->send_procs[i] == route->to)
                entries = p->send_map_starts[i + 1] - p->send_map_starts[i];
        for (int i = 0; i < p->num_recvs && route->to == rank; i++)
            if (p->recv_procs[i] == route->from)
                entries = p->recv_vec_starts[i + 1] - p->recv_vec_starts[i];
        wrong += (route->from == rank || route->to == rank) && entries != route->entries;
    }
    wrong += routes != p->num_sends + p->num_recvs;
    MPI_Reduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("package %s\n", all_wrong == 0 ? "same" : "differs");
}

/* ---- advice ------------------------------------------------------------------------------------------------------ */

/* The strategy of a level, and what it gains against the standard one, which is hypre's. */
static void advise(int level, const ns_exchange *x, int64_t rows, const ns_machine *machine)
{
    ns_comparison *c;
    ns_selection *selection;
    ns_error err = {0};
    ns_pattern counts = {.size = sizeof counts};
    const char *best = "";
    double standard = 0, least = HUGE_VAL;
    need(ns_exchange_counts(x, &counts, &err), &err);
    need(ns_selection_open(&selection, &err), &err);
    need(ns_selection_transports(selection, 1u << NS_VIA_HOST, &err), &err);
    need(ns_compare(x, machine, selection, &c, &err), &err);
    for (int i = 0; i < ns_comparison_choices(c); i++) {
        ns_choice_info way = {.size = sizeof way};
        need(ns_comparison_choice(c, i, &way, &err), &err);
        const double seconds = way.estimate_s - way.copy_s;
        if (strcmp(way.name, "standard") == 0)
            standard = seconds;
        if (seconds < least) {
            least = seconds;
            best = way.name;
        }
    }
    if (rank == 0)
        printf("level %d: %lld rows, %lld messages between nodes, %s, %.2f times as fast as standard\n", level,
               (long long)rows, (long long)counts.messages_off_node, best, least > 0 ? standard / least : 1.0);
    ns_comparison_free(c);
    ns_selection_free(selection);
}

static void advise_levels(HYPRE_ParCSRMatrix a, HYPRE_ParVector b, HYPRE_ParVector x, const ns_site *site)
{
    const char *name = getenv("NSMODEL_MACHINE");
    ns_machine *machine;
    ns_error err = {0};
    HYPRE_Solver amg;
    need(ns_machine_load(name != NULL ? name : NS_MACHINE_DEFAULT, &machine, &err), &err);
    HYPRE_BoomerAMGCreate(&amg);
    HYPRE_BoomerAMGSetup(amg, a, b, x);
    hypre_ParAMGData *data = (hypre_ParAMGData *)amg;
    for (int l = 0; l < hypre_ParAMGDataNumLevels(data); l++) {
        hypre_ParCSRMatrix *level = hypre_ParAMGDataAArray(data)[l];
        ns_exchange *exchange = from_needs(level, site);
        compare_with_package(level, exchange);
        advise(l, exchange, hypre_ParCSRMatrixGlobalNumRows(level), machine);
        ns_exchange_free(exchange);
    }
    HYPRE_BoomerAMGDestroy(amg);
    ns_machine_free(machine);
}

static HYPRE_IJVector make_vector(double base)
{
    HYPRE_IJVector vector;
    const HYPRE_BigInt first = first_of(rank), last = first_of(rank + 1) - 1;
    HYPRE_IJVectorCreate(MPI_COMM_WORLD, first, last, &vector);
    HYPRE_IJVectorSetObjectType(vector, HYPRE_PARCSR);
    HYPRE_IJVectorInitialize(vector);
    for (HYPRE_BigInt i = first; i <= last; i++) {
        const double value = base + 0.001 * (double)(i % 17);
        HYPRE_IJVectorSetValues(vector, 1, &i, &value);
    }
    HYPRE_IJVectorAssemble(vector);
    return vector;
}

int main(int argc, char **argv)
{
    void *a, *x, *y;
    ns_site *site;
    ns_error err = {0};
    MPI_Init(&argc, &argv);
    HYPRE_Init();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    need(ns_site_blocks(ranks, PER_NODE, 0, &site, &err), &err);
    HYPRE_IJMatrix matrix = make_matrix();
    HYPRE_IJVector left = make_vector(0), right = make_vector(1);
    HYPRE_IJMatrixGetObject(matrix, &a);
    HYPRE_IJVectorGetObject(right, &x);
    HYPRE_IJVectorGetObject(left, &y);
    const int times = argc > 1 ? atoi(argv[1]) : 20;
    double spent_s = 0;
    for (int i = 0; i < times; i++) {
        double norm;
        const double begin = MPI_Wtime();
        HYPRE_ParCSRMatrixMatvec(1.0, a, x, 0.0, y);
        spent_s += MPI_Wtime() - begin;
        HYPRE_ParVectorInnerProd(y, y, &norm);
        if (rank == 0)
            printf("%d %.17g\n", i, norm);
        HYPRE_ParVectorCopy(y, x);
        HYPRE_ParVectorScale(1 / sqrt(norm), x);
    }
    if (rank == 0)
        fprintf(stderr, "%d products took %.3g s in process 0\n", times, spent_s);
    ns_exchange *exchange = from_needs(a, site);
    compare_with_matrix(exchange, site);
    compare_with_package(a, exchange);
    ns_exchange_free(exchange);
    advise_levels(a, y, x, site);
    ns_site_free(site);
    HYPRE_IJMatrixDestroy(matrix);
    HYPRE_IJVectorDestroy(left);
    HYPRE_IJVectorDestroy(right);
    HYPRE_Finalize();
    MPI_Finalize();
    return 0;
}
