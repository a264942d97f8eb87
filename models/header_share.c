/* header_share.c -- cost of packet headers for a property request and its response
 *
 *     h = 2 (u/n + r),   share = h/(h + P),   P = 4 B k                  [NS] Table 3, Sections 3 and 6.1.1
 *
 * The n requests of a packet share u bytes of upper-layer and concatenation headers, and each has r bytes of its own; h
 * covers the request and the response.  The paper implies three values of u:
 *     table3    62 B = 50 + 12 (Tables 3 and 5): 80 B per packet with one request
 *     section6  60 B alone and 64 B for several (Section 6.1.1: 78 B, 64 + 18 N)
 *     table8    52 B (implied by the measured goodput of Tables 7 and 8: 52 + 18 N)
 */
#include "machine/model.h"

struct in {
    int preset;
    double k, n, utilisation, value, r, u, u_table3, u_section6, u_section6_alone, u_table8;
};
struct out {
    double payload, h, share, goodput;
};

enum { TABLE8, TABLE3, SECTION6 };
static const char *const preset_words[] = {"table8", "table3", "section6", "given", NULL};

static const ns_field inputs[] = {
    NS_WORD(preset, preset_words, "where the shared header comes from; given: u"),
    NS_IN_POSITIVE(k, "1", "values per property, K"),
    NS_INPUT(n, "1", "requests per packet", .least = 1, .most = NS_MOST, .has_default = true, .neutral = 1),
    NS_IN_DEFAULT(utilisation, "1", "share of the line rate in use, headers included", 1),
    NS_IN_POSITIVE_FROM(value, "B", "bytes of one value", "models.header-share.value"),
    NS_IN_FROM(r, "B", "header of each request or response: the PR layer", "models.header-share.r"),
    NS_IN_DEFAULT(u, "B", "header shared by a packet, for preset=given", 0),
    NS_IN_FROM(u_table3, "B", "shared header, Table 3", "models.header-share.u_table3"),
    NS_IN_FROM(u_section6, "B", "shared header of several requests, Section 6.1.1", "models.header-share.u_section6"),
    NS_IN_FROM(u_section6_alone, "B", "header beside r of a lone request, Section 6.1.1",
               "models.header-share.u_section6_alone"),
    NS_IN_FROM(u_table8, "B", "shared header that Tables 7 and 8 imply", "models.header-share.u_table8"),
    NS_END};
static const ns_field outputs[] = {NS_OUT(payload, "B", "property, P"),
                                   NS_OUT(h, "B", "headers of a request and its response"),
                                   NS_OUT(share, "%", "headers' share of the traffic"),
                                   NS_OUT(goodput, "%", "share of the line rate that carries properties"), NS_END};

NS_EVAL(machine, in, out, err)
{
    const double u = in->preset == TABLE3                 ? in->u_table3
                     : in->preset == SECTION6 && in->n > 1 ? in->u_section6
                     : in->preset == SECTION6              ? in->u_section6_alone
                     : in->preset == TABLE8                ? in->u_table8
                                                           : in->u;
    out->payload = in->k * in->value;
    out->h = 2 * (u / in->n + in->r);
    out->share = out->h / (out->h + out->payload);
    out->goodput = in->utilisation * (out->payload / (out->h + out->payload));
    return NS_OK;
}

const ns_model ns_model_header_share = {
    .name = "header-share",
    .title = "share of packet headers in the traffic of property requests",
    .source = "[NS] Tables 3, 5, 7, 8 and Section 6.1.1",
    .notes = "Tables 3, 5 and Section 6.1.1 give three different headers; the measured goodput implies a fourth "
             "number, table8.",
    NS_ROWS_AND_EVAL,
};
