/* fit_calibrate.c -- fit --records, --rankings: calibration by whole exchanges, stored in the machine's file with its
 * basis */
#include "cli/front/own.h"
#include "cli/inputs/exchange.h"
#include "cli/inputs/fit.h"
#include "cli/inputs/rankings.h"
#include "core/memory.h"
#include "records/judge.h"

#include <math.h>
#include <string.h>

static ns_value *child(ns_value *object, const char *name)
{
    for (ns_value *v = object != NULL ? object->first : NULL; v != NULL; v = v->next)
        if (strcmp(v->name, name) == 0)
            return v;
    return ns_value_object(object, name);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

enum { FIGURES = 3 };

/* {"value": ..., "source": ..., "calibrated": true} */
static void put_time(ns_value *object, const char *name, double seconds, const char *source)
{
    char text[64];
    ns_value *number = ns_value_object(object, name);
    ns_value_text(number, "value", ns_quantity_format(seconds, (ns_dim){1, 0, 0}, FIGURES, text, sizeof text));
    ns_value_text(number, "source", source);
    ns_value_bool(number, "calibrated", true);
}

static void put_count(ns_value *object, const char *name, double value)
{
    ns_value_count(object, name, round(1000 * value) / 1000);
}

/* ---- rankings ---------------------------------------------------------------------------------------------------- */

static ns_status only_machine(void *context, const ns_records *records, size_t row, const ns_machine **machine,
                              ns_error *err)
{
    (void)records, (void)row, (void)err;
    *machine = context;
    return NS_OK;
}

/* The smallest kappa without one matrix each, as for measured exchanges: rankings show how reliable a choice is, and no
 * times. */
static ns_status calibrate_ranked(const ns_args *args, const ns_records *records, const ns_machine *machine,
                                  ns_value *root, ns_error *err)
{
    NS_OWN(ns_free) ns_ranked *list = NULL;
    size_t count;
    ns_calibration c = {.choice_given = true, .lambda = 1, .kappa = INFINITY};
    NS_TRY(ns_row_where_check(args, records, err));
    NS_TRY(ns_ranked_make(records, args, only_machine, (void *)(uintptr_t)machine, &list, &count, err));
    for (size_t i = 0; i < count; i++) {
        bool seen = false;
        for (size_t k = 0; k < i && !seen; k++)
            seen = strcmp(list[k].matrix, list[i].matrix) == 0;
        double kappa;
        c.cases += (size_t)lround(list[i].weight);
        if (seen)
            continue;
        c.choice_groups++;
        NS_TRY(ns_ranked_kappa(list, count, list[i].matrix, &kappa, err));
        c.kappa = fmin(c.kappa, kappa);
    }
    if (c.choice_groups < 2)
        return ns_fail_at(err, NS_ERR_DATA, records->file, 0, 0, "rankings of one matrix cannot be judged on another");
    for (int m = 0; m < NS_MEMORIES; m++) {
        if (m == NS_DEVICE && machine->gpus == 0)
            continue;
        ns_value *of = ns_value_object(child(root, ns_memory_words[m]), "choice");
        put_count(of, "kappa", c.kappa);
        put_count(of, "lambda", 1);
        ns_value_count(of, "cases", (double)c.cases);
        ns_value_count(of, "groups", (double)c.choice_groups);
        ns_value_textf(of, "source", "winners named in %s, the smallest without one matrix each",
                       base_name(records->file));
        ns_value_bool(of, "calibrated", true);
    }
    return NS_OK;
}

static ns_memory memory_of(ns_transport transport)
{
    return ns_transport_memory(transport);
}

/* The ways of the rankings' cases for which no exchange was measured. */
static void list_ways(const ns_args *args, const ns_records *measured, const ns_ranked *list, size_t count,
                      ns_ranked_ratios *ratios)
{
    for (size_t i = 0; i < count; i++)
        for (int w = 0; w < list[i].ways; w++) {
            const ns_ranked_way *way = &list[i].of[w];
            const ns_strategy *strategy;
            ns_transport by;
            bool listed = ratios->count == NS_WAYS;
            for (size_t row = 0; row < measured->rows && !listed; row++)
                listed = measured->row[row].problem == NULL && ns_row_is_wanted(measured, row, args) &&
                         ns_record_way(measured, row, &strategy, &by, NULL) == NS_OK && strategy == way->strategy &&
                         by == way->transport;
            for (int k = 0; k < ratios->count; k++)
                listed =
                    listed || (ratios->of[k].strategy == way->strategy && ratios->of[k].transport == way->transport);
            if (!listed)
                ratios->of[ratios->count++] =
                    (ns_ranked_ratio){.strategy = way->strategy,
                                      .transport = way->transport,
                                      .ratio = {.way = way->strategy->name},
                                      .deviation = ns_ranked_deviation(ratios->machine, memory_of(way->transport))};
        }
}

/* --rankings: winners without times, of ways for which --records has no exchange.  Kept where the winners of a matrix
 * that was left out become more probable. */
static ns_status learn_ratios(const ns_args *args, const char *path, const ns_records *measured, ns_value *root,
                              ns_error *err)
{
    NS_OWN(ns_records_free) ns_records *rankings = NULL;
    NS_OWN(ns_machine_free) ns_machine *machine = NULL;
    NS_OWN(ns_free) ns_ranked *list = NULL;
    size_t count;
    NS_TRY(ns_records_read(path, &rankings, err));
    if (!ns_records_are_ranked(rankings))
        return ns_fail_at(err, NS_ERR_DATA, path, 0, 0, "--rankings wants rows with columns matrix, parts and winner");
    NS_TRY(ns_fit_machine_of(root, &machine, err));
    ns_ranked_ratios ratios = {.machine = machine};
    NS_TRY(ns_ranked_make(rankings, NULL, only_machine, machine, &list, &count, err));
    list_ways(args, measured, list, count, &ratios);
    if (ratios.count == 0)
        return NS_OK;
    /* Prices include the bytes moved only where the machine has a learnt ratio of a way: set a ratio of 1. */
    for (int i = 0; i < ratios.count; i++) {
        char text[120];
        snprintf(text, sizeof text, "%s.ranking.%s.ratio=1", ns_memory_words[memory_of(ratios.of[i].transport)],
                 ratios.of[i].strategy->name);
        NS_TRY(ns_machine_set(&machine, text, err));
    }
    ratios.machine = machine;
    ns_free(list);
    list = NULL;
    NS_TRY(ns_ranked_make(rankings, NULL, only_machine, machine, &list, &count, err));
    /* The mean of -ln P of the winners without the learnt ratios, and with those from the other matrices' winners. */
    double cases = 0, without = 0, with = 0;
    ns_ranked_ratios others = ratios;
    for (size_t i = 0; i < count; i++) {
        const ns_ranked *r = &list[i];
        ns_ranked other = *r;
        double p, q;
        NS_TRY(ns_ranked_p(r, r->kappa, r->lambda, &p, NULL, err));
        ns_ranked_learn(list, count, r->matrix, r->kappa, &others);
        ns_ranked_with(&other, &others);
        NS_TRY(ns_ranked_p(&other, other.kappa, other.lambda, &q, NULL, err));
        cases += r->weight;
        without -= r->weight * log(fmax(p, 1e-300));
        with -= r->weight * log(fmax(q, 1e-300));
    }
    if (!(with / cases < without / cases))
        return NS_OK;
    ns_ranked_learn(list, count, NULL, list[0].kappa, &ratios);
    for (int i = 0; i < ratios.count; i++) {
        const ns_ranked_ratio *r = &ratios.of[i];
        ns_value *memory = child(root, ns_memory_words[memory_of(r->transport)]);
        const bool begun = ns_value_get(memory, "ranking") != NULL;
        ns_value *of = child(memory, "ranking");
        if (!begun) {
            ns_value_textf(of, "source",
                           "ways that no exchange was measured in, by %zu winners named in %s; of those left out one "
                           "matrix after the other the mean of -ln P falls from %.3g to %.3g",
                           count, base_name(rankings->file), without / cases, with / cases);
            ns_value_bool(of, "calibrated", true);
        }
        ns_value *way = child(of, r->strategy->name);
        put_count(way, "ratio", exp(r->ratio.ln_ratio));
        ns_value_textf(way, "from", "%.0f B", r->ratio.from);
        ns_value_textf(way, "to", "%.0f B", r->ratio.to);
    }
    return NS_OK;
}

/* What the exchanges of a memory determine. */
static void put_calibration(const ns_calibration *c, ns_memory memory, const char *path, ns_value *root)
{
    ns_value *of = child(root, ns_memory_words[memory]), *x = child(of, "exchange");
    const char *groups = c->by_level ? "levels" : "files and process counts";
    char source[300], text[64];
    if (c->floor_given) {
        snprintf(source, sizeof source, "nsmodel fit, least sum of |log2| over %zu measured exchanges in %.100s",
                 c->count, base_name(path));
        put_time(x, "floor", c->floor_s, source);
        if (c->floor_step_given)
            put_time(x, "floor_step", c->floor_step_s, source);
        if (c->start_up_given)
            put_time(child(x, ns_locality_words[NS_OFF_NODE]), "alpha", c->start_up_s, source);
    }
    if (c->timeout_s > 0) {
        /* Its error is the variation from exchange to exchange. */
        snprintf(source, sizeof source, "nsmodel fit, median of %zu measured exchanges in %.100s that stall",
                 c->stalled, base_name(path));
        put_time(x, "timeout", c->timeout_s, source);
        ns_value_text(x, "timeout_se", ns_quantity_format(c->timeout_se, NS_SECOND, FIGURES, text, sizeof text));
    }
    ns_value *e = ns_value_object(x, "model_error");
    put_count(e, "time", c->error);
    if (c->error_between > 0)
        put_count(e, "ratio", c->error_between);
    ns_value_textf(e, "source", "%zu measured exchanges of %zu file%s in %s, %s; %s", c->count, c->files,
                   c->files == 1 ? "" : "s", base_name(path),
                   c->groups > 1 ? "the largest of the errors without one group each" : "not cross-validated",
                   c->floor_given ? "floors found without the group" : "the parameters never saw them");
    ns_value_bool(e, "calibrated", true);

    /* ---- the certainty of the choice between ways ---------------------------------------------------------------- */
    if (c->choice_given) {
        ns_value *choice = ns_value_object(of, "choice");
        put_count(choice, "kappa", c->kappa);
        put_count(choice, "lambda", c->lambda);
        ns_value_count(choice, "cases", (double)c->cases);
        ns_value_count(choice, "groups", (double)c->choice_groups);
        char ways[400] = "", way[60];
        for (int i = 0; ns_strategies()[i] != NULL; i++)
            if ((c->ways >> i & 1) != 0)
                snprintf(ways + strlen(ways), sizeof ways - strlen(ways), "%s%s", *ways != '\0' ? " " : "",
                         ns_strategies()[i]->name);
        if (*ways != '\0')
            ns_value_text(choice, "ways", ways);
        if (c->apart > 0) {
            ns_value_count(choice, "apart", (double)c->apart);
            put_count(choice, "right", c->right);
            put_count(choice, "loss", c->lost);
            ns_value_count(choice, "held_out", c->held_out);
        }
        if (c->apart > 0 && c->rule >= 0) {
            ns_value_text(choice, "rule", ns_way_name(c->rule, way, sizeof way));
            put_count(choice, "rule_loss", c->rule_lost);
        }
        ns_value_textf(choice, "source",
                       "exchanges measured in several ways in %s, form full, the smallest without one group "
                       "each (%s)",
                       base_name(path), groups);
        ns_value_bool(choice, "calibrated", true);
    }

    /* ---- residuals of the cost model, at points numbered from 1 within each way ---------------------------------- */
    const ns_residual_found *f = &c->residual;
    if (f->points == 0)
        return;
    ns_value *residual = ns_value_object(of, "residual");
    ns_value_textf(residual, "source",
                   "ln(measured / predicted) of %zu exchanges in %s; of those left out one group (%s) after the other "
                   "it takes %.3g off a mean of |ln|",
                   c->count, base_name(path), c->groups >= NS_CALIBRATION_GROUPS ? groups : "exchanges", f->gain);
    ns_value_bool(residual, "calibrated", true);
    ns_value_count(residual, "width", f->width);
    ns_value_count(residual, "prior", f->prior);
    for (size_t i = 0; i < f->points; i++) {
        const ns_residual_point *point = &f->point[i];
        int before = 1;
        for (size_t k = 0; k < i; k++)
            before += strcmp(f->point[k].way, point->way) == 0;
        snprintf(text, sizeof text, "%d", before);
        ns_value *put = ns_value_object(child(residual, point->way), text);
        put_count(put, "messages", point->messages);
        ns_value_textf(put, "size", "%.4g B", point->size);
        put_count(put, "ratio", exp(point->ln_ratio));
        put_count(put, "rows", point->rows);
    }
}

ns_status ns_fit_calibrate(const ns_args *args, const ns_fit_said *said, const bool promised[NS_MEMORIES],
                           ns_value *root, ns_error *err)
{
    NS_OWN(ns_machine_free) ns_machine *machine = NULL;
    NS_OWN(ns_records_free) ns_records *records = NULL;
    ns_limits limits;
    ns_calibration calibration[NS_MEMORIES];
    size_t rows = 0;
    NS_TRY(ns_fit_machine_of(root, &machine, err));
    NS_TRY(ns_limits_read(args, &limits, err));
    NS_TRY(ns_records_read(said->records, &records, err));
    if (ns_records_are_ranked(records))
        return calibrate_ranked(args, records, machine, root, err);
    NS_TRY(ns_row_where_check(args, records, err));
    NS_TRY(ns_calibrate(records, ns_row_is_wanted, args, machine, &limits, !said->no_residual, calibration, err));
    for (int m = 0; m < NS_MEMORIES; m++)
        rows += calibration[m].count;
    if (rows == 0)
        return ns_fail_at(err, NS_ERR_DATA, records->file, 0, 0, "no row passes --where and can be priced");
    for (int m = 0; m < NS_MEMORIES; m++) /* in-flight values were written for a floor to follow */
        if (machine->gpus > 0 && promised[m] && !calibration[m].floor_given)
            return ns_fail_at(
                err, NS_ERR_DATA, records->file, 0, 0,
                "of the exchanges in %s memory too few can be priced for a floor; --where leaves them out",
                ns_memory_words[m]);
    for (int m = 0; m < NS_MEMORIES; m++)
        if (calibration[m].count > 0)
            put_calibration(&calibration[m], (ns_memory)m, records->file, root);
    return said->rankings != NULL ? learn_ratios(args, said->rankings, records, root, err) : NS_OK;
}

ns_status ns_fit_floors(const ns_args *args, const char *path, bool floor[NS_MEMORIES], ns_error *err)
{
    NS_OWN(ns_records_free) ns_records *records = NULL;
    size_t groups[NS_MEMORIES];
    floor[NS_HOST] = floor[NS_DEVICE] = false;
    if (path == NULL)
        return NS_OK;
    NS_TRY(ns_records_read(path, &records, err));
    NS_TRY(ns_row_where_check(args, records, err));
    if (ns_records_are_ranked(records))
        return NS_OK;
    NS_TRY(ns_calibration_groups(records, ns_row_is_wanted, args, groups, err));
    for (int m = 0; m < NS_MEMORIES; m++)
        floor[m] = groups[m] >= NS_CALIBRATION_GROUPS;
    return NS_OK;
}

ns_status ns_fit_machine_of(const ns_value *root, ns_machine **machine, ns_error *err)
{
    NS_OWN(ns_free) char *text = NULL;
    size_t size;
    NS_TRY(ns_json_write(root, &text, &size, err));
    return ns_machine_parse(text, "the fitted machine", machine, err);
}
