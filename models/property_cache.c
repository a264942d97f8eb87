/* property_cache.c -- the switch's Property Cache: entries, and hit rate
 *
 *     line = max(least line, P to the next power of two), entries C = capacity/line, tiles = ceil(P/largest line)
 *     LRU: a repeat with d distinct columns in between hits with P(Poisson(d/S) <= ways - 1), S = C/ways sets;
 *          fully associative (ways = 0): d < C
 *     Che, without a trace: C = sum_c (1 - exp(-q_c t)),  hit of column c = 1 - exp(-q_c t)
 *     sharing bound of a rack: hit_max = 1 - columns/(sum of k_c);   gain <= 1/(1 - hit)     [NS] 6.2, 9.3, Tables 5, 7
 *
 * Classes of columns for Che: `columns` in class i are requested `requests` times each.  A hit saves the request and
 * the response beyond the switch and at the home node; the receiving link still carries the response.
 */

#include "machine/model.h"

#include <math.h>

struct in {
    double k, capacity, least_line, largest_line, ways, distance, shared_columns, shared_requests, hit, shared, Q, rack,
        value;
    ns_numbers columns, requests;
};
struct out {
    double line, entries, tiles, sets, hit_at_distance, che_hit, hit_max, gain, distinct, shared_least, shared_most;
};

static const ns_field inputs[] = {
    NS_IN_POSITIVE(k, "1", "values per property, K"),
    NS_IN_POSITIVE_FROM(capacity, "MiB", "memory of a switch's cache", "models.property-cache.capacity"),
    NS_IN_POSITIVE_FROM(least_line, "B", "smallest line: a segment", "models.property-cache.least_line"),
    NS_IN_POSITIVE_FROM(largest_line, "B", "largest line", "models.property-cache.largest_line"),
    NS_IN_FROM(ways, "1", "associativity; 0 for fully associative", "models.property-cache.ways"),
    NS_IN_DEFAULT(distance, "1", "distinct columns between two requests for one, d", 0),
    NS_IN_DEFAULT(shared_columns, "1", "columns from outside the rack that it needs", 0),
    NS_IN_DEFAULT(shared_requests, "1", "the same, counted once for each node that needs them", 0),
    NS_INPUT(hit, "1", "hit rate, for gain", .most = 0.999999, .has_default = true),
    NS_INPUT(shared, "1", "share of (node, column) pairs whose column another node of the rack needs", .most = 1,
             .has_default = true),
    NS_IN_DEFAULT(Q, "1", "requests of the tail node, for distinct", 0),
    NS_IN_POSITIVE_FROM(rack, "1", "nodes of a rack", "models.concat.rack"),
    NS_IN_POSITIVE_FROM(value, "B", "bytes of one value", "models.header-share.value"),
    NS_INPUT(columns, "1", "columns in each class of popularity", .kind = NS_FIELD_LIST, .most = NS_MOST,
             .has_default = true),
    NS_INPUT(requests, "1", "requests for a column of each class", .kind = NS_FIELD_LIST, .most = NS_MOST,
             .has_default = true),
    NS_END};
static const ns_field outputs[] = {
    NS_OUT(line, "B", "bytes of an entry"),
    NS_OUT(entries, "1", "properties that fit, C"),
    NS_OUT(tiles, "1", "passes over the requests"),
    NS_OUT(sets, "1", "sets, S"),
    NS_OUT(hit_at_distance, "%", "chance that a repeat at that distance hits"),
    NS_OUT(che_hit, "%", "hit rate for the classes of popularity"),
    NS_OUT(hit_max, "%", "sharing bound of the rack"),
    NS_OUT(gain, "1", "link-bound gain at the home node, at most"),
    NS_OUT(distinct, "1", "distinct properties that a rack asks for, at most: rack Q (1 - hit)"),
    NS_OUT(shared_least, "%", "sharing bound if every shared column is needed by 2 nodes of the rack"),
    NS_OUT(shared_most, "%", "sharing bound if every shared column is needed by the whole rack"),
    NS_END};

/* P(Poisson(mu) <= last) */
static double poisson_up_to(double mu, double last)
{
    double sum = 0;
    if (mu <= 0)
        return 1;
    for (double i = 0; i <= last; i++)
        sum += exp(i * log(mu) - mu - lgamma(i + 1));
    return fmin(1, sum);
}

static double occupied(const struct in *in, double t)
{
    double sum = 0;
    for (size_t i = 0; i < in->columns.count; i++)
        sum += in->columns.at[i] * -expm1(-in->requests.at[i] * t);
    return sum;
}

/* Che's characteristic time by bisection on its logarithm; the first request of every column misses. */
static double che(const struct in *in, double entries)
{
    double all = 0, hits = 0, distinct = 0, low = -700, high = 700;
    for (size_t i = 0; i < in->columns.count; i++) {
        all += in->columns.at[i] * in->requests.at[i];
        distinct += in->requests.at[i] > 0 ? in->columns.at[i] : 0;
    }
    if (!(all > 0))
        return 0;
    for (int i = 0; i < 200 && distinct > entries; i++) {
        const double middle = (low + high) / 2;
        *(occupied(in, exp(middle)) < entries ? &low : &high) = middle;
    }
    for (size_t i = 0; i < in->columns.count; i++) {
        const double q = in->requests.at[i], repeats = in->columns.at[i] * fmax(0, q - 1);
        hits += repeats * (distinct > entries ? -expm1(-q * exp(low)) : 1);
    }
    return hits / all;
}

NS_EVAL(machine, in, out, err)
{
    const double P = in->k * in->value;
    if (in->columns.count != in->requests.count)
        return ns_fail(err, NS_ERR_DATA, "columns lists %zu classes, requests %zu", in->columns.count,
                       in->requests.count);
    if (in->ways != floor(in->ways) || in->ways > 4096)
        return ns_fail(err, NS_ERR_RANGE, "ways has to be a whole number up to 4096, got %g", in->ways);
    out->tiles = ceil(P / in->largest_line);
    out->line = in->least_line;
    while (out->line < fmin(P, in->largest_line))
        out->line *= 2;
    out->entries = floor(in->capacity / out->line);
    out->sets = in->ways > 0 ? floor(out->entries / in->ways) : 1;
    if (in->ways > 0)
        out->hit_at_distance = out->sets > 0 ? poisson_up_to(in->distance / out->sets, in->ways - 1) : 0;
    else
        out->hit_at_distance = in->distance < out->entries;
    out->che_hit = che(in, out->entries);
    out->hit_max = in->shared_requests > 0 ? fmax(0, 1 - in->shared_columns / in->shared_requests) : 0;
    out->gain = 1 / (1 - in->hit);
    out->distinct = in->rack * in->Q * (1 - in->hit);
    out->shared_least = in->rack >= 2 ? in->shared / 2 : 0;
    out->shared_most = in->rack >= 2 ? in->shared * (1 - 1 / in->rack) : 0;
    return NS_OK;
}

const ns_model ns_model_property_cache = {
    .name = "property-cache",
    .title = "entries and hit rate of the switch's Property Cache",
    .source = "[NS] Sections 6.2, 9.3, Tables 5, 7",
    .notes = "A property above the largest line is cut into tiles, each a pass; a repeat within the round trip to the "
             "home misses.",
    NS_ROWS_AND_EVAL,
};
