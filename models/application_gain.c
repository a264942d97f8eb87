/* application_gain.c -- the gain of whole programs from a faster operation, from their figures of merit
 *
 *     gain_i = after_i/before_i - 1, and their mean;   f = (1 - 1/(1 + gain))/(1 - 1/S)               [SH] 3.2, Table 3
 *
 * f is the share of a program's time that the operation must have taken if it became S times as fast and nothing else
 * changed (Amdahl).  Noise between runs makes some gains, and so f, negative.
 */
#include "machine/model.h"

struct in {
    ns_numbers before, after;
    double operation;
};
struct out {
    double least, most, share, mean;
};

static const ns_field inputs[] = {
    NS_IN_LIST(before, "1", "figures of merit without, higher is better"),
    NS_IN_LIST(after, "1", "figures of merit with it, in the same order"),
    NS_INPUT(operation, "1", "how many times as fast the operation itself became; 1: not known", .least = 1,
             .most = NS_MOST, .has_default = true, .neutral = 1),
    NS_END
};
static const ns_field outputs[] = {
    NS_OUT(least, "%", "least gain"),
    NS_OUT(most, "%", "largest gain"),
    NS_OUT(share, "%", "share of the time that the operation took, by the mean; 0 where operation is 1"),
    NS_OUT(mean, "%", "mean gain"),
    NS_END
};

NS_EVAL(machine, in, out, err)
{
    if (in->before.count != in->after.count || in->before.count == 0)
        return ns_fail(err, NS_ERR_DATA, "%zu figures before and %zu after: give as many", in->before.count,
                       in->after.count);
    *out = (struct out){0};
    for (size_t i = 0; i < in->before.count; i++) {
        if (!(in->before.at[i] > 0))
            return ns_fail(err, NS_ERR_RANGE, "a figure of merit has to be more than 0, got %g", in->before.at[i]);
        const double gain = in->after.at[i] / in->before.at[i] - 1;
        out->least = i == 0 || gain < out->least ? gain : out->least;
        out->most = i == 0 || gain > out->most ? gain : out->most;
        out->mean += gain / (double)in->before.count;
    }
    if (out->mean <= -1)
        return ns_fail(err, NS_ERR_RANGE, "figures of merit after have to be more than 0");
    out->share = in->operation > 1 ? (1 - 1 / (1 + out->mean)) / (1 - 1 / in->operation) : 0;
    return NS_OK;
}

const ns_model ns_model_application_gain = {
    .name = "application-gain",
    .title = "gain of whole programs from a faster operation",
    .source = "[SH] Section 3.2, Table 3",
    .notes = "Amdahl: nothing but the operation changed between the runs.",
    NS_ROWS_AND_EVAL,
};
