/* starpu_cost.c -- a cost function for StarPU: its scheduler chooses how an exchange is done by nsmodel's prices
 *
 * A codelet has one implementation for each strategy. StarPU's scheduler dmda asks the codelet's performance model what
 * each of them would cost on each worker, and takes the cheapest. Here the performance model is a function that returns
 * the predicted time of the strategy for the exchange at hand, so that nothing has to be measured first.
 *
 *     make starpu_cost && STARPU_NCPU=2 ./starpu_cost
 */
#include <nsmodel/nsmodel.h>
#include <starpu.h>
#include <stdio.h>
#include <string.h>

enum { EXCHANGES = 50, PARTS = 32, PER_NODE = 4 };

/* In the order of the codelet's implementations. */
enum { STANDARD, THREE_STEP, TWO_STEP, STRATEGIES };
static const char *const names[STRATEGIES] = {"standard", "three-step", "two-step"};

/* What a task is about; cl_arg of its task. */
struct job {
    double microseconds[STRATEGIES];
    int done_by; /* the strategy that ran */
};

/* A program of one's own would exchange its data here, by this strategy. */
static void exchange_standard(void *buffers[], void *argument)
{
    (void)buffers;
    ((struct job *)argument)->done_by = STANDARD;
}
static void exchange_three_step(void *buffers[], void *argument)
{
    (void)buffers;
    ((struct job *)argument)->done_by = THREE_STEP;
}
static void exchange_two_step(void *buffers[], void *argument)
{
    (void)buffers;
    ((struct job *)argument)->done_by = TWO_STEP;
}

static double predicted(struct starpu_task *task, struct starpu_perfmodel_arch *arch, unsigned implementation)
{
    const struct job *job = task->cl_arg;
    (void)arch;
    return job->microseconds[implementation];
}

static struct starpu_perfmodel model = {
    .type = STARPU_PER_ARCH, .symbol = "nsmodel_exchange", .arch_cost_function = predicted};
static struct starpu_codelet exchange = {
    .cpu_funcs = {exchange_standard, exchange_three_step, exchange_two_step}, .name = "exchange", .model = &model};

/* What to look at: these strategies by way of the host. */
static ns_status select_ways(ns_selection **selection, ns_error *err)
{
    NS_TRY(ns_selection_open(selection, err));
    for (int i = 0; i < STRATEGIES; i++)
        NS_TRY(ns_selection_add(*selection, names[i], err));
    return ns_selection_transports(*selection, 1U << NS_VIA_HOST, err);
}

static ns_status take(const ns_workspace *workspace, int quotes, struct job *job, ns_error *err)
{
    ns_choice_info way = {.size = sizeof way};
    for (int q = 0; q < quotes; q++) {
        NS_TRY(ns_quote_choice(workspace, q, &way, err));
        for (int i = 0; i < STRATEGIES; i++)
            if (strcmp(way.name, names[i]) == 0)
                job->microseconds[i] = 1e6 * way.estimate_s;
    }
    return NS_OK;
}

/* The times of all strategies for a matrix on 32 processes. */
static ns_status price(const char *spec, int64_t width, const ns_machine *machine, const ns_selection *selection,
                       ns_workspace *workspace, struct job *job, ns_error *err)
{
    const ns_layout layout = {PARTS, PER_NODE};
    const ns_exchange_options options = {.size = sizeof options, .width = width};
    ns_exchange *x;
    ns_matrix *matrix;
    int quotes;
    NS_TRY(ns_matrix_open(spec, &matrix, err));
    ns_status status = ns_exchange_from_matrix(matrix, &layout, 1, &options, &x, NULL, err);
    ns_matrix_free(matrix);
    if (status != NS_OK)
        return status;
    status = ns_quote(x, machine, selection, workspace, &quotes, err);
    if (status == NS_OK)
        status = take(workspace, quotes, job, err);
    ns_exchange_free(x);
    return status;
}

static ns_status price_all(struct job *job, ns_error *err)
{
    ns_machine *machine = NULL;
    ns_workspace *workspace = NULL;
    ns_selection *selection = NULL;
    char spec[60];
    ns_status status = ns_machine_load("lassen", &machine, err);
    if (status == NS_OK)
        status = ns_workspace_open(&workspace, err);
    if (status == NS_OK)
        status = select_ways(&selection, err);
    for (int i = 0; status == NS_OK && i < EXCHANGES; i++) {
        snprintf(spec, sizeof spec, "stencil27:%dx%dx%d", 4 + i, 4 + i, 4 + i);
        status = price(spec, i % 2 == 0 ? 8 : 64, machine, selection, workspace, &job[i], err);
    }
    ns_selection_free(selection);
    ns_workspace_free(workspace);
    ns_machine_free(machine);
    return status;
}

static int run_all(struct job *job)
{
    struct starpu_conf conf;
    starpu_conf_init(&conf);
    conf.sched_policy_name = "dmda";
    conf.ncuda = 0;
    conf.nopencl = 0;
    if (starpu_init(&conf) != 0)
        return -1;
    for (int i = 0; i < EXCHANGES; i++) {
        struct starpu_task *task = starpu_task_create();
        task->cl = &exchange;
        task->cl_arg = &job[i];
        if (starpu_task_submit(task) != 0)
            return -1;
    }
    starpu_task_wait_for_all();
    starpu_shutdown();
    return 0;
}

int main(void)
{
    static struct job job[EXCHANGES];
    int cheapest = 0, by[STRATEGIES] = {0};
    ns_error err = {.code = NS_OK};
    char text[800];
    if (price_all(job, &err) != NS_OK) {
        fprintf(stderr, "starpu_cost: %s\n", ns_error_format(&err, text, sizeof text));
        return 1;
    }
    if (run_all(job) != 0) {
        fprintf(stderr, "starpu_cost: StarPU did not run the tasks\n");
        return 1;
    }
    for (int i = 0; i < EXCHANGES; i++) {
        int best = 0;
        for (int s = 1; s < STRATEGIES; s++)
            best = job[i].microseconds[s] < job[i].microseconds[best] ? s : best;
        cheapest += job[i].done_by == best;
        by[job[i].done_by]++;
    }
    for (int s = 0; s < STRATEGIES; s++)
        printf("%s %d\n", names[s], by[s]);
    printf("dmda took the cheapest strategy in %d of %d tasks\n", cheapest, EXCHANGES);
    return cheapest == EXCHANGES ? 0 : 1;
}
