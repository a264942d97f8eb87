/* switch_point.c -- the size at which a machine's next protocol becomes the faster one
 *
 *     s* = (a_2 - a_1) / (b_1 - b_2)
 *
 * 0 where the second protocol is faster at every size.  1/(b_1 - b_2) is the bandwidth that the first protocol loses:
 * that of its copies, B_c/n_c, if the first is eager and the second rendezvous.
 */

#include "machine/model.h"

#include <math.h>

struct in {
    double alpha_1, beta_1, alpha_2, beta_2;
};
struct out {
    double lost_bandwidth, size;
};

static const ns_field inputs[] = {
    NS_IN_FROM(alpha_1, "us", "start-up time of the protocol for smaller messages", "{memory}.{locality}.eager.alpha"),
    NS_IN_FROM(beta_1, "ns/B", "its time per byte", "{memory}.{locality}.eager.beta"),
    NS_IN_FROM(alpha_2, "us", "start-up time of the protocol for larger messages",
               "{memory}.{locality}.rendezvous.alpha"),
    NS_IN_FROM(beta_2, "ns/B", "its time per byte", "{memory}.{locality}.rendezvous.beta"), NS_END};
static const ns_field outputs[] = {
    NS_OUT(lost_bandwidth, "GB/s", "1/(beta_1 - beta_2): the copies' bandwidth"),
    NS_OUT(size, "B", "size from which the second protocol is faster"),
    NS_END
};

NS_EVAL(machine, in, out, err)
{
    if (in->beta_1 <= in->beta_2)
        return ns_fail(err, NS_ERR_RANGE,
                       "beta_1 has to be more than beta_2: else the second protocol gains nothing with size");
    out->lost_bandwidth = 1 / (in->beta_1 - in->beta_2);
    out->size = fmax(0, (in->alpha_2 - in->alpha_1) / (in->beta_1 - in->beta_2));
    return NS_OK;
}

const ns_model ns_model_switch_point = {
    .name = "switch-point",
    .title = "size at which the next protocol becomes the faster one",
    .source = "[NA] Table 2 and [RS] Section 2.2.1.2; form ours",
    .notes = "Fitted start-up times hold within their own size range; the crossing lies at its edge.",
    NS_ROWS_AND_EVAL,
};
