/* machine_file.c -- write the fit as a machine file: schema nsmodel/machine/1
 *
 * It has only lines of single messages in flight, or their fallbacks, and limits that the data support.  Numbers are
 * written with six digits, more than their accuracy warrants.
 */
#include "fit/machine_file.h"
#include "core/memory.h"
#include "core/utf8.h"
#include "fit/fit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DIGITS = 6, FILES_NAMED = 6 };
static const double CORRELATION_STEPS = 1e4; /* four decimals of a correlation */

void ns_fit_put(ns_value *object, const char *name, double value, double se, ns_dim dim)
{
    char text[64], se_name[40];
    snprintf(se_name, sizeof se_name, "%s_se", name);
    ns_value_text(object, name, ns_quantity_format(value, dim, DIGITS, text, sizeof text));
    if (se > 0)
        ns_value_text(object, se_name, ns_quantity_format(se, dim, DIGITS, text, sizeof text));
}

void ns_fit_put_line(ns_value *object, const ns_line_estimate *line)
{
    ns_fit_put(object, "alpha", line->alpha, line->alpha_se, NS_SECOND);
    ns_fit_put(object, "beta", line->beta, line->beta_se, NS_SECOND_PER_BYTE);
    if (line->alpha_se > 0 && line->beta_se > 0)
        ns_value_count(object, "correlation",
                       round(CORRELATION_STEPS * line->covariance / (line->alpha_se * line->beta_se)) /
                           CORRELATION_STEPS);
}

static void bytes(ns_value *object, const char *name, double value)
{
    ns_value_textf(object, name, "%.0f B", value);
}

/* ---- origin ------------------------------------------------------------------------------------------------------ */

enum { FILES_SIZE = 600, TOOLS_SIZE = 200 };

/* The files of the samples, the first few by name, and the tools that read them; without memory for the list, all. */
static void describe(const ns_fit *fit, const ns_log *log, char tools[TOOLS_SIZE], ns_value *root)
{
    const ns_fit_options *o = &fit->options;
    char files[FILES_SIZE], warning[NS_FIT_WARNING];
    ns_value *list = NULL;
    int named = 0, all = 0;
    bool *read = ns_calloc((size_t)log->files, sizeof *read);
    for (size_t i = 0; read != NULL && i < log->samples; i++)
        read[log->sample[i].file] = true;
    *files = *tools = '\0';
    for (int f = 0; f < log->files; f++) {
        if (read != NULL && !read[f])
            continue;
        const char *slash = strrchr(log->file[f], '/');
        const size_t used = strlen(files), used_tools = strlen(tools);
        bool again = *log->tool[f] == '\0';
        for (int g = 0; g < f && !again; g++)
            again = (read == NULL || read[g]) && strcmp(log->tool[f], log->tool[g]) == 0;
        if (!again)
            snprintf(tools + used_tools, TOOLS_SIZE - used_tools, "%s%s", used_tools > 0 ? ", " : "", log->tool[f]);
        if (all++ >= FILES_NAMED)
            continue;
        named++;
        snprintf(files + used, FILES_SIZE - used, "%s%s", used > 0 ? ", " : "",
                 slash != NULL && slash[1] != '\0' ? slash + 1 : log->file[f]);
    }
    ns_free(read);
    const size_t used = strlen(files);
    if (all > named)
        snprintf(files + used, FILES_SIZE - used, " and %d more", all - named);
    ns_value_text(root, "schema", "nsmodel/machine/1");
    ns_value_text(root, "name", fit->name);
    if (o->title != NULL)
        ns_value_text(root, "title", o->title);
    else
        ns_value_textf(root, "title", "%s: fitted from %zu samples of %s", fit->name, log->samples, tools);
    ns_value_textf(root, "source", "nsmodel fit, %s logs %s", tools, o->cite != NULL ? o->cite : files);
    if (o->command != NULL)
        ns_value_text(root, "note", o->command);
    for (size_t at = 0; ns_fit_warning_line(fit, log, &at, warning);) {
        list = list != NULL ? list : ns_value_list(root, "warnings");
        ns_utf8_mask(warning); /* it may quote a log */
        ns_value_text(list, NULL, warning);
    }
}

/* ---- lines ------------------------------------------------------------------------------------------------------- */

static void protocols(const ns_fit *fit, const ns_fit_group *g, ns_value *object)
{
    ns_value *p = ns_value_object(object, "protocols");
    for (int c = 0; c < g->classes; c++)
        bytes(p, ns_protocol_words[g->of[c].protocol], g->of[c].from);
    const double *given;
    ns_value_text(p, "source",
                  ns_fit_switches(&fit->options, g->memory, &given) >= 0 ? "given to nsmodel fit"
                                                                         : "switch points found in the data");
}

