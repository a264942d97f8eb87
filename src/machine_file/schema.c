/* schema.c -- what a machine file may say: one row per kind of number
 *
 * Constants of single models need no row: "models.NAME.INPUT" is checked against that model's own inputs.
 */
#include "machine_file/schema.h"

#include <nsmodel/model.h>

#include <string.h>

#define CORRELATION "correlation of the errors of alpha and beta, from -1 to 1"

const ns_schema_row ns_schema[] = {
    {"topology.sockets", "1", "sockets of a node", NULL},
    {"topology.gpus", "1", "GPUs of a node; 0 for none", NULL},
    {"topology.host_processes", "1", "host processes of a node (PPN)", NULL},
    {"topology.nics", "1", "network interfaces of a node", NULL},
    {"topology.rails", "1", "separate networks that a node is attached to", NULL},
    {"<memory>.protocols.<protocol>", "B", "first message size of the protocol", NULL},
    {"<memory>.<locality>.protocols.<protocol>", "B", "first message size of the protocol at this locality", NULL},
    {"<memory>.<locality>.<protocol>.alpha", "us", "start-up time of a message", NULL},
    {"<memory>.<locality>.<protocol>.beta", "ns/B", "time per byte of a message", "R_b"},
    {"<memory>.injection.inverse_R_N", "ns/B", "inverse of the rate at which a node injects into the network", "R_N"},
    {"<memory>.<locality>.<protocol>.correlation", "1", CORRELATION, NULL},
    {"<memory>.<locality>.<protocol>.to", "B", "largest message size that the line was fitted to", NULL},
    {"<memory>.exchange.off-node.alpha", "us", "start-up of each of many messages in flight, off node", NULL},
    {"<memory>.exchange.inverse_R", "ns/B",
     "inverse of the rate of a node's off-node bytes, out and in, on shared links", "R"},
    {"<memory>.exchange.<locality>.<protocol>.alpha", "us",
     "start-up, at either end, of each of many messages in flight", NULL},
    {"<memory>.exchange.<locality>.<protocol>.beta", "ns/B", "time per byte of many messages in flight", NULL},
    {"<memory>.exchange.<locality>.<protocol>.correlation", "1", CORRELATION, NULL},
    {"<memory>.exchange.model_error.time", "1", "standard deviation of log2(predicted / measured) of whole exchanges",
     NULL},
    {"<memory>.exchange.model_error.ratio", "1", "the same of the ratio of two ways to do one exchange", NULL},
    {"<memory>.queue.gamma", "ns", "queue search: a process with n messages in flight spends gamma n^2", NULL},
    {"network.contention.delta", "ns/B", "contention: time per byte that shares the busiest link", NULL},
    {"copy.<count>.<direction>.alpha", "us", "start-up time of a copy, that many processes sharing the GPU", NULL},
    {"copy.<count>.<direction>.beta", "ns/B", "time per byte of a copy, that many processes sharing the GPU", NULL},
    {"copy.<count>.<direction>.correlation", "1", CORRELATION, NULL},
    {NULL, NULL, NULL, NULL},
};

static bool in_words(const char *word, size_t length, const char *const *words)
{
    for (; *words != NULL; words++)
        if (strlen(*words) == length && memcmp(*words, word, length) == 0)
            return true;
    return false;
}

static const char *const *word_class(const char *segment, size_t length)
{
    static const struct {
        const char *name;
        const char *const *words;
    } classes[] = {{"<memory>", ns_memory_words},
                   {"<locality>", ns_locality_words},
                   {"<protocol>", ns_protocol_words},
                   {"<direction>", ns_direction_words}};
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (strlen(classes[i].name) == length && memcmp(classes[i].name, segment, length) == 0)
            return classes[i].words;
    return NULL;
}

static bool segment_fits(const char *pattern, size_t pattern_length, const char *segment, size_t length)
{
    if (pattern_length == 7 && memcmp(pattern, "<count>", 7) == 0) {
        for (size_t i = 0; i < length; i++)
            if (segment[i] < '0' || segment[i] > '9')
                return false;
        return length > 0 && length < 5 && segment[0] != '0';
    }
    const char *const *words = word_class(pattern, pattern_length);
    return words != NULL ? in_words(segment, length, words)
                         : pattern_length == length && memcmp(pattern, segment, length) == 0;
}

/* Walk both by segments.  Returns the rest of the pattern when the whole path fits ("" when that is complete), or NULL.
 */
