/* validate_rankings.c -- how probable the published winners were, also with kappa learnt without their matrix */
#include "cli/inputs/rankings.h"
#include "cli/show/validate.h"
#include "core/memory.h"
#include "report/columns.h"

#include <math.h>

static ns_status machine_of(void *context, const ns_records *records, size_t row, const ns_machine **machine,
                            ns_error *err)
{
    return ns_row_machine_get(context, records, row, machine, err);
}

static ns_status add(const ns_ranked *list, size_t count, const ns_ranked *r, ns_value *rows, double sums[5],
                     ns_error *err)
{
    double p, held_out, kappa;
    int best;
    NS_TRY(ns_ranked_p(r, r->kappa, r->lambda, &p, &best, err));
    NS_TRY(ns_ranked_kappa(list, count, r->matrix, &kappa, err));
    NS_TRY(ns_ranked_p(r, kappa, 1, &held_out, NULL, err));
    ns_value *row = ns_value_object(rows, NULL);
    ns_value_text(row, "matrix", r->matrix);
    ns_value_count(row, "parts", r->parts);
    ns_value_text(row, "winner", r->name[r->winner]);
    ns_value_text(row, "predicted", r->name[best]);
    ns_value_number(row, "ratio", r->way[r->winner].seconds / r->way[best].seconds, NS_DIMENSIONLESS);
    ns_value_number(row, "p_winner", p, NS_DIMENSIONLESS);
    ns_value_number(row, "p_without_matrix", held_out, NS_DIMENSIONLESS);
    const double of[] = {1, best == r->winner, p, held_out, -log(fmax(p, 1e-300))};
    for (int i = 0; i < 5; i++)
        sums[i] += r->weight * of[i];
    return NS_OK;
}

ns_status ns_validate_rankings(ns_validation *v, ns_value *result, ns_error *err)
{
    ns_ranked *list;
    size_t count;
    double sums[5] = {0}, guess = 0, kappa;
    NS_TRY(ns_row_where_check(v->args, v->records, err));
    NS_TRY(ns_row_machines_try(&v->machines, v->records, err));
    NS_TRY(ns_ranked_make(v->records, v->args, machine_of, &v->machines, &list, &count, err));
    ns_row_machines_describe(&v->machines, result);
    ns_value *summary = ns_put_rows(result, "rankings", NS_NOT_IN_CSV);
    ns_value *rows = ns_put_rows(result, "winners", NS_EVERYWHERE);
    ns_status status = ns_ranked_kappa(list, count, NULL, &kappa, err);
    for (size_t i = 0; status == NS_OK && i < count; i++) {
        status = add(list, count, &list[i], rows, sums, err);
        guess += list[i].weight * log(list[i].ways);
    }
    if (status == NS_OK) {
        ns_value *row = ns_value_object(summary, NULL);
        ns_value_number(row, "cases", sums[0], NS_DIMENSIONLESS);
        ns_value_number(row, "right", sums[1] / sums[0], NS_DIMENSIONLESS);
        ns_value_number(row, "p_mean", sums[2] / sums[0], NS_DIMENSIONLESS);
        ns_value_number(row, "log_loss", sums[4] / sums[0], NS_DIMENSIONLESS);
        ns_value_number(row, "log_loss_uniform", guess / sums[0], NS_DIMENSIONLESS);
        ns_value_number(row, "kappa", list[0].kappa, NS_DIMENSIONLESS);
        ns_value_number(row, "kappa_of_winners", kappa, NS_DIMENSIONLESS);
        ns_value_number(row, "p_mean_without_matrix", sums[3] / sums[0], NS_DIMENSIONLESS);
    }
    ns_free(list);
    return status;
}
