/* rankings.h -- records that say which way was the fastest, and no time */
#ifndef NS_CLI_RANKINGS_H
#define NS_CLI_RANKINGS_H

#include "cli/inputs/exchange.h"
#include "price/decision.h"

/* The bounds within which kappa is looked for. */
#define NS_RANKED_KAPPA_LEAST 0.1
#define NS_RANKED_KAPPA_MOST  20.0

typedef struct ns_ranked {
    const char *matrix; /* of the records */
    int32_t parts;
    double weight;
    int ways, winner; /* winner: index of a way that differs from those before it */
    ns_way way[NS_WAYS];
    char name[NS_WAYS][40];
    double kappa, lambda; /* the machine's */
} ns_ranked;

/* The machine of a row. */
typedef ns_status (*ns_ranked_machine)(void *context, const ns_records *records, size_t row, const ns_machine **machine,
                                       ns_error *err);

/* The rows that pass --where, priced; *list: free it. */
ns_status ns_ranked_make(const ns_records *records, const ns_args *args, ns_ranked_machine machine, void *context,
                         ns_ranked **list, size_t *count, ns_error *err);

/* P of the winner, and the way that is predicted to be the fastest (may be NULL). */
ns_status ns_ranked_p(const ns_ranked *ranked, double kappa, double lambda, double *p, int *best, ns_error *err);

/* The kappa that makes the winners most probable, those of one matrix left out (NULL: of none). */
ns_status ns_ranked_kappa(const ns_ranked *list, size_t count, const char *without, double *kappa, ns_error *err);

#endif
