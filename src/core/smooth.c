/* smooth.c -- a kernel average, shrunk */
#include "core/smooth.h"

#include <math.h>

double ns_nearness(const double *distance, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += distance[i] * distance[i];
    return exp(-sum / 2);
}

void ns_near_add(ns_near *near, double q, double r)
{
    near->weight += q;
    near->sum += q * r;
}

double ns_near_shift(const ns_near *one, double prior, const ns_near *all, double prior_of_all)
{
    const double common = all->sum / (all->weight + prior_of_all);
    return common + (one->sum - common * one->weight) / (one->weight + prior);
}
