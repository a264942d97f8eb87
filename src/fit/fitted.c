/* fitted.c -- the interface of libnsmodel-fit to other programs: logs in, a machine out */
#include <nsmodel/fit.h>
#include <nsmodel/json.h>

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/own.h"
#include "core/refuse.h"
#include "fit/fit.h"

struct ns_fitted {
    ns_log *log;
    ns_fit *fit;
    char *name, *title, *cite; /* copies, which the fit's options point to */
    char **warning;
    size_t warnings;
};

/* ---- logs, lines, warnings --------------------------------------------------------------------------------------- */

/* Concatenate three texts into an allocated string; NULL when memory runs out. */
static char *joined(const char *first, const char *second, const char *third)
{
    const size_t room = ns_size_add(strlen(first) + strlen(second) + strlen(third), 1);
    char *text = ns_malloc(room);
    if (text != NULL)
        snprintf(text, room, "%s%s%s", first, second, third);
    return text;
}

/* ---- public functions -------------------------------------------------------------------------------------------- */

NS_FREED_BY(ns_fitted_free, ns_fitted)

ns_status ns_fit_files(const char *const *path, size_t paths, const ns_fit_settings *settings, ns_fitted **fitted,
                       ns_error *err)
{
    ns_error_clear(err);
    ns_fit_settings taken = NS_FIT_SETTINGS_DEFAULT; /* fields unknown to the caller keep their defaults */
    if (settings != NULL && (settings->size < sizeof settings->size || settings->size > sizeof taken))
        return ns_fail(err, NS_ERR_RANGE,
                       "settings of a fit have %zu bytes, not %zu: set size to sizeof(ns_fit_settings)", sizeof taken,
                       settings->size);
    if (settings != NULL)
        memcpy(&taken, settings, settings->size);
    if (taken.memory < -1 || taken.memory >= NS_MEMORIES || taken.locality < -1 || taken.locality >= NS_LOCALITIES)
        return ns_fail(err, NS_ERR_RANGE, "no memory %d or no locality %d; -1 leaves them to the logs", taken.memory,
                       taken.locality);
    if (taken.per_node < 0 || taken.per_node > NS_FIT_NODE_MOST || taken.sockets < 0 || taken.gpus < -1 ||
        taken.gpus > NS_FIT_GPUS_MOST)
        return ns_fail(err, NS_ERR_RANGE, "a node of %d processes on %d sockets with %d GPUs is none", taken.per_node,
                       taken.sockets, taken.gpus);
    NS_OWN(ns_fitted_free) ns_fitted *made = ns_calloc(1, sizeof *made);
    if (made == NULL)
        return ns_no_memory(err);
    const char *const given[] = {taken.name, taken.title, taken.cite};
    char **const kept[] = {&made->name, &made->title, &made->cite};
    for (int i = 0; i < 3; i++)
        if (given[i] != NULL && (*kept[i] = joined(given[i], "", "")) == NULL)
            return ns_no_memory(err);
    ns_log_options reading = NS_LOG_OPTIONS_DEFAULT;
    if (paths == 0 || paths > INT_MAX)
        return ns_fail(err, NS_ERR_RANGE, "a fit wants at least one log, got %zu", paths);
    reading.tool = taken.tool;
    reading.kind = taken.kind;
    reading.memory = taken.memory;
    reading.locality = taken.locality;
    reading.per_node = taken.per_node;
    reading.sockets = taken.sockets;
    NS_TRY(ns_log_read(path, (int)paths, &reading, &made->log, err));
    ns_fit_options options = {.switches = -1,
                              .name = made->name,
                              .title = made->title,
                              .cite = made->cite,
                              .per_node = taken.per_node,
                              .sockets = taken.sockets,
                              .gpus = taken.gpus};
    int statistic = NS_STATISTIC_MEDIAN;
    if (taken.statistic != NULL)
        NS_TRY(ns_choose_word("a fit's statistic", ns_statistic_words, taken.statistic, &statistic, err));
    options.statistic = (ns_statistic)statistic;
    NS_TRY(ns_fit_log(made->log, &options, &made->fit, err));
    const ns_log *log = made->log;
    const ns_fit *fit = made->fit;
    made->warning = ns_calloc(ns_size_add(ns_size_add(log->warnings, fit->warnings), 1), sizeof(char *));
    if (made->warning == NULL)
        return ns_no_memory(err);
    for (size_t i = 0; i < log->warnings + fit->warnings; i++) {
        const ns_log_warning *w = i < log->warnings ? &log->warning[i] : NULL;
        char place[32] = ": ";
        if (w != NULL && w->line > 0)
            snprintf(place, sizeof place, ":%ld: ", w->line);
        char *text =
            w != NULL ? joined(log->file[w->file], place, w->text) : joined("", "", fit->warning[i - log->warnings]);
        if (text == NULL)
            return ns_no_memory(err);
        made->warning[made->warnings++] = text;
    }
    *fitted = made;
    made = NULL;
    return NS_OK;
}

