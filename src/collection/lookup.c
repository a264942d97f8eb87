/* lookup.c -- the order of places for a name: a file, a stencil, the caller's places, embedded matrices, surrogates */
#include "collection/lookup.h"
#include "core/context.h"
#include "core/refuse.h"

#include <stdio.h>
#include <string.h>

#include "bytes/bytes.h"
#include "matrix/open.h"

static bool is_part(const char *text, size_t length)
{
    return length > 0 && length < NS_LOOKUP_NAME && text[0] != '.';
}

/* NAME or GROUP/NAME; no part begins with a dot. */
static bool split_name(ns_lookup *l)
{
    const char *slash = strchr(l->spec, '/'), *name = slash != NULL ? slash + 1 : l->spec;
    size_t group = slash != NULL ? (size_t)(slash - l->spec) : 0;
    if (strchr(name, '/') != NULL || !is_part(name, strlen(name)) || (slash != NULL && !is_part(l->spec, group)))
        return false;
    memcpy(l->group, l->spec, group);
    strcpy(l->name, name);
    return true;
}

ns_status ns_lookup_catalogue(ns_lookup *lookup, ns_error *err)
{
    if (lookup->catalogue == NULL) {
        NS_TRY(ns_catalogue_open(&lookup->catalogue, err));
        lookup->matches = ns_catalogue_matches(lookup->catalogue, lookup->spec, &lookup->match);
    }
    return NS_OK;
}

void ns_lookup_close(ns_lookup *lookup)
{
    ns_catalogue_free(lookup->catalogue);
    lookup->catalogue = NULL;
}

/* Record a find unless there was one before; true when the search may end. */
static bool settle(ns_lookup *l, ns_lookup_kind kind, ns_matrix_step *step)
{
    step->size = sizeof *step;
    step->used = kind != NS_IS_NOTHING && l->kind == NS_IS_NOTHING && !l->ambiguous;
    if (step->used)
        l->kind = kind;
    if (l->tell != NULL)
        l->tell(l->context, step);
    return l->tell == NULL && (l->kind != NS_IS_NOTHING || l->ambiguous);
}

static ns_status look_for_file(ns_lookup *l, bool *done, ns_error *err)
{
    bool there;
    NS_TRY(ns_file_look(l->spec, &there, err));
    const bool stencil = !there && ns_is_stencil(l->spec);
    ns_matrix_step step = {
        .place = stencil ? "stencil" : "file", .looked_for = l->spec, .found = there || stencil ? l->spec : NULL};
    *done = settle(l, there ? NS_IS_FILE : stencil ? NS_IS_STENCIL : NS_IS_NOTHING, &step);
    return NS_OK;
}

static ns_status look_in(ns_lookup *l, const ns_matrix_place *place, bool *done, ns_error *err)
{
    ns_find find;
    NS_TRY(ns_lookup_folder(l, place->directory, &find, err));
    bool there = find.path[0] != '\0', readable = there && find.words == NULL;
    l->ambiguous |= find.several && l->kind == NS_IS_NOTHING;
    ns_matrix_step step = {.place = place->label,
                           .looked_for = place->directory,
                           .found = there ? find.path : NULL,
                           .note = find.several ? "files of several groups: say GROUP/NAME" : find.words};
    *done = settle(l, readable ? NS_IS_IN_PLACE : NS_IS_NOTHING, &step);
    if (step.used) {
        memcpy(l->path, find.path, sizeof find.path);
        l->source = place->source;
    }
    if (there && !readable)
        ns_tell_host(NS_LOG_WARNING, "%s is skipped: %s", find.path, find.words);
    if (find.several)
        ns_tell_host(NS_LOG_WARNING, "%s has files of several groups for %s, and none is taken: say GROUP/NAME",
                     place->directory, l->spec);
    if (there && !readable && l->foreign[0] == '\0') {
        memcpy(l->foreign, find.path, sizeof find.path);
        l->foreign_words = find.words;
    }
    return NS_OK;
}

static const ns_embedded *find_embedded(const char *name)
{
    char path[NS_LOOKUP_NAME + 32];
    const ns_embedded *file = ns_embedded_files;
    snprintf(path, sizeof path, "params/matrices/%s.nsp", name);
    while (file->path != NULL && strcmp(file->path, path) != 0)
        file++;
    return file->path != NULL ? file : NULL;
}

static ns_status look_embedded(ns_lookup *l, bool *done, ns_error *err)
{
    const ns_embedded *file = find_embedded(l->name);
    if (file != NULL && *l->group != '\0') {
        NS_TRY(ns_lookup_catalogue(l, err));
        file = l->matches > 0 ? file : NULL;
    }
    l->embedded = file;
    ns_matrix_step step = {.place = "embedded", .looked_for = l->spec, .found = file != NULL ? file->path : NULL};
    *done = settle(l, file != NULL ? NS_IS_EMBEDDED : NS_IS_NOTHING, &step);
    return NS_OK;
}

