/* fit_files.c -- the files that the words of fit name: each once, folders in order, none of them where fit writes */
#define _XOPEN_SOURCE 700 /* struct stat, opendir */

#include "cli/inputs/fit.h"
#include "core/memory.h"
#include "core/utf8.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static ns_status add_path(ns_fit_files *list, const char *path, ns_error *err)
{
    if (ns_utf8_hides(path))
        return ns_fail(err, NS_ERR_NAME, "a log is named \"%.200s\"; wanted one line of characters that can be seen",
                       path);
    if (list->count == list->room) {
        list->room = 2 * list->room + 16;
        char **grown = ns_realloc(list->path, ns_size_mul((size_t)list->room, sizeof *grown));
        if (grown == NULL)
            return ns_no_memory(err);
        list->path = grown;
    }
    const size_t size = strlen(path) + 1;
    list->path[list->count] = ns_malloc(size);
    if (list->path[list->count] == NULL)
        return ns_no_memory(err);
    memcpy(list->path[list->count++], path, size);
    return NS_OK;
}

enum { DEPTH_MAX = 16 };

static ns_status add_folder(ns_fit_files *list, const char *folder, int depth, ns_error *err)
{
    const char *slash = folder[strlen(folder) - 1] == '/' ? "" : "/";
    DIR *dir = opendir(folder);
    ns_status status = NS_OK;
    if (dir == NULL)
        return ns_fail_at(err, NS_ERR_FILE, folder, 0, 0, "the folder cannot be read");
    for (struct dirent *entry; status == NS_OK && (entry = readdir(dir)) != NULL;) {
        char path[4096];
        struct stat facts;
        if (entry->d_name[0] == '.' ||
            snprintf(path, sizeof path, "%s%s%s", folder, slash, entry->d_name) >= (int)sizeof path ||
            stat(path, &facts) != 0)
            continue;
        if (S_ISDIR(facts.st_mode) && depth < DEPTH_MAX)
            status = add_folder(list, path, depth + 1, err);
        else if (S_ISREG(facts.st_mode))
            status = add_path(list, path, err);
    }
    closedir(dir);
    return status;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static ns_status list_files(const ns_args *args, ns_fit_files *list, ns_error *err)
{
    for (int i = 0; i < args->words; i++) {
        struct stat facts;
        const int from = list->count;
        if (stat(args->word[i], &facts) != 0 || !S_ISDIR(facts.st_mode)) {
            NS_TRY(add_path(list, args->word[i], err));
            continue;
        }
        list->folder = true;
        NS_TRY(add_folder(list, args->word[i], 0, err));
        if (list->count == from)
            return ns_fail_at(err, NS_ERR_DATA, args->word[i], 0, 0, "no file in this folder");
        qsort(list->path + from, (size_t)(list->count - from), sizeof *list->path, by_name);
    }
    return NS_OK;
}

/* ---- one file, one reading --------------------------------------------------------------------------------------- */

struct identity {
    dev_t device;
    ino_t inode;
    int at; /* in the list; -1 for what can be read once only */
};

static struct identity identify(const char *path, int at)
{
    struct stat facts;
    if (stat(path, &facts) != 0 || !S_ISREG(facts.st_mode))
        return (struct identity){.at = -1};
    return (struct identity){facts.st_dev, facts.st_ino, at};
}

static bool same_file(const struct identity *a, const struct identity *b)
{
    return a->at >= 0 && b->at >= 0 && a->device == b->device && a->inode == b->inode;
}

static int by_identity(const void *a, const void *b)
{
    const struct identity *x = a, *y = b;
    if (x->device != y->device)
        return x->device < y->device ? -1 : 1;
    if (x->inode != y->inode)
        return x->inode < y->inode ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

/* A log named by itself and again by its folder would count twice: the first name stays. */
static ns_status drop_repeats(ns_fit_files *list, ns_error *err)
{
    struct identity *file = ns_malloc(ns_size_mul(ns_size_add((size_t)list->count, 1), sizeof *file));
    int kept = 0;
    if (file == NULL)
        return ns_no_memory(err);
    for (int i = 0; i < list->count; i++)
        file[i] = identify(list->path[i], i);
    qsort(file, (size_t)list->count, sizeof *file, by_identity);
    for (int i = 1; i < list->count; i++)
        if (same_file(&file[i - 1], &file[i])) {
            ns_free(list->path[file[i].at]);
            list->path[file[i].at] = NULL;
        }
    ns_free(file);
    for (int i = 0; i < list->count; i++)
        if (list->path[i] != NULL)
            list->path[kept++] = list->path[i];
    list->count = kept;
    return NS_OK;
}

/* What is written must not replace what was read. */
static ns_status check_target(const ns_args *args, const char *option, ns_error *err)
{
    const char *target = ns_args_get(args, option);
    if (target == NULL)
        return NS_OK;
    const struct identity written = identify(target, 0);
    for (int i = 0; i < args->words; i++) {
        const struct identity read = identify(args->word[i], 0);
        if (same_file(&read, &written))
            return ns_fail(err, NS_ERR_USAGE, "--%s %s is one of the logs; wanted another file", option, target);
    }
    return NS_OK;
}

ns_status ns_fit_paths(const ns_args *args, ns_fit_files *list, ns_error *err)
{
    NS_TRY(check_target(args, "output", err));
    NS_TRY(check_target(args, "plot", err));
    NS_TRY(list_files(args, list, err));
    return drop_repeats(list, err);
}
