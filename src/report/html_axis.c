/* html_axis.c -- ranges and tick marks of a page's charts */
#include "report/html.h"

#include <math.h>

enum { X_TICKS = 12 };

static bool drawable(double value, bool logarithmic)
{
    return isfinite(value) && (!logarithmic || value > 0);
}

bool ns_html_point(const ns_chart *chart, const ns_series *of, size_t i)
{
    return drawable(of->x[i], chart->log_x) && drawable(of->y[i], chart->log_y);
}

static bool find_range(const ns_chart *chart, bool of_y, double *lo, double *hi)
{
    *lo = INFINITY;
    *hi = -INFINITY;
    for (size_t s = 0; s < chart->series; s++)
        for (size_t i = 0; i < chart->of[s].points; i++)
            if (ns_html_point(chart, &chart->of[s], i)) {
                const double value = of_y ? chart->of[s].y[i] : chart->of[s].x[i];
                *lo = fmin(*lo, value);
                *hi = fmax(*hi, value);
            }
    return *lo <= *hi;
}

static void add_tick(ns_html_axis *axis, double at)
{
    if (at >= axis->lo && at <= axis->hi && axis->ticks < NS_HTML_TICKS)
        axis->tick[axis->ticks++] = at;
}

static void linear_ticks(ns_html_axis *axis)
{
    const double rough = (axis->hi - axis->lo) / 6, decade = pow(10, floor(log10(rough)));
    const double step = decade * (rough > 5 * decade ? 10 : rough > 2 * decade ? 5 : rough > decade ? 2 : 1);
    for (double n = ceil(axis->lo / step); n * step <= axis->hi; n++)
        add_tick(axis, n * step);
}

static void fit_y(const ns_chart *chart, double lo, double hi, ns_html_axis *axis)
{
    if (chart->log_y) {
        const double more = fmax(1.3, sqrt(7 * lo / hi)); /* at least a factor of seven, so that two ticks fit */
        *axis = (ns_html_axis){.lo = lo / more, .hi = hi * more};
        /* 1, 2, 5 of each decade; powers of ten alone where there are many */
        const double first = floor(log10(axis->lo)), last = ceil(log10(axis->hi));
        const double stride = fmax(1, ceil((last - first) / (NS_HTML_TICKS / 2.0)));
        for (double decade = first; decade <= last; decade += stride) {
            add_tick(axis, pow(10, decade));
            if (last - first > 3)
                continue;
            add_tick(axis, 2 * pow(10, decade));
            add_tick(axis, 5 * pow(10, decade));
        }
    } else {
        *axis = (ns_html_axis){.lo = fmin(0, lo), .hi = hi > 0 ? 1.08 * hi : 1};
        linear_ticks(axis);
    }
}

/* Every x that occurs: 8, 16, 32, ... rather than powers of ten; of many, a few. */
static void fit_x(const ns_chart *chart, double lo, double hi, ns_html_axis *axis)
{
    const double pad = chart->tick != NULL || hi == lo ? 0.5 : 0.04 * (hi - lo);
    *axis = chart->log_x ? (ns_html_axis){.lo = lo / 1.25, .hi = hi * 1.25}
                         : (ns_html_axis){.lo = lo - pad, .hi = hi + pad};
    const ns_series *of = &chart->of[0];
    const size_t stride = (of->points + X_TICKS - 1) / X_TICKS;
    for (size_t i = 0; i < of->points; i += stride)
        if (drawable(of->x[i], chart->log_x))
            add_tick(axis, of->x[i]);
}

bool ns_html_axis_fit(const ns_chart *chart, bool of_y, ns_html_axis *axis)
{
    double lo, hi;
    if (!find_range(chart, of_y, &lo, &hi))
        return false;
    if (of_y)
        fit_y(chart, lo, hi, axis);
    else
        fit_x(chart, lo, hi, axis);
    return true;
}
