/* machine.c -- owner of a machine's data, and look-ups by path, by class of message and by copy level */
#include "machine/model.h"
#include "machine/store.h"

#include "core/memory.h"
#include "core/smooth.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const ns_locality_words[] = {"on-socket", "on-node", "off-node", NULL};
const char *const ns_memory_words[] = {"host", "device", NULL};
const char *const ns_protocol_words[] = {"short", "eager", "rendezvous", NULL};
const char *const ns_direction_words[] = {"d2h", "h2d", NULL};
const char *const ns_protocol_choice_words[] = {"auto", "short", "eager", "rendezvous", NULL};

struct ns_machine_text {
    struct ns_machine_text *next;
    char text[];
};

/* Comes after the store, whose layout is part of the recorded ABI of the library. */
typedef struct whole_store {
    ns_machine_store store;
    const char **warning;
    size_t warnings;
} whole_store;

ns_machine *ns_machine_new(void)
{
    ns_machine *machine = ns_calloc(1, sizeof *machine);
    ns_machine_store *store = ns_calloc(1, sizeof(whole_store));
    if (machine == NULL || store == NULL) {
        ns_free(machine);
        ns_free(store);
        return NULL;
    }
    machine->store = store;
    return machine;
}

const char *ns_machine_keep(ns_machine_store *store, const char *text)
{
    size_t size = strlen(text) + 1;
    struct ns_machine_text *kept = ns_malloc(ns_size_add(sizeof *kept, size));
    if (kept == NULL)
        return NULL;
    memcpy(kept->text, text, size);
    kept->next = store->texts;
    store->texts = kept;
    return kept->text;
}

/* ---- by path ----------------------------------------------------------------------------------------------------- */

/* The slot of a path in the index, or the slot where it would be inserted; the store must not be empty. */
static uint32_t *place_of(const ns_machine_store *store, const char *path)
{
    uint64_t hash = 0;
    const char *rest = path;
    size_t length = strlen(path);
    for (size_t part; length > 0; rest += part, length -= part) {
        uint64_t word = 0;
        part = length < sizeof word ? length : sizeof word;
        memcpy(&word, rest, part);
        hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 29;
    }
    size_t at = (size_t)hash & (store->slots - 1);
    assert(store->parameter != NULL);
    while (store->index[at] != 0 && strcmp(store->parameter[store->index[at] - 1].path, path) != 0)
        at = (at + 1) & (store->slots - 1);
    return &store->index[at];
}

ns_status ns_machine_add(ns_machine_store *store, const ns_parameter *parameter, ns_error *err)
{
    if (store->count == store->capacity) {
        size_t capacity = store->capacity > 0 ? 2 * store->capacity : 64;
        ns_parameter *grown = ns_realloc(store->parameter, ns_size_mul(capacity, sizeof *grown));
        if (grown == NULL)
            return ns_no_memory(err);
        store->parameter = grown;
        store->capacity = capacity;
    }
    size_t entered = store->count; /* number already in the index */
    if (store->slots < 2 * store->capacity) {
        uint32_t *index = ns_calloc(2 * store->capacity, sizeof *index);
        if (index == NULL)
            return ns_no_memory(err);
        ns_free(store->index);
        store->index = index;
        store->slots = 2 * store->capacity;
        entered = 0;
    }
    ns_parameter copy = *parameter;
    copy.size = sizeof copy;
    copy.path = ns_machine_keep(store, parameter->path);
    copy.source = ns_machine_keep(store, parameter->source);
    copy.doc = ns_machine_keep(store, parameter->doc);
    if (copy.path == NULL || copy.source == NULL || copy.doc == NULL)
        return ns_no_memory(err);
    store->parameter[store->count++] = copy;
    for (; entered < store->count; entered++) {
        uint32_t *place = place_of(store, store->parameter[entered].path);
        if (*place == 0)
            *place = (uint32_t)entered + 1;
    }
    return NS_OK;
}

ns_status ns_machine_warn(ns_machine *machine, const char *warning, ns_error *err)
{
    whole_store *of = (whole_store *)machine->store;
    const char **grown = ns_realloc(of->warning, ns_size_mul(ns_size_add(of->warnings, 1), sizeof *grown));
    if (grown == NULL)
        return ns_no_memory(err);
    of->warning = grown;
    grown[of->warnings] = ns_machine_keep(machine->store, warning);
    if (grown[of->warnings] == NULL)
        return ns_no_memory(err);
    of->warnings++;
    return NS_OK;
}

const char *ns_machine_warning(const ns_machine *machine, size_t index)
{
    const whole_store *of = (const whole_store *)machine->store;
    return index < of->warnings ? of->warning[index] : NULL;
}