void ns_fitted_free(ns_fitted *fitted)
{
    if (fitted == NULL)
        return;
    for (size_t i = 0; i < fitted->warnings; i++)
        ns_free(fitted->warning[i]);
    ns_free(fitted->warning);
    ns_fit_free(fitted->fit);
    ns_log_free(fitted->log);
    ns_free(fitted->name);
    ns_free(fitted->title);
    ns_free(fitted->cite);
    ns_free(fitted);
}

ns_status ns_fitted_file(const ns_fitted *fitted, ns_value **root, ns_error *err)
{
    ns_error_clear(err);
    ns_value *made = ns_value_new();
    if (made == NULL)
        return ns_no_memory(err);
    const ns_status status = ns_fit_machine(fitted->fit, fitted->log, made, err);
    if (status != NS_OK)
        ns_value_free(made);
    else
        *root = made;
    return status;
}

ns_status ns_fitted_machine(const ns_fitted *fitted, ns_machine **machine, ns_error *err)
{
    ns_error_clear(err);
    ns_value *root;
    char *text;
    size_t size;
    NS_TRY(ns_fitted_file(fitted, &root, err));
    ns_status status = ns_json_write(root, &text, &size, err);
    ns_value_free(root);
    if (status != NS_OK)
        return status;
    status = ns_machine_parse(text, fitted->fit->name, machine, err);
    ns_free(text);
    return status;
}

size_t ns_fitted_samples(const ns_fitted *fitted)
{
    return fitted->log->samples;
}

const char *ns_fitted_warning(const ns_fitted *fitted, size_t index)
{
    return index < fitted->warnings ? fitted->warning[index] : NULL;
}

bool ns_fitted_class_at(const ns_fitted *fitted, size_t index, ns_fitted_class *line)
{
    const ns_fit *fit = fitted->fit;
    for (size_t g = 0; g < fit->groups; g++) {
        const ns_fit_group *group = &fit->group[g];
        if (!group->in_machine)
            continue;
        if (index < (size_t)group->classes) {
            const ns_fit_class *found = &group->of[index];
            const ns_fitted_class told = {.size = line->size,
                                          .memory = group->memory,
                                          .locality = group->locality,
                                          .protocol = found->protocol,
                                          .from = found->from,
                                          .least = found->least,
                                          .most = found->most,
                                          .alpha = found->line.alpha,
                                          .beta = found->line.beta,
                                          .alpha_se = found->line.alpha_se,
                                          .beta_se = found->line.beta_se,
                                          .median_error = found->median_error,
                                          .samples = found->samples};
            memcpy(line, &told, line->size < sizeof told ? line->size : sizeof told); /* at most the caller's size */
            return true;
        }
        index -= (size_t)group->classes;
    }
    return false;
}
