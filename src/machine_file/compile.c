/* compile.c -- from parameters to the typed tables, and whether these are whole */
#include "core/memory.h"
#include "machine/form.h"
#include "machine_file/schema.h"

#include <nsmodel/json.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct compiler {
    ns_machine *machine;
    const char *text, *origin;
    ns_error *err;
} compiler;

static const ns_parameter *find(const compiler *c, const char *format, ...) NS_PRINTF(2, 3);
static const ns_parameter *find(const compiler *c, const char *format, ...)
{
    char path[200];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(path, sizeof path, format, arguments);
    va_end(arguments);
    return ns_machine_parameter(c->machine, path);
}

/* Refuse what stands at a path, with its place in the text. */
static ns_status refuse(const compiler *c, const char *path, const char *format, ...) NS_PRINTF(3, 4);
static ns_status refuse(const compiler *c, const char *path, const char *format, ...)
{
    char what[300];
    long line = 0, column = 0;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    if (c->text != NULL)
        ns_json_locate(c->text, path, &line, &column);
    return ns_fail_at(c->err, NS_ERR_DATA, c->origin, line, column, "%s", what);
}

/* The lines of a locality by rising first size, the first from 0 B; *any: the file has some number of it. */
static ns_status compile_locality(compiler *c, int memory, int locality, bool *any)
{
    const char *m = ns_memory_words[memory], *l = ns_locality_words[locality];
    char path[64], stem[100];
    const int length = snprintf(path, sizeof path, "%s.%s", m, l);
    bool given = false, own_sizes = false;
    for (size_t i = 0; i < c->machine->parameters; i++) {
        const char *of = c->machine->parameter[i].path;
        given = given || (strncmp(of, path, (size_t)length) == 0 && of[length] == '.');
    }
    if (!given)
        return NS_OK;
    *any = true;
    /* first sizes are the locality's own, or else the memory's; localities with own sizes use only these */
    for (int p = 0; p < NS_PROTOCOLS; p++)
        own_sizes = own_sizes || find(c, "%s.protocols.%s", path, ns_protocol_words[p]) != NULL;
    double last = -1;
    for (int i = 0; i < NS_PROTOCOLS; i++) {
        const char *p = ns_protocol_words[i];
        snprintf(stem, sizeof stem, "%s.%s", path, p);
        const ns_parameter *alpha = find(c, "%s.alpha", stem), *beta = find(c, "%s.beta", stem),
                           *from = find(c, "%s.protocols.%s", own_sizes ? path : m, p),
                           *to = find(c, "%s.to", stem);
        if (from == NULL && alpha == NULL && beta == NULL)
            continue;
        if (alpha == NULL || beta == NULL || from == NULL)
            return refuse(c, path, "%s lacks %s of protocol \"%s\"", path,
                          alpha == NULL ? "alpha" : beta == NULL ? "beta" : "the first size (\"protocols\")", p);
        if (last < 0 && from->value != 0)
            return refuse(c, path, "%s: the first protocol, \"%s\", has to start at 0 B", path, p);
        if (from->value <= last)
            return refuse(c, path, "%s: protocol \"%s\" has to start at a larger size than the one before it", path, p);
        last = from->value;
        c->machine->line[memory][locality][i] = (ns_line){.given = true,
                                                          .alpha = alpha->value,
                                                          .beta = beta->value,
                                                          .alpha_se = alpha->se,
                                                          .beta_se = beta->se,
                                                          .from = from->value,
                                                          .to = to != NULL ? to->value : 0};
    }
    return NS_OK;
}

static ns_status compile_memory(compiler *c, int memory)
{
    ns_machine *m = c->machine;
    const char *word = ns_memory_words[memory];
    bool any = false, sizes = false, measured[NS_LOCALITIES] = {false};
    for (int l = 0; l < NS_LOCALITIES; l++) {
        NS_TRY(compile_locality(c, memory, l, &any));
        for (int p = 0; p < NS_PROTOCOLS; p++)
            measured[l] = measured[l] || m->line[memory][l][p].given;
    }
    for (int p = 0; p < NS_PROTOCOLS; p++)
        sizes = sizes || find(c, "%s.protocols.%s", word, ns_protocol_words[p]) != NULL;
    if (sizes && !any)
        return refuse(c, word, "protocols are named, but there is no on-socket, on-node or off-node table");
    if (memory == NS_DEVICE && any && m->gpus == 0)
        return refuse(c, "device", "device tables need topology.gpus of at least 1");

    /* inside a node one measured locality stands for the other, and off node for both: at least as slow */
    for (int l = 0; l < NS_LOCALITIES; l++) {
        const ns_locality other = l == NS_ON_SOCKET ? NS_ON_NODE : NS_ON_SOCKET;
        m->stands_for[memory][l] = measured[l] || l == NS_OFF_NODE ? (ns_locality)l
                                   : measured[other]               ? other
                                   : measured[NS_OFF_NODE]         ? NS_OFF_NODE
                                                                   : (ns_locality)l;
    }
    for (int l = 0; l < NS_OFF_NODE; l++)
        memcpy(m->line[memory][l], m->line[memory][m->stands_for[memory][l]], sizeof m->line[memory][l]);

    const ns_parameter *injection = find(c, "%s.injection.inverse_R_N", word);
    m->inverse_R_N[memory] = injection != NULL ? injection->value : 0;
    return NS_OK;
}

