/* machine_check.c -- the numbers that a machine has: measured, calibrated, assumed or missing, and what measures them
 *
 * A source that begins with "assumed" marks a number that nobody measured, and so does a table that is borrowed from
 * another one.
 */
#include "core/memory.h"
#include "study/study.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

const char *const ns_standing_words[] = {"measured", "calibrated", "assumed", "missing", NULL};

/* A number, or a table, that a machine may have. */
typedef struct wanted {
    const char *what;
    const char *path[4]; /* %s is the memory's word; the first one that the machine has decides */
    enum { ALWAYS, WITH_GPUS } when;
    bool host_only;
    const char *otherwise; /* what replaces it; NULL: it is missing */
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

/* Add an item with its parameter p, or with what replaces it where p is NULL, and, where nobody measured it, with the
 * benchmark that measures path. */
static void add_number(ns_machine_check *c, const char *what, const ns_parameter *p, ns_standing standing,
                       const char *otherwise, const char *path)
{
    if (c->items == NS_MACHINE_ITEMS)
        return;
    ns_machine_item *item = &c->item[c->items++];
    if (p != NULL)
        standing = p->calibrated                           ? NS_STANDING_CALIBRATED
                   : strncmp(p->source, "assumed", 7) == 0 ? NS_STANDING_ASSUMED
                                                           : NS_STANDING_MEASURED;
    item->standing = standing;
    c->count[standing]++;
    snprintf(item->what, sizeof item->what, "%s", what);
    snprintf(item->basis, sizeof item->basis, "%s", p != NULL ? p->source : otherwise);
    if (standing != NS_STANDING_MEASURED && standing != NS_STANDING_CALIBRATED)
        item->tool = ns_benchmark_parts(path, c->machine, item->run, sizeof item->run, item->fit, sizeof item->fit);
}

/* Messages of a memory by locality, and the other numbers of that memory. */
static void add_memory(ns_machine_check *c, ns_memory memory)
{
    const ns_machine *m = c->machine;
    char what[60], path[100];
    for (int l = 0; l < NS_LOCALITIES; l++) {
        if (l == NS_ON_NODE && m->sockets <= 1)
            continue;
        char basis[120];
        const ns_locality from = m->stands_for[memory][l];
        const bool known = ns_machine_line(m, memory, (ns_locality)l, 0, NULL) != NULL;
        const bool one_socket = m->sockets == 1 && l == NS_ON_SOCKET; /* then on-node is on-socket */
        const ns_parameter *alpha = NULL;
        snprintf(what, sizeof what, "%s messages %s", ns_memory_words[memory],
                 one_socket ? "inside the node" : ns_locality_words[l]);
        snprintf(basis, sizeof basis, "its %s table", ns_locality_words[from]);
        if (known && (from == (ns_locality)l || (one_socket && from == NS_ON_NODE))) {
            for (int p = 0; p < NS_PROTOCOLS && alpha == NULL; p++) {
                snprintf(path, sizeof path, "%s.%s.%s.alpha", ns_memory_words[memory], ns_locality_words[from],
                         ns_protocol_words[p]);
                alpha = ns_machine_parameter(m, path);
            }
            assert(alpha != NULL); /* the table was measured */
        }
        snprintf(path, sizeof path, "%s.%s.eager.alpha", ns_memory_words[memory], ns_locality_words[l]);
        add_number(c, what, alpha, known ? NS_STANDING_ASSUMED : NS_STANDING_MISSING, known ? basis : "", path);
    }
    for (size_t i = 0; i < sizeof of_a_memory / sizeof *of_a_memory; i++) {
        const wanted *w = &of_a_memory[i];
        const ns_parameter *found = NULL;
        if ((w->host_only && memory != NS_HOST) || (w->when == WITH_GPUS && m->gpus == 0))
            continue;
        for (size_t k = sizeof w->path / sizeof *w->path; k-- > 0;) {
            if (w->path[k] == NULL)
                continue;
            snprintf(path, sizeof path, "%s%s", ns_memory_words[memory], w->path[k] + 2); /* what follows %s */
            const ns_parameter *p = ns_machine_parameter(m, path);
            found = p != NULL ? p : found;
        }
        snprintf(what, sizeof what, "%s %s", ns_memory_words[memory], w->what);
        add_number(c, what, found, NS_STANDING_ASSUMED, w->otherwise, path);
    }
}

/* ---- the list ---------------------------------------------------------------------------------------------------- */

ns_status ns_machine_check_make(const ns_machine *machine, ns_machine_check **made, ns_error *err)
{
    ns_error_clear(err);
    ns_machine_check *c = ns_calloc(1, sizeof *c);
    if (c == NULL)
        return ns_no_memory(err);
    c->machine = machine;
    static const char *const counts[][3] = {{"topology.sockets", "sockets of a node", "one"},
                                            {"topology.gpus", "GPUs of a node", "none"},
                                            {"topology.host_processes", "processes of a node", "one"}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        add_number(c, counts[i][1], ns_machine_parameter(machine, counts[i][0]), NS_STANDING_ASSUMED, counts[i][2],
                   counts[i][0]);
    add_memory(c, NS_HOST);
    if (machine->gpus > 0) {
        add_memory(c, NS_DEVICE);
        add_number(c, "copies between host and GPU", ns_machine_parameter(machine, "copy.1.d2h.alpha"),
                   NS_STANDING_MISSING, "", "copy.1.d2h.alpha");
    }
    if (machine->gpus > 0 && machine->copy_levels > 0 && machine->host_processes > machine->gpus) {
        char path[40];
        snprintf(path, sizeof path, "copy.%d.d2h.alpha", machine->copy[machine->copy_levels - 1].processes);
        add_number(c, "copies of several processes at once",
                   machine->copy_levels > 1 ? ns_machine_parameter(machine, path) : NULL, NS_STANDING_ASSUMED,
                   "those of one", "copy.4.d2h.alpha");
    }
    *made = c;
    return NS_OK;
}
