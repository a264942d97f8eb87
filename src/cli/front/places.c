/* places.c -- where this user keeps matrices
 *
 * Known tools' folders: ssgetpy ~/.ssgetpy; ssget of Ginkgo ~/.config/ssget; ssget of SuiteSparse its own folder, so
 * the one of a SuiteSparse tree in the home folder, any other through NSMODEL_MATRIX_PATH.  All of them have
 * MM/GROUP/NAME.tar.gz below.
 */
#include "cli/front/places.h"

#include "core/memory.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *set(const char *variable)
{
    const char *value = getenv(variable);
    return value != NULL && *value != '\0' ? value : NULL;
}

/* Append base/below; texts never move, since there is room for all of them. */
static void add(ns_places *p, const char *label, ns_matrix_source source, const char *base, size_t length,
                const char *below)
{
    if (p->count == p->most || base == NULL || length == 0)
        return;
    char *directory = p->text + p->used;
    int wrote = snprintf(directory, p->room - p->used, "%.*s%s%s", (int)length, base, *below != '\0' ? "/" : "", below);
    if (wrote < 0 || (size_t)wrote >= p->room - p->used)
        return;
    p->used += (size_t)wrote + 1;
    p->place[p->count++] = (ns_matrix_place){label, directory, source};
}

static void add_below(ns_places *p, const char *label, const char *base, const char *below)
{
    if (base != NULL)
        add(p, label, NS_FROM_CACHE, base, strlen(base), below);
}

ns_status ns_places_open(ns_places *places, ns_error *err)
{
    const char *path = set("NSMODEL_MATRIX_PATH"), *home = set("HOME"), *cache = set("XDG_CACHE_HOME");
    enum { LONGEST_BELOW = 32, TOOLS = 16 }; /* room for a path's folders and TOOLS others below home and cache */
    *places = (ns_places){.most = TOOLS};
    for (const char *c = path; c != NULL && *c != '\0'; c++)
        places->most += *c == ':';
    places->room = (path != NULL ? strlen(path) : 0) + places->most +
                   TOOLS * ((home != NULL ? strlen(home) : 0) + (cache != NULL ? strlen(cache) : 0) + LONGEST_BELOW);
    places->text = ns_malloc(places->room);
    places->place = ns_calloc(places->most, sizeof *places->place);
    if (places->text == NULL || places->place == NULL)
        return ns_no_memory(err);

    for (const char *list = path; list != NULL;) {
        const size_t length = strcspn(list, ":");
        add(places, "NSMODEL_MATRIX_PATH", NS_FROM_FILE, list, length, "");
        list = list[length] == ':' ? list + length + 1 : NULL;
    }
    add_below(places, "ssget cache", home, ".ssgetpy");
    add_below(places, "ssget cache", home, ".ssget");
    add_below(places, "ssget cache", home, ".config/ssget");
    add_below(places, "ssget cache", home, "ssget");
    add_below(places, "ssget cache", home, "SuiteSparse/ssget");
    if (cache != NULL) {
        add_below(places, "ssget cache", cache, "ssget");
        add_below(places, "user cache", cache, "nsmodel");
    } else {
        add_below(places, "ssget cache", home, ".cache/ssget");
        add_below(places, "user cache", home, ".cache/nsmodel");
    }
    return NS_OK;
}

void ns_places_close(ns_places *places)
{
    ns_free(places->text);
    ns_free(places->place);
    *places = (ns_places){.count = 0};
}

ns_status ns_places_matrix(const char *spec, ns_matrix **matrix, ns_error *err)
{
    ns_places places;
    ns_status status = ns_places_open(&places, err);
    if (status == NS_OK)
        status = ns_matrix_open_in(spec, places.place, places.count, matrix, err);
    ns_places_close(&places);
    return status;
}