void ns_machine_free(ns_machine *machine)
{
    if (machine == NULL)
        return;
    for (struct ns_machine_text *text = machine->store->texts, *next; text != NULL; text = next) {
        next = text->next;
        ns_free(text);
    }
    ns_free(machine->store->parameter);
    ns_free(machine->store->index);
    ns_free(machine->taken);
    for (int m = 0; m < NS_MEMORIES; m++) {
        ns_free((void *)(uintptr_t)machine->residual[m].point);
        ns_free((void *)(uintptr_t)machine->residual[m].ratio);
    }
    ns_free(((whole_store *)machine->store)->warning);
    ns_free(machine->store);
    ns_free(machine);
}

ns_status ns_machine_check_value(const char *path, double value, ns_error *err)
{
    const char *last = strrchr(path, '.');
    if (last != NULL && strcmp(last, ".correlation") == 0)
        return value >= -1 && value <= 1 ? NS_OK : ns_fail(err, NS_ERR_RANGE, "%s has to be from -1 to 1", path);
    if (!isfinite(value) || value < 0)
        return ns_fail(err, NS_ERR_RANGE, "%s has to be finite and not negative", path);
    const bool choice = last != NULL && strstr(path, ".choice.") != NULL;
    if (value <= 0 && (strstr(path, ".residual.") != NULL || strstr(path, ".ranking.") != NULL ||
                       (choice && (strcmp(last, ".kappa") == 0 || strcmp(last, ".lambda") == 0 ||
                                   strcmp(last, ".cases") == 0 || strcmp(last, ".groups") == 0))))
        return ns_fail(err, NS_ERR_RANGE, "%s has to be more than 0", path);
    if (choice && strcmp(last, ".lambda") == 0 && value > 1)
        return ns_fail(err, NS_ERR_RANGE, "%s has to be at most 1", path);
    if (strncmp(path, "topology.", 9) == 0 && (value != floor(value) || value > 1e6))
        return ns_fail(err, NS_ERR_RANGE, "%s has to be a whole number up to 1000000", path);
    return NS_OK;
}

/* ---- look-ups ---------------------------------------------------------------------------------------------------- */

const ns_parameter *ns_machine_parameter(const ns_machine *machine, const char *path)
{
    const ns_machine_store *store = machine->store;
    const size_t at = store != NULL && store->slots > 0 ? *place_of(store, path) : 0;
    return at > 0 && at <= machine->parameters ? &store->parameter[at - 1] : NULL;
}

const char *ns_machine_handle(const ns_machine *machine)
{
    char shipped[120];
    snprintf(shipped, sizeof shipped, "params/%.100s.json", machine->name);
    return strcmp(machine->file, shipped) == 0 ? machine->name : machine->file;
}

bool ns_machine_number(const ns_machine *machine, const char *path, double *value, ns_dim *dim,
                       const ns_parameter **parameter)
{
    const ns_parameter *found = ns_machine_parameter(machine, path);
    const char *protocol = found == NULL ? strstr(path, ".protocols.") : NULL, *locality = strchr(path, '.');
    if (protocol != NULL) {
        /* A first size may have the other path: "host.off-node.protocols.eager" where the memory's sizes hold for every
         * locality, or "host.protocols.eager" where each locality has its own; then it is the off-node size. */
        const bool of_memory = locality == protocol;
        char other[120];
        bool own = false; /* the locality has its own sizes, and this protocol is not among them */
        for (int p = 0; !of_memory && p < NS_PROTOCOLS; p++) {
            snprintf(other, sizeof other, "%.*s.protocols.%s", (int)(protocol - path), path, ns_protocol_words[p]);
            own = own || ns_machine_parameter(machine, other) != NULL;
        }
        snprintf(other, sizeof other, "%.*s%s%s%s", (int)(locality - path), path, of_memory ? "." : "",
                 of_memory ? ns_locality_words[NS_OFF_NODE] : "", protocol);
        found = own ? NULL : ns_machine_parameter(machine, other);
    }
    const bool inverted = found == NULL;
    const char *last = strrchr(path, '.');
    const size_t stem = last != NULL ? (size_t)(last + 1 - path) : 0;
    /* find the parameter whose reciprocal has this path: "...R_b" is 1 / "...beta" */
    for (size_t i = 0; last != NULL && found == NULL && i < machine->parameters; i++) {
        const ns_parameter *p = &machine->parameter[i];
        if (p->inverse != NULL && strcmp(p->inverse, last + 1) == 0 && strncmp(p->path, path, stem) == 0 &&
            strchr(p->path + stem, '.') == NULL)
            found = p;
    }
    if (found == NULL || (inverted && found->value == 0))
        return false;
    *value = inverted ? 1 / found->value : found->value;
    if (dim != NULL)
        *dim = inverted ? (ns_dim){(signed char)-found->dim.second, (signed char)-found->dim.byte,
                                   (signed char)-found->dim.flop}
                        : found->dim;
    if (parameter != NULL)
        *parameter = found;
    return true;
}

const ns_line *ns_machine_line(const ns_machine *machine, ns_memory memory, ns_locality locality, double bytes,
                               ns_protocol *protocol)
{
    const ns_line *lines = machine->line[memory][locality], *found = NULL;
    for (int p = 0; p < NS_PROTOCOLS; p++)
        if (lines[p].given && bytes >= lines[p].from) {
            found = &lines[p];
            if (protocol != NULL)
                *protocol = (ns_protocol)p;
        }
    return found;
}

