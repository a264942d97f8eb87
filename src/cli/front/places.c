/* places.c -- the user's folders of matrices and machines, and the default machine
 *
 * Known tools' folders of matrices: ssgetpy ~/.ssgetpy; ssget of Ginkgo ~/.config/ssget; ssget of SuiteSparse its own
 * folder, so the one of a SuiteSparse tree in the home folder, any other through NSMODEL_MATRIX_PATH.  All of them have
 * MM/GROUP/NAME.tar.gz below.
 */
#define _XOPEN_SOURCE 700 /* struct stat */

#include "cli/front/places.h"

#include "core/memory.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *set(const char *variable)
{
    const char *value = getenv(variable);
    return value != NULL && *value != '\0' ? value : NULL;
}

ns_status ns_places_open(ns_places *places, ns_error *err)
{
    const char *path = set("NSMODEL_MATRIX_PATH"), *home = set("HOME"), *cache = set("XDG_CACHE_HOME");
    enum { LONGEST_BELOW = 32, TOOLS = 16 }; /* longest path below home or cache; folders of other tools */
    *places = (ns_places){.most = TOOLS};
    for (const char *c = path; c != NULL && *c != '\0'; c++)
        places->most += *c == ':';
    places->room = (path != NULL ? strlen(path) : 0) + places->most +
                   TOOLS * ((home != NULL ? strlen(home) : 0) + (cache != NULL ? strlen(cache) : 0) + LONGEST_BELOW);
    places->text = ns_malloc(places->room);
    places->place = ns_calloc(places->most, sizeof *places->place);
    if (places->text == NULL || places->place == NULL)
        return ns_no_memory(err);

    /* add base/below, where base is set; texts never move, since their capacity was computed before */
    static const char ssget[] = "ssget cache", own[] = "user cache";
    const char *const caches = cache != NULL ? cache : home;
    const struct {
        const char *label, *base, *below;
    } tools[] = {{ssget, home, "/.ssgetpy"},
                 {ssget, home, "/.ssget"},
                 {ssget, home, "/.config/ssget"},
                 {ssget, home, "/ssget"},
                 {ssget, home, "/SuiteSparse/ssget"},
                 {ssget, caches, cache != NULL ? "/ssget" : "/.cache/ssget"},
                 {own, caches, cache != NULL ? "/nsmodel" : "/.cache/nsmodel"}};
    for (size_t i = 0; path != NULL || i < sizeof tools / sizeof *tools;) {
        char *directory = places->text + places->used;
        const size_t room = places->room - places->used, length = path != NULL ? strcspn(path, ":") : 0;
        int wrote = -1;
        const char *label = path != NULL ? "NSMODEL_MATRIX_PATH" : tools[i].label;
        const ns_matrix_source source = path != NULL ? NS_FROM_FILE : NS_FROM_CACHE;
        if (path != NULL) {
            wrote = length > 0 ? snprintf(directory, room, "%.*s", (int)length, path) : -1;
            path = path[length] == ':' ? path + length + 1 : NULL;
        } else {
            wrote = tools[i].base != NULL ? snprintf(directory, room, "%s%s", tools[i].base, tools[i].below) : -1;
            i++;
        }
        if (places->count == places->most || wrote < 0 || (size_t)wrote >= room)
            continue;
        places->used += (size_t)wrote + 1;
        places->place[places->count++] = (ns_matrix_place){label, directory, source};
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

/* ---- machines ---------------------------------------------------------------------------------------------------- */

const char *ns_own_machines_folder(char *text, size_t size)
{
    static const char below[] = "nsmodel/machines";
    const char *config = set("XDG_CONFIG_HOME"), *home = set("HOME");
    const int length = config != NULL ? snprintf(text, size, "%s/%s", config, below)
                       : home != NULL ? snprintf(text, size, "%s/.config/%s", home, below)
                                      : -1;
    return length > 0 && (size_t)length < size ? text : NULL;
}

bool ns_machine_is_shipped(const char *name)
{
    for (const char *const *shipped = ns_machine_names(); *shipped != NULL; shipped++)
        if (strcmp(*shipped, name) == 0)
            return true;
    return false;
}

/* The file of a user's machine; false where the name is a path. */
static bool own_path(const char *name, char *path, size_t size)
{
    char folder[3500];
    if (*name == '.' || strchr(name, '/') != NULL || ns_own_machines_folder(folder, sizeof folder) == NULL)
        return false;
    const int length = snprintf(path, size, "%s/%s.json", folder, name);
    return length > 0 && (size_t)length < size && access(path, R_OK) == 0;
}

ns_status ns_machine_find(const char *name, ns_machine **machine, ns_error *err)
{
    char path[4000];
    const bool own = !ns_machine_is_shipped(name) && own_path(name, path, sizeof path);
    return ns_machine_load(own ? path : name, machine, err);
}

void ns_machine_say_hidden(const char *name, FILE *err)
{
    char path[4000];
    struct stat file;
    if (!ns_machine_is_shipped(name))
        return;
    if (own_path(name, path, sizeof path))
        fprintf(err,
                "nsmodel: note: %s is the shipped machine; your own of that name is opened by its path, %s, or by "
                "another name\n",
                name, path);
    if (stat(name, &file) == 0 && S_ISREG(file.st_mode))
        fprintf(err, "nsmodel: note: %s is the shipped machine; the file of that name is ./%s\n", name, name);
}

void ns_machines_say_hidden(const ns_args *args, FILE *err)
{
    const char *list = args->usual_machine ? set("NSMODEL_MACHINE") : args->machine;
    while (list != NULL && ns_option_of_word(args->command, "--machine") != NULL) {
        /* each name in NAME,... and in COLUMN=NAME,... */
        char word[100];
        const size_t length = strcspn(list, ",");
        snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : 0), list);
        const char *column = strchr(word, '=');
        ns_machine_say_hidden(column != NULL ? column + 1 : word, err);
        list = list[length] == ',' ? list + length + 1 : NULL;
    }
    if (strcmp(args->command->name, "machines") == 0 && args->words > 0)
        ns_machine_say_hidden(args->word[0], err);
    if (strcmp(args->command->name, "fit") == 0 && ns_args_has(args, "check"))
        ns_machine_say_hidden(ns_args_get(args, "check"), err);
}

