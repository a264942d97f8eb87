/* plugin.c -- srun --comm-matrix: advice before a job step starts, and its ranks placed
 *
 *     optional .../spank_nsmodel.so machine=FILE budget=SECONDS        in plugstack.conf
 *
 * All work is done in srun, as its user, by a child process with a time limit (guard.h): a failure, timeout or crash
 * there causes one line of warning, and the step starts as it would have without the plugin.  In slurmd and slurmstepd
 * the plugin does nothing.
 */
#include "core/memory.h"
#include "slurm/advice.h"
#include "slurm/guard.h"
#include "slurm/step.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#pragma GCC visibility push(default)
#include <slurm/slurm.h>
#include <slurm/spank.h>

SPANK_PLUGIN(nsmodel, 1)
#pragma GCC visibility pop

enum { TEXT = 4096, WORDS = 1024, COMMAND_LINE = 1 << 17 };
static const double budget_default = 2; /* s */

/* The values of the options and of plugstack.conf; SPANK does not pass a context of ours. */
static struct {
    char matrix[TEXT], machine[TEXT];
    ns_hosts_file hosts;
    double budget, spent; /* s */
    bool asked, gave_up;
} job;

static void warn(const char *format, ...) NS_PRINTF(1, 2);
static void warn(const char *format, ...)
{
    char text[TEXT];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    slurm_info("nsmodel: warning: %s", text);
}

/* Warn once; nothing more is tried in this job. */
static bool give_up(const char *why)
{
    warn("%s; the job runs without advice", why);
    job.gave_up = true;
    return false;
}

/* ---- the work, in a child ---------------------------------------------------------------------------------------- */

static bool has_question(void)
{
    if (job.matrix[0] == '\0')
        return give_up("there is no --comm-matrix=FILE|NAME to advise on");
    return job.machine[0] != '\0' ||
           give_up("there is no machine: --comm-machine=NAME|FILE, or machine= in plugstack.conf");
}

/* Answer a question about ranks on nodes into `size` bytes that both processes share.  True when the work was done. */
static bool answered(void (*work)(void *), ns_question *q, size_t size)
{
    char late[100];
    q->matrix = job.matrix;
    q->machine = job.machine;
    q->answer = ns_guard_share(size);
    if (q->answer == NULL)
        return give_up(work == ns_advise ? "there is no memory for advice" : "there is no memory for a placement");
    switch (ns_guard_run(work, q, job.budget - job.spent, &job.spent)) {
    case NS_GUARDED_DONE:
        return true;
    case NS_GUARDED_LATE:
        (void)snprintf(late, sizeof late, "the time was up (--comm-budget=%g s)", job.budget);
        return give_up(late);
    case NS_GUARDED_CRASHED:
        return give_up("the advice crashed");
    case NS_GUARDED_REFUSED:
        break;
    }
    return give_up("there was no process for the advice");
}

/* ---- --comm-place ------------------------------------------------------------------------------------------------ */

/* Does the command line leave the placement of ranks to us?  Later options could still override it, and cannot be seen:
 * so there may be none. */
static bool is_left_to_us(int32_t ranks)
{
    static char text[COMMAND_LINE];
    static char *word[WORDS + 1];
    int words = 0;
    FILE *file = fopen("/proc/self/cmdline", "r");
    const size_t length = file != NULL ? fread(text, 1, COMMAND_LINE - 1, file) : 0;
    if (file != NULL)
        (void)fclose(file);
    text[length] = '\0';
    for (char *c = text; c < text + length && words < WORDS; c += strlen(c) + 1)
        word[words++] = c;
    if (optind < 1 || optind >= words || *word[optind] == '-') {
        warn("ranks are not placed: --comm-place wants to be the last option of srun, before the program");
        return false;
    }
    word[optind] = NULL; /* the program follows */
    const char *conflict = ns_step_conflict(word + 1, ranks);
    if (conflict != NULL)
        warn("ranks are not placed: %s says where they stand, or how many of the allocation's %d there are", conflict,
             (int)ranks);
    return conflict == NULL;
}