static ns_status look_for_surrogate(ns_lookup *l, ns_error *err)
{
    char full[2 * NS_LOOKUP_NAME + 2] = "";
    NS_TRY(ns_surrogate_find(l->spec, &l->surrogate, err));
    if (l->surrogate != NULL)
        snprintf(full, sizeof full, "%s/%s", l->surrogate->group, l->surrogate->name);
    ns_matrix_step step = {.place = "surrogate",
                           .looked_for = l->spec,
                           .found = l->surrogate != NULL ? full : NULL,
                           .note = l->surrogate != NULL ? "generated, not the real matrix" : NULL};
    settle(l, l->surrogate != NULL ? NS_IS_SURROGATE : NS_IS_NOTHING, &step);
    return NS_OK;
}

ns_status ns_lookup_run(ns_lookup *lookup, ns_error *err)
{
    bool done;
    NS_TRY(look_for_file(lookup, &done, err));
    lookup->is_name = split_name(lookup) && !ns_is_stencil(lookup->spec);
    if (done || !lookup->is_name)
        return NS_OK;
    for (size_t i = 0; i < lookup->places; i++) {
        NS_TRY(look_in(lookup, &lookup->place[i], &done, err));
        if (done)
            return NS_OK;
    }
    NS_TRY(look_embedded(lookup, &done, err));
    return done ? NS_OK : look_for_surrogate(lookup, err);
}

ns_status ns_matrix_where(const char *spec, const ns_matrix_place *place, size_t places, ns_matrix_step_fn *tell,
                          void *context, ns_error *err)
{
    ns_lookup lookup = {.spec = spec, .place = place, .places = places, .tell = tell, .context = context};
    ns_status status = ns_lookup_run(&lookup, err);
    ns_lookup_close(&lookup);
    return status;
}

/* ---- nothing found ----------------------------------------------------------------------------------------------- */

static bool looks_like_path(const char *spec)
{
    static const char *const endings[] = {".mtx", ".gz", ".tgz", ".tar", ".mm", ".nsp"};
    size_t length = strlen(spec);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t n = strlen(endings[i]);
        if (length > n && strcmp(spec + length - n, endings[i]) == 0)
            return true;
    }
    return false;
}

static ns_status fail_catalogued(const ns_lookup *l, ns_error *err)
{
    const ns_catalogue_entry *e = l->match;
    if (l->foreign[0] != '\0')
        return ns_fail_at(err, NS_ERR_FILE, l->foreign, 0, 0, "%s", l->foreign_words);
    char full[128];
    snprintf(full, sizeof full, "%s/%s", e->group, e->name);
    return ns_fail_for(err, NS_ERR_FILE, NS_REMEDY_MATRIX, full,
                       "%s (%lld x %lld, %lld entries) is in the catalogue, but no file of it was found, and there is "
                       "no surrogate",
                       full, (long long)e->rows, (long long)e->cols, (long long)e->stored);
}

ns_status ns_lookup_fail(ns_lookup *lookup, ns_error *err)
{
    const char *spec = lookup->spec;
    const ns_catalogue_entry *entry;
    char closest[NS_LOOKUP_NAME];
    if (*spec != '\0' && (!lookup->is_name || looks_like_path(spec)))
        return NS_OK; /* a path: opening it says what is wrong */
    NS_TRY(ns_lookup_catalogue(lookup, err));
    if (lookup->matches == 1)
        return fail_catalogued(lookup, err);
    if (lookup->matches > 1)
        return ns_catalogue_find(lookup->catalogue, spec, &entry, err); /* which lists them */
    if (*lookup->group != '\0' && ns_catalogue_matches(lookup->catalogue, lookup->name, &entry) > 0)
        return ns_fail(err, NS_ERR_NAME, "no matrix \"%.200s\": no such file or name, did you mean \"%s/%s\"?", spec,
                       entry->group, entry->name);
    if (ns_catalogue_closest(lookup->catalogue, spec, closest, sizeof closest))
        return ns_fail(err, NS_ERR_NAME, "no matrix \"%.200s\": no such file or name, did you mean \"%s\"?", spec,
                       closest);
    if (strchr(spec, '/') != NULL)
        return NS_OK;
    return ns_fail(err, NS_ERR_NAME,
                   "no matrix \"%.200s\": wanted a file, a stencil (\"stencil9:3200x3200\") or a name (\"audikw_1\")",
                   spec);
}
