/* machine_check.c -- what a machine knows, item by item: measured, calibrated, assumed or missing, and what measures it
 *
 * A source that begins with "assumed" marks a number that nobody measured; so does a table that another one stands for.
 */
#include "core/memory.h"
#include "study/study.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

const char *const ns_standing_words[] = {"measured", "calibrated", "assumed", "missing", NULL};

enum { ITEMS_MAX = 48, TEXT = 240 };

typedef struct check_item {
    ns_machine_item seen;
    char what[60], basis[TEXT], run[TEXT], fit[TEXT];
} check_item;

typedef struct check {
    ns_machine_check seen;
    const ns_machine *machine;
    check_item item[ITEMS_MAX];
} check;

/* A number, or a table, that a machine may have. */
typedef struct wanted {
    const char *what;
    const char *path[4]; /* %s is the memory's word; the first that the machine has tells */
    enum { ALWAYS, WITH_GPUS } when;
    bool host_only;
    const char *otherwise; /* what stands in its place; NULL: it is missing */
} wanted;

static const wanted of_a_memory[] = {
    {"rate of the node's injection",
     {"%s.injection.inverse_R_N", "%s.injection.unlimited_pairs"},
     ALWAYS,
     false,
     "the off-node lines of two processes, or the host's"},
    {"start-up of messages in flight",
     {"%s.exchange.off-node.alpha", "%s.exchange.off-node.overhead", "%s.exchange.off-node.short.alpha",
      "%s.exchange.off-node.eager.alpha"},
     ALWAYS,
     false,
     "that of single messages"},
    {"rate of messages inside the node, all at once",
     {"%s.exchange.on-node.eager.inverse_R", "%s.exchange.on-socket.eager.inverse_R"},
     ALWAYS,
     true,
     "the lines of single messages"},
    {"queue search", {"%s.exchange.gamma", "%s.queue.gamma"}, ALWAYS, true, "7 ns without GPUs, 0 with"},
    {"shortest time of an exchange", {"%s.exchange.floor", NULL}, WITH_GPUS, false, "the handshakes of ping-pong"},
    {"error of the cost function", {"%s.exchange.model_error.time", NULL}, ALWAYS, false, "that of other machines"},
};

static ns_standing standing_of(const ns_parameter *p)
{
    return p->calibrated                           ? NS_STANDING_CALIBRATED
           : strncmp(p->source, "assumed", 7) == 0 ? NS_STANDING_ASSUMED
                                                   : NS_STANDING_MEASURED;
}

static check_item *add(check *c, const char *what, ns_standing standing, const char *basis)
{
    check_item *item = &c->item[c->seen.items];
    if (c->seen.items == ITEMS_MAX)
        return NULL;
    snprintf(item->what, sizeof item->what, "%s", what);
    snprintf(item->basis, sizeof item->basis, "%s", basis);
    item->seen = (ns_machine_item){.size = sizeof item->seen,
                                   .what = item->what,
                                   .standing = standing,
                                   .basis = item->basis,
                                   .run = "",
                                   .fit = ""};
    c->seen.items++;
    c->seen.count[standing]++;
    return item;
}

/* What measures an item that nobody measured. */
static void add_run(const check *c, check_item *item, const char *path)
{
    if (item == NULL || item->seen.standing == NS_STANDING_MEASURED || item->seen.standing == NS_STANDING_CALIBRATED)
        return;
    item->seen.tool = ns_benchmark_parts(path, c->machine, item->run, sizeof item->run, item->fit, sizeof item->fit);
    item->seen.run = item->run;
    item->seen.fit = item->fit;
}

/* ---- the node ---------------------------------------------------------------------------------------------------- */

static void add_count(check *c, const char *path, const char *what, const char *otherwise)
{
    const ns_parameter *p = ns_machine_parameter(c->machine, path);
    add_run(c, add(c, what, p != NULL ? standing_of(p) : NS_STANDING_ASSUMED, p != NULL ? p->source : otherwise), path);
}

/* ---- messages ---------------------------------------------------------------------------------------------------- */

static const ns_parameter *first_alpha(const ns_machine *m, int memory, int locality)
{
    char path[80];
    for (int p = 0; p < NS_PROTOCOLS; p++) {
        snprintf(path, sizeof path, "%s.%s.%s.alpha", ns_memory_words[memory], ns_locality_words[locality],
                 ns_protocol_words[p]);
        const ns_parameter *found = ns_machine_parameter(m, path);
        if (found != NULL)
            return found;
    }
    return NULL;
}

