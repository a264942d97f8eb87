/* residual.c -- how far exchanges like this one were off on this machine */
#include "core/smooth.h"
#include "machine/machine.h"

#include <math.h>
#include <string.h>

static double measured_shift(const ns_residual *residual, const char *way, double messages, double bytes)
{
    ns_near own = {0, 0}, all = {0, 0};
    if (residual->points == 0 || !(messages > 0))
        return 0;
    const double size = fmax(1, bytes / messages);
    for (size_t i = 0; i < residual->points; i++) {
        const ns_residual_point *p = &residual->point[i];
        const double distance[] = {log2(messages / p->messages) / residual->width,
                                   log2(size / p->size) / residual->width};
        const double q = p->rows * ns_nearness(distance, 2);
        ns_near_add(&all, q, p->ln_ratio);
        if (strcmp(p->way, way) == 0)
            ns_near_add(&own, q, p->ln_ratio);
    }
    return ns_near_shift(&own, residual->prior, &all, residual->prior);
}

double ns_way_ratio_shift(const ns_way_ratio *ratio, double bytes)
{
    static const double width = 1.5; /* doublings */
    const double beyond = fmax(0, fmax(log2(ratio->from / fmax(1, bytes)), log2(bytes / ratio->to))),
                 distance = beyond / width;
    return ratio->ln_ratio * ns_nearness(&distance, 1);
}

double ns_residual_shift(const ns_residual *residual, const char *way, double messages, double bytes)
{
    for (size_t i = 0; i < residual->ratios; i++)
        if (strcmp(residual->ratio[i].way, way) == 0)
            return ns_way_ratio_shift(&residual->ratio[i], bytes); /* of a way that no exchange measured */
    return measured_shift(residual, way, messages, bytes);
}
