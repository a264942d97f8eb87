/* predict_plot.c -- predict --plot: time against parts, one line per strategy and transport, the minima ringed */
#include "cli/show/draw.h"
#include "cli/show/predict.h"
#include "core/memory.h"

#include <math.h>

typedef struct curves {
    size_t count;  /* cases of one machine */
    double *x, *y; /* [count], [(choices + 3) * count]: the ways, the fastest, its range */
    char (*label)[64];
    ns_series *series;
} curves;

static void fill(curves *c, const ns_case *cases, const ns_comparison *comparison)
{
    int choices = comparison[0].choices;
    for (size_t i = 0; i < c->count; i++)
        c->x[i] = cases[i].exchange->parts;
    for (int k = 0; k < choices; k++) {
        const ns_choice *choice = &comparison[0].choice[k];
        for (size_t i = 0; i < c->count; i++)
            c->y[(size_t)k * c->count + i] = comparison[i].choice[k].price.estimate_s;
        snprintf(c->label[k], sizeof *c->label, "%s, %s", choice->strategy->name,
                 ns_transport_words[choice->transport]);
        c->series[k] = (ns_series){.label = c->label[k],
                                   .colour = choice->strategy->rank,
                                   .dashed = choice->transport == NS_VIA_DEVICE,
                                   .points = c->count,
                                   .x = c->x,
                                   .y = c->y + (size_t)k * c->count};
    }
    double *best = c->y + (size_t)choices * c->count, *low = best + c->count, *high = low + c->count;
    for (size_t i = 0; i < c->count; i++) {
        const ns_price *price = &comparison[i].choice[comparison[i].best].price;
        best[i] = price->estimate_s;
        low[i] = price->lo_s;
        high[i] = price->hi_s;
    }
    c->series[choices] = (ns_series){
        .label = "fastest", .rings = true, .points = c->count, .x = c->x, .y = best, .low = low, .high = high};
}

ns_status ns_predict_plot(const char *path, const char *what, const ns_case *cases, const ns_comparison *comparison,
                          size_t count, ns_value *result, ns_error *err)
{
    size_t lines = (size_t)comparison[0].choices + 1;
    char title[200], x_label[80];
    curves c = {.count = count,
                .x = ns_malloc(ns_size_mul(count, sizeof *c.x)),
                .y = ns_malloc(ns_size_mul(ns_size_mul(ns_size_add(lines, 2), count), sizeof *c.y)),
                .label = ns_malloc(ns_size_mul(lines, sizeof *c.label)),
                .series = ns_calloc(lines, sizeof *c.series)};
    ns_status status = NS_OK;
    if (c.x == NULL || c.y == NULL || c.label == NULL || c.series == NULL)
        status = ns_no_memory(err);
    if (status == NS_OK) {
        const ns_machine *machine = cases[0].machine;
        fill(&c, cases, comparison);
        snprintf(title, sizeof title, "%s on %s", what, machine->name);
        snprintf(x_label, sizeof x_label, "%s (%d a node)", machine->gpus > 0 ? "GPUs" : "processes",
                 (int)cases[0].exchange->per_node);
        ns_chart chart = {.title = title,
                          .x_label = x_label,
                          .y_label = "time of one exchange",
                          .y_unit = "s",
                          .log_x = true,
                          .log_y = true,
                          .series = lines,
                          .of = c.series};
        status = ns_draw(path, &chart, 1, 1, result, err);
    }
    ns_free(c.x);
    ns_free(c.y);
    ns_free(c.label);
    ns_free(c.series);
    return status;
}