static void lines(const ns_fit *fit, const char *tools, const ns_fit_group *g, bool own_protocols, ns_value *memory)
{
    static const char *const caches[] = {
        "", "; buffers in warm caches, where exchanges read memory",
        "; nothing shows whether the buffers lay in warm caches, where exchanges read memory"};
    char assumed[100] = "";
    ns_value *l = ns_value_object(memory, ns_locality_words[g->locality]);
    if (own_protocols)
        protocols(fit, g, l);
    for (int c = 0; c < g->classes; c++) {
        const ns_fit_class *of = &g->of[c];
        ns_value *line = ns_value_object(l, ns_protocol_words[of->protocol]);
        const ns_line_estimate alone = ns_fit_alone(g, &of->line);
        ns_fit_put_line(line, &alone);
        bytes(line, "to", of->most);
        ns_value_textf(line, "note", "measured from %.0f to %.0f B, %zu samples%s", of->least, of->most, of->samples,
                       caches[of->caches]);
    }
    if (ns_kind_is_window(g->kind))
        snprintf(assumed, sizeof assumed, "assumed: the gap of a window stands for latency: ");
    else if (g->together > 1)
        snprintf(assumed, sizeof assumed,
                 "assumed: the time of %d pairs at once stands for that of one alone: ", g->together);
    ns_value_textf(l, "source", "%snsmodel fit, %s data (%s)", assumed, ns_sample_kind_words[g->kind], tools);
}

/* Windows of messages go one way; of ping-pong pairs, half of the messages come back at any time. */
static void injection(const ns_fit *fit, int memory, ns_value *object)
{
    const ns_fit_injection *r = &fit->injection[memory];
    if (!r->given)
        return;
    ns_value *i = ns_value_object(object, "injection");
    if (!r->bound) {
        ns_value_count(i, "unlimited_pairs", r->most_pairs);
    } else {
        ns_fit_put(i, "inverse_R_N", r->inverse_R_N, r->se, NS_SECOND_PER_BYTE);
        if (r->kind != NS_NODE_PONG)
            ns_value_count(i, "directions", 1);
    }
    for (int p = 0; p < NS_PROTOCOLS && r->kind == NS_NODE_PONG; p++) {
        if (!(r->crowded[p] > 0))
            continue;
        ns_value *of = ns_value_object(i, ns_protocol_words[p]);
        ns_fit_put(of, "inverse_R", r->crowded[p], 0, NS_SECOND_PER_BYTE);
        ns_value_count(of, "slowdown", round(1000 * r->slowdown[p]) / 1000);
    }
    ns_value_textf(i, "source", "%snsmodel fit, %s data from %.0f B on, up to %d pairs, %zu samples",
                   r->at_least ? "assumed: what many pairs at once inject is all that the node does: " : "",
                   ns_sample_kind_words[r->kind], r->from, r->most_pairs, r->samples);
}

static ns_status memory(const ns_fit *fit, const ns_log *log, const char *tools, int m, ns_value *root, ns_error *err)
{
    const ns_fit_group *first = NULL;
    bool shared = true;
    for (int l = 0; l < NS_LOCALITIES; l++) {
        const ns_fit_group *g = ns_fit_group_at(fit, m, l);
        if (g == NULL)
            continue;
        first = first != NULL ? first : g;
        shared = shared && g->classes == first->classes;
        for (int c = 0; c < g->classes && shared; c++)
            shared = g->of[c].protocol == first->of[c].protocol && g->of[c].from == first->of[c].from;
    }
    const bool has_queue = m == NS_HOST && fit->gamma.given,
               limited = fit->injection[m].given && fit->injection[m].bound;
    const bool by_loggp = m == NS_HOST && ns_fit_has_loggp_line(fit);
    if (first == NULL && !has_queue && !limited && !by_loggp)
        return NS_OK;
    ns_value *object = ns_value_object(root, ns_memory_words[m]);
    if (first != NULL && shared)
        protocols(fit, first, object);
    for (int l = 0; l < NS_LOCALITIES; l++)
        if (ns_fit_group_at(fit, m, l) != NULL)
            lines(fit, tools, ns_fit_group_at(fit, m, l), !shared, object);
    if (by_loggp)
        ns_fit_loggp_line(fit, object);
    injection(fit, m, object);
    if (has_queue) {
        ns_value *q = ns_value_object(object, "queue");
        ns_fit_put(q, "gamma", fit->gamma.value, fit->gamma.se, NS_SECOND);
        ns_value_textf(q, "source",
                       "nsmodel fit, residual of receives posted in the worst order, up to %d messages, %zu samples",
                       fit->gamma.most_messages, fit->gamma.samples);
    }
    return ns_fit_exchange(fit, log, (ns_memory)m, object, err);
}

