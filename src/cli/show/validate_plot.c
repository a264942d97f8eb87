/* validate_plot.c -- validate --plot: predicted against measured, a dot an exchange, a colour a class, and the line of
 * equals */
#include "cli/show/draw.h"
#include "cli/show/validate.h"
#include "core/memory.h"

#include <math.h>
#include <string.h>

enum { GUIDES = 3 };

typedef struct cloud {
    double *x, *y;
    double edge[2], guide[GUIDES][2];
    ns_series *series;
    size_t count;
} cloud;

static void add_dots(const ns_validation *v, const char *name, int colour, size_t *used, cloud *c)
{
    const ns_of_value of = {v->records, "class", name};
    const size_t from = *used;
    for (size_t i = 0; i < v->count; i++)
        if (ns_is_of_value(&v->scored[i], &of)) {
            c->x[*used] = v->scored[i].measured_s;
            c->y[(*used)++] = v->scored[i].price.estimate_s;
        }
    c->series[c->count++] = (ns_series){.label = *name != '\0' ? name : "exchanges",
                                        .colour = colour,
                                        .dots = true,
                                        .points = *used - from,
                                        .x = c->x + from,
                                        .y = c->y + from};
}

/* Equal, and a factor of 2 either way. */
static void add_guides(const ns_validation *v, cloud *c)
{
    static const char *const label[GUIDES] = {"equal", "twice", "half"};
    static const double factor[GUIDES] = {1, 2, 0.5};
    c->edge[0] = INFINITY;
    for (size_t i = 0; i < v->count; i++) {
        c->edge[0] = fmin(c->edge[0], v->scored[i].measured_s);
        c->edge[1] = fmax(c->edge[1], v->scored[i].measured_s);
    }
    for (int g = 0; g < GUIDES; g++) {
        c->guide[g][0] = factor[g] * c->edge[0];
        c->guide[g][1] = factor[g] * c->edge[1];
        c->series[c->count++] = (ns_series){
            .label = label[g], .colour = 4, .dashed = g > 0, .bare = true, .points = 2, .x = c->edge, .y = c->guide[g]};
    }
}

ns_status ns_validate_plot(const ns_validation *v, ns_value *result, ns_error *err)
{
    const char **name;
    size_t names, used = 0;
    NS_TRY(ns_validate_values(v, "class", &name, &names, err));
    cloud c = {.x = ns_malloc(ns_size_mul(ns_size_add(v->count, 1), sizeof *c.x)),
               .y = ns_malloc(ns_size_mul(ns_size_add(v->count, 1), sizeof *c.y)),
               .series = ns_calloc(ns_size_add(names, GUIDES), sizeof *c.series)};
    ns_status status = c.x != NULL && c.y != NULL && c.series != NULL ? NS_OK : ns_no_memory(err);
    if (status == NS_OK) {
        for (size_t i = 0; i < names; i++)
            add_dots(v, name[i], (int)i, &used, &c);
        add_guides(v, &c);
        const ns_chart chart = {.title = "exchanges, predicted against measured",
                                .x_label = "measured",
                                .x_unit = "s",
                                .y_label = "predicted",
                                .y_unit = "s",
                                .log_x = true,
                                .log_y = true,
                                .series = c.count,
                                .of = c.series};
        status = ns_draw(ns_args_get(v->args, "plot"), &chart, 1, 1, result, err);
    }
    ns_free(c.x);
    ns_free(c.y);
    ns_free(c.series);
    ns_free(name);
    return status;
}