static void add_wanted(check *c, const wanted *w, int memory)
{
    char path[100], what[60];
    const ns_parameter *found = NULL;
    if ((w->host_only && memory != NS_HOST) || (w->when == WITH_GPUS && c->machine->gpus == 0))
        return;
    for (int i = (int)(sizeof w->path / sizeof *w->path) - 1; i >= 0; i--) {
        if (w->path[i] == NULL)
            continue;
        const char *rest = w->path[i] + 2; /* behind %s */
        snprintf(path, sizeof path, "%s%s", ns_memory_words[memory], rest);
        const ns_parameter *p = ns_machine_parameter(c->machine, path);
        found = p != NULL ? p : found;
    }
    snprintf(what, sizeof what, "%s %s", ns_memory_words[memory], w->what);
    add_run(c,
            add(c, what, found != NULL ? standing_of(found) : NS_STANDING_ASSUMED,
                found != NULL ? found->source : w->otherwise),
            path);
}

static void add_memory(check *c, int memory)
{
    for (int l = 0; l < NS_LOCALITIES; l++)
        if (l != NS_ON_NODE || c->machine->sockets > 1) {
            const ns_machine *m = c->machine;
            char what[60], path[60], basis[120];
            const ns_locality from = m->stands_for[memory][l];
            const bool known = ns_machine_line(m, (ns_memory)memory, (ns_locality)l, 0, NULL) != NULL;
            const bool one_socket = m->sockets == 1 && l == NS_ON_SOCKET; /* then on node is on socket */
            snprintf(what, sizeof what, "%s messages %s", ns_memory_words[memory],
                     one_socket ? "inside the node" : ns_locality_words[l]);
            snprintf(path, sizeof path, "%s.%s.eager.alpha", ns_memory_words[memory], ns_locality_words[l]);
            snprintf(basis, sizeof basis, "its %s table", ns_locality_words[from]);
            if (!known)
                add_run(c, add(c, what, NS_STANDING_MISSING, ""), path);
            else if (from != (ns_locality)l && !(one_socket && from == NS_ON_NODE))
                add_run(c, add(c, what, NS_STANDING_ASSUMED, basis), path);
            else {
                const ns_parameter *alpha = first_alpha(m, memory, (int)from);
                assert(alpha != NULL); /* the table was measured */
                add_run(c, add(c, what, standing_of(alpha), alpha->source), path);
            }
        }
    for (size_t i = 0; i < sizeof of_a_memory / sizeof *of_a_memory; i++)
        add_wanted(c, &of_a_memory[i], memory);
}

/* ---- copies ------------------------------------------------------------------------------------------------------ */

static void add_copies(check *c)
{
    const ns_machine *m = c->machine;
    const ns_parameter *one = ns_machine_parameter(m, "copy.1.d2h.alpha");
    if (m->gpus == 0)
        return;
    add_run(c,
            add(c, "copies between host and GPU", one != NULL ? standing_of(one) : NS_STANDING_MISSING,
                one != NULL ? one->source : ""),
            "copy.1.d2h.alpha");
    if (m->copy_levels == 0 || m->host_processes <= m->gpus)
        return;
    char path[40];
    snprintf(path, sizeof path, "copy.%d.d2h.alpha", m->copy[m->copy_levels - 1].processes);
    const ns_parameter *most = m->copy_levels > 1 ? ns_machine_parameter(m, path) : NULL;
    add_run(c,
            add(c, "copies of several processes at once", most != NULL ? standing_of(most) : NS_STANDING_ASSUMED,
                most != NULL ? most->source : "those of one"),
            "copy.4.d2h.alpha");
}

/* ---- the list ---------------------------------------------------------------------------------------------------- */

ns_status ns_machine_check_make(const ns_machine *machine, ns_machine_check **made, ns_error *err)
{
    ns_error_clear(err);
    check *c = ns_calloc(1, sizeof *c);
    if (c == NULL)
        return ns_no_memory(err);
    c->seen.size = sizeof c->seen;
    c->machine = machine;
    add_count(c, "topology.sockets", "sockets of a node", "one");
    add_count(c, "topology.gpus", "GPUs of a node", "none");
    add_count(c, "topology.host_processes", "processes of a node", "one");
    add_memory(c, NS_HOST);
    if (machine->gpus > 0) {
        add_memory(c, NS_DEVICE);
        add_copies(c);
    }
    *made = &c->seen;
    return NS_OK;
}

void ns_machine_check_free(ns_machine_check *made)
{
    ns_free(made); /* the first member of what was allocated */
}

const ns_machine_item *ns_machine_check_at(const ns_machine_check *made, size_t index)
{
    const check *c = (const check *)(const void *)made;
    return index < made->items ? &c->item[index].seen : NULL;
}
