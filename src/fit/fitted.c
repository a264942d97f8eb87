/* fitted.c -- what libnsmodel-fit offers to other programs: logs in, a machine out */
#include <nsmodel/fit.h>
#include <nsmodel/json.h>

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/refuse.h"
#include "fit/fit.h"

struct ns_fitted {
    ns_log *log;
    ns_fit *fit;
    char *name, *title, *cite; /* copies, which the fit's options point at */
    char **warning;
    size_t warnings;
};

/* ---- settings ---------------------------------------------------------------------------------------------------- */

/* Fields that the caller does not know keep their defaults. */
static ns_status take_settings(const ns_fit_settings *given, ns_fit_settings *taken, ns_error *err)
{
    const ns_fit_settings usual = NS_FIT_SETTINGS_DEFAULT;
    *taken = usual;
    if (given == NULL)
        return NS_OK;
    if (given->size < sizeof given->size || given->size > sizeof *taken)
        return ns_fail(err, NS_ERR_RANGE,
                       "settings of a fit have %zu bytes, not %zu: set size to sizeof(ns_fit_settings)", sizeof *taken,
                       given->size);
    memcpy(taken, given, given->size);
    if (taken->memory < -1 || taken->memory >= NS_MEMORIES || taken->locality < -1 || taken->locality >= NS_LOCALITIES)
        return ns_fail(err, NS_ERR_RANGE, "no memory %d or no locality %d; -1 leaves them to the logs", taken->memory,
                       taken->locality);
    if (taken->per_node < 0 || taken->per_node > NS_FIT_NODE_MOST || taken->sockets < 0 || taken->gpus < -1 ||
        taken->gpus > NS_FIT_GPUS_MOST)
        return ns_fail(err, NS_ERR_RANGE, "a node of %d processes on %d sockets with %d GPUs is none", taken->per_node,
                       taken->sockets, taken->gpus);
    return NS_OK;
}

static ns_status copy_text(const char *text, char **copy, ns_error *err)
{
    if (text == NULL)
        return NS_OK;
    const size_t size = strlen(text) + 1;
    *copy = ns_malloc(size);
    if (*copy == NULL)
        return ns_no_memory(err);
    memcpy(*copy, text, size);
    return NS_OK;
}

static ns_status keep_texts(ns_fitted *fitted, const ns_fit_settings *settings, ns_error *err)
{
    NS_TRY(copy_text(settings->name, &fitted->name, err));
    NS_TRY(copy_text(settings->title, &fitted->title, err));
    return copy_text(settings->cite, &fitted->cite, err);
}

/* ---- logs, lines, warnings --------------------------------------------------------------------------------------- */

static ns_status read_logs(ns_fitted *fitted, const char *const *path, size_t paths, const ns_fit_settings *settings,
                           ns_error *err)
{
    ns_log_options reading = NS_LOG_OPTIONS_DEFAULT;
    if (paths == 0 || paths > INT_MAX)
        return ns_fail(err, NS_ERR_RANGE, "a fit wants at least one log, got %zu", paths);
    reading.tool = settings->tool;
    reading.kind = settings->kind;
    reading.memory = settings->memory;
    reading.locality = settings->locality;
    reading.per_node = settings->per_node;
    reading.sockets = settings->sockets;
    return ns_log_read(path, (int)paths, &reading, &fitted->log, err);
}

static ns_status fit_lines(ns_fitted *fitted, const ns_fit_settings *settings, ns_error *err)
{
    ns_fit_options options = {.switches = -1,
                              .name = fitted->name,
                              .title = fitted->title,
                              .cite = fitted->cite,
                              .per_node = settings->per_node,
                              .sockets = settings->sockets,
                              .gpus = settings->gpus};
    int statistic = NS_STATISTIC_MEDIAN;
    if (settings->statistic != NULL)
        NS_TRY(ns_choose_word("a fit's statistic", ns_statistic_words, settings->statistic, &statistic, err));
    options.statistic = (ns_statistic)statistic;
    return ns_fit_log(fitted->log, &options, &fitted->fit, err);
}

/* "FILE:LINE: TEXT", as far as they are known. */
static ns_status keep_warning(ns_fitted *fitted, const char *file, long line, const char *text, ns_error *err)
{
    char place[24] = "";
    if (line > 0)
        snprintf(place, sizeof place, ":%ld", line);
    const size_t room = strlen(file) + strlen(place) + strlen(text) + 3;
    char *kept = ns_malloc(room);
    if (kept == NULL)
        return ns_no_memory(err);
    snprintf(kept, room, "%s%s%s%s", file, place, *file != '\0' ? ": " : "", text);
    fitted->warning[fitted->warnings++] = kept;
    return NS_OK;
}

static ns_status keep_warnings(ns_fitted *fitted, ns_error *err)
{
    const ns_log *log = fitted->log;
    const ns_fit *fit = fitted->fit;
    fitted->warning = ns_calloc(ns_size_add(ns_size_add(log->warnings, fit->warnings), 1), sizeof(char *));
    if (fitted->warning == NULL)
        return ns_no_memory(err);
    for (size_t i = 0; i < log->warnings; i++)
        NS_TRY(keep_warning(fitted, log->file[log->warning[i].file], log->warning[i].line, log->warning[i].text, err));
    for (size_t i = 0; i < fit->warnings; i++)
        NS_TRY(keep_warning(fitted, "", 0, fit->warning[i], err));
    return NS_OK;
}

/* ---- what is offered --------------------------------------------------------------------------------------------- */

ns_status ns_fit_files(const char *const *path, size_t paths, const ns_fit_settings *settings, ns_fitted **fitted,
                       ns_error *err)
{
    ns_error_clear(err);
    ns_fit_settings taken;
    NS_TRY(take_settings(settings, &taken, err));
    ns_fitted *made = ns_calloc(1, sizeof *made);
    if (made == NULL)
        return ns_no_memory(err);
    ns_status status = keep_texts(made, &taken, err);
    if (status == NS_OK)
        status = read_logs(made, path, paths, &taken, err);
    if (status == NS_OK)
        status = fit_lines(made, &taken, err);
    if (status == NS_OK)
        status = keep_warnings(made, err);
    if (status != NS_OK)
        ns_fitted_free(made);
    else
        *fitted = made;
    return status;
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

/* No more than the caller has room for. */
static void tell_class(const ns_fit_group *group, const ns_fit_class *found, ns_fitted_class *line)
{
    ns_fitted_class told = {.size = line->size,
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
    memcpy(line, &told, line->size < sizeof told ? line->size : sizeof told);
}

bool ns_fitted_class_at(const ns_fitted *fitted, size_t index, ns_fitted_class *line)
{
    const ns_fit *fit = fitted->fit;
    for (size_t g = 0; g < fit->groups; g++) {
        if (!fit->group[g].in_machine)
            continue;
        const size_t classes = (size_t)fit->group[g].classes;
        if (index < classes) {
            tell_class(&fit->group[g], &fit->group[g].of[index], line);
            return true;
        }
        index -= classes;
    }
    return false;
}
