/* traffic.h -- packets cut into flits: which flits are full, which have free space, and which may share one
 *
 * All pure.  A flit is the unit that a link carries; a packet takes whole flits, the last one padded.  Source: [NC]
 * 3.2, Table 1, 4.1, 4.2.
 */
#ifndef NS_CORE_TRAFFIC_H
#define NS_CORE_TRAFFIC_H

#include "machine/model.h"

/* Packets of Table 1 by number, and any others by size.  counts is empty (one each) or as long as packets. */
typedef struct ns_traffic {
    double flit, header, address, line; /* B */
    double read_req, write_req, pt_req, read_rsp, write_rsp, pt_rsp;
    ns_numbers packets, counts;
} ns_traffic;

#define NS_TRAFFIC_SIZE(x, doc_) \
    NS_INPUT_AT(traffic.x, #x, "B", doc_, .from = "models.flits." #x, .most = NS_MOST)
#define NS_TRAFFIC_COUNT(x, doc_) NS_INPUT_AT(traffic.x, #x, "1", doc_, .most = NS_MOST, .has_default = true)
#define NS_TRAFFIC_LIST(x, unit_, doc_) \
    NS_INPUT_AT(traffic.x, #x, unit_, doc_, .kind = NS_FIELD_LIST, .most = NS_MOST, .has_default = true)

/* Input rows of a model whose struct in has `ns_traffic traffic`. */
#define NS_TRAFFIC_ROWS \
    NS_INPUT_AT(traffic.flit, "flit", "B", "flit size", .from = "models.flits.flit", .most = NS_MOST, .open = true), \
    NS_TRAFFIC_SIZE(header, "metadata of every packet"), \
    NS_TRAFFIC_SIZE(address, "address in requests and in page-table responses"), \
    NS_TRAFFIC_SIZE(line, "cache line in read responses and write requests"), \
    NS_TRAFFIC_COUNT(read_req, "read requests"), \
    NS_TRAFFIC_COUNT(write_req, "write requests, with a line"), \
    NS_TRAFFIC_COUNT(pt_req, "page-table requests"), \
    NS_TRAFFIC_COUNT(read_rsp, "read responses, with a line"), \
    NS_TRAFFIC_COUNT(write_rsp, "write responses, metadata only"), \
    NS_TRAFFIC_COUNT(pt_rsp, "page-table responses"), \
    NS_TRAFFIC_LIST(packets, "B", "sizes of further packets"), \
    NS_TRAFFIC_LIST(counts, "1", "how many of each of them; one each where not given")

/* Flits of one kind that are neither empty nor full. */
typedef struct ns_flit_class {
    double used;     /* B */
    double count;
    bool tail;       /* end of a longer packet, without its own header; else a whole packet */
    bool page_table;
} ns_flit_class;

enum { NS_FLIT_CLASSES = 6 + NS_LIST_MAX };

typedef struct ns_flit_mix {
    double flit;                /* B */
    double packets, flits, required; /* required: B without padding */
    double page_table;          /* flits of page-table packets */
    double squares;             /* sum over packets of (flits)^2 */
    size_t classes;
    ns_flit_class partial[NS_FLIT_CLASSES];
} ns_flit_mix;

/* Flits of a packet; 0 for a packet of 0 bytes. */
double ns_flits_of(double bytes, double flit);

/* Add `count` packets of this size. */
void ns_flit_mix_add(ns_flit_mix *mix, double bytes, double count, bool page_table);

/* The mix of a traffic; refused: lists of unequal length. */
ns_status ns_traffic_mix(const ns_traffic *traffic, ns_flit_mix *mix, ns_error *err);

/* Which flits can be stitched together: tails into which some whole packet fits, whole packets that fit into some tail,
 * and the page-table packets among these. */
typedef struct ns_stitch_pairs {
    double parents, candidates, page_table; /* flits */
} ns_stitch_pairs;
ns_stitch_pairs ns_stitch_find_pairs(const ns_flit_mix *mix);

/* Fewest flits that the mix takes when any of its flits may be stitched together: the parent travels as it is, a whole
 * packet adds its bytes, a tail its bytes and `id_size` more.  Exact.  Refused: counts that are not whole, or a mix
 * that is too large to search (NS_ERR_LIMIT). */
ns_status ns_stitch_best(const ns_flit_mix *mix, double id_size, double *flits, ns_error *err);

#endif
