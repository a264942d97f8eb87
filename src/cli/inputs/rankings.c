/* rankings.c -- published rankings as evidence: which way was the fastest for a matrix, times not being printed
 *
 * A file of records whose column `winner` names a way is a ranking, one case a row:
 *
 *     machine, matrix, parts    the exchange: equal blocks of rows, the machine's parts a node
 *     winner                    STRATEGY/TRANSPORT
 *     among                     the ways it is named among, separated by blanks; empty: all
 *     weight                    how many cases the row stands for; empty: 1
 *
 * Such a case says nothing of times, but how probable its winner was: the sum of weight ln P(winner).
 */
#include "cli/inputs/rankings.h"
#include "core/memory.h"
#include "price/choice.h"

#include <math.h>
#include <string.h>

static bool is_way(const ns_choice *c, const char *text, size_t length)
{
    const size_t strategy = strlen(c->strategy->name);
    const char *transport = ns_transport_words[c->transport];
    return length == strategy + 1 + strlen(transport) && strncmp(text, c->strategy->name, strategy) == 0 &&
           text[strategy] == '/' && strncmp(text + strategy + 1, transport, strlen(transport)) == 0;
}

static bool is_among(const ns_choice *c, const char *among)
{
    if (*among == '\0')
        return true;
    for (const char *at = among; *at != '\0'; at += strspn(at, " ")) {
        const size_t length = strcspn(at, " ");
        if (is_way(c, at, length))
            return true;
        at += length;
    }
    return false;
}

static ns_status refuse(const ns_records *records, size_t row, ns_error *err, const char *what, const char *text)
{
    return ns_fail_at(err, NS_ERR_DATA, records->file, records->row[row].line, 0, "%s, got \"%.60s\"", what, text);
}

/* A way that sends what an earlier one does is no other way: that one stands for it, also where it is not named. */
static ns_status take(const ns_records *records, size_t row, const ns_comparison *comparison, ns_ranked *r,
                      ns_error *err)
{
    const char *winner = ns_record_text(records, row, "winner"), *among = ns_record_text(records, row, "among");
    ns_way all[NS_WAYS];
    int at[NS_WAYS] = {0}; /* 1 + index in r of a choice; 0: not there */
    const size_t ways = ns_comparison_ways(comparison, all);
    r->winner = -1;
    for (size_t i = 0; i < ways; i++) {
        const ns_choice *c = &comparison->choice[i];
        const bool won = is_way(c, winner, strlen(winner));
        const int twin = all[i].same > 0 ? at[all[i].same - 1] : 0;
        at[i] = twin;
        if (!won && !is_among(c, among))
            continue;
        if (twin == 0) {
            r->way[r->ways] = (ns_way){.seconds = all[i].seconds, .nest = all[i].nest};
            snprintf(r->name[r->ways], sizeof r->name[0], "%s/%s", c->strategy->name, ns_transport_words[c->transport]);
            at[i] = ++r->ways;
        }
        if (won)
            r->winner = at[i] - 1;
    }
    if (r->winner < 0)
        return refuse(records, row, err, "winner wants a way of the machine, STRATEGY/TRANSPORT", winner);
    return r->ways > 1 ? NS_OK : refuse(records, row, err, "among wants two ways at least", among);
}