static bool write_hosts(hostlist_t hosts, const ns_placing_answer *answer, int32_t ranks, int32_t nodes)
{
    ns_error err = {.code = NS_OK};
    char **name = ns_calloc((size_t)nodes, sizeof *name);
    for (int32_t i = 0; i < nodes && name != NULL; i++)
        name[i] = slurm_hostlist_shift(hosts);
    const bool written =
        name != NULL && ns_hosts_write((const char *const *)name, answer->node_of, ranks, &job.hosts, &err) == NS_OK;
    if (!written)
        warn("ranks are not placed: no file for their hosts could be written: %s", err.text);
    for (int32_t i = 0; i < nodes && name != NULL; i++)
        free(name[i]); /* Slurm's */
    ns_free(name);
    return written;
}

static void place_on(hostlist_t hosts, const char *tasks, const char *ranks_text)
{
    const int nodes = slurm_hostlist_count(hosts);
    const long ranks = strtol(ranks_text, NULL, 10);
    if (ranks < 1 || ranks > NS_STEP_RANKS_MOST || !is_left_to_us((int32_t)ranks))
        return;
    int32_t *node_of = ns_calloc((size_t)ranks, sizeof *node_of);
    if (node_of == NULL || !ns_step_blocks(tasks, nodes, (int32_t)ranks, node_of))
        warn("ranks are not placed: SLURM_TASKS_PER_NODE=%s is not of %ld ranks on %d nodes", tasks, ranks, nodes);
    else {
        ns_question q = {.ranks = (int32_t)ranks, .nodes = nodes, .node_of = node_of};
        const size_t size = sizeof(ns_placing_answer) + (size_t)ranks * sizeof(int32_t);
        const bool done = answered(ns_place_ranks, &q, size);
        const ns_placing_answer *answer = q.answer;
        if (done && !answer->given)
            give_up(answer->text);
        else if (done && write_hosts(hosts, answer, q.ranks, nodes) &&
                 setenv("SLURM_HOSTFILE", job.hosts.path, 1) == 0) {
            char before[48], after[48];
            slurm_info("nsmodel: ranks placed on the allocation's nodes: %s in blocks, %s as placed",
                       ns_quantity_format(answer->before_s, NS_SECOND, 3, before, sizeof before),
                       ns_quantity_format(answer->now_s, NS_SECOND, 3, after, sizeof after));
        }
        ns_guard_unshare(q.answer, size);
    }
    ns_free(node_of);
}

static int on_place(int unused, const char *argument, int remote)
{
    const char *nodes = getenv("SLURM_JOB_NODELIST"), *ranks = getenv("SLURM_NTASKS"),
               *tasks = getenv("SLURM_TASKS_PER_NODE");
    (void)unused;
    (void)argument;
    if (remote || spank_context() != S_CTX_LOCAL)
        return 0;
    job.asked = true;
    if (job.gave_up || !has_question())
        return 0;
    if (getenv("SLURM_HOSTFILE") != NULL) {
        warn("ranks are not placed: SLURM_HOSTFILE says where they stand");
    } else if (nodes == NULL || ranks == NULL || tasks == NULL) {
        warn("ranks are not placed: --comm-place is for an allocation with a number of ranks (salloc or sbatch with "
             "-n)");
    } else {
        hostlist_t hosts = slurm_hostlist_create(nodes);
        if (hosts != NULL)
            place_on(hosts, tasks, ranks);
        slurm_hostlist_destroy(hosts);
    }
    return 0;
}

/* ---- the other options ------------------------------------------------------------------------------------------- */

static void keep(char *kept, const char *name, const char *value)
{
    if (value != NULL && strlen(value) < TEXT)
        memcpy(kept, value, strlen(value) + 1);
    else
        warn("%s wants at most %d characters", name, TEXT - 1);
}

static void keep_budget(const char *name, const char *value)
{
    char *end = NULL;
    const double seconds = value != NULL ? strtod(value, &end) : 0;
    if (end != NULL && end != value && *end == '\0' && seconds >= 0 && seconds <= 86400)
        job.budget = seconds;
    else
        warn("%s wants seconds from 0 to 86400, got \"%s\"; %g are taken", name, value != NULL ? value : "",
             job.budget);
}

enum { MATRIX, MACHINE, BUDGET, PLACE };

static int on_option(int which, const char *argument, int remote)
{
    if (remote || spank_context() != S_CTX_LOCAL)
        return 0;
    job.asked = true;
    if (which == MATRIX)
        keep(job.matrix, "--comm-matrix", argument);
    else if (which == MACHINE)
        keep(job.machine, "--comm-machine", argument);
    else
        keep_budget("--comm-budget", argument);
    return 0;
}

