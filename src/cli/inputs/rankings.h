/* rankings.h -- records of which way was the fastest, without times */
#ifndef NS_CLI_RANKINGS_H
#define NS_CLI_RANKINGS_H

#include "cli/inputs/exchange.h"
#include "price/decision.h"

/* The bounds within which kappa is sought. */
#define NS_RANKED_KAPPA_LEAST 0.1
#define NS_RANKED_KAPPA_MOST  20.0

typedef struct ns_ranked_way {
    const ns_strategy *strategy;
    ns_transport transport;
    double moves, copies; /* s: the part that the way's ratio multiplies, without the machine's ratio; the rest */
    double bytes;         /* of the process that decides, over all steps; 0 where the machine has no learnt ratios */
} ns_ranked_way;

typedef struct ns_ranked {
    const char *matrix; /* of the records */
    int32_t parts;
    double weight;
    int ways, winner; /* winner: index of a way that differs from those before it */
    ns_way way[NS_WAYS];
    ns_ranked_way of[NS_WAYS];
    char name[NS_WAYS][40];
    const ns_machine *machine;
    double kappa, lambda; /* the machine's */
} ns_ranked;

/* What rankings show about a way that no exchange of the machine measured. */
typedef struct ns_ranked_ratio {
    const ns_strategy *strategy;
    ns_transport transport;
    ns_way_ratio ratio;
    double deviation; /* of ratio.ln_ratio before any ranking is used, around 0 */
} ns_ranked_ratio;
typedef struct ns_ranked_ratios {
    const ns_machine *machine; /* the machine to which the rankings apply */
    int count;
    ns_ranked_ratio of[NS_WAYS];
} ns_ranked_ratios;

/* The machine of a row. */
typedef ns_status (*ns_ranked_machine)(void *context, const ns_records *records, size_t row, const ns_machine **machine,
                                       ns_error *err);

/* The rows that pass --where (args NULL: all), priced; *list: free it. */
ns_status ns_ranked_make(const ns_records *records, const ns_args *args, ns_ranked_machine machine, void *context,
                         ns_ranked **list, size_t *count, ns_error *err);

/* P of the winner, and the way that is predicted to be the fastest (may be NULL). */
ns_status ns_ranked_p(const ns_ranked *ranked, double kappa, double lambda, double *p, int *best, ns_error *err);

/* The kappa that makes the winners most probable, without those of one matrix (NULL: of none). */
ns_status ns_ranked_kappa(const ns_ranked *list, size_t count, const char *without, double *kappa, ns_error *err);

/* The error of the times of a memory's exchanges on a machine: the standard deviation of ln(time / predicted). */
double ns_ranked_deviation(const ns_machine *machine, ns_memory memory);
/* The ratios in a machine's file, with its model error as their deviation. */
void ns_ranked_ratios_of(const ns_machine *machine, ns_ranked_ratios *ratios);
/* The most probable ratios of the ways listed, and the bytes that they apply to: the sum of weight ln P(winner) -
 * (ln_ratio / deviation)^2 / 2 is largest, with kappa as given and without the winners of one matrix (NULL: of
 * none). */
void ns_ranked_learn(const ns_ranked *list, size_t count, const char *without, double kappa, ns_ranked_ratios *ratios);
/* Give the ways of a case these ratios instead of the machine's own. */
void ns_ranked_with(ns_ranked *ranked, const ns_ranked_ratios *ratios);

#endif
