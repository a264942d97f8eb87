/* rails.c -- messages and fragments over several network interfaces */
#include "model/parts/rails.h"

double ns_rails_deal(const ns_numbers *bandwidth, double count, double bytes, double last, double overhead,
                     double *busy, double *most)
{
    double end[NS_LIST_MAX] = {0}, pieces[NS_LIST_MAX] = {0}, worst = 0;
    for (double k = 0; k < count; k++) {
        const double piece = k + 1 < count ? bytes : last;
        size_t best = 0;
        for (size_t i = 1; i < bandwidth->count; i++)
            if (end[i] + overhead + piece / bandwidth->at[i] < end[best] + overhead + piece / bandwidth->at[best])
                best = i;
        end[best] += overhead + piece / bandwidth->at[best];
        pieces[best]++;
    }
    *busy = *most = 0;
    for (size_t i = 0; i < bandwidth->count; i++) {
        *busy += pieces[i] > 0;
        if (end[i] > worst) {
            worst = end[i];
            *most = pieces[i];
        }
    }
    return worst;
}

double ns_rails_fastest(const ns_numbers *bandwidth)
{
    double fastest = bandwidth->at[0];
    for (size_t i = 1; i < bandwidth->count; i++)
        fastest = bandwidth->at[i] > fastest ? bandwidth->at[i] : fastest;
    return fastest;
}

double ns_rails_total(const ns_numbers *bandwidth)
{
    double total = 0;
    for (size_t i = 0; i < bandwidth->count; i++)
        total += bandwidth->at[i];
    return total;
}

ns_status ns_rails_check(const ns_numbers *bandwidth, ns_error *err)
{
    if (bandwidth->count == 0)
        return ns_fail(err, NS_ERR_RANGE, "B wants at least one rail, for example B=10GB/s,10GB/s");
    for (size_t i = 0; i < bandwidth->count; i++)
        if (bandwidth->at[i] <= 0)
            return ns_fail(err, NS_ERR_RANGE, "the bandwidth of rail %zu has to be more than 0", i + 1);
    return NS_OK;
}
