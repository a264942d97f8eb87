/* rates.c -- how many answers a second one thread gets from libnsmodel (for make bench) */
#include <nsmodel/nsmodel.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void stop(const ns_error *err)
{
    char text[1024];
    fprintf(stderr, "rates: %s\n", ns_error_format(err, text, sizeof text));
    exit(EXIT_FAILURE);
}

/* For half a second at least; calls grow, so that the clock is read seldom. */
#define RATE(what, call)                                                                                               \
    do {                                                                                                               \
        double begin = now(), took = 0;                                                                                \
        long calls = 0;                                                                                                \
        for (long more = 1; took < 0.5; more *= 2, took = now() - begin)                                               \
            for (long again = 0; again < more; again++, calls++)                                                       \
                if ((call) != NS_OK)                                                                                   \
                    stop(&err);                                                                                        \
        printf("  %-58s %10.3f us   %12.0f a second\n", what, 1e6 * took / (double)calls, (double)calls / took);       \
    } while (0)

static void price_rates(const ns_exchange *exchange, const ns_machine *machine, int gpus)
{
    ns_error err = {0};
    for (const ns_strategy *const *s = ns_strategies(); *s != NULL; s++) {
        ns_schedule *schedule;
        ns_price price;
        char what[128];
        int64_t messages = 0;
        if (!ns_strategy_runs(*s, NS_VIA_HOST, machine))
            continue;
        if (ns_schedule_build(*s, NS_VIA_HOST, exchange, machine, &schedule, &err) != NS_OK)
            stop(&err);
        for (int i = 0; i < schedule->steps; i++)
            messages += schedule->step[i].messages;
        snprintf(what, sizeof what, "price %s, %d GPUs, %lld messages", (*s)->name, gpus, (long long)messages);
        RATE(what, ns_schedule_price(schedule, machine, &price, &err));
        ns_schedule_free(schedule);
    }
}

static void exchange_rates(const ns_machine *machine, int gpus)
{
    ns_error err = {0};
    ns_matrix *matrix;
    ns_exchange *exchange;
    ns_comparison comparison;
    ns_layout layout = {.parts = gpus, .per_node = machine->gpus};
    char what[128];
    if (ns_matrix_open("stencil27:48x48x48x3", &matrix, &err) != NS_OK ||
        ns_exchange_from_matrix(matrix, &layout, 1, NULL, &exchange, NULL, &err) != NS_OK)
        stop(&err);
    price_rates(exchange, machine, gpus);
    snprintf(what, sizeof what, "build and price every strategy, %d GPUs", gpus);
    RATE(what, ns_compare(exchange, machine, NULL, &comparison, &err));
    ns_exchange_free(exchange);
    ns_matrix_free(matrix);
}

static void model_rates(const ns_machine *machine)
{
    static const char *const name[] = {"postal", "max-rate", "three-step"};
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        ns_error err = {0};
        const ns_model *model;
        ns_binding binding;
        ns_model_buffer out;
        char what[64];
        if (ns_model_get(name[i], &model, &err) != NS_OK)
            stop(&err);
        ns_bind_open(&binding, model, machine);
        for (const ns_field *f = model->inputs; f->kind != NS_FIELD_END; f++)
            if (f->kind == NS_FIELD_NUMBER && f->from == NULL && !f->has_default)
                if (ns_bind_number(&binding, f->name, 4, &err) != NS_OK)
                    stop(&err);
        if (ns_bind_close(&binding, &err) != NS_OK)
            stop(&err);
        snprintf(what, sizeof what, "evaluate model %s", name[i]);
        RATE(what, ns_model_eval(&binding, &out, &err));
    }
}

int main(void)
{
    ns_error err = {0};
    ns_machine *machine;
    if (ns_machine_load("lassen", &machine, &err) != NS_OK)
        stop(&err);
    model_rates(machine);
    exchange_rates(machine, 32);
    exchange_rates(machine, 256);
    ns_machine_free(machine);
    return 0;
}
