/* log.c -- from files to samples: what the tools read is collected, what was left out is said */
#include "log.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const char *const ns_sample_kind_words[] = {
    [NS_PING_PONG] = "ping-pong",
    [NS_NODE_PONG] = "node-pong",
    [NS_STREAMING] = "streaming",
    [NS_BIDIRECTIONAL] = "bidirectional",
    [NS_MESSAGE_RATE] = "message-rate",
    [NS_MULTI_MESSAGE] = "multi-message",
    [NS_QUEUE_IN_ORDER] = "queue-in-order",
    [NS_QUEUE_REVERSED] = "queue-reversed",
    [NS_CONTENTION] = "contention",
    [NS_COPY_SAMPLE] = "copy",
    [NS_COLLECTIVE] = "collective",
    [NS_LOGGP] = "loggp",
    [NS_STAGED] = "staged",
    [NS_PEER_COPY] = "peer-copy",
    [NS_ONE_SIDED] = "one-sided",
    [NS_SAMPLE_KINDS] = NULL,
};

const char *const ns_log_kind_words[] = {"node-pong",       "maxrate",  "3step",    "device-aware", "mult-pong",
                                         "mult-pong-split", "in-order", "reversed", "contention",   NULL};

struct ns_log_store {
    size_t sample_room, warning_room;
    char **kept; /* strings */
    size_t strings, string_room;
};

/* Room for one more element of an array that doubles. */
static void *grown(void *array, size_t count, size_t *room, size_t element)
{
    if (count < *room)
        return array;
    size_t wanted = *room == 0 ? 64 : 2 * *room;
    void *bigger = wanted > SIZE_MAX / element ? NULL : realloc(array, wanted * element);
    if (bigger != NULL)
        *room = wanted;
    return bigger;
}

static const char *keep(ns_log *log, const char *text)
{
    struct ns_log_store *store = log->store;
    for (size_t i = store->strings; i-- > 0 && store->strings - i < 16;)
        if (strcmp(store->kept[i], text) == 0)
            return store->kept[i];
    char **kept = grown(store->kept, store->strings, &store->string_room, sizeof *kept);
    size_t size = strlen(text) + 1;
    if (kept == NULL)
        return NULL;
    store->kept = kept;
    char *copy = malloc(size);
    if (copy == NULL)
        return NULL;
    kept[store->strings++] = memcpy(copy, text, size);
    return copy;
}

const char *ns_log_keep(ns_log_parser *p, const char *text)
{
    return keep(p->log, text);
}

static ns_status add_warning(ns_log *log, int file, long line, const char *text, ns_error *err)
{
    ns_log_warning *warning = grown(log->warning, log->warnings, &log->store->warning_room, sizeof *warning);
    const char *kept = keep(log, text);
    if (warning != NULL)
        log->warning = warning;
    if (warning == NULL || kept == NULL)
        return ns_fail(err, NS_ERR_MEMORY, "out of memory");
    warning[log->warnings++] = (ns_log_warning){file, line, kept};
    return NS_OK;
}

ns_status ns_log_warn(ns_log_parser *p, long line, ns_error *err, const char *format, ...)
{
    char text[512];
    va_list args;
    if (p->warnings++ >= NS_LOG_WARNINGS_MAX)
        return NS_OK;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return add_warning(p->log, p->file, line, text, err);
}

ns_status ns_log_leave_out(ns_log_parser *p, long line, ns_error *err, const char *format, ...)
{
    char text[sizeof p->reason];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (*p->reason == '\0') {
        memcpy(p->reason, text, sizeof text);
        p->reason_line = line;
    }
    return ns_log_warn(p, line, err, "left out: %s", text);
}

/* Kinds that have a locality and a memory of their own, that options may override. */
static bool travels(ns_sample_kind kind)
{
    return kind != NS_COPY_SAMPLE && kind != NS_PEER_COPY && kind != NS_COLLECTIVE;
}

/* What was said of the file, or else of all files. */
static int said(const int *of_file, int file, int of_all)
{
    return of_file != NULL && of_file[file] >= 0 ? of_file[file] : of_all;
}

static void override(const ns_log_options *options, ns_sample *sample)
{
    const int locality = said(options->locality_of_file, sample->file, options->locality);
    const int memory = said(options->memory_of_file, sample->file, options->memory);
    if (!travels(sample->kind))
        return;
    if (locality >= 0) {
        sample->locality = (ns_locality)locality;
        sample->locality_stated = true;
    }
    if (memory >= 0) {
        sample->memory = (ns_memory)memory;
        sample->memory_stated = true;
    }
}

