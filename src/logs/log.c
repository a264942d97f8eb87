/* log.c -- collect what the tools read, and record what was left out */
#include "log.h"
#include "core/memory.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
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
    [NS_PACKING] = "packing",
    [NS_SAMPLE_KINDS] = NULL,
};

const char *const ns_log_kind_words[] = {"node-pong",       "maxrate",  "3step",    "device-aware", "mult-pong",
                                         "mult-pong-split", "in-order", "reversed", "contention",   NULL};

struct ns_log_store {
    size_t sample_room, warning_room;
    char **kept; /* strings */
    size_t strings, string_room;
};

void *ns_log_grown(void *array, size_t count, size_t *room, size_t element)
{
    if (count < *room)
        return array;
    size_t wanted = *room == 0 ? 64 : 2 * *room;
    void *bigger = ns_realloc(array, ns_size_mul(wanted, element));
    if (bigger != NULL)
        *room = wanted;
    return bigger;
}

const char *ns_log_keep(ns_log *log, const char *text)
{
    struct ns_log_store *store = log->store;
    for (size_t i = store->strings; i-- > 0 && store->strings - i < 16;)
        if (strcmp(store->kept[i], text) == 0)
            return store->kept[i];
    char **kept = ns_log_grown(store->kept, store->strings, &store->string_room, sizeof *kept);
    size_t size = strlen(text) + 1;
    if (kept == NULL)
        return NULL;
    store->kept = kept;
    char *copy = ns_malloc(size);
    if (copy == NULL)
        return NULL;
    kept[store->strings++] = memcpy(copy, text, size);
    return copy;
}

ns_status ns_log_add_warning(ns_log *log, int file, long line, const char *text, ns_error *err)
{
    ns_log_warning *warning = ns_log_grown(log->warning, log->warnings, &log->store->warning_room, sizeof *warning);
    const char *kept = ns_log_keep(log, text);
    if (warning != NULL)
        log->warning = warning;
    if (warning == NULL || kept == NULL)
        return ns_no_memory(err);
    warning[log->warnings++] = (ns_log_warning){file, line, kept};
    return NS_OK;
}

/* Excerpts of a log in warnings are shown on terminals and in JSON: no colour codes, no partial characters. */
static void put_plain(char *text, size_t size, const char *format, va_list args)
{
    (void)vsnprintf(text, size, format, args);
    for (; *text != '\0'; text++)
        if ((unsigned char)*text < ' ' || (unsigned char)*text > '~')
            *text = '?';
}

ns_status ns_log_warn(ns_log_parser *p, long line, ns_error *err, const char *format, ...)
{
    char text[512];
    va_list args;
    if (p->warnings++ >= NS_LOG_WARNINGS_MAX)
        return NS_OK;
    va_start(args, format);
    put_plain(text, sizeof text, format, args);
    va_end(args);
    return ns_log_add_warning(p->log, p->file, line, text, err);
}

ns_status ns_log_leave_out(ns_log_parser *p, long line, ns_error *err, const char *format, ...)
{
    char text[sizeof p->reason];
    va_list args;
    va_start(args, format);
    put_plain(text, sizeof text, format, args);
    va_end(args);
    p->tables_out++;
    if (*p->reason == '\0') {
        memcpy(p->reason, text, sizeof text);
        p->reason_line = line;
    }
    return ns_log_warn(p, line, err, "left out: %s", text);
}

bool ns_log_travels(ns_sample_kind kind)
{
    return kind != NS_COPY_SAMPLE && kind != NS_PEER_COPY && kind != NS_COLLECTIVE;
}

int ns_log_said_locality(const ns_log_options *options, int file)
{
    const int *own = options->locality_of_file;
    return own != NULL && own[file] >= 0 ? own[file] : options->locality;
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
    ns_sample *room = ns_log_grown(log->sample, log->samples, &log->store->sample_room, sizeof *room);
    if (room == NULL)
        return ns_no_memory(err);
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
    if (!(mine->spread > 0) || !isfinite(mine->spread))
        mine->spread = 0;
    const ns_log_options *said = p->options;
    const int locality = ns_log_said_locality(said, p->file),
              own = said->memory_of_file != NULL ? said->memory_of_file[p->file] : -1,
              memory = own >= 0 ? own : said->memory;
    const bool travels = ns_log_travels(mine->kind);
    if (locality >= 0 && travels) {
        mine->locality = (ns_locality)locality;
        mine->locality_stated = true;
    }
    if (memory >= 0 && (travels || mine->kind == NS_COLLECTIVE)) {
        mine->memory = (ns_memory)memory;
        mine->memory_stated = true;
    }
    return NS_OK;
}

double ns_log_one_way(const ns_log_parser *p, int printed)
{
    int full = p->options->round_trip >= 0 ? p->options->round_trip : printed;
    return full ? 0.5 : 1;
}

/* "node_pong", "node-pong" and "nodepong" are one kind. */
const char *ns_log_kind_word(const char *given)
{
    for (size_t i = 0; given != NULL && ns_log_kind_words[i] != NULL; i++) {
        const char *a = given + strspn(given, "-_"), *b = ns_log_kind_words[i];
        while (*a == *b && *a != '\0') {
            a += 1 + strspn(a + 1, "-_");
            b += 1 + strspn(b + 1, "-");
        }
        if (*a == *b)
            return ns_log_kind_words[i];
    }
    return NULL;
}

const char *ns_log_kind(const ns_log_parser *p)
{
    const char *own = p->options->kind_of_file != NULL ? p->options->kind_of_file[p->file] : NULL;
    p->log->asked_kind = true;
    return ns_log_kind_word(own != NULL ? own : p->options->kind);
}

ns_status ns_log_new(const char *const *path, int paths, ns_log **log, ns_error *err)
{
    ns_log *mine = ns_calloc(1, sizeof *mine);
    if (mine != NULL) {
        mine->store = ns_calloc(1, sizeof *mine->store);
        mine->file = ns_calloc(ns_size_add((size_t)paths, 1), sizeof *mine->file);
        mine->tool = ns_calloc(ns_size_add((size_t)paths, 1), sizeof *mine->tool);
    }
    *log = mine;
    if (mine == NULL || mine->store == NULL || mine->file == NULL || mine->tool == NULL)
        return ns_no_memory(err);
    for (; mine->files < paths; mine->files++) {
        mine->file[mine->files] = ns_log_keep(mine, path[mine->files]);
        mine->tool[mine->files] = "";
        if (mine->file[mine->files] == NULL)
            return ns_no_memory(err);
    }
    return NS_OK;
}

void ns_log_free(ns_log *log)
{
    if (log == NULL)
        return;
    for (size_t i = 0; log->store != NULL && i < log->store->strings; i++)
        ns_free(log->store->kept[i]);
    if (log->store != NULL)
        ns_free(log->store->kept);
    ns_free(log->store);
    ns_free(log->file);
    ns_free(log->tool);
    ns_free(log->sample);
    ns_free(log->warning);
    ns_free(log);
}
