/* sharp_tree.c -- aggregation in switches: the tree, and the time of an operation in it */
#include "model/parts/sharp_tree.h"

#include <math.h>

static ns_status given_radix(const ns_sharp *sharp, ns_sharp_tree *tree, ns_error *err)
{
    double hold = 1;
    if (sharp->radix.count > NS_SHARP_LEVELS)
        return ns_fail(err, NS_ERR_RANGE, "%zu levels of aggregation nodes are too many: at most %d",
                       sharp->radix.count, (int)NS_SHARP_LEVELS);
    for (size_t i = 0; i < sharp->radix.count; i++) {
        const double k = sharp->radix.at[i];
        if (k < 1 || k != floor(k))
            return ns_fail(err, NS_ERR_RANGE,
                           "an aggregation node cannot have %g children: radix wants whole numbers from 1", k);
        tree->children[tree->depth++] = k;
        hold *= k;
    }
    return hold >= sharp->hosts
               ? NS_OK
               : ns_fail(err, NS_ERR_RANGE, "the tree holds %g hosts, %g take part: radix is too small", hold,
                         sharp->hosts);
}

/* Leaf switches, then switches with half their ports down, until a single switch has enough ports. */
static ns_status derived_radix(const ns_sharp *sharp, ns_sharp_tree *tree, ns_error *err)
{
    const double half = floor(sharp->ports / 2);
    double width = sharp->hosts, below = fmin(width, floor(sharp->leaf_hosts));
    if (below < 1 || floor(sharp->leaf_hosts) > sharp->ports)
        return ns_fail(err, NS_ERR_RANGE, "a switch of %g ports cannot have %g hosts", sharp->ports, sharp->leaf_hosts);
    for (; tree->depth < NS_SHARP_LEVELS; below = width <= sharp->ports ? width : half) {
        if (below < 1 || (below < 2 && width > 1 && tree->depth > 0))
            break;
        tree->children[tree->depth++] = below;
        width = ceil(width / below);
        if (width <= 1)
            return NS_OK;
    }
    return ns_fail(err, NS_ERR_RANGE, "%g hosts need more than %d levels of switches with %g ports", sharp->hosts,
                   (int)NS_SHARP_LEVELS, sharp->ports);
}

ns_status ns_sharp_grow(const ns_sharp *sharp, double channels, ns_sharp_tree *tree, ns_error *err)
{
    *tree = (ns_sharp_tree){0};
    if (sharp->hosts != floor(sharp->hosts))
        return ns_fail(err, NS_ERR_RANGE, "hosts wants a whole number, got %g", sharp->hosts);
    NS_TRY(sharp->radix.count > 0 ? given_radix(sharp, tree, err) : derived_radix(sharp, tree, err));
    tree->children[0] *= channels;
    for (int l = 0; l < tree->depth; l++) {
        tree->sum += tree->children[l];
        tree->most = fmax(tree->most, tree->children[l]);
    }
    if (sharp->radix_most > 0 && tree->most > sharp->radix_most)
        return ns_fail(err, NS_ERR_RANGE, "an aggregation node would have %g children, at most %g are possible",
                       tree->most, sharp->radix_most);
    return NS_OK;
}

ns_sharp_time ns_sharp_operation(const ns_sharp *sharp, const ns_sharp_tree *tree, double s)
{
    ns_sharp_time t;
    t.segments = fmax(1, ceil(s / sharp->segment));
    t.gap = sharp->g0 + tree->most * sharp->segment / sharp->link;
    t.levels = tree->depth * sharp->t_lvl;
    t.children = sharp->c * fmin(s, sharp->segment) * tree->sum;
    t.pipeline = (t.segments - 1) * t.gap;
    t.first = sharp->T00 + t.levels + t.children;
    t.total = t.first + t.pipeline;
    return t;
}

double ns_sharp_copies(const ns_sharp_tree *tree, double segments, double r1, double r2)
{
    return r1 * (tree->sum - tree->depth) + (segments - 1) * r2 * tree->children[0];
}