ns_status ns_log_add(ns_log_parser *p, const ns_sample *sample, ns_error *err)
{
    ns_log *log = p->log;
    assert(sample->bytes >= 0 && sample->pairs >= 0 && sample->messages >= 1);
    if (!(sample->seconds > 0) || !isfinite(sample->seconds) || !isfinite(sample->bytes)) {
        if (p->bad++ == 0)
            p->bad_line = sample->line > 0 ? sample->line : p->line;
        return NS_OK;
    }
    if (log->samples >= NS_LOG_SAMPLES_MAX)
        return ns_fail_at(err, NS_ERR_LIMIT, p->path, p->line, 0, "more than %d samples; split the logs",
                          NS_LOG_SAMPLES_MAX);
    ns_sample *room = grown(log->sample, log->samples, &log->store->sample_room, sizeof *room);
    if (room == NULL)
        return ns_fail(err, NS_ERR_MEMORY, "out of memory");
    log->sample = room;
    ns_sample *mine = &room[log->samples++];
    *mine = *sample;
    mine->file = p->file;
    if (mine->line == 0)
        mine->line = p->line;
    if (mine->name == NULL)
        mine->name = "";
    if (!mine->locality_stated)
        mine->locality = NS_OFF_NODE;
    override(p->options, mine);
    return NS_OK;
}

double ns_log_one_way(const ns_log_parser *p, int printed)
{
    int full = p->options->round_trip >= 0 ? p->options->round_trip : printed;
    return full ? 0.5 : 1;
}

/* "node_pong", "node-pong" and "nodepong" are one kind. */
static bool same_kind(const char *given, const char *word)
{
    for (;; given++, word++) {
        while (*given == '-' || *given == '_')
            given++;
        while (*word == '-')
            word++;
        if (*given != *word)
            return false;
        if (*given == '\0')
            return true;
    }
}

static const char *kind_word(const char *given)
{
    for (size_t i = 0; given != NULL && ns_log_kind_words[i] != NULL; i++)
        if (same_kind(given, ns_log_kind_words[i]))
            return ns_log_kind_words[i];
    return NULL;
}

static const char *kind_given(const ns_log_options *options, int file)
{
    const char *own = options->kind_of_file != NULL ? options->kind_of_file[file] : NULL;
    return own != NULL ? own : options->kind;
}

const char *ns_log_kind(const ns_log_parser *p)
{
    return kind_word(kind_given(p->options, p->file));
}

static ns_status say_defaults(ns_log_parser *p, ns_error *err)
{
    size_t locality = 0, memory = 0, all = p->log->samples - p->first;
    for (size_t i = p->first; i < p->log->samples; i++) {
        const ns_sample *sample = &p->log->sample[i];
        locality += travels(sample->kind) && !sample->locality_stated;
        memory += travels(sample->kind) && !sample->memory_stated;
    }
    if (locality > 0)
        NS_TRY(ns_log_warn(p, 0, err, "states no locality for %zu of %zu samples: taken as off-node", locality, all));
    if (memory > 0)
        NS_TRY(ns_log_warn(p, 0, err, "states no memory for %zu of %zu samples: taken as host", memory, all));
    return NS_OK;
}

static ns_status finish(ns_log_parser *p, ns_error *err)
{
    NS_TRY(ns_place_settle(p, err));
    if (p->log->samples == p->first) {
        if (*p->reason != '\0')
            return ns_fail_at(err, NS_ERR_DATA, p->path, p->reason_line, 0, "%s", p->reason);
        if (p->bad > 0)
            return ns_fail_at(err, NS_ERR_DATA, p->path, p->bad_line, 0,
                              "all %zu times are zero, negative or not numbers", p->bad);
        return ns_fail_at(err, NS_ERR_DATA, p->path, 0, 0, "no table with a time in it");
    }
    if (p->bad > 0)
        NS_TRY(ns_log_warn(p, p->bad_line, err, "%zu values are zero, negative or not numbers: left out", p->bad));
    if (p->warnings > NS_LOG_WARNINGS_MAX) {
        p->warnings = 0;
        NS_TRY(ns_log_warn(p, 0, err, "further warnings are not listed"));
    }
    return say_defaults(p, err);
}