static ns_status price(const ns_records *records, size_t row, const ns_machine *machine, ns_ranked *r, ns_error *err)
{
    double parts;
    const char *name = ns_record_text(records, row, "matrix");
    if (!ns_record_number(records, row, "parts", &parts) || !(parts >= 2 && parts <= 1e6) || parts != floor(parts))
        return refuse(records, row, err, "parts wants a whole number from 2 to 1000000",
                      ns_record_text(records, row, "parts"));
    if (!ns_record_number(records, row, "weight", &r->weight))
        r->weight = 1;
    if (!(r->weight > 0))
        return refuse(records, row, err, "weight wants a number above 0", ns_record_text(records, row, "weight"));
    const ns_layout layout = {(int32_t)parts, machine->gpus > 0 ? machine->gpus : machine->host_processes};
    const ns_exchange_options options = {.width = 0};
    ns_matrix *matrix;
    ns_exchange *exchange = NULL;
    ns_comparison *comparison = NULL;
    NS_TRY(ns_matrix_open(name, &matrix, err));
    ns_status status = ns_exchange_from_matrix(matrix, &layout, 1, &options, &exchange, NULL, err);
    ns_matrix_free(matrix);
    if (status == NS_OK)
        status = ns_compare(exchange, machine, NULL, &comparison, err);
    if (status == NS_OK)
        status = take(records, row, comparison, r, err);
    if (status == NS_OK) {
        r->matrix = name;
        r->parts = layout.parts;
        r->kappa = comparison->decision.kappa;
        r->lambda = comparison->decision.lambda;
    }
    ns_comparison_free(comparison);
    ns_exchange_free(exchange);
    return status;
}

ns_status ns_ranked_make(const ns_records *records, const ns_args *args, ns_ranked_machine machine, void *context,
                         ns_ranked **list, size_t *count, ns_error *err)
{
    ns_ranked *made = ns_calloc(ns_size_add(records->rows, 1), sizeof *made);
    ns_status status = made != NULL ? NS_OK : ns_no_memory(err);
    size_t n = 0;
    for (size_t row = 0; status == NS_OK && row < records->rows; row++) {
        const ns_machine *of;
        if (records->row[row].problem != NULL)
            status = refuse(records, row, err, records->row[row].problem, "");
        else if (ns_row_is_wanted(records, row, args)) {
            status = machine(context, records, row, &of, err);
            if (status == NS_OK)
                status = price(records, row, of, &made[n++], err);
        }
    }
    if (status == NS_OK && n == 0)
        status = ns_fail_at(err, NS_ERR_DATA, records->file, 0, 0, "no row passes --where");
    if (status != NS_OK) {
        ns_free(made);
        return status;
    }
    *list = made;
    *count = n;
    return NS_OK;
}

ns_status ns_ranked_p(const ns_ranked *r, double kappa, double lambda, double *p, int *best, ns_error *err)
{
    ns_decision decision;
    NS_TRY(ns_decide(r->way, (size_t)r->ways, kappa, lambda, 0, &decision, err));
    *p = decision.p_best[r->winner];
    if (best != NULL)
        *best = decision.best;
    return NS_OK;
}

/* ---- kappa ------------------------------------------------------------------------------------------------------- */

/* Sum of weight ln P, which is concave in kappa. */
static ns_status likelihood(const ns_ranked *list, size_t count, const char *without, double kappa, double *sum,
                            ns_error *err)
{
    *sum = 0;
    for (size_t i = 0; i < count; i++) {
        double p;
        if (without != NULL && strcmp(list[i].matrix, without) == 0)
            continue;
        NS_TRY(ns_ranked_p(&list[i], kappa, 1, &p, NULL, err));
        *sum += list[i].weight * log(fmax(p, 1e-300));
    }
    return NS_OK;
}

ns_status ns_ranked_kappa(const ns_ranked *list, size_t count, const char *without, double *kappa, ns_error *err)
{
    enum { THIRDS = 60 };
    double lo = NS_RANKED_KAPPA_LEAST, hi = NS_RANKED_KAPPA_MOST;
    for (int i = 0; i < THIRDS; i++) {
        const double a = lo + (hi - lo) / 3, b = hi - (hi - lo) / 3;
        double at_a, at_b;
        NS_TRY(likelihood(list, count, without, a, &at_a, err));
        NS_TRY(likelihood(list, count, without, b, &at_b, err));
        if (at_a < at_b)
            lo = a;
        else
            hi = b;
    }
    *kappa = (lo + hi) / 2;
    return NS_OK;
}
