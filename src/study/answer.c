/* answer.c -- a comparison in words, the same in any locale, and sizes from which its messages take less time */
#include "study/answer.h"

#include "core/number.h"
#include "core/utf8.h"
#include "machine/machine.h"
#include "study/study.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void say(char text[NS_ANSWER_LINE], const char *format, ...) NS_PRINTF(2, 3);
static void say(char text[NS_ANSWER_LINE], const char *format, ...)
{
    const size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text + used, NS_ANSWER_LINE - used, format, arguments);
    va_end(arguments);
}

const char *ns_choice_name(const ns_comparison *c, int i, char *text, size_t size)
{
    snprintf(text, size, "%s/%s", c->choice[i].strategy->name, ns_transport_words[c->choice[i].transport]);
    return text;
}

/* Whole percents, but never a certainty that is none. */
const char *ns_percent(double p, char *text, size_t size)
{
    if (p > 0.995 && p < 1)
        snprintf(text, size, "over 99 %%");
    else if (p > 0 && p < 0.005)
        snprintf(text, size, "under 1 %%");
    else
        snprintf(text, size, "%ld %%", lrint(100 * p));
    return text;
}

const char *ns_loss_text(double loss, char *text, size_t size)
{
    char factor[NS_NUMBER_MAX];
    if (loss > 0 && loss < 0.005)
        snprintf(text, size, "under 1 %%");
    else if (loss < 9.995)
        snprintf(text, size, "%ld %%", lrint(100 * loss));
    else
        snprintf(text, size, "%s x", ns_double_short(loss + 1, 2, factor, sizeof factor));
    return text;
}

static const char *unit_of(const ns_decided *of, bool one)
{
    return of->machine->gpus > 0 ? one ? "GPU" : "GPUs" : one ? "process" : "processes";
}

/* ---- a row ------------------------------------------------------------------------------------------------------- */

void ns_answer_row_of(const ns_decided *of, ns_answer_row *row)
{
    const ns_comparison *c = of->comparison;
    const double seconds = c->choice[c->best].price.estimate_s;
    ns_change change;
    char first[60], factor[NS_NUMBER_MAX], sure[24];
    *row = (ns_answer_row){.machine = ""};
    if (of->one_of_many)
        snprintf(row->machine, sizeof row->machine, "%.60s", of->machine->name);
    snprintf(row->parts, sizeof row->parts, "%d", (int)of->parts);
    if (seconds == 0) {
        snprintf(row->way, sizeof row->way, "nothing is sent");
        return;
    }
    ns_choice_name(c, c->best, first, sizeof first);
    (void)ns_quantity_format(seconds, (ns_dim){1, 0, 0}, 3, row->time, sizeof row->time);
    if (ns_change_advise(c, &of->thresholds, &change, NULL) != NS_OK) {
        snprintf(row->way, sizeof row->way, "%s", first);
        return;
    }
    if (c->decision.distinct == 1)
        snprintf(row->way, sizeof row->way, "all %d ways alike", c->decision.ways);
    else if (change.second >= 0) {
        /* "three-step or two-step/device", "three-step/host or device": what both have in common is said once. */
        const ns_choice *a = &c->choice[c->best], *b = &c->choice[change.second];
        const char *by[] = {ns_transport_words[a->transport], ns_transport_words[b->transport]};
        if (a->transport == b->transport)
            snprintf(row->way, sizeof row->way, "%s or %s/%s", a->strategy->name, b->strategy->name, by[0]);
        else if (a->strategy == b->strategy)
            snprintf(row->way, sizeof row->way, "%s or %s", first, by[1]);
        else
            snprintf(row->way, sizeof row->way, "%s or %s/%s", first, b->strategy->name, by[1]);
    } else
        snprintf(row->way, sizeof row->way, "%s", first);
    if (change.same)
        snprintf(row->against, sizeof row->against,
                 c->decision.distinct == 1 || c->best != change.incumbent ? "the same" : "it is in use");
    else if (change.gain.q50 < 1.05)
        snprintf(row->against, sizeof row->against, "about as fast");
    else
        snprintf(row->against, sizeof row->against, "%s x faster (%s sure)",
                 ns_double_short(change.gain.q50, 2, factor, sizeof factor),
                 ns_percent(change.gain.p_better, sure, sizeof sure));
    if (c->decision.distinct > 1) {
        const double p = c->decision.p_best[c->best] + (change.second >= 0 ? c->decision.p_best[change.second] : 0);
        (void)ns_loss_text(change.loss, row->loss, sizeof row->loss);
        (void)ns_percent(p, row->best, sizeof row->best);
    }
}