struct spank_option spank_options[] = {
    {"comm-matrix", "FILE|NAME", "matrix whose exchange the job does, or planned messages of its ranks in FILE.csv", 1,
     MATRIX, on_option},
    {"comm-machine", "NAME|FILE", "nsmodel's machine, or machine file, that the exchange is priced on", 1, MACHINE,
     on_option},
    {"comm-budget", "SECONDS", "most time that the advice may take", 1, BUDGET, on_option},
    {"comm-place", NULL, "place the allocation's ranks on its nodes; the last option of srun", 0, PLACE, on_place},
    SPANK_OPTIONS_TABLE_END,
};

/* ---- what Slurm calls -------------------------------------------------------------------------------------------- */

int slurm_spank_init(spank_t spank, int words, char **word)
{
    (void)spank;
    if (spank_context() != S_CTX_LOCAL)
        return 0;
    job.budget = budget_default;
    for (int i = 0; i < words; i++) {
        if (strncmp(word[i], "machine=", 8) == 0)
            keep(job.machine, "machine= in plugstack.conf", word[i] + 8);
        else if (strncmp(word[i], "budget=", 7) == 0)
            keep_budget("budget= in plugstack.conf", word[i] + 7);
        else
            warn("plugstack.conf says %s, wanted machine=NAME|FILE or budget=SECONDS", word[i]);
    }
    if (getenv("NSMODEL_MACHINE") != NULL)
        keep(job.machine, "NSMODEL_MACHINE", getenv("NSMODEL_MACHINE"));
    return 0;
}

/* At this point srun has read the hosts. */
int slurm_spank_init_post_opt(spank_t spank, int words, char **word)
{
    (void)spank;
    (void)words;
    (void)word;
    if (spank_context() == S_CTX_LOCAL && job.hosts.path[0] != '\0') {
        ns_hosts_remove(&job.hosts);
        (void)unsetenv("SLURM_HOSTFILE");
    }
    return 0;
}

/* The step is known, and its ranks have not been started yet. */
int slurm_spank_local_user_init(spank_t spank, int words, char **word)
{
    slurm_step_id_t step = {.step_het_comp = NO_VAL};
    (void)words;
    (void)word;
    if (!job.asked || job.gave_up || !has_question())
        return 0;
    if (spank_get_item(spank, S_JOB_ID, &step.job_id) != ESPANK_SUCCESS ||
        spank_get_item(spank, S_JOB_STEPID, &step.step_id) != ESPANK_SUCCESS)
        return 0;
    slurm_step_layout_t *layout = slurm_job_step_layout_get(&step);
    int32_t *node_of = layout != NULL ? ns_calloc(layout->task_cnt, sizeof *node_of) : NULL;
    if (node_of != NULL) {
        ns_question q = {.ranks = (int32_t)layout->task_cnt, .nodes = (int32_t)layout->node_cnt, .node_of = node_of};
        for (int32_t node = 0; node < q.nodes; node++)
            for (int i = 0; i < layout->tasks[node]; i++)
                node_of[layout->tids[node][i]] = node;
        const bool done = answered(ns_advise, &q, sizeof(ns_rank_advice));
        const ns_rank_advice *advice = q.answer;
        if (done && !advice->given) {
            give_up(advice->text);
        } else if (done) {
            char seconds[48];
            const char *set = getenv("NSMODEL_STRATEGY");
            slurm_info("nsmodel: %s", advice->text);
            if (set != NULL)
                slurm_info("nsmodel: NSMODEL_STRATEGY=%s stays, as it was set", set);
            (void)setenv("NSMODEL_STRATEGY", advice->strategy, 0);
            (void)setenv("NSMODEL_TRANSPORT", advice->transport, 0);
            (void)setenv("NSMODEL_MACHINE", job.machine, 1);
            (void)setenv("NSMODEL_PREDICTED_S", ns_double_format(advice->seconds, seconds, sizeof seconds), 1);
        }
        ns_guard_unshare(q.answer, sizeof(ns_rank_advice));
    } else
        give_up("Slurm does not say where the ranks stand");
    ns_free(node_of);
    if (layout != NULL)
        slurm_job_step_layout_free(layout);
    return 0;
}