static ns_status read_file(ns_log *log, int file, const ns_log_options *options, ns_error *err)
{
    ns_log_parser p = {.options = options, .log = log, .file = file, .path = log->file[file]};
    const ns_log_tool *tool = NULL;
    p.first = p.unplaced = log->samples;
    NS_TRY(options->tool != NULL ? ns_log_tool_named(options->tool, &tool, err)
                                 : ns_log_tool_detect(p.path, &tool, err));
    log->tool[file] = tool->name;
    NS_TRY(ns_log_open(p.path, &p.lines, err));
    ns_status status = tool->parse(&p, err);
    ns_log_close(&p.lines);
    if (status == NS_OK)
        status = finish(&p, err);
    ns_place_free(&p.place);
    return status;
}

/* A file that is refused leaves nothing behind but the reason. */
static ns_status read_or_warn(ns_log *log, int file, const ns_log_options *options, int *refused, ns_error *err)
{
    ns_error mine = {.code = NS_OK};
    size_t samples = log->samples, warnings = log->warnings;
    ns_status status = read_file(log, file, options, &mine);
    if (status == NS_OK)
        return NS_OK;
    if (!options->keep_going || status == NS_ERR_MEMORY || status == NS_ERR_LIMIT || status == NS_ERR_NAME)
        return ns_fail_at(err, status, mine.file, mine.line, mine.column, "%s", mine.text);
    log->samples = samples;
    log->warnings = warnings;
    (*refused)++;
    return add_warning(log, file, mine.line, mine.text, err);
}

static ns_status check(const ns_log_options *options, int paths, ns_error *err)
{
    for (int i = 0; i < paths; i++) {
        const char *kind = kind_given(options, i);
        if (kind != NULL && kind_word(kind) == NULL)
            return ns_fail(err, NS_ERR_NAME,
                           "kind \"%s\"; wanted node-pong, maxrate, 3step, device-aware, mult-pong, mult-pong-split, "
                           "in-order, reversed or contention",
                           kind);
    }
    if (options->per_node < 0 || options->sockets < 0 ||
        (options->per_node > 0 && options->sockets > 0 && options->per_node % options->sockets != 0))
        return ns_fail(err, NS_ERR_RANGE, "%d ranks a node on %d sockets; wanted whole ranks a socket",
                       options->per_node, options->sockets);
    return NS_OK;
}

static ns_status new_log(const char *const *path, int paths, ns_log **log, ns_error *err)
{
    ns_log *mine = calloc(1, sizeof *mine);
    if (mine != NULL) {
        mine->store = calloc(1, sizeof *mine->store);
        mine->file = calloc((size_t)paths + 1, sizeof *mine->file);
        mine->tool = calloc((size_t)paths + 1, sizeof *mine->tool);
    }
    *log = mine;
    if (mine == NULL || mine->store == NULL || mine->file == NULL || mine->tool == NULL)
        return ns_fail(err, NS_ERR_MEMORY, "out of memory");
    for (; mine->files < paths; mine->files++) {
        mine->file[mine->files] = keep(mine, path[mine->files]);
        mine->tool[mine->files] = "";
        if (mine->file[mine->files] == NULL)
            return ns_fail(err, NS_ERR_MEMORY, "out of memory");
    }
    return NS_OK;
}

ns_status ns_log_read(const char *const *path, int paths, const ns_log_options *options, ns_log **log, ns_error *err)
{
    const ns_log_options standard = NS_LOG_OPTIONS_DEFAULT;
    ns_log *mine = NULL;
    int refused = 0;
    if (options == NULL)
        options = &standard;
    if (paths < 1)
        return ns_fail(err, NS_ERR_RANGE, "no log; wanted at least one file");
    NS_TRY(check(options, paths, err));
    ns_status status = new_log(path, paths, &mine, err);
    for (int i = 0; i < paths && status == NS_OK; i++)
        status = read_or_warn(mine, i, options, &refused, err);
    if (status == NS_OK && refused == paths)
        status = ns_fail_at(err, NS_ERR_DATA, mine->file[0], mine->warning[0].line, 0, "%s", mine->warning[0].text);
    if (status == NS_OK)
        *log = mine;
    else
        ns_log_free(mine);
    return status;
}

void ns_log_free(ns_log *log)
{
    if (log == NULL)
        return;
    for (size_t i = 0; log->store != NULL && i < log->store->strings; i++)
        free(log->store->kept[i]);
    if (log->store != NULL)
        free(log->store->kept);
    free(log->store);
    free(log->file);
    free(log->tool);
    free(log->sample);
    free(log->warning);
    free(log);
}
