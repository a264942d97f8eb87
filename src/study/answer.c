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

/* Whole percents; a probability below 1 is never rounded up to certainty. */
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

/* Indexed by whether the machine has GPUs, and whether the count is one. */
static const char *const units[2][2] = {{"processes", "process"}, {"GPUs", "GPU"}};

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
        /* "three-step or two-step/device", "three-step/host or device": a part that both names share appears once. */
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

/* What is in use in a case; "" where there is no decision to make. */
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

/* The kind of advice that a case gets, which depends on the verdict and on what is in use. */
enum { SWITCH, KEEP_IN_USE, KEEP_ALIKE, KEEP, MEASURE_TIE, MEASURE, KINDS };
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
    bool begun = false;
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
        const bool capital = *text == '\0' || begun;
        size_t found = 0, used = 0;
        int32_t last = 0; /* "16, 64 and 256": a number is written once it is known whether another follows */
        *parts = '\0';
        for (size_t i = 0; i <= count; i++) {
            const ns_comparison *c = i < count ? cases[i].comparison : NULL;
            ns_change change;
            if (c != NULL && ns_change_advise(c, &cases[i].thresholds, &change, NULL) != NS_OK)
                continue;
            if (c != NULL && kind != (change.action == NS_DO_SWITCH   ? SWITCH
                                      : change.action != NS_DO_KEEP   ? change.same ? MEASURE : MEASURE_TIE
                                      : c->decision.distinct == 1     ? KEEP_ALIKE
                                      : change.same                   ? KEEP_IN_USE
                                                                      : KEEP))
                continue;
            if (found > 0 && used + 24 < sizeof parts)
                used += (size_t)snprintf(parts + used, sizeof parts - used, "%s%d",
                                         found == 1  ? ""
                                         : c == NULL ? " and "
                                                     : ", ",
                                         (int)last);
            if (c == NULL)
                break;
            last = cases[i].parts;
            found++;
        }
        if (found == count)
            *parts = '\0';
        const char *unit = begun ? "" : units[cases[0].machine->gpus > 0][found == 1 && cases[0].parts == 1];
        if (found == 0)
            continue;
        say(text, "%s", begun ? " " : "");
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
        begun = true;
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

/* Numbers are right-aligned.  Columns that do not fit are dropped by rank, the greatest first. */
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
        if (i == 0 && width[BEST] == 0) /* no way is called the fastest without its probability */
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
    say(text, "%s %s%s%s: %s", row.parts, units[of->machine->gpus > 0][of->parts == 1], of->one_of_many ? " on " : "",
        row.machine, row.way);
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

/* ---- where longer messages take less time: messages of a price just past such a size
 *
 * Just past: with every message of a class shortened to the last of the protocol before, the price would be higher, by
 * at least 2 %: the mean message is shorter than the one that takes as long as that. */

static const double LEAST = 0.02; /* fits are no more accurate than this */