/* What is in use in a case; "" where there is nothing to decide. */
static const char *in_use(const ns_decided *of, char *text, size_t size)
{
    ns_change change;
    *text = '\0';
    return ns_change_advise(of->comparison, &of->thresholds, &change, NULL) == NS_OK
               ? ns_choice_name(of->comparison, change.incumbent, text, size)
               : text;
}

void ns_answer_headings(const ns_decided *cases, size_t count, ns_answer_row *row)
{
    char first[60] = "", other[60];
    bool alike = true, gpus = false, hosts = false;
    for (size_t i = 0; i < count; i++) {
        if (*in_use(&cases[i], other, sizeof other) != '\0' && *first == '\0')
            memcpy(first, other, sizeof first);
        alike = alike && (*other == '\0' || strcmp(first, other) == 0);
        gpus = gpus || cases[i].machine->gpus > 0;
        hosts = hosts || cases[i].machine->gpus <= 0;
    }
    *row = (ns_answer_row){.way = "fastest way", .time = "time", .loss = "may lose", .best = "P(best)"};
    snprintf(row->machine, sizeof row->machine, "%s", count > 0 && cases[0].one_of_many ? "machine" : "");
    snprintf(row->parts, sizeof row->parts, "%s", gpus && hosts ? "parts" : gpus ? "GPUs" : "processes");
    snprintf(row->against, sizeof row->against, "against %.50s", alike && *first != '\0' ? first : "what is in use");
}

/* ---- lines ------------------------------------------------------------------------------------------------------- */

void ns_answer_against(const ns_decided *of, char text[NS_ANSWER_LINE])
{
    char name[60];
    *text = '\0';
    if (*in_use(of, name, sizeof name) != '\0')
        say(text, "against %s%s", name,
            of->comparison->incumbent >= 0       ? ", in use"
            : strncmp(name, "standard/", 9) == 0 ? ", as most programs exchange"
                                                 : ", the first of those compared");
}

enum { SWITCH, KEEP_IN_USE, KEEP_ALIKE, KEEP, MEASURE_TIE, MEASURE, KINDS };

/* What the advice of a case is, and why; -1: none. */
static int kind_of(const ns_decided *of)
{
    ns_change change;
    if (ns_change_advise(of->comparison, &of->thresholds, &change, NULL) != NS_OK)
        return -1;
    if (change.action == NS_DO_SWITCH)
        return SWITCH;
    if (change.action == NS_DO_KEEP)
        return of->comparison->decision.distinct == 1 ? KEEP_ALIKE : change.same ? KEEP_IN_USE : KEEP;
    return change.same ? MEASURE : MEASURE_TIE;
}

static const char *const reasons[KINDS] = {
    [SWITCH] = "",
    [KEEP_IN_USE] = ": it leads",
    [KEEP_ALIKE] = ": all ways send the same messages",
    [KEEP] = ": another way would save too little",
    [MEASURE_TIE] = ": the leading ways are too close to tell apart",
    [MEASURE] = ": it leads, but others are too close to tell",
};