/* ---- copies, LogGP ----------------------------------------------------------------------------------------------- */

static const ns_fit_copy *copy_at(const ns_fit *fit, int processes, ns_direction direction)
{
    for (size_t i = 0; i < fit->copies; i++)
        if (fit->copy[i].processes == processes && fit->copy[i].direction == direction)
            return &fit->copy[i];
    return NULL;
}

/* Keep one, two, four and eight processes where measured: a machine holds only these levels.  Both directions are
 * needed. */
static void copies(const ns_fit *fit, ns_value *root)
{
    ns_value *list = NULL;
    char name[16];
    for (int processes = 1; processes <= 8; processes *= 2) {
        if (copy_at(fit, processes, NS_D2H) == NULL || copy_at(fit, processes, NS_H2D) == NULL)
            continue;
        if (list == NULL && processes != 1)
            return;
        list = list != NULL ? list : ns_value_object(root, "copy");
        snprintf(name, sizeof name, "%d", processes);
        ns_value *level = ns_value_object(list, name);
        for (int d = 0; d < NS_DIRECTIONS; d++) {
            const ns_fit_copy *c = copy_at(fit, processes, (ns_direction)d);
            ns_value *line = ns_value_object(level, ns_direction_words[d]);
            ns_fit_put_line(line, &c->line);
            ns_value_textf(line, "note", "measured from %.0f to %.0f B, %zu samples", c->least, c->most, c->samples);
            if (c->wait > 0) {
                ns_fit_put(line, "wait", c->wait, 0, NS_SECOND);
                ns_value_textf(line, "wait_below", "%.0f B", c->least);
            }
        }
    }
    if (list != NULL && list->first->next != NULL)
        ns_value_text(list, "bytes", "share"); /* each process of the benchmark copies the printed size */
    if (list != NULL)
        ns_value_text(list, "source", "nsmodel fit, copies between host and device, by processes that share a GPU");
}

static void loggp(const ns_fit *fit, ns_value *root)
{
    static const char *const names[NS_LOGGP_NUMBERS] = {"L", "o", "g", "G"};
    for (int i = 0; i < NS_LOGGP_NUMBERS; i++)
        if (!fit->loggp[i].given)
            return;
    ns_value *m = ns_value_object(ns_value_object(root, "models"), "loggp");
    for (int i = 0; i < NS_LOGGP_NUMBERS; i++)
        ns_fit_put(m, names[i], fit->loggp[i].value, fit->loggp[i].se,
                   i == NS_LOGGP_G_BYTE ? NS_SECOND_PER_BYTE : NS_SECOND);
    ns_value_text(m, "source",
                  fit->loggp_derived
                      ? "nsmodel fit, derived: G is beta of the longest messages, g alpha of a stream, o = g, "
                        "L = alpha - 2 o of the smallest"
                      : "nsmodel fit, medians of the tool's own LogGP numbers: o of the smallest sizes, g of the first "
                        "protocol, G of the last");
}

ns_status ns_fit_machine(const ns_fit *fit, const ns_log *log, ns_value *object, ns_error *err)
{
    if (fit->device && fit->options.gpus == 0)
        return ns_fail(err, NS_ERR_RANGE, "the logs have data of device memory, which a machine without GPUs has not");
    char tools[TOOLS_SIZE];
    describe(fit, log, tools, object);
    ns_fit_topology(fit, object);
    for (int m = 0; m < NS_MEMORIES; m++)
        NS_TRY(memory(fit, log, tools, m, object, err));
    if (fit->delta.given) {
        ns_value *c = ns_value_object(ns_value_object(object, "network"), "contention");
        ns_fit_put(c, "delta", fit->delta.value, fit->delta.se, NS_SECOND_PER_BYTE);
        ns_value_textf(c, "source",
                       "nsmodel fit, residual of contention data over plain lines, up to %d messages, %zu samples",
                       fit->delta.most_messages, fit->delta.samples);
    }
    copies(fit, object);
    loggp(fit, object);
    return ns_value_complete(object) ? NS_OK : ns_no_memory(err);
}
