/* threads.c -- what threads do at once, for ThreadSanitizer: threads FOLDER, which is for its files
 *
 * Commands run as on machines of 1 to 8 processors and have to answer the same; then 8 threads load, quote, compare,
 * evaluate and read at once, and share machines and an exchange.  The linker puts __wrap_ functions in the place of the
 * two that say how many processors there are and start threads.  `make tsan` builds and runs it, and its last line says
 * what ran.
 */
#define _XOPEN_SOURCE 700 /* realpath */

#include "api/library.h"
#include "cli/program/program.h"
#include "price/quote.h"

#include <nsmodel/calc.h>
#include <nsmodel/quote.h>

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 8, ROUNDS = 10, ROWS = 20000, A_ROW = 10, WORDS = 20 };

static int processors = 1;
static atomic_int started;

long __real_sysconf(int name);
long __wrap_sysconf(int name);
long __wrap_sysconf(int name)
{
    return name == _SC_NPROCESSORS_ONLN ? processors : __real_sysconf(name);
}

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*run)(void *), void *context);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*run)(void *), void *context);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*run)(void *), void *context)
{
    atomic_fetch_add(&started, 1);
    return __real_pthread_create(thread, how, run, context);
}

static void need(bool holds, const char *what, const char *of)
{
    if (holds)
        return;
    fprintf(stderr, "threads: %s: %s\n", of, what);
    exit(1);
}

/* ---- commands ---------------------------------------------------------------------------------------------------- */

