/* rankings.c -- published rankings as evidence: which way was the fastest for a matrix, without printed times
 *
 * A file of records whose column `winner` names a way is a ranking, one case a row:
 *
 *     machine, matrix, parts    the exchange: equal blocks of rows, the machine's parts a node
 *     winner                    STRATEGY/TRANSPORT
 *     among                     the ways it is chosen from, separated by blanks; empty: all
 *     weight                    how many cases the row stands for; empty: 1
 *
 * Such a case contains no times, but gives a likelihood: the sum of weight ln P(winner).  For a way that no exchange of
 * the machine measured it determines a ratio r, time / predicted time: with P(i) = T_i^-kappa / sum T^-kappa and T = r
 * moves + copies, the sum less (ln r / s)^2 / 2 for each is largest, s being the error of the machine's times.
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

static ns_status refuse(const ns_records *records, size_t row, ns_error *err, const char *what, const char *text)
{
    return ns_fail_at(err, NS_ERR_DATA, records->file, records->row[row].line, 0, "%s, got \"%.60s\"", what, text);
}

/* A way that sends the same messages as an earlier one is the same way: the earlier one represents it, even where it is
 * not named. */
static ns_status take(const ns_records *records, size_t row, const ns_comparison *comparison, ns_ranked *r,
                      ns_error *err)
{
    const char *winner = ns_record_text(records, row, "winner"), *among = ns_record_text(records, row, "among");
    ns_way all[NS_WAYS];
    int at[NS_WAYS] = {0}; /* 1 + index in r of a choice; 0: absent */
    const size_t ways = ns_comparison_ways(comparison, all);
    r->winner = -1;
    for (size_t i = 0; i < ways; i++) {
        const ns_choice *c = &comparison->choice[i];
        const bool won = is_way(c, winner, strlen(winner));
        const int twin = all[i].same > 0 ? at[all[i].same - 1] : 0;
        bool named = won || *among == '\0';
        for (const char *word = among; *word != '\0' && !named; word += strspn(word, " ")) {
            named = is_way(c, word, strcspn(word, " "));
            word += strcspn(word, " ");
        }
        at[i] = twin;
        if (!named)
            continue;
        if (twin == 0) {
            r->way[r->ways] = (ns_way){.seconds = all[i].seconds, .nest = all[i].nest};
            r->of[r->ways] =
                (ns_ranked_way){c->strategy, c->transport, c->price.estimate_s - c->price.copy_s, c->price.copy_s, 0};
            for (int k = 0; k < c->price.steps; k++)
                r->of[r->ways].bytes += c->price.step[k].bytes;
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
        r->machine = machine;
        r->parts = layout.parts;
        r->kappa = comparison->decision.kappa;
        r->lambda = comparison->decision.lambda;
        for (int i = 0; i < r->ways; i++) { /* divided by the factor that the machine's file has for the way */
            const ns_residual *own = &machine->residual[ns_transport_memory(r->of[i].transport)];
            size_t k = 0;
            while (k < own->ratios && strcmp(own->ratio[k].way, r->of[i].strategy->name) != 0)
                k++;
            if (k < own->ratios)
                r->of[i].moves *= exp(-ns_way_ratio_shift(&own->ratio[k], r->of[i].bytes));
        }
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
        else if (args == NULL || ns_row_is_wanted(records, row, args)) {
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

/* ---- ratios ------------------------------------------------------------------------------------------------------ */

double ns_ranked_deviation(const ns_machine *machine, ns_memory memory)
{
    char path[60];
    snprintf(path, sizeof path, "%s.exchange.model_error.time", ns_memory_words[memory]);
    const ns_parameter *error = ns_machine_parameter(machine, path);
    return log(2) * (error != NULL ? error->value : NS_ERROR_UNCALIBRATED);
}

void ns_ranked_ratios_of(const ns_machine *machine, ns_ranked_ratios *ratios)
{
    ratios->machine = machine;
    ratios->count = 0;
    for (int m = 0; m < NS_MEMORIES; m++)
        for (size_t i = 0; i < machine->residual[m].ratios && ratios->count < NS_WAYS; i++) {
            const ns_way_ratio *r = &machine->residual[m].ratio[i];
            ns_ranked_ratio *to = &ratios->of[ratios->count];
            *to = (ns_ranked_ratio){NULL, m == NS_DEVICE ? NS_VIA_DEVICE : NS_VIA_HOST, *r,
                                    ns_ranked_deviation(machine, (ns_memory)m)};
            ratios->count += ns_strategy_get(r->way, &to->strategy, NULL) == NS_OK;
        }
}

static bool is_of(const ns_ranked_ratio *ratio, const ns_ranked_way *way)
{
    return ratio->strategy == way->strategy && ratio->transport == way->transport;
}

static double ratio_of(const ns_ranked_ratios *ratios, const ns_ranked_way *way)
{
    for (int i = 0; i < ratios->count; i++)
        if (is_of(&ratios->of[i], way))
            return exp(ns_way_ratio_shift(&ratios->of[i].ratio, way->bytes));
    return 1;
}

void ns_ranked_with(ns_ranked *ranked, const ns_ranked_ratios *ratios)
{
    for (int i = 0; i < ranked->ways; i++)
        ranked->way[i].seconds = ratio_of(ratios, &ranked->of[i]) * ranked->of[i].moves + ranked->of[i].copies;
}

/* First and second derivative of weight ln P(winner) by the ln of one way's ratio: with x its part of the time that the
 * ratio multiplies, kappa x (P - y) and about -(kappa x)^2 P (1 - P), y being 1 where it won. */
static void derive(const ns_ranked *r, const ns_ranked_ratios *ratios, const ns_ranked_ratio *by, double kappa,
                   double *first, double *second)
{
    double sum = 0, own = 0, part = 0, won = 0;
    for (int i = 0; i < r->ways; i++) {
        const double moves = ratio_of(ratios, &r->of[i]) * r->of[i].moves, time = moves + r->of[i].copies,
                     p = pow(time / (r->of[r->winner].moves + r->of[r->winner].copies), -kappa);
        sum += p;
        if (!is_of(by, &r->of[i]))
            continue;
        own = p;
        part = moves / time;
        won = i == r->winner;
    }
    const double p = own / sum, x = kappa * part;
    *first += r->weight * x * (p - won);
    *second -= r->weight * x * x * p * (1 - p);
}

static bool tells(const ns_ranked *r, const ns_ranked_ratios *ratios, const char *without)
{
    return r->machine == ratios->machine && (without == NULL || strcmp(r->matrix, without) != 0);
}

void ns_ranked_learn(const ns_ranked *list, size_t count, const char *without, double kappa, ns_ranked_ratios *ratios)
{
    enum { SWEEPS = 200 };
    static const double step_most = 0.5;
    for (int i = 0; i < ratios->count; i++) {
        ns_way_ratio *to = &ratios->of[i].ratio;
        *to = (ns_way_ratio){to->way, 0, INFINITY, 0};
        for (size_t k = 0; k < count; k++)
            for (int w = 0; w < list[k].ways; w++)
                if (tells(&list[k], ratios, without) && is_of(&ratios->of[i], &list[k].of[w])) {
                    to->from = fmin(to->from, list[k].of[w].bytes);
                    to->to = fmax(to->to, list[k].of[w].bytes);
                }
    }
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (int i = 0; i < ratios->count; i++) {
            ns_ranked_ratio *by = &ratios->of[i];
            const double weight = 1 / (by->deviation * by->deviation);
            double first = -weight * by->ratio.ln_ratio, second = -weight;
            for (size_t k = 0; k < count; k++)
                if (tells(&list[k], ratios, without))
                    derive(&list[k], ratios, by, kappa, &first, &second);
            by->ratio.ln_ratio -= fmax(-step_most, fmin(step_most, first / second));
        }
}
