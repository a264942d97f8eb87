/* fit_read.c -- the command line of fit, and the logs that it names */
#define _XOPEN_SOURCE 700 /* struct stat, opendir */
#include "cli/front/command.h"
#include "cli/inputs/fit.h"
#include "core/memory.h"
#include "core/utf8.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- the files that the words of fit name: each once, folders in order, none of them where fit writes ------------ */

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

/* ---- each file is read once -------------------------------------------------------------------------------------- */

/* Files that can be read only once are never the same. */
static bool same_file(const struct stat *a, const struct stat *b)
{
    return S_ISREG(a->st_mode) && S_ISREG(b->st_mode) && a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* An output must not replace an input. */
static ns_status check_target(const ns_args *args, const char *option, const char *target, ns_error *err)
{
    struct stat written, read;
    if (target == NULL || stat(target, &written) != 0)
        return NS_OK;
    for (int i = 0; i < args->words; i++)
        if (stat(args->word[i], &read) == 0 && same_file(&read, &written))
            return ns_fail(err, NS_ERR_USAGE, "--%s %s is one of the logs; wanted another file", option, target);
    return NS_OK;
}

/* Only their paths, each file once. */
static ns_status list_paths(const ns_args *args, const ns_fit_request *request, ns_fit_files *list, ns_error *err)
{
    NS_TRY(check_target(args, "output", args->output, err));
    NS_TRY(check_target(args, "plot", request->plot, err));
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
    /* A log that is given both by its name and by its folder would count twice: the first one is kept. */
    struct stat *file = ns_calloc(ns_size_add((size_t)list->count, 1), sizeof *file);
    int kept = 0;
    if (file == NULL)
        return ns_no_memory(err);
    for (int i = 0; i < list->count; i++) {
        bool again = false;
        if (stat(list->path[i], &file[kept]) != 0)
            file[kept].st_mode = 0; /* an error when it is read */
        for (int k = 0; k < kept && !again; k++)
            again = same_file(&file[k], &file[kept]);
        if (again)
            ns_free(list->path[i]);
        else
            list->path[kept++] = list->path[i];
    }
    ns_free(file);
    list->count = kept;
    return NS_OK;
}

/* ---- options ----------------------------------------------------------------------------------------------------- */

/* Index of a value among words; -1 where none is given. */
static ns_status word_index(const char *name, const char *value, const char *const *words, int *index, ns_error *err)
{
    char list[200] = "";
    *index = -1;
    if (value == NULL)
        return NS_OK;
    for (int i = 0; words[i] != NULL; i++) {
        if (strcmp(words[i], value) == 0)
            *index = i;
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i == 0 ? "" : words[i + 1] == NULL ? " or " : ", ", words[i]);
    }
    return *index >= 0 ? NS_OK : ns_fail(err, NS_ERR_USAGE, "--%s is %s, not \"%s\"", name, list, value);
}

static ns_status parse_sizes(const char *text, int *given, double first[NS_SEGMENTS_MAX], ns_error *err)
{
    double *values;
    size_t count;
    ns_error plain = {0};
    if (ns_list_parse(text, "--switch", "1", &values, &count, &plain) != NS_OK)
        NS_TRY(ns_list_parse(text, "--switch", "B", &values, &count, err));
    ns_status status = NS_OK;
    *given = 0;
    if (count >= NS_SEGMENTS_MAX)
        status = ns_fail(err, NS_ERR_USAGE, "--switch takes at most %d sizes, got %zu", NS_SEGMENTS_MAX - 1, count);
    for (size_t i = 0; i < count && status == NS_OK; i++) {
        const double last = *given > 0 ? first[*given - 1] : 0;
        if (count == 1 && values[i] == 0)
            break; /* one progress line for all sizes */
        if (values[i] != floor(values[i]) || values[i] <= last)
            status = ns_fail(err, NS_ERR_RANGE, "--switch wants whole, rising sizes above 0 B, got \"%s\"", text);
        first[(*given)++] = values[i];
    }
    ns_list_free(values);
    return status;
}