/* threads: it starts some where there are several processors. */
static const struct {
    const char *line;
    bool threads;
} commands[] = {
    {"predict --matrix m.mtx --gpus 2048 --format table", true},
    {"predict --matrix m.mtx.gz --gpus 64 --format csv", true},
    {"predict --matrix m.tar.gz --gpus 64 --format json", true},
    {"predict --matrix m.nsp --gpus 8 --explain", false},
    {"report --matrix m.mtx --machine lassen,bluewaters --gpus 16 -o page.html", true},
    {"place --matrix m.mtx --machine dane --nodes 4 --per-node 8 --parts 32 --tries 100", true},
    {"netsparse --matrix m.mtx --nodes 32 --k 1 --ablation", true},
    {"sensitivity --matrix m.nsp --gpus 8", false},
    {"advise --matrix m.mtx --gpus 16 --incumbent standard/host", true},
    {"sweep max-rate --machine lassen m=1 --over s=1KiB:1MiB:x4 --over ppn=1,40", false},
    {"sweep --over strategy --machine lassen", false},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

/* What it answers; free it. */
static char *run(const char *line)
{
    char words[512], *word[WORDS] = {"nsmodel"}, *out = NULL, *err = NULL;
    int count = 1;
    size_t size;
    snprintf(words, sizeof words, "%s", line);
    for (char *at = strtok(words, " "); at != NULL && count < WORDS - 1; at = strtok(NULL, " "))
        word[count++] = at;
    FILE *answers = open_memstream(&out, &size), *messages = open_memstream(&err, &size);
    need(answers != NULL && messages != NULL, "no memory", line);
    const int code = ns_cli_run(count, word, answers, messages);
    fclose(answers);
    fclose(messages);
    need(code == 0, err, line);
    free(err);
    return out;
}

static void run_commands(void)
{
    for (size_t i = 0; i < COMMANDS; i++) {
        char *alone = NULL;
        printf("%s\n", commands[i].line);
        fflush(stdout);
        for (processors = 1; processors <= MOST; processors++) {
            atomic_store(&started, 0);
            char *out = run(commands[i].line);
            const int threads = atomic_load(&started);
            need(processors > 1 || threads == 0, "threads on one processor", commands[i].line);
            need(processors == 1 || !commands[i].threads || threads > 0, "no threads", commands[i].line);
            need(alone == NULL || strcmp(out, alone) == 0, "another answer with more threads", commands[i].line);
            if (alone == NULL)
                alone = out;
            else
                free(out);
        }
        free(alone);
    }
}

/* ---- threads of a host ------------------------------------------------------------------------------------------- */

static const char *const names[] = {"lassen", "bluewaters", "dane"};
enum { MACHINES = sizeof names / sizeof *names };

static ns_machine *machine[MACHINES];
static ns_exchange *exchange;
static double estimate[MACHINES], value; /* as one thread alone has them */
static char file[4096];
static atomic_int loads, quotes, evaluations, readings;

static double best_of(const ns_machine *m)
{
    ns_comparison *comparison;
    ns_choice_info info = {.size = sizeof info};
    need(ns_compare(exchange, m, NULL, &comparison, NULL) == NS_OK, "ns_compare", "a thread");
    need(ns_comparison_choice(comparison, ns_comparison_best(comparison), &info, NULL) == NS_OK, "ns_comparison_choice",
         "a thread");
    ns_comparison_free(comparison);
    return info.estimate_s;
}

static double max_rate(const ns_machine *m)
{
    static const char *const inputs[] = {"m=10", "s=1MiB", "ppn=40"};
    const ns_model *model;
    ns_binding *binding;
    double output[16] = {0};
    need(ns_model_get("max-rate", &model, NULL) == NS_OK && ns_model_outputs(model) <= 16, "ns_model_get", "a thread");
    need(ns_binding_open(model, m, &binding, NULL) == NS_OK, "ns_binding_open", "a thread");
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
        need(ns_bind_text(binding, inputs[i], NULL) == NS_OK, "ns_bind_text", inputs[i]);
    need(ns_bind_close(binding, NULL) == NS_OK && ns_binding_eval(binding, output, NULL) == NS_OK, "ns_binding_eval",
         "a thread");
    const double total = output[ns_model_outputs(model) - 1];
    ns_binding_free(binding);
    return total;
}

static void load(const char *name)
{
    ns_machine *own, *changed;
    ns_error err = {0};
    need(ns_machine_load(name, &own, &err) == NS_OK, "ns_machine_load", err.text);
    need(ns_machine_with(own, "host.off-node.eager.alpha=9us", &changed, &err) == NS_OK, "ns_machine_with", err.text);
    need(best_of(own) > 0, "a time", name);
    ns_machine_free(own);
    ns_machine_free(changed);
    need(ns_machine_load("no such machine", &own, NULL) != NS_OK, "refused", "a thread");
    need(ns_machine_parse("{\"name\": \"x\", }", "x.json", &own, &err) != NS_OK, "refused", "a thread");
    atomic_fetch_add(&loads, 2);
}

static void quote(const ns_machine *m, ns_workspace *workspace, double expected)
{
    int count;
    double least = 1e300;
    need(ns_quote(exchange, m, NULL, workspace, &count, NULL) == NS_OK, "ns_quote", "a thread");
    for (int i = 0; i < count; i++) {
        ns_choice_info info = {.size = sizeof info};
        need(ns_quote_choice(workspace, i, &info, NULL) == NS_OK, "ns_quote_choice", "a thread");
        least = info.estimate_s < least ? info.estimate_s : least;
    }
    need(least == expected, "another price than alone", "ns_quote");
    atomic_fetch_add(&quotes, count);
}

static void evaluate(const ns_machine *m)
{
    ns_calc *calc;
    ns_answer answer = {.size = sizeof answer};
    need(max_rate(m) == value, "another value than alone", "max-rate");
    need(ns_calc_open(&calc, NULL) == NS_OK, "ns_calc_open", "a thread");
    ns_calc_use_machine(calc, m);
    need(ns_calc_eval(calc, "max-rate(m=10, s=1 MiB, ppn=40)", &answer, NULL) == NS_OK, "ns_calc_eval", "a thread");
    ns_calc_free(calc);
    atomic_fetch_add(&evaluations, 2);
}

static void read_matrix(void)
{
    ns_matrix *matrix;
    ns_exchange *own;
    const ns_layout layout = {.parts = 16, .per_node = 4};
    ns_error err = {0};
    need(ns_matrix_open("m.mtx", &matrix, &err) == NS_OK, "ns_matrix_open", err.text);
    need(ns_exchange_from_matrix(matrix, &layout, 1, NULL, &own, NULL, &err) == NS_OK, "ns_exchange_from_matrix",
         err.text);
    ns_exchange_free(own);
    ns_matrix_free(matrix);
    atomic_fetch_add(&readings, 1);
}

static void *live(void *number)
{
    const int own = *(const int *)number;
    ns_workspace *workspace;
    need(ns_workspace_open(&workspace, NULL) == NS_OK, "ns_workspace_open", "a thread");
    for (int i = 0; i < ROUNDS; i++) {
        const int k = (own + i) % MACHINES;
        load(i % 2 == 0 ? file : names[k]);
        ns_workspace_set_threads(workspace, 1 + (own + i) % MOST);
        quote(machine[k], workspace, estimate[k]);
        need(best_of(machine[k]) == estimate[k], "another price than alone", "ns_compare");
        evaluate(machine[0]);
        if (i % 5 == 0)
            read_matrix();
    }
    ns_workspace_free(workspace);
    return NULL;
}

static void live_together(void)
{
    pthread_t thread[MOST];
    int number[MOST];
    ns_matrix *matrix;
    const ns_layout layout = {.parts = 256, .per_node = 4};
    processors = 2;
    need(ns_matrix_open("m.mtx", &matrix, NULL) == NS_OK &&
             ns_exchange_from_matrix(matrix, &layout, 1, NULL, &exchange, NULL, NULL) == NS_OK,
         "cannot be read", "m.mtx");
    ns_matrix_free(matrix);
    for (int k = 0; k < MACHINES; k++) {
        need(ns_machine_load(names[k], &machine[k], NULL) == NS_OK, "ns_machine_load", names[k]);
        estimate[k] = best_of(machine[k]);
    }
    value = max_rate(machine[0]);
    for (int i = 0; i < MOST; i++) {
        number[i] = i;
        need(__real_pthread_create(&thread[i], NULL, live, &number[i]) == 0, "no thread", "pthread_create");
    }
    for (int i = 0; i < MOST; i++)
        pthread_join(thread[i], NULL);
    for (int k = 0; k < MACHINES; k++)
        ns_machine_free(machine[k]);
    ns_exchange_free(exchange);
}

/* ---- both -------------------------------------------------------------------------------------------------------- */

/* A random matrix of some megabytes, which is read in several pieces, in the four formats. */
static void make_files(void)
{
    uint64_t random = 88172645463325252u;
    FILE *out = fopen("m.mtx", "w");
    need(out != NULL, "cannot be written", "m.mtx");
    fprintf(out, "%%%%MatrixMarket matrix coordinate pattern general\n%d %d %d\n", ROWS, ROWS, ROWS * A_ROW);
    for (int i = 0; i < ROWS * A_ROW; i++) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        fprintf(out, "%d %d\n", i / A_ROW + 1, (int)(random % ROWS) + 1);
    }
    need(fclose(out) == 0, "cannot be written", "m.mtx");
    need(system("gzip -kf m.mtx && mkdir -p m && cp m.mtx m/ && tar -czf m.tar.gz m/m.mtx") == 0, "gzip and tar",
         "m.mtx");
    free(run("pattern --matrix m.mtx --parts 4 -o m.nsp"));
}

int main(int argc, char **argv)
{
    need(argc == 2 && realpath("params/lassen.json", file) != NULL && chdir(argv[1]) == 0,
         "wanted a folder, and to be run in the source tree", "usage: threads FOLDER");
    make_files();
    run_commands();
    live_together();
    printf(
        "threads: %d commands on 1 to %d processors, the same answers; %d threads sharing %d machines and an exchange "
        "of %d rows: %d loads, %d quotes, %d evaluations, %d readings\n",
        (int)COMMANDS, MOST, MOST, MACHINES, ROWS, atomic_load(&loads), atomic_load(&quotes), atomic_load(&evaluations),
        atomic_load(&readings));
    return 0;
}
