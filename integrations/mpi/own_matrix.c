/* own_matrix.c -- a scan that leaves out what other processes have */
#include "mpi/own_matrix.h"
#include "mpi/watchdog.h"

enum { BATCH = 8192 };

typedef struct filter {
    ns_own_matrix *own;
    ns_entry_fn *receive;
    void *context;
} filter;

static ns_status receive_own(void *context, const ns_entry *entries, size_t count, ns_error *err)
{
    const filter *f = context;
    ns_own_matrix *own = f->own;
    ns_entry kept[BATCH];
    ns_watchdog_feed();
    for (size_t i = 0, n = 0; i < count; i++) {
        const int64_t place = ns_deal_place(own->deal, entries[i].row);
        if (ns_deal_has(own->deal, own->rank, place))
            kept[n++] = entries[i];
        own->nonzeros += ns_deal_owner(own->deal, 0, place) == own->rank;
        if (n == BATCH || (n > 0 && i + 1 == count)) {
            NS_TRY(f->receive(f->context, kept, n, err));
            n = 0;
        }
    }
    return NS_OK;
}

static ns_status scan(ns_matrix *matrix, ns_entry_fn *receive, void *context, ns_error *err)
{
    ns_own_matrix *own = matrix->state;
    filter f = {own, receive, context};
    own->nonzeros = 0;
    return ns_matrix_scan(own->whole, receive_own, &f, err);
}

/* The rows that are asked for are all of one part. */
static int columns(const ns_matrix *matrix, int64_t row, int64_t rows, ns_span span[NS_SPANS])
{
    const ns_own_matrix *own = matrix->state;
    return ns_deal_has(own->deal, own->rank, ns_deal_place(own->deal, row))
               ? own->whole->columns(own->whole, row, rows, span)
               : 0;
}

void ns_own_matrix_open(ns_matrix *whole, const ns_deal *deal, int rank, ns_own_matrix *own)
{
    *own = (ns_own_matrix){.whole = whole, .deal = deal, .rank = rank};
    own->matrix = (ns_matrix){.info = whole->info, .scan = scan, .state = own};
    own->matrix.info.stored = 0; /* work is counted where entries are passed */
    if (whole->columns != NULL)
        own->matrix.columns = columns;
    own->matrix.work.limit = whole->work.limit;
}
