/* ticks.c -- tick marks at round values, and the range that they cover */
#include "report/plot.h"

#include <nsmodel/quantity.h>

#include <math.h>
#include <string.h>

bool ns_chart_range(const ns_chart *chart, bool of_y, bool in_ratios, double *lo, double *hi)
{
    bool any = false;
    for (size_t s = 0; s < chart->series; s++)
        for (size_t i = 0; i < chart->of[s].points; i++) {
            const double x = chart->of[s].x[i], y = chart->of[s].y[i], value = of_y ? y : x;
            if (!isfinite(x) || !isfinite(y) || (in_ratios && !(value > 0)))
                continue;
            *lo = any ? fmin(*lo, value) : value;
            *hi = any ? fmax(*hi, value) : value;
            any = true;
        }
    return any;
}

static void add(ns_ticks *ticks, double value, const char *unit)
{
    if (ticks->count == NS_TICKS)
        return;
    ticks->at[ticks->count] = value;
    /* "64 KiB" where a size is a whole number of these units, else decimal. */
    char *text = ticks->text[ticks->count++];
    static const char *const prefix[] = {"", "Ki", "Mi", "Gi", "Ti"};
    double factor;
    ns_dim dim = NS_DIMENSIONLESS;
    int power = 0;
    if (unit == NULL || ns_unit_parse(unit, &factor, &dim, NULL) != NS_OK)
        factor = 1;
    if (unit != NULL && strcmp(unit, "B") == 0 && value >= 1 && value == floor(value)) {
        double left = value;
        while (power < 4 && left >= 1024 && fmod(left, 1024) == 0) {
            left /= 1024;
            power++;
        }
        if (power > 0 || value < 1000) {
            snprintf(text, NS_TICK_TEXT, "%.0f %sB", left, prefix[power]);
            return;
        }
    }
    if (unit == NULL || ns_dim_equal(dim, NS_DIMENSIONLESS))
        snprintf(text, NS_TICK_TEXT, "%.6g%s", value, unit != NULL && strcmp(unit, "%") == 0 ? " %" : "");
    else
        ns_quantity_format(value * factor, dim, 3, text, NS_TICK_TEXT);
}

bool ns_ticks_every_x(const ns_chart *chart, ns_ticks *ticks)
{
    enum { MOST = 12 };
    ticks->count = 0;
    if (!chart->log_x || chart->x_unit != NULL || chart->series == 0 || chart->of[0].points > MOST)
        return false;
    for (size_t i = 0; i < chart->of[0].points; i++)
        if (isfinite(chart->of[0].x[i]))
            add(ticks, chart->of[0].x[i], NULL);
    return ticks->count > 0;
}

void ns_ticks_make(double lo, double hi, bool in_ratios, const char *unit, size_t most, ns_ticks *ticks)
{
    ticks->count = 0;
    if (!(hi > lo)) {
        add(ticks, lo, unit);
        return;
    }
    if (in_ratios && unit != NULL && strcmp(unit, "B") == 0 && hi >= 8 * lo) {
        /* Powers of two: every one, every second, every fourth ... */
        const int first = (int)ceil(log2(lo) - 1e-9), last = (int)floor(log2(hi) + 1e-9);
        int step = 1;
        while ((last - first) / step + 1 > (int)most)
            step++;
        for (int k = first; k <= last; k++)
            if (k % step == 0)
                add(ticks, ldexp(1, k), unit);
    } else if (in_ratios && hi >= 6 * lo) {
        /* 1, 2, 5 of each decade where these are few enough, else whole decades. */
        static const double fine[] = {1, 2, 5};
        const int first = (int)floor(log10(lo)), last = (int)ceil(log10(hi));
        const double span = log10(hi / lo);
        const bool all = 3 * span <= (double)most;
        int step = 1;
        while (span / step + 1 > (double)most)
            step++;
        for (int k = first; k <= last; k++)
            for (int i = 0; i < (all ? 3 : 1); i++) {
                const double value = fine[i] * pow(10, k);
                if (value >= lo * (1 - 1e-9) && value <= hi * (1 + 1e-9) && (all || k % step == 0))
                    add(ticks, value, unit);
            }
    }
    if (ticks->count < 2) {
        ticks->count = 0;
        static const double nice[] = {1, 2, 5, 10};
        const double least = (hi - lo) / (double)(most > 1 ? most - 1 : 1), power = pow(10, floor(log10(least)));
        int i = 0;
        while (i < 3 && nice[i] * power < least * (1 - 1e-9))
            i++;
        double step = nice[i] * power;
        if (floor(hi / step + 1e-9) - ceil(lo / step - 1e-9) < 1) /* a single mark does not define a scale */
            step = i > 0 ? nice[i - 1] * power : power / 2;
        for (double k = ceil(lo / step - 1e-9); k * step <= hi + 1e-9 * step && ticks->count < NS_TICKS; k++)
            add(ticks, k == 0 ? 0 : k * step, unit);
    }
}
