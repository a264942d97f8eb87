/* store.c -- what a machine owns */
#include "machine/store.h"

#include "core/memory.h"

#include <math.h>
#include <string.h>

struct ns_machine_text {
    struct ns_machine_text *next;
    char text[];
};

/* Behind the store, whose own layout is on record with the library's interface. */
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

static uint64_t hash_of(const char *path)
{
    uint64_t hash = 0;
    size_t length = strlen(path);
    for (size_t part; length > 0; path += part, length -= part) {
        uint64_t word = 0;
        part = length < sizeof word ? length : sizeof word;
        memcpy(&word, path, part);
        hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 29;
    }
    return hash;
}

/* Where a path stands in the index, or would. */
static uint32_t *place_of(const ns_machine_store *store, const char *path)
{
    size_t at = (size_t)hash_of(path) & (store->slots - 1);
    while (store->index[at] != 0 && strcmp(store->parameter[store->index[at] - 1].path, path) != 0)
        at = (at + 1) & (store->slots - 1);
    return &store->index[at];
}

const ns_parameter *ns_machine_look_up(const ns_machine_store *store, const char *path)
{
    const uint32_t place = store->slots > 0 ? *place_of(store, path) : 0;
    return place > 0 ? &store->parameter[place - 1] : NULL;
}

static void enter(ns_machine_store *store, size_t at)
{
    uint32_t *place = place_of(store, store->parameter[at].path);
    if (*place == 0)
        *place = (uint32_t)at + 1;
}

static ns_status widen(ns_machine_store *store, ns_error *err)
{
    const size_t slots = 2 * store->capacity;
    uint32_t *index = ns_calloc(slots, sizeof *index);
    if (index == NULL)
        return ns_no_memory(err);
    ns_free(store->index);
    store->index = index;
    store->slots = slots;
    for (size_t i = 0; i < store->count; i++)
        enter(store, i);
    return NS_OK;
}

/* ------------------------------------------------------------------------------------------------------------------ */

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
    if (store->slots < 2 * store->capacity)
        NS_TRY(widen(store, err));
    ns_parameter copy = *parameter;
    copy.size = sizeof copy;
    copy.path = ns_machine_keep(store, parameter->path);
    copy.source = ns_machine_keep(store, parameter->source);
    copy.doc = ns_machine_keep(store, parameter->doc);
    if (copy.path == NULL || copy.source == NULL || copy.doc == NULL)
        return ns_no_memory(err);
    store->parameter[store->count++] = copy;
    enter(store, store->count - 1);
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
    for (int m = 0; m < NS_MEMORIES; m++)
        ns_free((void *)(uintptr_t)machine->residual[m].point);
    ns_free(((whole_store *)machine->store)->warning);
    ns_free(machine->store);
    ns_free(machine);
}

ns_status ns_machine_check_value(const char *path, const char *unit, double value, ns_error *err)
{
    const char *last = strrchr(path, '.');
    if (last != NULL && strcmp(last, ".correlation") == 0)
        return value >= -1 && value <= 1 ? NS_OK : ns_fail(err, NS_ERR_RANGE, "%s has to be from -1 to 1", path);
    if (!isfinite(value) || value < 0)
        return ns_fail(err, NS_ERR_RANGE, "%s has to be finite and not negative", path);
    if (last != NULL && strstr(path, ".choice.") != NULL && value <= 0)
        return ns_fail(err, NS_ERR_RANGE, "%s has to be more than 0", path);
    if (last != NULL && strstr(path, ".residual.") != NULL && value <= 0)
        return ns_fail(err, NS_ERR_RANGE, "%s has to be more than 0", path);
    if (last != NULL && strcmp(last, ".lambda") == 0 && strstr(path, ".choice.") != NULL && value > 1)
        return ns_fail(err, NS_ERR_RANGE, "%s has to be at most 1", path);
    if (strncmp(path, "topology.", 9) == 0 && (value != floor(value) || value > 1e6))
        return ns_fail(err, NS_ERR_RANGE, "%s has to be a whole number up to 1000000", path);
    (void)unit;
    return NS_OK;
}
