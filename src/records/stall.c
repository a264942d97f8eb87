/* stall.c -- what lost messages wait, from whole measured exchanges with more on their way than a node can have
 *
 *     T = max(S, W s)
 *
 * S: all that the machine's numbers say; s: the share of messages beyond those in flight, summed over the steps.  W is
 * the median of those that take twice S and more; where these are not most, exchanges do not wait.
 */
#include "core/memory.h"
#include "price/price.h"
#include "records/calibrate.h"

#include <math.h>
#include <stdlib.h>

enum { ENOUGH = 10 /* exchanges */ };

double ns_stalled_share(const ns_machine *machine, const ns_scored *scored, int localities)
{
    ns_form_values values;
    const ns_price *price = &scored->price;
    double sum = 0;
    ns_form_take(price->form, machine, NS_HOST, 0, &values);
    const double most = ns_form_number(&values, "<memory>.exchange.in_flight", NS_OFF_NODE, NS_SHORT);
    for (int i = 0; i < price->steps; i++) {
        double messages = 0;
        for (int l = NS_LOCALITIES - localities; l < NS_LOCALITIES; l++)
            for (int p = 0; p < NS_RENDEZVOUS; p++)
                messages += price->step[i].load[l][p].messages;
        sum += messages > most ? 1 - most / messages : 0;
    }
    return sum;
}

static int by_size(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

ns_status ns_stall_calibrate(const ns_records *records, const ns_scored *list, size_t count, const ns_machine *machine,
                             ns_calibration *calibration, ns_error *err)
{
    size_t rows = 0, stalled = 0;
    double *wait = ns_malloc(ns_size_mul(ns_size_add(count, 1), sizeof *wait));
    if (wait == NULL)
        return ns_no_memory(err);
    for (size_t i = 0; i < count; i++) {
        const ns_strategy *strategy = ns_scored_strategy(records, &list[i]);
        if (!ns_records_are_dense(records) || ns_scored_memory(records, &list[i]) != NS_HOST || strategy == NULL ||
            strategy->forms != NULL)
            continue;
        const double share = ns_stalled_share(machine, &list[i], 1), rest = list[i].price.estimate_s;
        if (share <= 0)
            continue;
        rows++;
        if (list[i].measured_s > 2 * rest)
            wait[stalled++] = list[i].measured_s / share;
    }
    if (stalled >= ENOUGH && 2 * stalled > rows) {
        qsort(wait, stalled, sizeof *wait, by_size);
        calibration->timeout_s = wait[stalled / 2];
        calibration->timeout_se = (wait[stalled * 84 / 100] - wait[stalled * 16 / 100]) / 2;
        calibration->stalled = stalled;
    }
    ns_free(wait);
    return NS_OK;
}
