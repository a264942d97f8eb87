/* ferry.c -- a model for tests/test_additions.c: messages that wait for a boat and cross a few at a time
 *
 *     T = ceil(n / places) crossing + n s beta
 */

#include "machine/model.h"

#include <math.h>

struct in {
    double n, s, places, crossing, beta;
};
struct out {
    double boats, unloading, time;
};

static const ns_field inputs[] = {
    NS_IN(n, "1", "messages"),
    NS_IN(s, "B", "length of a message"),
    NS_IN(places, "1", "messages that cross together"),
    NS_IN(crossing, "us", "time of one crossing"),
    NS_IN_FROM(beta, "ns/B", "time per byte", "{memory}.{locality}.{protocol}.beta"),
    NS_END
};
static const ns_field outputs[] = {
    NS_TERM(boats, "us", "crossings, one after the other"),
    NS_TERM(unloading, "us", "bytes, one after the other"),
    NS_OUT(time, "us", "both"),
    NS_END
};

NS_EVAL(machine, in, out, err)
{
    if (!(in->places > 0))
        return ns_fail(err, NS_ERR_RANGE, "places has to be above 0");
    out->boats = ceil(in->n / in->places) * in->crossing;
    out->unloading = in->n * in->s * in->beta;
    out->time = out->boats + out->unloading;
    return NS_OK;
}

const ns_model ns_model_ferry = {
    .name = "ferry",
    .title = "messages that cross a few at a time",
    .source = "tests/test_additions.c",
    .notes = "Nobody published it.",
    NS_ROWS_AND_EVAL,
};