/* Compile the lines of messages in flight; each wants both of its numbers. */
static ns_status compile_in_flight(compiler *c, int memory)
{
    for (int l = 0; l < NS_LOCALITIES; l++)
        for (int p = 0; p < NS_PROTOCOLS; p++) {
            char path[80];
            snprintf(path, sizeof path, "%s.exchange.%s.%s", ns_memory_words[memory], ns_locality_words[l],
                     ns_protocol_words[p]);
            const ns_parameter *alpha = find(c, "%s.alpha", path), *beta = find(c, "%s.beta", path);
            if ((alpha == NULL) != (beta == NULL))
                return refuse(c, path, "a line of the exchange wants both alpha and beta");
            c->machine->in_flight[memory][l][p] =
                alpha != NULL ? (ns_line){.given = true, .alpha = alpha->value, .beta = beta->value}
                              : (ns_line){.given = false};
        }
    return NS_OK;
}

/* A point for each ratio: its way and its number stand before that. */
static ns_status add_point(compiler *c, const ns_parameter *ratio, size_t stem, ns_residual_point *to)
{
    char path[200], way[64];
    const ns_parameter *of[3];
    static const char *const names[] = {"messages", "size", "rows"};
    const int length = (int)(strrchr(ratio->path, '.') - ratio->path);
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%.*s.%s", length, ratio->path, names[i]);
        of[i] = ns_machine_parameter(c->machine, path);
        if (of[i] == NULL)
            return refuse(c, ratio->path, "%.100s wants %.100s beside it", ratio->path, path);
    }
    snprintf(way, sizeof way, "%.*s", (int)strcspn(ratio->path + stem, "."), ratio->path + stem);
    *to = (ns_residual_point){.way = ns_machine_keep(c->machine->store, way),
                              .messages = of[0]->value,
                              .size = of[1]->value,
                              .ln_ratio = log(ratio->value),
                              .rows = of[2]->value};
    return to->way != NULL ? NS_OK : ns_no_memory(c->err);
}

/* What measured exchanges told of the machine's own predictions. */
static ns_status compile_residual(compiler *c, int memory)
{
    char begin[40];
    ns_machine *m = c->machine;
    const size_t stem = (size_t)snprintf(begin, sizeof begin, "%s.residual.", ns_memory_words[memory]);
    const ns_parameter *width = find(c, "%s.residual.width", ns_memory_words[memory]),
                       *prior = find(c, "%s.residual.prior", ns_memory_words[memory]);
    ns_residual *r = &m->residual[memory];
    ns_free((void *)(uintptr_t)r->point);
    r->point = NULL;
    r->points = 0;
    if (width == NULL && prior == NULL)
        return NS_OK;
    if (width == NULL || prior == NULL)
        return refuse(c, width != NULL ? width->path : prior->path, "%.100s wants %s beside it",
                      width != NULL ? width->path : prior->path,
                      width != NULL ? "its residual.prior" : "its residual.width");
    ns_residual_point *point = ns_malloc(ns_size_mul(ns_size_add(m->parameters, 1), sizeof *point));
    if (point == NULL)
        return ns_no_memory(c->err);
    r->width = width->value;
    r->prior = prior->value;
    r->point = point;
    for (size_t i = 0; i < m->parameters; i++) {
        const char *path = m->parameter[i].path, *last = strrchr(path, '.');
        if (strncmp(path, begin, stem) == 0 && last != NULL && strcmp(last, ".ratio") == 0)
            NS_TRY(add_point(c, &m->parameter[i], stem, &point[r->points++]));
    }
    return NS_OK;
}

/* What published rankings told of ways that no exchange measured. */
static ns_status compile_ratios(compiler *c, int memory)
{
    char begin[40], way[64];
    ns_machine *m = c->machine;
    const size_t stem = (size_t)snprintf(begin, sizeof begin, "%s.ranking.", ns_memory_words[memory]);
    ns_residual *r = &m->residual[memory];
    ns_free((void *)(uintptr_t)r->ratio);
    ns_way_ratio *ratio = ns_malloc(ns_size_mul(ns_size_add(m->parameters, 1), sizeof *ratio));
    r->ratio = ratio;
    r->ratios = 0;
    if (ratio == NULL)
        return ns_no_memory(c->err);
    for (size_t i = 0; i < m->parameters; i++) {
        const char *path = m->parameter[i].path, *last = strrchr(path, '.');
        if (strncmp(path, begin, stem) != 0 || strcmp(last, ".ratio") != 0)
            continue;
        snprintf(way, sizeof way, "%.*s", (int)strcspn(path + stem, "."), path + stem);
        const ns_parameter *from = find(c, "%s.ranking.%s.from", ns_memory_words[memory], way),
                           *to = find(c, "%s.ranking.%s.to", ns_memory_words[memory], way);
        ratio[r->ratios] = (ns_way_ratio){ns_machine_keep(m->store, way), log(m->parameter[i].value),
                                          from != NULL ? from->value : 0, to != NULL ? to->value : INFINITY};
        if (ratio[r->ratios++].way == NULL)
            return ns_no_memory(c->err);
    }
    return NS_OK;
}

