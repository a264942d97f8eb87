/* fit.c -- fit a whole log: groups and classes first, then the constants that depend on them */
#include "fit/fit.h"

#include "core/memory.h"
#include "core/own.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { WARNINGS_MAX = 200 };

ns_status ns_fit_warn(ns_fit *fit, ns_error *err, const char *format, ...)
{
    char text[600];
    va_list list;
    if (fit->warnings == WARNINGS_MAX)
        return NS_OK;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    for (size_t i = 0; i < fit->warnings; i++)
        if (strcmp(fit->warning[i], text) == 0)
            return NS_OK;
    const size_t size = strlen(text) + 1;
    char *kept = ns_malloc(size);
    if (kept == NULL)
        return ns_no_memory(err);
    memcpy(kept, text, size);
    fit->warning[fit->warnings++] = kept;
    return NS_OK;
}

NS_FREED_BY(ns_fit_free, ns_fit)

ns_status ns_fit_log(const ns_log *log, const ns_fit_options *options, ns_fit **result, ns_error *err)
{
    NS_OWN(ns_fit_free) ns_fit *fit = ns_calloc(1, sizeof *fit);
    if (fit == NULL)
        return ns_no_memory(err);
    fit->options = *options;
    const char *name = fit->options.name != NULL ? fit->options.name : "fitted";
    fit->name = ns_malloc(strlen(name) + 1);
    fit->warning = ns_malloc(WARNINGS_MAX * sizeof *fit->warning);
    if (fit->name == NULL || fit->warning == NULL)
        return ns_no_memory(err);
    memcpy(fit->name, name, strlen(name) + 1);
    for (size_t i = 0; i < log->samples; i++)
        fit->device = fit->device || (log->sample[i].memory == NS_DEVICE && log->sample[i].kind != NS_COLLECTIVE);
    ns_fit_count_processes(fit, log);
    NS_TRY(ns_fit_groups(fit, log, err));
    NS_TRY(ns_fit_mark_caches(fit, err));
    NS_TRY(ns_fit_injections(fit, log, err));
    NS_TRY(ns_fit_queue(fit, log, err));
    NS_TRY(ns_fit_copies(fit, log, err));
    NS_TRY(ns_fit_in_flights(fit, log, err));
    NS_TRY(ns_fit_loaded_tables(fit, log, err));
    NS_TRY(ns_fit_exchange_warnings(fit, log, err));
    NS_TRY(ns_fit_loggp(fit, log, err));
    NS_TRY(ns_fit_sanity(fit, err));
    NS_TRY(ns_fit_collectives(fit, log, err));
    *result = fit;
    fit = NULL;
    return NS_OK;
}

void ns_fit_free(ns_fit *fit)
{
    if (fit == NULL)
        return;
    for (size_t i = 0; i < fit->groups; i++) {
        ns_curve_free(&fit->group[i].curve);
        ns_free(fit->group[i].error);
    }
    for (int m = 0; m < NS_MEMORIES; m++)
        ns_free(fit->injection[m].rate);
    for (size_t i = 0; i < fit->warnings; i++)
        ns_free(fit->warning[i]);
    ns_free(fit->warning);
    ns_free(fit->group);
    ns_free(fit->copy);
    ns_free(fit->collective);
    ns_free(fit->name);
    ns_free(fit);
}

const ns_fit_group *ns_fit_group_at(const ns_fit *fit, int memory, int locality)
{
    for (size_t g = 0; g < fit->groups; g++)
        if (fit->group[g].in_machine && (int)fit->group[g].memory == memory && (int)fit->group[g].locality == locality)
            return &fit->group[g];
    return NULL;
}

const ns_fit_class *ns_fit_line(const ns_fit *fit, ns_memory memory, ns_locality locality, double bytes)
{
    const ns_fit_group *group = ns_fit_group_at(fit, (int)memory, (int)locality);
    const ns_fit_class *found = NULL;
    for (int c = 0; group != NULL && c < group->classes; c++)
        if (bytes >= group->of[c].from)
            found = &group->of[c];
    return found;
}