void ns_answer_advice(const ns_decided *cases, size_t count, char text[NS_ANSWER_LINE])
{
    bool units = false;
    char way[60] = "", parts[200];
    *text = '\0';
    for (size_t i = 0; i < count && *way == '\0'; i++)
        (void)in_use(&cases[i], way, sizeof way);
    if (*way == '\0') {
        say(text, "There is nothing to choose from.");
        return;
    }
    if (count > 0 && cases[0].one_of_many)
        say(text, "On %.60s: ", cases[0].machine->name);
    for (int kind = 0; kind < KINDS; kind++) {
        size_t found = 0, told = 0, used = 0;
        const bool capital = *text == '\0' || units;
        for (size_t i = 0; i < count; i++)
            found += kind_of(&cases[i]) == kind;
        /* "16, 64 and 256" */
        *parts = '\0';
        for (size_t i = 0; i < count && found < count && used + 24 < sizeof parts; i++)
            if (kind_of(&cases[i]) == kind) {
                const char *joint = told == 0 ? "" : told + 1 == found ? " and " : ", ";
                used += (size_t)snprintf(parts + used, sizeof parts - used, "%s%d", joint, (int)cases[i].parts);
                told++;
            }
        const char *unit = units ? "" : unit_of(&cases[0], found == 1 && cases[0].parts == 1);
        if (found == 0)
            continue;
        say(text, "%s", units ? " " : "");
        if (kind == SWITCH && found == count && count == 1) {
            char best[60];
            say(text, "%s to %s.", capital ? "Switch" : "switch",
                ns_choice_name(cases[0].comparison, cases[0].comparison->best, best, sizeof best));
        } else if (kind == SWITCH)
            say(text, "%s%s%s%s%s.", capital ? "Switch" : "switch", *parts != '\0' ? " at " : " everywhere", parts,
                *parts != '\0' && *unit != '\0' ? " " : "", *parts != '\0' ? unit : "");
        else {
            if (*parts != '\0')
                say(text, "%s %s%s%s ", capital ? "At" : "at", parts, *unit != '\0' ? " " : "", unit);
            say(text, "%s %s%s%s.", *parts == '\0' && capital ? "Keep" : "keep", way,
                kind >= MEASURE_TIE ? " or measure" : "", reasons[kind]);
        }
        units = true;
    }
}

void ns_answer_trust(const ns_decided *of, char text[NS_ANSWER_LINE])
{
    const ns_comparison *c = of->comparison;
    ns_trust trust;
    char lost[24], right[24], rule[24];
    *text = '\0';
    if (of->foreign) {
        say(text, "No exchange was measured on such hardware: nothing shows how good such advice is there.");
        return;
    }
    if (!ns_trust_of(of->machine, c->choice[c->best].price.form, &trust)) {
        say(text, "No exchange measured in several ways judges such advice on %.60s%s: take it with care.",
            of->machine->name, c->choice[c->best].price.form->error == NULL ? " with this cost function" : "");
        return;
    }
    say(text, "On %.0f measured exchanges of %.60s such advice was right in %s and lost %s on average", trust.cases,
        trust.machine, ns_percent(trust.right, right, sizeof right), ns_percent(trust.loss, lost, sizeof lost));
    if (trust.rule != NULL) {
        ns_percent(trust.rule_loss, rule, sizeof rule);
        if (strcmp(rule, lost) == 0)
            say(text, ", as much as always taking %.40s", trust.rule);
        else
            say(text, "; always taking %.40s lost %s", trust.rule, rule);
    }
    say(text, "%s.", trust.held_out ? "" : " (not held out)");
}

/* ---- a table ----------------------------------------------------------------------------------------------------- */

/* Numbers stand to the right; what does not fit goes by rank, the greatest first. */
static const struct {
    size_t offset;
    bool to_right;
    int rank;
} columns[] = {{offsetof(ns_answer_row, machine), false, 0}, {offsetof(ns_answer_row, parts), true, 0},
               {offsetof(ns_answer_row, way), false, 0},     {offsetof(ns_answer_row, time), true, 1},
               {offsetof(ns_answer_row, against), false, 0}, {offsetof(ns_answer_row, loss), true, 3},
               {offsetof(ns_answer_row, best), true, 2}};
enum { COLUMNS = sizeof columns / sizeof *columns, BEST = COLUMNS - 1, RANKS = 4 };

