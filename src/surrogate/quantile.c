/* quantile.c -- draw lengths of rows from a few points of their distribution, and sort their columns */
#include "surrogate/quantile.h"

#include <math.h>

/* base^part for 0 <= part < 1: the product of the 2^i-th roots where bit i of the part is set.  pow() may differ in
 * the last digit between libraries, which would change a surrogate. */
static double root_power(double base, double part)
{
    double power = 1;
    for (int bit = 0; bit < 24; bit++) {
        base = sqrt(base);
        part *= 2;
        if (part >= 1) {
            power *= base;
            part -= 1;
        }
    }
    return power;
}

int32_t ns_quantile(const ns_knot *knot, int knots, double share)
{
    int k = 0;
    while (k + 1 < knots && share >= knot[k].share)
        k++;
    if (k == 0)
        return knot[0].value;
    const double low = knot[k - 1].value + 1.0, high = knot[k].value + 1.0;
    const double part = (share - knot[k - 1].share) / (knot[k].share - knot[k - 1].share);
    return (int32_t)(low * root_power(high / low, part) - 0.5);
}

int ns_sort_unique(uint32_t *list, int count)
{
    int used = 0;
    for (int i = 0; i < count; i++) {
        const uint32_t item = list[i];
        int at = used;
        while (at > 0 && list[at - 1] > item)
            at--;
        if (at > 0 && list[at - 1] == item)
            continue;
        for (int k = used++; k > at; k--)
            list[k] = list[k - 1];
        list[at] = item;
    }
    return used;
}
