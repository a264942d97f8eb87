/* answer.c -- a comparison in words, the same in any locale */
#include "study/answer.h"

#include "core/number.h"
#include "core/utf8.h"
#include "machine/machine.h"

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

/* "1.4 x faster (78 % sure)" */
static void against_text(const ns_decided *of, const ns_change *change, char *text, size_t size)
{
    const ns_comparison *c = of->comparison;
    char factor[NS_NUMBER_MAX], sure[24];
    if (change->same)
        snprintf(text, size, c->decision.distinct == 1 || c->best != change->incumbent ? "the same" : "it is in use");
    else if (change->gain.q50 < 1.05)
        snprintf(text, size, "about as fast");
    else
        snprintf(text, size, "%s x faster (%s sure)", ns_double_short(change->gain.q50, 2, factor, sizeof factor),
                 ns_percent(change->gain.p_better, sure, sizeof sure));
}

/* "three-step or two-step/device", "three-step/host or device": what both have in common is said once. */
static void either(const ns_comparison *c, int a, int b, char *text, size_t size)
{
    const ns_choice *first = &c->choice[a], *second = &c->choice[b];
    const char *way[] = {first->strategy->name, second->strategy->name},
               *by[] = {ns_transport_words[first->transport], ns_transport_words[second->transport]};
    if (first->transport == second->transport)
        snprintf(text, size, "%s or %s/%s", way[0], way[1], by[0]);
    else if (first->strategy == second->strategy)
        snprintf(text, size, "%s/%s or %s", way[0], by[0], by[1]);
    else
        snprintf(text, size, "%s/%s or %s/%s", way[0], by[0], way[1], by[1]);
}

void ns_answer_row_of(const ns_decided *of, ns_answer_row *row)
{
    const ns_comparison *c = of->comparison;
    const double seconds = c->choice[c->best].price.estimate_s;
    ns_change change;
    char first[60];
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
    else if (change.second >= 0)
        either(c, c->best, change.second, row->way, sizeof row->way);
    else
        snprintf(row->way, sizeof row->way, "%s", first);
    against_text(of, &change, row->against, sizeof row->against);
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

/* "16, 64 and 256" of the cases of a kind; returns how many. */
static size_t list_parts(const ns_decided *cases, size_t count, int kind, char *text, size_t size)
{
    size_t found = 0, told = 0, used = 0;
    for (size_t i = 0; i < count; i++)
        found += kind_of(&cases[i]) == kind;
    *text = '\0';
    for (size_t i = 0; i < count && used + 24 < size; i++)
        if (kind_of(&cases[i]) == kind) {
            used += (size_t)snprintf(text + used, size - used, "%s%d",
                                     told == 0           ? ""
                                     : told + 1 == found ? " and "
                                                         : ", ",
                                     (int)cases[i].parts);
            told++;
        }
    return found;
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
        const size_t found = list_parts(cases, count, kind, parts, sizeof parts);
        const bool capital = *text == '\0' || units;
        const char *unit = units ? "" : unit_of(&cases[0], found == 1 && cases[0].parts == 1);
        if (found == 0)
            continue;
        say(text, "%s", units ? " " : "");
        if (found == count)
            *parts = '\0';
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

enum { COLUMNS = 7, WAY = 2, BEST = 6, RANKS = 4 };
static const char *cell_of(const ns_answer_row *row, int column)
{
    const char *cells[COLUMNS] = {row->machine, row->parts, row->way, row->time, row->against, row->loss, row->best};
    return cells[column];
}

/* Numbers stand to the right. */
static const bool to_right[COLUMNS] = {false, true, false, true, false, true, true};
/* What does not fit goes by these, the greatest first. */
static const int rank[COLUMNS] = {0, 0, 0, 1, 0, 3, 2};

/* Row 0 is the headings. */
static void row_at(const ns_decided *cases, size_t count, size_t i, ns_answer_row *row)
{
    if (i == 0)
        ns_answer_headings(cases, count, row);
    else
        ns_answer_row_of(&cases[i - 1], row);
}

/* Widths of the columns: 0 for one that is empty, or does not fit. */
static void measure(const ns_decided *cases, size_t count, size_t width[COLUMNS])
{
    ns_answer_row row;
    size_t whole = 0;
    for (size_t i = count + 1; i-- > 0;) {
        row_at(cases, count, i, &row);
        for (int k = 0; k < COLUMNS; k++) {
            const size_t length = ns_utf8_count(cell_of(&row, k));
            if (length > width[k] && (i > 0 || width[k] > 0))
                width[k] = length;
        }
    }
    for (int r = 0; r < RANKS; r++)
        for (int k = 0; k < COLUMNS; k++) {
            const size_t with = whole + (whole > 0 ? 2 : 0) + width[k];
            if (rank[k] != r || width[k] == 0)
                continue;
            width[k] = r > 0 && with > NS_ANSWER_WIDTH ? 0 : width[k];
            whole = width[k] > 0 ? with : whole;
        }
}

void ns_answer_table(const ns_decided *cases, size_t count, ns_answer_text *text)
{
    size_t width[COLUMNS] = {0};
    ns_answer_row row;
    measure(cases, count, width);
    for (size_t i = 0; i <= count; i++) {
        row_at(cases, count, i, &row);
        if (i == 0 && width[BEST] == 0) /* nothing is said to be the fastest without its probability */
            snprintf(row.way, sizeof row.way, "way");
        *text[i] = '\0';
        for (int k = 0; k < COLUMNS; k++) {
            const size_t length = ns_utf8_count(cell_of(&row, k));
            if (width[k] == 0)
                continue;
            const size_t blanks = width[k] - length;
            say(text[i], "%s%*s%s%*s", *text[i] != '\0' ? "  " : "", (int)(to_right[k] ? blanks : 0), "",
                cell_of(&row, k), (int)(to_right[k] ? 0 : blanks), "");
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
