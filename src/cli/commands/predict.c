/* predict.c -- the main job: which strategy moves this exchange fastest on this machine, by how much, and why */
#include "cli/show/predict.h"
#include "cli/inputs/exchange.h"
#include "cli/show/decision.h"
#include "cli/show/draw.h"
#include "core/number.h"

static const ns_option options[] = {
    NS_OPTION_MATRIX,
    NS_OPTION_MESSAGES,
    {"exchange", 0, "FILE.csv", NULL, "statistics of whole exchanges instead, one a row, as measured ones have them",
     false},
    NS_OPTIONS_CASES,
    NS_OPTION_EXPLAIN,
    NS_OPTION_PLOT,
    {"schedule", 0, "FILE.csv", NULL,
     "write the messages of one strategy in one case: rows of step,from,to,bytes; steps and processes count from 0",
     false},
    NS_OPTION_MEMORY,
    NS_OPTION_WORK,
    {NULL, 0, NULL, NULL, NULL, false},
};

/* ---- the answer -------------------------------------------------------------------------------------------------- */

/* A closed form's time; null where there is none. */
static ns_value *add_closed(ns_value *row, const char *name, double seconds)
{
    return seconds < 0 ? ns_value_null(row, name) : ns_value_number(row, name, seconds, NS_SECOND);
}

static bool is_shortlisted(const ns_decision *d, int i)
{
    for (int k = 0; k < d->shortlisted; k++)
        if (d->shortlist[k] == i)
            return true;
    return false;
}

/* Where a way stands among the others. */
static const char *standing(const ns_comparison *c, int i)
{
    if (i == c->best)
        return c->verdict == NS_EXTRAPOLATED ? "extrapolated" : "best";
    if (c->decision.best < 0)
        return "";
    return (c->decision.ruled_out >> i & 1) != 0 ? "ruled out" : is_shortlisted(&c->decision, i) ? "within reach" : "";
}

static double rounded(double x, int digits)
{
    char text[48];
    return ns_strtod(ns_quantity_format(x, NS_DIMENSIONLESS, digits, text, sizeof text), NULL);
}

/* The answer first, on a narrow screen: no more digits than it is good for. */
static void add_narrow(const ns_comparison *c, int i, double ratio, ns_value *row)
{
    enum { DIGITS = 3, DIGITS_OF_P = 2 };
    const ns_choice *choice = &c->choice[i];
    char name[60];
    ns_value_flag(ns_value_text(row, "way", ns_choice_name(c, i, name, sizeof name)), NS_V_NARROW);
    ns_value_flag(ns_value_number(row, "time", rounded(choice->price.estimate_s, DIGITS), NS_SECOND), NS_V_NARROW);
    ns_value *range = ns_value_flag(ns_value_list(row, "range"), NS_V_NARROW);
    ns_value_number(range, NULL, rounded(choice->price.lo_s, DIGITS), NS_SECOND);
    ns_value_number(range, NULL, rounded(choice->price.hi_s, DIGITS), NS_SECOND);
    ns_value_flag(ns_value_count(row, "x best", rounded(ratio, DIGITS)), NS_V_NARROW);
    if (c->decision.best >= 0) {
        ns_value *p = ns_value_flag(ns_value_object(row, "P(best)"), NS_V_NARROW);
        ns_value_count(p, "value", rounded(100 * c->decision.p_best[i], DIGITS_OF_P));
        ns_value_text(p, "unit", "%");
    }
    ns_value_flag(ns_value_text(row, "standing", standing(c, i)), NS_V_NARROW);
}

/* What prices it, for a wide table. */
static void add_parts(const ns_comparison *c, int i, ns_value *row)
{
    const ns_choice *choice = &c->choice[i];
    ns_value_flag(add_closed(row, "published_s", choice->published_s), NS_V_WIDE);
    ns_value_flag(add_closed(row, "corrected_s", choice->corrected_s), NS_V_NO_TABLE);
    ns_price_terms(&choice->price, NS_V_NO_TABLE, ns_value_flag(ns_value_object(row, "terms"), NS_V_WIDE));
    ns_value_flag(ns_value_count(row, "messages_off_node_max", (double)choice->messages_off_node_max), NS_V_WIDE);
    const bool judged = i == c->best && c->verdict != NS_UNDECIDED;
    ns_value_flag(ns_value_text(row, "verdict", judged ? ns_verdict_words[c->verdict] : ""),
                  NS_V_NO_JSON | NS_V_NO_CSV | NS_V_WIDE);
}

