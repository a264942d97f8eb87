/* netsparse_speedup.c -- NetSparse over SUOpt: less traffic, on a partly used line
 *
 *     reduction = R P/(P + h),   speedup = reduction x utilisation,   goodput = utilisation P/(P + h)
 *     h = 2 (u/n + r),   R = SU transfers per request of the tail node,   R = reduction (P + h)/P     [NS] Tables 7, 8
 *     imbalance = (SU redundancy + 1)/R: the tail node's requests over the mean                       [NS] Tables 1, 7
 */
#include "machine/model.h"

struct in {
    int given;
    double R, reduction, k, n, utilisation, su_redundancy, speedup_measured, goodput_measured, sa_goodput, sa_prs,
        value, r, u;
};
struct out {
    double h, payload_share, R, reduction, speedup, goodput, imbalance, h_implied, over_sa;
};

enum { TRANSFERS, TRAFFIC };
static const char *const given_words[] = {"transfers", "traffic", NULL};

static const ns_field inputs[] = {
    NS_WORD(given, given_words, "transfers: R is given; traffic: reduction is given"),
    NS_IN_DEFAULT(R, "1", "SU transfers per request of the tail node", 1),
    NS_IN_DEFAULT(reduction, "1", "SU traffic per traffic of the tail node", 1),
    NS_IN_POSITIVE(k, "1", "values per property, K"),
    NS_INPUT(n, "1", "requests per packet", .least = 1, .most = NS_MOST, .has_default = true, .neutral = 1),
    NS_IN_DEFAULT(utilisation, "1", "line utilisation of the tail node, headers included", 1),
    NS_IN_DEFAULT(su_redundancy, "1", "redundant transfers of SU per useful one, mean over nodes", 0),
    NS_IN_DEFAULT(speedup_measured, "1", "a measured speedup, for h_implied", 1),
    NS_IN_DEFAULT(goodput_measured, "1", "the goodput measured with it, for h_implied", 1),
    NS_INPUT(sa_goodput, "1", "SAOpt's goodput, for over_sa", .most = NS_MOST, .open = true, .has_default = true,
             .neutral = 1),
    NS_IN_DEFAULT(sa_prs, "1", "SAOpt's requests over NetSparse's, for over_sa", 1),
    NS_IN_POSITIVE_FROM(value, "B", "bytes of one value", "models.header-share.value"),
    NS_IN_FROM(r, "B", "header of each request or response", "models.header-share.r"),
    NS_IN_FROM(u, "B", "header shared by a packet", "models.header-share.u_table8"),
    NS_END};
static const ns_field outputs[] = {
    NS_OUT(h, "B", "headers of a request and its response"),
    NS_OUT(payload_share, "%", "properties' share of the traffic"),
    NS_OUT(R, "1", "SU transfers per request of the tail node"),
    NS_OUT(reduction, "1", "SU traffic per traffic of the tail node"),
    NS_OUT(speedup, "1", "communication speedup over SUOpt"),
    NS_OUT(goodput, "%", "share of the line rate that carries properties"),
    NS_OUT(imbalance, "1", "requests of the tail node over the mean; 1/R where su_redundancy is 0"),
    NS_OUT(h_implied, "B",
           "headers per pair that measured speedup and goodput imply, P (speedup/(reduction goodput) - 1)"),
    NS_OUT(over_sa, "1", "speedup over SAOpt that the measured goodputs imply, goodput_measured/sa_goodput x sa_prs"),
    NS_END};

static double ratio(double a, double b)
{
    return b > 0 ? a / b : 0;
}

NS_EVAL(machine, in, out, err)
{
    const double P = in->k * in->value;
    out->h = 2 * (in->u / in->n + in->r);
    out->payload_share = P / (P + out->h);
    out->R = in->given == TRAFFIC ? in->reduction / out->payload_share : in->R;
    out->reduction = in->given == TRAFFIC ? in->reduction : in->R * out->payload_share;
    out->speedup = out->reduction * in->utilisation;
    out->goodput = in->utilisation * out->payload_share;
    out->imbalance = ratio(in->su_redundancy + 1, out->R);
    out->h_implied = P * (ratio(in->speedup_measured, out->reduction * in->goodput_measured) - 1);
    out->over_sa = in->goodput_measured / in->sa_goodput * in->sa_prs;
    return NS_OK;
}

const ns_model ns_model_netsparse_speedup = {
    .name = "netsparse-speedup",
    .title = "communication speedup of NetSparse over SUOpt at the tail node",
    .source = "[NS] Sections 8.1 and 9.1, Tables 1, 7, 8",
    NS_ROWS_AND_EVAL,
};