const ns_copy_line *ns_machine_copy(const ns_machine *machine, int processes)
{
    const ns_copy_line *found = NULL;
    for (int i = 0; i < machine->copy_levels && machine->copy[i].processes <= processes; i++)
        found = &machine->copy[i];
    return found;
}

double ns_machine_rendezvous_from(const ns_machine *machine)
{
    const ns_line *line = &machine->line[NS_HOST][NS_OFF_NODE][NS_RENDEZVOUS];
    return line->given ? line->from : 0;
}

double ns_machine_message_cap(const ns_machine *machine)
{
    double cap;
    return ns_machine_number(machine, "models.split.cap", &cap, NULL, NULL) && cap > 0
               ? cap
               : ns_machine_rendezvous_from(machine);
}

ns_status ns_model_line(const ns_machine *machine, int memory, int locality, int protocol_or_auto, double bytes,
                        const ns_line **line, ns_error *err)
{
    const char *const where[] = {ns_memory_words[memory], ns_locality_words[locality]};
    const ns_line *found = protocol_or_auto < 0
                               ? ns_machine_line(machine, (ns_memory)memory, (ns_locality)locality, bytes, NULL)
                               : &machine->line[memory][locality][protocol_or_auto];
    if (found == NULL)
        return ns_fail(err, NS_ERR_DATA, "machine %s has no %s table for %s memory", machine->name, where[1], where[0]);
    if (protocol_or_auto >= 0 && !found->given)
        return ns_fail(err, NS_ERR_DATA, "machine %s has no protocol \"%s\" for %s messages in %s memory",
                       machine->name, ns_protocol_words[protocol_or_auto], where[1], where[0]);
    *line = found;
    return NS_OK;
}

/* ---- drops at protocol switches ---------------------------------------------------------------------------------- */

bool ns_machine_drop_at(const ns_machine *machine, size_t index, ns_machine_drop *drop)
{
    for (int i = 0; i < NS_MEMORIES * NS_LOCALITIES * 2 * (NS_PROTOCOLS - 1); i++) {
        const int to = 1 + i % (NS_PROTOCOLS - 1), flight = i / (NS_PROTOCOLS - 1) % 2,
                  locality = i / (2 * (NS_PROTOCOLS - 1)) % NS_LOCALITIES,
                  memory = i / (2 * (NS_PROTOCOLS - 1) * NS_LOCALITIES);
        const ns_line *alone = machine->line[memory][locality],
                      *line = flight ? machine->in_flight[memory][locality] : alone;
        const double size = alone[to].from;
        int from = to - 1;
        while (from >= 0 && !line[from].given)
            from--;
        if (from < 0 || !line[to].given)
            continue;
        const double before = line[from].alpha + line[from].beta * size, after = line[to].alpha + line[to].beta * size;
        if (!(after < before) || index-- > 0)
            continue;
        *drop = (ns_machine_drop){.memory = (ns_memory)memory,
                                  .locality = (ns_locality)locality,
                                  .in_flight = flight == 1,
                                  .from = (ns_protocol)from,
                                  .to = (ns_protocol)to,
                                  .size = size,
                                  .before_s = before,
                                  .after_s = after};
        return true;
    }
    return false;
}

/* ---- residuals of similar exchanges ------------------------------------------------------------------------------ */

double ns_way_ratio_shift(const ns_way_ratio *ratio, double bytes)
{
    static const double width = 1.5; /* doublings */
    const double beyond = fmax(0, fmax(log2(ratio->from / fmax(1, bytes)), log2(bytes / ratio->to))),
                 distance = beyond / width;
    return ratio->ln_ratio * ns_nearness(&distance, 1);
}

double ns_residual_shift(const ns_residual *residual, const char *way, double messages, double bytes)
{
    ns_near own = {0, 0}, all = {0, 0};
    for (size_t i = 0; i < residual->ratios; i++)
        if (strcmp(residual->ratio[i].way, way) == 0)
            return ns_way_ratio_shift(&residual->ratio[i], bytes); /* of a strategy without measured exchanges */
    if (residual->points == 0 || !(messages > 0))
        return 0;
    const double size = fmax(1, bytes / messages);
    for (size_t i = 0; i < residual->points; i++) {
        const ns_residual_point *p = &residual->point[i];
        const double distance[] = {log2(messages / p->messages) / residual->width,
                                   log2(size / p->size) / residual->width};
        const double q = p->rows * ns_nearness(distance, 2);
        ns_near_add(&all, q, p->ln_ratio);
        if (strcmp(p->way, way) == 0)
            ns_near_add(&own, q, p->ln_ratio);
    }
    return ns_near_shift(&own, residual->prior, &all, residual->prior);
}

bool ns_parameter_assumed(const ns_parameter *parameter)
{
    return strncmp(parameter->source, "assumed", strlen("assumed")) == 0;
}