void ns_answer_table(const ns_decided *cases, size_t count, ns_answer_text *text)
{
    size_t width[COLUMNS] = {0}, whole = 0; /* 0 for a column that is empty, or does not fit */
    ns_answer_row row;
    for (size_t i = count + 1; i-- > 0;) {
        if (i > 0)
            ns_answer_row_of(&cases[i - 1], &row);
        else
            ns_answer_headings(cases, count, &row);
        for (int k = 0; k < COLUMNS; k++) {
            const size_t length = ns_utf8_count((const char *)&row + columns[k].offset);
            if (length > width[k] && (i > 0 || width[k] > 0))
                width[k] = length;
        }
    }
    for (int r = 0; r < RANKS; r++)
        for (int k = 0; k < COLUMNS; k++) {
            const size_t with = whole + (whole > 0 ? 2 : 0) + width[k];
            if (columns[k].rank != r || width[k] == 0)
                continue;
            width[k] = r > 0 && with > NS_ANSWER_WIDTH ? 0 : width[k];
            whole = width[k] > 0 ? with : whole;
        }
    for (size_t i = 0; i <= count; i++) {
        if (i > 0)
            ns_answer_row_of(&cases[i - 1], &row);
        else
            ns_answer_headings(cases, count, &row);
        if (i == 0 && width[BEST] == 0) /* nothing is said to be the fastest without its probability */
            snprintf(row.way, sizeof row.way, "way");
        *text[i] = '\0';
        for (int k = 0; k < COLUMNS; k++) {
            const char *cell = (const char *)&row + columns[k].offset;
            if (width[k] == 0)
                continue;
            const int blanks = (int)(width[k] - ns_utf8_count(cell));
            say(text[i], "%s%*s%s%*s", *text[i] != '\0' ? "  " : "", columns[k].to_right ? blanks : 0, "", cell,
                columns[k].to_right ? 0 : blanks, "");
        }
        for (size_t end = strlen(text[i]); end > 0 && text[i][end - 1] == ' '; end--)
            text[i][end - 1] = '\0';
    }
}

void ns_answer_sentence(const ns_decided *of, char text[NS_ANSWER_LINE])
{
    ns_answer_row row;
    char name[60], advice[NS_ANSWER_LINE];
    ns_decided alone = *of;
    alone.one_of_many = false;
    ns_answer_row_of(of, &row);
    *text = '\0';
    say(text, "%s %s%s%s: %s", row.parts, unit_of(of, of->parts == 1), of->one_of_many ? " on " : "", row.machine,
        row.way);
    if (*row.time != '\0')
        say(text, ", %s", row.time);
    if (*row.against == '\0')
        return;
    if (of->comparison->decision.distinct > 1)
        say(text, ", %s%s%s", row.against, strstr(row.against, "faster") != NULL ? " against " : "",
            strstr(row.against, "faster") != NULL ? in_use(of, name, sizeof name) : "");
    ns_answer_advice(&alone, 1, advice);
    say(text, ". %s", advice);
    if (strlen(text) > 0 && text[strlen(text) - 1] == '.')
        text[strlen(text) - 1] = '\0';
}

size_t ns_answer_break(const char *text)
{
    size_t length = strlen(text);
    if (length > NS_ANSWER_WIDTH)
        for (length = NS_ANSWER_WIDTH; length > 1 && (text[length] != ' ' || text[length + 1] == '%');)
            length--;
    return length;
}

/* ---- where longer messages take less time: what of a price lies just past such a size
 *
 * Just past: with every message of a class shortened to the last of the protocol before, the price would be higher, by
 * at least 2 %: the mean message is shorter than the one that takes as long as that. */

static const double LEAST = 0.02; /* fits are no better than that */

/* The slot of a form's number for a class, by the end of its path; -1 where it has none. */
static int slot_of(const ns_form_values *v, int locality, int protocol, const char *ending)
{
    for (int r = 0; v->form->rows[r].doc != NULL; r++) {
        const ns_form_row *row = &v->form->rows[r];
        const char *last = row->path[0].at != NULL ? strrchr(row->path[0].at, '.') : NULL;
        if (row->by_class && last != NULL && strcmp(last, ending) == 0)
            return v->first[r] + NS_PROTOCOLS * locality + protocol;
    }
    return -1;
}

