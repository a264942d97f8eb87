/* schema.c -- allowed contents of a machine file: one row per kind of number
 *
 * Constants of single models need no row: "models.NAME.INPUT" is checked against that model's own inputs.
 */
#include "machine_file/schema.h"

#include "core/memory.h"
#include "machine/form.h"
#include "machine/model.h"
#include "machine/store.h"

#include <assert.h>
#include <string.h>

#define CORRELATION "correlation of the errors of alpha and beta, from -1 to 1"

static const ns_schema_row own[] = {
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
    {"<memory>.injection.<protocol>.slowdown", "1",
     "time of the most pairs at once, at the largest size of the protocol, over that of one", NULL},
    {"<memory>.<locality>.<protocol>.correlation", "1", CORRELATION, NULL},
    {"<memory>.<locality>.<protocol>.to", "B", "largest message size that the line was fitted to", NULL},
    {"<memory>.exchange.<locality>.<protocol>.correlation", "1", CORRELATION, NULL},
    {"<memory>.exchange.model_error.time", "1", "standard deviation of log2(predicted / measured) of whole exchanges",
     NULL},
    {"<memory>.exchange.model_error.ratio", "1", "the same of the ratio of two ways to do one exchange", NULL},
    {"<memory>.choice.kappa", "1", "inverse scale of the error of a way's ln(time), beside the error of all ways",
     NULL},
    {"<memory>.choice.lambda", "1", "the part of that scale inside a nest of ways, above 0 to 1", NULL},
    {"<memory>.choice.cases", "1", "exchanges measured in several ways that kappa and lambda stand on", NULL},
    {"<memory>.choice.groups", "1", "groups that were left out one by one to find them", NULL},
    {"<memory>.choice.apart", "1", "of these, exchanges whose two fastest ways differ by more than 10 %", NULL},
    {"<memory>.choice.right", "1", "share of these in which the advice takes the fastest way", NULL},
    {"<memory>.choice.loss", "1", "what the advice loses on these: its time / the fastest - 1, the mean", NULL},
    {"<memory>.choice.rule_loss", "1", "the same of the best constant rule, choice.rule", NULL},
    {"<memory>.choice.held_out", "1", "1: what the advice was made with was not chosen on the exchange it is judged on",
     NULL},
    {"<memory>.residual.width", "1", "doublings of messages and of size over which measured exchanges tell of others",
     NULL},
    {"<memory>.residual.prior", "1",
     "exchanges that stand against the measured ones, saying that a prediction is right", NULL},
    {"<memory>.residual.<way>.<count>.messages", "1", "messages of the process that decides", NULL},
    {"<memory>.residual.<way>.<count>.size", "B", "their mean size", NULL},
    {"<memory>.residual.<way>.<count>.ratio", "1", "measured / predicted time of such exchanges", NULL},
    {"<memory>.residual.<way>.<count>.rows", "1", "how many such exchanges, each as far as it agrees with the others",
     NULL},
    {"<memory>.ranking.<way>.ratio", "1", "time / predicted time of a way, by which published rankings are probable",
     NULL},
    {"<memory>.ranking.<way>.from", "B", "fewest bytes of a process in these rankings, over all steps", NULL},
    {"<memory>.ranking.<way>.to", "B", "most of them", NULL},
    {"<memory>.queue.gamma", "ns", "queue search: a process with n messages in flight spends gamma n^2", NULL},
    {"network.contention.delta", "ns/B", "contention: time per byte that shares the busiest link", NULL},
    {"copy.<count>.<direction>.alpha", "us", "start-up time of a copy, that many processes sharing the GPU", NULL},
    {"copy.<count>.<direction>.beta", "ns/B", "time per byte of a copy, that many processes sharing the GPU", NULL},
    {"copy.<count>.<direction>.correlation", "1", CORRELATION, NULL},
    {"copy.<count>.<direction>.wait", "us", "time of a small copy, for which that many processes take turns", NULL},
    {"copy.<count>.<direction>.wait_below", "B", "first size of a copy that no longer waits for its turn", NULL},
};
enum { OWN = sizeof own / sizeof *own };

/* Iterate over the rows of this table, then over the parameters of the cost models. */
typedef struct walk {
    const ns_form *form[NS_FORMS_MAX];
    size_t at, forms, next; /* rows of this table that were visited; the form whose rows are next */
    const ns_form_row *row; /* of a form; NULL: none yet */
    int path;
} walk;