static const char *fit(const char *pattern, const char *path, const char *alias)
{
    while (*path != '\0') {
        size_t p = strcspn(pattern, "."), s = strcspn(path, ".");
        bool last = pattern[p] == '\0' && path[s] == '\0';
        bool same = segment_fits(pattern, p, path, s) ||
                    (last && alias != NULL && strlen(alias) == s && memcmp(alias, path, s) == 0);
        if (p == 0 || !same)
            return NULL;
        pattern += p + (pattern[p] == '.');
        path += s + (path[s] == '.');
    }
    return pattern;
}

static const ns_field *model_input(const char *path)
{
    if (strncmp(path, "models.", 7) != 0)
        return NULL;
    const char *dot = strchr(path + 7, '.');
    for (const ns_model *const *m = ns_models(); dot != NULL && *m != NULL; m++)
        if (strlen((*m)->name) == (size_t)(dot - path - 7) && memcmp((*m)->name, path + 7, strlen((*m)->name)) == 0)
            return ns_field_find((*m)->inputs, dot + 1);
    return NULL;
}

const ns_schema_row *ns_schema_find(const char *path, bool *inverted, ns_schema_row *scratch)
{
    *inverted = false;
    const ns_field *input = model_input(path);
    if (input != NULL && input->kind == NS_FIELD_NUMBER) {
        *scratch = (ns_schema_row){"models", input->unit, input->doc, NULL};
        return scratch;
    }
    for (const ns_schema_row *row = ns_schema; row->pattern != NULL; row++) {
        const char *rest = fit(row->pattern, path, row->inverse);
        if (rest == NULL || *rest != '\0')
            continue;
        const char *last = strrchr(path, '.');
        *inverted = row->inverse != NULL && last != NULL && strcmp(last + 1, row->inverse) == 0;
        return row;
    }
    return NULL;
}

bool ns_schema_is_prefix(const char *path)
{
    if (strcmp(path, "models") == 0)
        return true;
    if (strncmp(path, "models.", 7) == 0)
        return ns_model_find(path + 7) != NULL;
    for (const ns_schema_row *row = ns_schema; row->pattern != NULL; row++) {
        const char *rest = fit(row->pattern, path, NULL);
        if (rest != NULL && *rest != '\0')
            return true;
    }
    return false;
}

static size_t add_name(const char **names, size_t count, size_t most, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return count;
    if (count < most)
        names[count++] = name;
    return count;
}

static size_t model_names_below(const char *path, const char **names, size_t most)
{
    size_t count = 0;
    if (strcmp(path, "models") == 0)
        for (const ns_model *const *m = ns_models(); *m != NULL; m++)
            count = add_name(names, count, most, (*m)->name);
    else if (ns_model_find(path + 7) != NULL)
        for (const ns_field *f = ns_model_find(path + 7)->inputs; f->kind != NS_FIELD_END; f++)
            count = add_name(names, count, most, f->name);
    return count;
}

/* Literal segments of the schema, each ended, so that they can be offered as names. */
static const char *const literals[] = {
    "topology",  "sockets",  "gpus",      "host_processes", "nics",        "rails", "protocols", "alpha",
    "beta",      "to",       "injection", "inverse_R_N",    "correlation", "queue", "gamma",     "exchange",
    "inverse_R", "model_error", "time",   "ratio",          "network",     "contention", "delta", "copy",
    NULL};

size_t ns_schema_names_below(const char *path, const char **names, size_t most)
{
    static const char *const anywhere[] = {"source", "note", NULL};
    static const char *const at_top[] = {"schema", "name", "title", "models", NULL};
    if (strncmp(path, "models", 6) == 0)
        return model_names_below(path, names, most);
    size_t count = 0;
    for (const ns_schema_row *row = ns_schema; row->pattern != NULL; row++) {
        const char *rest = fit(row->pattern, path, NULL);
        if (rest == NULL || *rest == '\0')
            continue;
        const char *const *words = word_class(rest, strcspn(rest, "."));
        for (; words != NULL && *words != NULL; words++)
            count = add_name(names, count, most, *words);
        for (const char *const *literal = literals; *literal != NULL; literal++)
            if (segment_fits(rest, strcspn(rest, "."), *literal, strlen(*literal)) && rest[0] != '<')
                count = add_name(names, count, most, *literal);
    }
    for (const char *const *word = anywhere; *word != NULL; word++)
        count = add_name(names, count, most, *word);
    for (const char *const *word = at_top; *path == '\0' && *word != NULL; word++)
        count = add_name(names, count, most, *word);
    return count;
}
