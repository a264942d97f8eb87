/* open.h -- functions that open a matrix; each fills a zeroed ns_matrix, which the caller frees on failure, too */
#ifndef NS_MATRIX_OPEN_H
#define NS_MATRIX_OPEN_H

#include "matrix/source.h"

/* A Matrix Market file, plain, gzip or inside a tar archive (market.c). */
ns_status ns_market_open(const char *path, ns_matrix *matrix, ns_error *err);

/* "stencil9:3200x3200" (stencil.c). */
ns_status ns_stencil_open(const char *spec, ns_matrix *matrix, ns_error *err);

/* "audikw_1", "GHS_psdef/audikw_1" (surrogate.c).  *found is NULL when there is no surrogate of that name. */
ns_status ns_surrogate_find(const char *name, const ns_surrogate **found, ns_error *err);
ns_status ns_surrogate_open(const char *name, const ns_surrogate *surrogate, ns_matrix *matrix, ns_error *err);
/* Deliver the surrogate's entries one by one, also if it generates patches. */
ns_status ns_surrogate_scan(const ns_surrogate *s, ns_entry_fn *receive, void *context, ns_error *err);

#endif