static void add_choice(const ns_comparison *c, int i, ns_value *list)
{
    const ns_choice *choice = &c->choice[i];
    const double best = c->choice[c->best].price.estimate_s, ratio = best > 0 ? choice->price.estimate_s / best : 1;
    ns_value *row = ns_value_flag(ns_value_object(list, NULL), i == c->best ? NS_V_MARK : 0);
    add_narrow(c, i, ratio, row);
    ns_value_flag(ns_value_text(row, "strategy", choice->strategy->name), NS_V_WIDE);
    ns_value_flag(ns_value_text(row, "transport", ns_transport_words[choice->transport]), NS_V_WIDE);
    ns_value_flag(ns_value_number(row, "estimate_s", choice->price.estimate_s, NS_SECOND), NS_V_WIDE);
    ns_value_flag(ns_value_count(row, "ratio", ratio), NS_V_WIDE);
    ns_value_flag(c->decision.best >= 0 ? ns_value_count(row, "p_best", c->decision.p_best[i])
                                        : ns_value_null(row, "p_best"),
                  NS_V_WIDE);
    ns_value *interval = ns_value_flag(ns_value_list(row, "interval_s"), NS_V_WIDE);
    ns_value_number(interval, NULL, choice->price.lo_s, NS_SECOND);
    ns_value_number(interval, NULL, choice->price.hi_s, NS_SECOND);
    add_parts(c, i, row);
}

static void add_case(const ns_cases *p, size_t i, ns_value *list, ns_value *result)
{
    const ns_exchange *x = p->of[i].exchange;
    const ns_comparison *c = &p->comparison[i];
    ns_value *object = ns_value_object(list, NULL);
    ns_value_flag(ns_value_text(object, "machine", p->of[i].machine->name),
                  p->machines == 1 ? NS_V_NO_TABLE : NS_V_WIDE);
    ns_value_flag(ns_value_count(object, "gpus", x->parts), NS_V_WIDE);
    ns_value_flag(ns_value_count(object, "nodes", x->nodes), NS_V_WIDE);
    ns_value_flag(ns_value_count(object, "per_node", x->per_node), NS_V_NO_TABLE);
    ns_pattern_value(&x->pattern, ns_value_flag(ns_value_object(object, "pattern"), NS_V_JSON_ONLY));
    ns_value *best = ns_value_flag(ns_value_object(object, "best"), NS_V_JSON_ONLY);
    ns_value_text(best, "strategy", c->choice[c->best].strategy->name);
    ns_value_text(best, "transport", ns_transport_words[c->choice[c->best].transport]);
    if (c->verdict != NS_UNDECIDED)
        ns_value_text(best, "verdict", ns_verdict_words[c->verdict]);
    else
        ns_value_null(best, "verdict");
    ns_decision_sentence(&(ns_decided){c, p->of[i].machine, x->parts, p->machines > 1}, true, object, result);
    ns_decision_value(c, object);
    ns_value *rows = ns_value_flag(ns_value_list(object, "strategies"), NS_V_ROWS);
    for (int k = 0; k < c->choices; k++)
        add_choice(c, k, rows);
}

/* For the eye, the best of each case, or what was asked for by name. */
static bool is_shown(const ns_cases *p, size_t i, int k)
{
    return k == p->comparison[i].best || ns_args_has(p->args, "strategy") || ns_args_has(p->args, "transport");
}

static ns_status explain_case(const ns_cases *p, size_t i, ns_value *rows, ns_explanation *shown, ns_error *err)
{
    const ns_case *c = &p->of[i];
    const ns_choice *choice = p->comparison[i].choice;
    for (int k = 0; k < p->comparison[i].choices; k++) {
        NS_TRY(ns_explain_rows(c, &choice[k], rows, err));
        if (is_shown(p, i, k))
            NS_TRY(ns_explain_choice(shown, c->machine, c->exchange, &choice[k], err));
    }
    return NS_OK;
}