const char *ns_machine_usual(void)
{
    const char *chosen = set("NSMODEL_MACHINE");
    return chosen != NULL ? chosen : NS_MACHINE_DEFAULT;
}

/* ---- the list ---------------------------------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

ns_status ns_own_machines_list(char ***names, size_t *count, ns_error *err)
{
    static const char ending[] = ".json";
    char path[3500], **found = NULL;
    size_t made = 0;
    ns_status status = NS_OK;
    DIR *folder = ns_own_machines_folder(path, sizeof path) != NULL ? opendir(path) : NULL;
    for (struct dirent *entry; folder != NULL && status == NS_OK && (entry = readdir(folder)) != NULL;) {
        /* NAME.json, and not hidden */
        const size_t length = strlen(entry->d_name), tail = sizeof ending - 1;
        if (entry->d_name[0] == '.' || length <= tail || strcmp(entry->d_name + length - tail, ending) != 0)
            continue;
        char **more = ns_realloc(found, ns_size_mul(made + 1, sizeof *more));
        found = more != NULL ? more : found;
        char *name = more != NULL ? ns_malloc(length - tail + 1) : NULL;
        if (name == NULL) {
            status = ns_no_memory(err);
            break;
        }
        snprintf(name, length - tail + 1, "%s", entry->d_name);
        found[made++] = name;
    }
    if (folder != NULL)
        closedir(folder);
    if (status != NS_OK) {
        ns_own_machines_free(found, made);
        return status;
    }
    if (made > 0)
        qsort(found, made, sizeof *found, by_name);
    *names = found;
    *count = made;
    return NS_OK;
}

void ns_own_machines_free(char **names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ns_free(names[i]);
    ns_free(names);
}