/* Does a step's class of messages, at the process that decides, lie just past a size where it would take longer? */
static bool lies_past(const ns_form_values *v, const ns_price *price, const ns_step_price *step, int l, int to,
                      ns_price_drop *drop)
{
    const ns_locality table = v->form->one_table ? NS_OFF_NODE : (ns_locality)l;
    const ns_line *line = v->machine->line[v->memory][table];
    const ns_class_load *load = &step->load[l][to];
    int from = to - 1;
    while (from >= 0 && !line[from].given)
        from--;
    if (from < 0 || !line[to].given || !(load->messages > 0) || !(load->bytes > 0))
        return false;
    ns_protocol longest;
    const bool is_longest =
        ns_machine_line(v->machine, v->memory, table, step->message_bytes[l], &longest) != NULL && (int)longest == to;
    const double at = line[to].from; /* first size of `to` */
    const double mean = is_longest ? step->message_bytes[l] : fmax(at, load->bytes / load->messages);

    /* A message's start-ups, 2 where a form counts both ends, and how often its bytes count, out and in. */
    const int alpha = slot_of(v, l, to, ".alpha"), beta = slot_of(v, l, to, ".beta");
    const double start_ups = alpha >= 0 && step->amount[alpha] > 0 ? step->amount[alpha] : load->messages;
    const double ends = start_ups * mean / load->bytes;
    const double ways = beta >= 0 && step->amount[beta] > 0 ? step->amount[beta] / load->bytes : 1;
    double start_up[2], moving[2]; /* of a message of that size by `from` and by `to` */
    for (int i = 0; i < 2; i++) {
        const int a = slot_of(v, l, i == 0 ? from : to, ".alpha"), b = slot_of(v, l, i == 0 ? from : to, ".beta");
        start_up[i] = ends * (a >= 0 ? v->value[a] : 0);
        moving[i] = ways * (b >= 0 ? v->value[b] : 0) * at;
    }

    /* Bytes do not count where a node's rate decides for all protocols, or a floor hides what moves them.  Paid:
     * start-ups of the class, and its bytes by its line or by the limit that stands above it. */
    const double fixed = ns_price_term(price, "fixed");
    const bool bytes_count = !(step->injection && l == NS_OFF_NODE) && !(fixed > 0);
    double by_rates = 0, paid = 0;
    for (int r = 0; v->form->rows[r].doc != NULL; r++) {
        const ns_form_row *row = &v->form->rows[r];
        const int slot = v->first[r] + (row->by_class ? NS_PROTOCOLS * l + to : 0);
        if (!row->by_class && strcmp(row->unit, "ns/B") == 0)
            by_rates += step->amount[slot] * v->value[slot];
        else if (row->by_class && (bytes_count || strcmp(row->unit, "us") == 0))
            paid += step->amount[slot] * v->value[slot];
    }
    const double hiding = fmax(step->bytes_s, by_rates) + fixed;
    /* The handshake of rendezvous messages, which shorter ones would not need. */
    const int term = ns_form_term(v->form, "handshake");
    const double handshake = term >= 0 && to == NS_RENDEZVOUS ? step->term[term] : 0;

    *drop = (ns_price_drop){.memory = v->memory,
                            .locality = (ns_locality)l,
                            .from = (ns_protocol)from,
                            .to = (ns_protocol)to,
                            .at = at,
                            .before_s = start_up[0] + moving[0],
                            .after_s = start_up[1] + moving[1],
                            .message_bytes = mean};
    /* So many messages just below the size: their bytes count where they take longer than what hides them. */
    const double messages = load->bytes / mean, bytes = messages * moving[0];
    const double gained = (messages * start_up[0] + (bytes_count ? bytes : fmax(0, bytes - hiding))) - paid - handshake;
    return drop->after_s < drop->before_s && gained > 0 && gained >= LEAST * price->estimate_s;
}

bool ns_price_drop_at(const ns_machine *machine, const ns_choice *choice, size_t index, ns_price_drop *drop)
{
    ns_form_values v;
    if (choice->transport >= NS_TRANSPORTS)
        return false;
    ns_form_take(choice->price.form, machine, choice->transport == NS_VIA_DEVICE ? NS_DEVICE : NS_HOST, 0, &v);
    for (int l = 0; l < NS_LOCALITIES; l++)
        for (int to = 1; to < NS_PROTOCOLS; to++) {
            ns_price_drop found;
            bool any = false;
            for (int s = 0; s < choice->price.steps && !any; s++)
                any = lies_past(&v, &choice->price, &choice->price.step[s], l, to, &found);
            if (any && index-- == 0) {
                *drop = found;
                return true;
            }
        }
    return false;
}