static ns_status explain_all(const ns_cases *p, ns_explanation *shown, ns_value *result, ns_error *err)
{
    char title[200];
    const ns_explain_style style = ns_explain_style_of(ns_args_get(p->args, "explain"));
    ns_value *rows = ns_value_flag(ns_value_list(result, "explain"), NS_V_ROWS | NS_V_NO_CSV | NS_V_NO_TABLE);
    for (size_t i = 0; i < p->count; i++)
        NS_TRY(explain_case(p, i, rows, shown, err));
    snprintf(title, sizeof title, "one exchange of %.120s",
             p->inputs.matrix != NULL ? ns_matrix_describe(p->inputs.matrix)->name : "the planned messages");
    if (style == NS_EXPLAIN_TREE)
        NS_TRY(ns_terms_show(shown, style, title, result, err));
    ns_value *parameters = ns_value_flag(ns_value_list(result, "parameters"), NS_V_ROWS | NS_V_NO_CSV);
    for (size_t i = 0; i < p->machines; i++)
        NS_TRY(ns_explain_parameters(p->machine[i], p->of, p->comparison, p->count, &p->selection, parameters, err));
    return style != NS_EXPLAIN_TREE ? ns_terms_show(shown, style, title, result, err) : NS_OK;
}

static ns_status add_explanation(const ns_cases *p, ns_value *result, ns_error *err)
{
    ns_explanation *shown;
    NS_TRY(ns_explanation_open(&shown, err));
    ns_status status = explain_all(p, shown, result, err);
    ns_explanation_free(shown);
    return status;
}

static ns_status answer(const ns_cases *p, ns_value *result, FILE *words, ns_error *err)
{
    ns_value_flag(ns_value_text(result, "schema", "nsmodel/predict/1"), NS_V_JSON_ONLY);
    ns_cases_describe(p, result);
    ns_value *cases = ns_value_flag(ns_value_list(result, "cases"), NS_V_ROWS);
    for (size_t i = 0; i < p->count; i++)
        add_case(p, i, cases, result);
    ns_cases_warn(p, words);
    return ns_args_has(p->args, "explain") ? add_explanation(p, result, err) : NS_OK;
}

static ns_status plot(const ns_cases *p, ns_value *result, ns_error *err)
{
    if (p->machines > 1)
        return ns_fail(err, NS_ERR_USAGE, "--plot draws one machine at a time");
    const char *what = p->inputs.matrix != NULL ? ns_matrix_describe(p->inputs.matrix)->name : "exchange";
    char title[120];
    snprintf(title, sizeof title, "%.80s%s", what,
             p->inputs.matrix != NULL && ns_matrix_describe(p->inputs.matrix)->source == NS_SURROGATE ? " (surrogate)"
                                                                                                      : "");
    return ns_predict_plot(p->args, title, p->of, p->comparison, p->count, result, err);
}

static ns_status run(const ns_args *args, ns_value *result, ns_command_context *context, ns_error *err)
{
    if (ns_args_get(args, "exchange") != NULL)
        return ns_predict_exchange(args, result, context, err);
    ns_cases *p;
    NS_TRY(ns_cases_open(args, &p, err));
    ns_status status = answer(p, result, context->err, err);
    if (status == NS_OK && ns_args_get(args, "plot") != NULL)
        status = plot(p, result, err);
    if (status == NS_OK && ns_args_get(args, "schedule") != NULL)
        status = ns_predict_schedule(p, ns_args_get(args, "schedule"), err);
    ns_cases_close(p);
    return status;
}

const ns_command ns_command_predict = {
    .name = "predict",
    .summary = "which exchange strategy wins for a matrix on a machine, by how much, and why",
    .usage = "MATRIX | FILE.csv | --exchange FILE.csv",
    .takes_subject = true,
    .options = options,
    .example = "nsmodel predict --matrix audikw_1 --gpus 16,64,256",
    .about = "Counts exactly who needs what from whom, builds for each strategy the schedule of messages and copies "
             "that it would really\n"
             "perform, prices it on the machine, and marks the fastest.\n"
             "Of the others, those within reach hold the best with 90 % together with it, and those ruled out beat it "
             "with less than 5 %;\n"
             "extrapolated: the fastest sends messages beyond the sizes that were measured.\n"
             "--wide and JSON add what each time is made of, the verdict (clear, tie or extrapolated), and the paper's "
             "closed form,\n"
             "published, as printed and fed with the maxima of the pattern.\n" NS_ABOUT_MESSAGES,
    .rank = 1,
    .run = run,
};
