/* deal.h -- which process has which rows and nodes, in each of several layouts
 *
 * Nodes are dealt out in blocks.  A process has the rows of its nodes, so what these receive is known to it alone.
 */
#ifndef NS_MPI_DEAL_H
#define NS_MPI_DEAL_H

#include <nsmodel/exchange.h>

typedef struct ns_deal {
    int ranks;
    size_t layouts;
    const int32_t *part; /* of each row, borrowed; NULL for equal blocks of rows */
    int64_t *node;       /* [layouts * (ranks + 1)] the first node of each process */
    int64_t *first;      /* the same: its first row, or with part[] its first part */
} ns_deal;

ns_status ns_deal_open(int ranks, const ns_layout *layout, size_t layouts, int64_t rows, const int32_t *part,
                       ns_deal *deal, ns_error *err);
void ns_deal_close(ns_deal *deal);

/* What first[] counts, of a row. */
static inline int64_t ns_deal_place(const ns_deal *deal, int64_t row)
{
    return deal->part != NULL ? deal->part[row] : row;
}

/* Who has a place in one layout. */
int ns_deal_owner(const ns_deal *deal, size_t layout, int64_t place);
/* Has a process it in any layout? */
bool ns_deal_has(const ns_deal *deal, int rank, int64_t place);

#endif