/* LIST applies to both memories, MEMORY=LIST to one of them. */
static ns_status parse_switches(const ns_args *args, ns_fit_options *o, ns_error *err)
{
    o->switches = -1;
    for (int i = 0; ns_args_at(args, "switch", i) != NULL; i++) {
        const char *text = ns_args_at(args, "switch", i), *equals = strchr(text, '=');
        char word[16];
        int memory = -1;
        if (equals != NULL) {
            snprintf(word, sizeof word, "%.*s", (int)(equals - text), text);
            NS_TRY(word_index("switch of a memory", word, ns_memory_words, &memory, err));
        }
        if (memory >= 0 ? o->of_memory[memory] : o->switches >= 0)
            return ns_fail(err, NS_ERR_USAGE, "--switch is given twice for the same memory; the second is %s", text);
        if (memory < 0)
            NS_TRY(parse_sizes(text, &o->switches, o->first, err));
        else {
            o->of_memory[memory] = true;
            NS_TRY(parse_sizes(equals + 1, &o->own_switches[memory], o->own_first[memory], err));
        }
    }
    return NS_OK;
}

/* The command line as a reader of the machine file would type it again. */
static void describe(const ns_args *args, ns_fit_request *r)
{
    static const char *const not_told[] = {"output", "plot", "format", "json"};
    static const char more[] = " ...";
    ns_shell_line line = {.text = r->command, .size = sizeof r->command};
    bool cut = false;
    ns_shell_put(&line, "nsmodel fit");
    for (int i = 0; i < args->words + args->given && !cut; i++) {
        size_t used = line.used; /* the length to keep where no more fits: whole words */
        if (i < args->words) {
            ns_shell_put(&line, " ");
            ns_shell_word(&line, args->word[i]);
        } else {
            const ns_option *option = args->option[i - args->words].option;
            bool told = true;
            for (size_t k = 0; k < sizeof not_told / sizeof *not_told; k++)
                told = told && strcmp(option->name, not_told[k]) != 0;
            ns_shell_put(&line, told ? " --" : "");
            ns_shell_put(&line, told ? option->name : "");
            used = line.used + sizeof more <= line.size ? line.used : used;
            if (told && option->argument != NULL) {
                ns_shell_put(&line, " ");
                ns_shell_word(&line, args->option[i - args->words].value);
            }
        }
        cut = line.used + sizeof more > line.size;
        if (cut) {
            line.used = used;
            ns_shell_put(&line, more);
        }
    }
}