static ns_status compile_copies(compiler *c)
{
    ns_machine *m = c->machine;
    m->copy_levels = 0;
    for (size_t i = 0; i < m->parameters; i++) {
        const char *key = m->parameter[i].path;
        char path[16], stem[24];
        if (strncmp(key, "copy.", 5) != 0)
            continue;
        snprintf(path, sizeof path, "copy.%.*s", (int)strcspn(key + 5, "."), key + 5);
        ns_copy_line line = {.processes = atoi(path + 5)};
        for (int d = 0; d < NS_DIRECTIONS; d++) {
            snprintf(stem, sizeof stem, "%s.%s", path, ns_direction_words[d]);
            const ns_parameter *alpha = find(c, "%s.alpha", stem),
                               *beta = find(c, "%s.beta", stem);
            if (alpha == NULL || beta == NULL)
                return refuse(c, path, "a copy level wants alpha and beta of both d2h and h2d");
            line.alpha[d] = alpha->value, line.alpha_se[d] = alpha->se;
            line.beta[d] = beta->value, line.beta_se[d] = beta->se;
            const ns_parameter *wait = find(c, "%s.wait", stem), *of = find(c, "%s.correlation", stem),
                               *below = find(c, "%s.wait_below", stem);
            if ((wait == NULL) != (below == NULL))
                return refuse(c, stem, "copies that wait want both wait and wait_below");
            line.correlation[d] = of != NULL ? of->value : 0;
            line.wait[d] = wait != NULL ? wait->value : 0;
            line.wait_below[d] = below != NULL ? below->value : 0;
        }
        int at = 0;
        while (at < m->copy_levels && m->copy[at].processes < line.processes)
            at++;
        if (at < m->copy_levels && m->copy[at].processes == line.processes)
            continue;
        if (m->copy_levels == NS_COPY_LEVELS)
            return refuse(c, path, "at most 4 copy levels");
        memmove(m->copy + at + 1, m->copy + at, (size_t)(m->copy_levels - at) * sizeof line);
        m->copy[at] = line;
        m->copy_levels++;
    }
    if (m->copy_levels > 0 && m->copy[0].processes != 1)
        return refuse(c, "copy", "copies want the level of 1 process");
    return NS_OK;
}

ns_status ns_machine_compile(ns_machine *machine, const char *text, const char *origin, ns_error *err)
{
    compiler c = {machine, text, origin, err};
    machine->parameter = machine->store->parameter;
    machine->parameters = machine->store->count;
    memset(machine->line, 0, sizeof machine->line);
    const ns_parameter *sockets = ns_machine_parameter(machine, "topology.sockets");
    const ns_parameter *gpus = ns_machine_parameter(machine, "topology.gpus");
    const ns_parameter *processes = ns_machine_parameter(machine, "topology.host_processes");
    machine->sockets = sockets != NULL ? (int)sockets->value : 1;
    machine->gpus = gpus != NULL ? (int)gpus->value : 0;
    machine->host_processes = processes != NULL ? (int)processes->value : 1;
    if (machine->sockets < 1)
        return refuse(&c, "topology.sockets", "sockets has to be at least 1");
    if (machine->host_processes < 1)
        return refuse(&c, "topology.host_processes", "host_processes has to be at least 1");
    for (int memory = 0; memory < NS_MEMORIES; memory++) {
        NS_TRY(compile_memory(&c, memory));
        NS_TRY(compile_in_flight(&c, memory));
        NS_TRY(compile_residual(&c, memory));
        NS_TRY(compile_ratios(&c, memory));
    }
    const ns_parameter *delta = ns_machine_parameter(machine, "network.contention.delta");
    machine->contention_delta = delta != NULL ? delta->value : 0;
    NS_TRY(compile_copies(&c));

    /* what the form that is taken unasked has of the machine: asked for with every price */
    ns_form_values *taken = ns_malloc(NS_MEMORIES * sizeof *taken);
    if (taken == NULL)
        return ns_no_memory(err);
    ns_free(machine->taken);
    machine->taken = NULL;
    for (int memory = 0; memory < NS_MEMORIES; memory++)
        ns_form_take(ns_form_of(machine, NULL), machine, (ns_memory)memory, 0, &taken[memory]);
    machine->taken = taken;
    return NS_OK;
}