bool ns_price_drop_at(const ns_machine *machine, const ns_choice *choice, size_t index, ns_price_drop *drop)
{
    const ns_price *price = &choice->price;
    ns_form_values v;
    int alpha_row = -1, beta_row = -1; /* the first slots of the form's rows by class; -1: none */
    if (choice->transport >= NS_TRANSPORTS)
        return false;
    ns_form_take(price->form, machine, ns_transport_memory(choice->transport), 0, &v);
    for (int r = 0; v.form->rows[r].doc != NULL; r++) {
        const ns_form_row *row = &v.form->rows[r];
        const char *last = row->by_class && row->path[0].at != NULL ? strrchr(row->path[0].at, '.') : NULL;
        if (last != NULL && alpha_row < 0 && strcmp(last, ".alpha") == 0)
            alpha_row = v.first[r];
        if (last != NULL && beta_row < 0 && strcmp(last, ".beta") == 0)
            beta_row = v.first[r];
    }
    /* Does a step's class of messages, at the process that decides, lie just past a size where a message takes
     * longer? */
    for (int l = 0; l < NS_LOCALITIES; l++)
        for (int to = 1; to < NS_PROTOCOLS; to++) {
            const ns_locality table = v.form->one_table ? NS_OFF_NODE : (ns_locality)l;
            const ns_line *line = machine->line[v.memory][table];
            bool found = false;
            int from = to - 1;
            while (from >= 0 && !line[from].given)
                from--;
            for (int s = 0; s < price->steps && !found && from >= 0 && line[to].given; s++) {
                const ns_step_price *step = &price->step[s];
                const ns_class_load *load = &step->load[l][to];
                if (!(load->messages > 0) || !(load->bytes > 0))
                    continue;
                ns_protocol longest;
                const bool is_longest =
                    ns_machine_line(machine, v.memory, table, step->message_bytes[l], &longest) != NULL &&
                    (int)longest == to;
                const double at = line[to].from; /* first size of `to` */
                const double mean = is_longest ? step->message_bytes[l] : fmax(at, load->bytes / load->messages);

                /* Start-ups per message (2 where a form counts both ends), and how often its bytes count, out and
                 * in. */
                const int alpha = alpha_row + NS_PROTOCOLS * l, beta = beta_row + NS_PROTOCOLS * l;
                const double start_ups =
                    alpha_row >= 0 && step->amount[alpha + to] > 0 ? step->amount[alpha + to] : load->messages;
                const double ends = start_ups * mean / load->bytes;
                const double ways =
                    beta_row >= 0 && step->amount[beta + to] > 0 ? step->amount[beta + to] / load->bytes : 1;
                double start_up[2], moving[2]; /* of a message of that size by `from` and by `to` */
                for (int i = 0; i < 2; i++) {
                    const int by = i == 0 ? from : to;
                    start_up[i] = ends * (alpha_row >= 0 ? v.value[alpha + by] : 0);
                    moving[i] = ways * (beta_row >= 0 ? v.value[beta + by] : 0) * at;
                }

                /* Bytes do not count where a node's rate decides for all protocols, or where a floor exceeds the time
                 * to move them.  The time paid is the class's start-ups plus its bytes, at the line's rate or at the
                 * limit that exceeds it. */
                const double fixed = ns_price_term(price, "fixed");
                const bool bytes_count = !(step->injection && l == NS_OFF_NODE) && !(fixed > 0);
                double by_rates = 0, paid = 0;
                for (int r = 0; v.form->rows[r].doc != NULL; r++) {
                    const ns_form_row *row = &v.form->rows[r];
                    const int slot = v.first[r] + (row->by_class ? NS_PROTOCOLS * l + to : 0);
                    if (!row->by_class && strcmp(row->unit, "ns/B") == 0)
                        by_rates += step->amount[slot] * v.value[slot];
                    else if (row->by_class && (bytes_count || strcmp(row->unit, "us") == 0))
                        paid += step->amount[slot] * v.value[slot];
                }
                const double hiding = fmax(step->bytes_s, by_rates) + fixed;
                /* The handshake of rendezvous messages, which shorter messages would not need. */
                const int term = ns_form_term(v.form, "handshake");
                const double handshake = term >= 0 && to == NS_RENDEZVOUS ? step->term[term] : 0;

                *drop = (ns_price_drop){.memory = v.memory,
                                        .locality = (ns_locality)l,
                                        .from = (ns_protocol)from,
                                        .to = (ns_protocol)to,
                                        .at = at,
                                        .before_s = start_up[0] + moving[0],
                                        .after_s = start_up[1] + moving[1],
                                        .message_bytes = mean};
                /* The same number of messages just below the size: their bytes count where they exceed the time that
                 * hides them. */
                const double messages = load->bytes / mean, bytes = messages * moving[0];
                const double gained = (messages * start_up[0] + (bytes_count ? bytes : fmax(0, bytes - hiding))) -
                                      paid - handshake;
                found = drop->after_s < drop->before_s && gained > 0 && gained >= LEAST * price->estimate_s;
            }
            if (found && index-- == 0)
                return true;
        }
    return false;
}