ns_status ns_fit_request_parse(const ns_args *args, const ns_fit_said *said, ns_fit_request *r, ns_error *err)
{
    static const char *const orders[] = {"block", "cyclic", NULL}, *const trips[] = {"half", "full", NULL},
                             *const weights[] = {"relative", "none", NULL};
    ns_log_options *reading = &r->reading;
    ns_fit_options *o = &r->fitting;
    const int per_node = said->per_node, processes = said->processes, gpus = said->no_gpus ? -1 : said->gpus;
    int index;
    *r = (ns_fit_request){.reading = NS_LOG_OPTIONS_DEFAULT, .plot = said->plot};
    reading->tool = strcmp(said->tool, "auto") == 0 ? NULL : said->tool;
    reading->keep_going = said->keep_going;
    NS_TRY(word_index("rank-order", said->rank_order, orders, &reading->cyclic, err));
    NS_TRY(word_index("round-trip", said->round_trip, trips, &reading->round_trip, err));
    NS_TRY(word_index("statistic", said->statistic, ns_statistic_words, &index, err));
    o->statistic = (ns_statistic)index;
    NS_TRY(word_index("weights", said->weights, weights, &index, err));
    o->weights = index == 0 ? NS_WEIGHTS_RELATIVE : NS_WEIGHTS_NONE;
    reading->per_node = o->per_node = per_node;
    /* The default number of sockets is used to place ranks where that is possible, and does not describe a machine. */
    o->sockets = said->usual_sockets ? 0 : said->sockets;
    reading->sockets = !said->usual_sockets            ? said->sockets
                       : per_node == 0                 ? 0
                       : per_node % said->sockets != 0 ? 1
                                                       : said->sockets;
    NS_TRY(parse_switches(args, o, err));
    describe(args, r);
    o->command = r->command;
    r->reading_job = (ns_progress_job){args->progress, "reading logs", " files"};
    r->fitting_job = (ns_progress_job){args->progress, "fitting", " places"};
    reading->watch = o->watch = ns_progress_tell;
    reading->watcher = &r->reading_job;
    o->watcher = &r->fitting_job;
    /* A node has a process for each rank of the benchmark, and for each GPU. */
    if (processes > 0 && per_node > processes)
        return ns_fail(err, NS_ERR_RANGE, "--processes %d is less than --per-node %d, the ranks of a node", processes,
                       per_node);
    if (processes > 0 && gpus > processes)
        return ns_fail(err, NS_ERR_RANGE, "--processes %d is less than --gpus %d, each of which wants a process",
                       processes, gpus);
    o->gpus = gpus;
    reading->processes = o->processes = processes;
    o->interfaces = said->interfaces;
    o->name = said->name;
    if (o->name == NULL && args->output != NULL) { /* from its file's name, without folders and extension */
        const char *slash = strrchr(args->output, '/'), *start = slash != NULL ? slash + 1 : args->output;
        const char *dot = strrchr(start, '.');
        snprintf(r->name, sizeof r->name, "%.*s", dot != NULL ? (int)(dot - start) : (int)strlen(start), start);
        o->name = *r->name != '\0' ? r->name : NULL;
    }
    o->title = said->title;
    o->cite = said->cite;
    const struct {
        const char *option, *text;
    } texts[] = {{"name", o->name}, {"title", o->title}, {"cite", o->cite}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (texts[i].text != NULL && ns_utf8_hides(texts[i].text))
            return ns_fail(err, NS_ERR_NAME, "--%s wants one line of characters that can be seen, got \"%.60s\"",
                           texts[i].option, texts[i].text);
    return o->name != NULL && *o->name == '\0' ? ns_fail(err, NS_ERR_USAGE, "--name wants a name") : NS_OK;
}

/* ---- options for single files ------------------------------------------------------------------------------------ */

/* Is it the end of a path or, closed by a slash, a folder in it? */
static bool names(const char *name, size_t length, const char *path)
{
    const size_t size = strlen(path);
    if (length == 0 || size < length)
        return false;
    for (size_t at = 0; name[length - 1] == '/' && at + length <= size; at++)
        if ((at == 0 || path[at - 1] == '/') && memcmp(path + at, name, length) == 0)
            return true;
    return memcmp(path + size - length, name, length) == 0;
}

/* "VALUE" applies to all files, "FILE=VALUE", which takes precedence, to those that FILE names. */
static ns_status per_file_options(const ns_args *args, ns_fit_files *list, ns_error *err)
{
    static const char *const options[] = {"kind", "locality", "memory"};
    const size_t room = (size_t)list->count + 1;
    list->kind = ns_calloc(ns_size_mul(3, room), sizeof *list->kind);
    list->locality = ns_malloc(ns_size_mul(ns_size_mul(2, room), sizeof *list->locality));
    if (list->kind == NULL || list->locality == NULL)
        return ns_no_memory(err);
    list->memory = list->locality + room;
    for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
        const char *value, *general = NULL, **said = list->kind + k * room;
        for (int i = 0; (value = ns_args_at(args, options[k], i)) != NULL; i++) {
            const char *equals = strrchr(value, '=');
            bool found = equals == NULL;
            general = found ? value : general;
            for (int f = 0; f < list->count && equals != NULL; f++)
                if (names(value, (size_t)(equals - value), list->path[f])) {
                    said[f] = said[f] != NULL ? said[f] : equals + 1;
                    found = true;
                }
            if (!found) /* an option for a file that does not exist was meant for another one */
                return ns_fail(err, NS_ERR_NAME, "--%s %s: no log matches that name", options[k], value);
        }
        for (int f = 0; f < list->count; f++) {
            said[f] = said[f] != NULL ? said[f] : general;
            if (k > 0)
                NS_TRY(word_index(options[k], said[f], k == 1 ? ns_locality_words : ns_memory_words,
                                  k == 1 ? &list->locality[f] : &list->memory[f], err));
        }
    }
    return NS_OK;
}

ns_status ns_fit_files_list(const ns_args *args, const ns_fit_request *request, ns_fit_files *files, ns_error *err)
{
    ns_fit_files list = {0};
    ns_status status = list_paths(args, request, &list, err);
    if (status == NS_OK)
        status = per_file_options(args, &list, err);
    if (status == NS_OK)
        *files = list;
    else
        ns_fit_files_free(&list);
    return status;
}

void ns_fit_files_free(ns_fit_files *files)
{
    for (int i = 0; i < files->count; i++)
        ns_free(files->path[i]);
    ns_free(files->path);
    ns_free(files->kind);
    ns_free(files->locality);
}

ns_status ns_fit_read(const ns_args *args, const ns_fit_request *request, ns_log **log, ns_error *err)
{
    ns_fit_files files;
    ns_log_options reading = request->reading;
    NS_TRY(ns_fit_files_list(args, request, &files, err));
    reading.kind_of_file = files.kind;
    reading.locality_of_file = files.locality;
    reading.memory_of_file = files.memory;
    reading.keep_going = reading.keep_going || files.folder;
    ns_status status = ns_log_read((const char *const *)files.path, files.count, &reading, log, err);
    ns_fit_files_free(&files);
    return status;
}