/* The next row; false after the last.  Iteration begins as {.at = 0}. */
static bool next_row(walk *w, ns_schema_row *row)
{
    if (w->at < OWN) {
        *row = own[w->at++];
        return true;
    }
    if (w->row == NULL)
        w->forms = ns_forms_by_rank(w->form, NS_FORMS_MAX);
    while (w->row == NULL || w->path == NS_FORM_PATHS || w->row->doc == NULL || w->row->path[w->path].at == NULL) {
        const bool done = w->row == NULL || w->row->doc == NULL;
        if (done && w->next == w->forms)
            return false;
        w->row = done ? w->form[w->next++]->rows : w->row + 1;
        w->path = 0;
    }
    *row = (ns_schema_row){w->row->path[w->path++].at, w->row->unit, w->row->doc, w->row->inverse};
    return true;
}

static const char *const *word_class(const char *segment, size_t length)
{
#define CLASS(name, words)                                                                                             \
    {                                                                                                                  \
        name, sizeof name - 1, words                                                                                   \
    }
    static const struct {
        const char *name;
        size_t length;
        const char *const *words;
    } classes[] = {CLASS("<memory>", ns_memory_words), CLASS("<locality>", ns_locality_words),
                   CLASS("<protocol>", ns_protocol_words), CLASS("<direction>", ns_direction_words)};
#undef CLASS
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (classes[i].length == length && classes[i].name[1] == segment[1] &&
            memcmp(classes[i].name, segment, length) == 0)
            return classes[i].words;
    return NULL;
}

/* Compare both by segments.  Returns the rest of the pattern when the whole path fits ("" when the pattern is
 * complete), or NULL. */
static const char *fit(const char *pattern, const char *path, const char *alias)
{
    while (*path != '\0') {
        if (*pattern != '<' && *pattern != *path && (alias == NULL || *alias != *path))
            return NULL;
        const size_t p = strcspn(pattern, "."), s = strcspn(path, ".");
        const bool last = pattern[p] == '\0' && path[s] == '\0';
        bool same = last && alias != NULL && strlen(alias) == s && memcmp(alias, path, s) == 0;
        if (*pattern != '<')
            same = same || (p == s && memcmp(pattern, path, s) == 0);
        else if (p == 7 && memcmp(pattern, "<count>", 7) == 0)
            same = same || (s > 0 && s < 5 && *path != '0' && strspn(path, "0123456789") >= s);
        else if (p == 5 && memcmp(pattern, "<way>", 5) == 0) /* a strategy's name, possibly of another release */
            same = s > 0 && s <= 40 && strspn(path, "abcdefghijklmnopqrstuvwxyz0123456789-_:") >= s;
        else
            for (const char *const *w = word_class(pattern, p); !same && w != NULL && *w != NULL; w++)
                same = strncmp(*w, path, s) == 0 && (*w)[s] == '\0';
        if (p == 0 || !same)
            return NULL;
        pattern += p + (pattern[p] == '.');
        path += s + (path[s] == '.');
    }
    return pattern;
}

const ns_schema_row *ns_schema_find(const char *path, bool *inverted, ns_schema_row *scratch)
{
    *inverted = false;
    const char *dot = strncmp(path, "models.", 7) == 0 ? strchr(path + 7, '.') : NULL;
    const ns_field *input = NULL;
    for (const ns_model *const *m = ns_models(); dot != NULL && *m != NULL; m++)
        if (strlen((*m)->name) == (size_t)(dot - path - 7) && memcmp((*m)->name, path + 7, strlen((*m)->name)) == 0)
            input = ns_field_find((*m)->inputs, dot + 1);
    if (input != NULL && input->kind == NS_FIELD_NUMBER) {
        *scratch = (ns_schema_row){"models", input->unit, input->doc, NULL};
        return scratch;
    }
    walk rows = {.at = 0};
    const char *last_dot = strrchr(path, '.'), *last = last_dot != NULL ? last_dot + 1 : path;
    while (next_row(&rows, scratch)) {
        const char *end = strrchr(scratch->pattern, '.') + 1;
        const bool inverse = last != path && scratch->inverse != NULL && strcmp(last, scratch->inverse) == 0;
        if (*end != '<' && !inverse && strcmp(end, last) != 0) /* most rows are rejected here */
            continue;
        const char *rest = fit(scratch->pattern, path, scratch->inverse);
        if (rest == NULL || *rest != '\0')
            continue;
        *inverted = inverse;
        return scratch;
    }
    return NULL;
}

bool ns_schema_is_prefix(const char *path)
{
    if (strcmp(path, "models") == 0)
        return true;
    if (strncmp(path, "models.", 7) == 0)
        return ns_model_find(path + 7) != NULL;
    ns_schema_row row;
    walk rows = {.at = 0};
    while (next_row(&rows, &row)) {
        const char *rest = fit(row.pattern, path, NULL);
        if (rest != NULL && *rest != '\0')
            return true;
    }
    return false;
}

/* ---- words ------------------------------------------------------------------------------------------------------- */

ns_status ns_machine_set_word(ns_machine *machine, const char *path, const char *word, bool *is_word, ns_error *err)
{
    const char **kept = NULL;
    const size_t length = strcspn(path, ".");
    assert(machine != NULL);
    for (int m = 0; m < NS_MEMORIES; m++) { /* "<memory>.choice.rule" and "<memory>.choice.ways" */
        if (strlen(ns_memory_words[m]) != length || memcmp(path, ns_memory_words[m], length) != 0)
            continue;
        kept = strcmp(path + length, ".choice.rule") == 0   ? &machine->rule[m]
               : strcmp(path + length, ".choice.ways") == 0 ? &machine->ways[m]
                                                            : NULL;
    }
    *is_word = kept != NULL || strcmp(path, "copy.bytes") == 0;
    if (!*is_word)
        return NS_OK;
    if (word == NULL)
        return ns_fail(err, NS_ERR_SYNTAX, "this key wants a word");
    if (kept != NULL) {
        *kept = ns_machine_keep(machine->store, word);
        return *kept != NULL ? NS_OK : ns_no_memory(err);
    }
    machine->copy_total = strcmp(word, "total") == 0;
    return machine->copy_total || strcmp(word, "share") == 0
               ? NS_OK
               : ns_fail(err, NS_ERR_NAME, "%s wants \"share\" or \"total\", got \"%.40s\"", path, word);
}

/* ---- names, for suggesting the closest one ----------------------------------------------------------------------- */

static void add_name(ns_schema_names *names, const char *name, size_t length)
{
    for (size_t i = 0; i < names->count; i++)
        if (strlen(names->name[i]) == length && memcmp(names->name[i], name, length) == 0)
            return;
    if (names->count == NS_SCHEMA_NAMES || names->used + length + 1 > sizeof names->text)
        return;
    char *kept = names->text + names->used;
    memcpy(kept, name, length);
    kept[length] = '\0';
    names->used += length + 1;
    names->name[names->count++] = kept;
}

static void add_words(ns_schema_names *names, const char *const *words)
{
    for (; words != NULL && *words != NULL; words++)
        add_name(names, *words, strlen(*words));
}

void ns_schema_names_below(const char *path, ns_schema_names *names)
{
    static const char *const anywhere[] = {"source", "note", "calibrated", NULL};
    static const char *const at_top[] = {"schema", "name", "title", "warnings", "models", NULL};
    ns_schema_row row;
    walk rows = {.at = 0};
    names->count = names->used = 0;
    if (strncmp(path, "models", 6) == 0) {
        const ns_model *model = strcmp(path, "models") != 0 ? ns_model_find(path + 7) : NULL;
        for (const ns_model *const *m = ns_models(); path[6] == '\0' && *m != NULL; m++)
            add_name(names, (*m)->name, strlen((*m)->name));
        for (const ns_field *f = model != NULL ? model->inputs : NULL; f != NULL && f->kind != NS_FIELD_END; f++)
            add_name(names, f->name, strlen(f->name));
        return;
    }
    while (next_row(&rows, &row)) {
        const char *rest = fit(row.pattern, path, NULL);
        if (rest == NULL || *rest == '\0')
            continue;
        const size_t length = strcspn(rest, ".");
        if (*rest == '<')
            add_words(names, word_class(rest, length));
        else
            add_name(names, rest, length);
    }
    add_words(names, anywhere);
    if (strcmp(path, "copy") == 0)
        add_name(names, "bytes", strlen("bytes"));
    if (strcmp(path, "host.choice") == 0 || strcmp(path, "device.choice") == 0) {
        add_name(names, "rule", strlen("rule"));
        add_name(names, "ways", strlen("ways"));
    }
    if (*path == '\0')
        add_words(names, at_top);
}
