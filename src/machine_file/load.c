/* load.c -- read a machine file, checked against the schema, into parameters with their sources; make the typed tables
 * from the parameters, and check that they are complete
 *
 * Every number is a text with a unit, "1.7 us"; only counts are bare.  Any object may have "source" and "note"; the
 * nearest source above a number applies to it, and so does "calibrated": true beside that source.  "alpha_se" beside
 * "alpha" is its standard error.  A number with a source of its own may be an object, {"value": "1.7 us", "source":
 * ...}.  "warnings" at the top lists the warnings of nsmodel fit.
 */
#include "core/context.h"
#include "core/embedded.h"
#include "core/memory.h"
#include "core/refuse.h"
#include "core/value.h"
#include "io/locate.h"
#include "io/whole_file.h"
#include "machine/form.h"
#include "machine_file/schema.h"

#include <nsmodel/json.h>

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct loader {
    ns_machine *machine;
    const char *text, *origin; /* of the file, for positions in messages; NULL without a file */
    ns_error *err;
} loader;

#define NS_MACHINE(stem) #stem,
static const char *const shipped[] = {
#include "machines.def"
    NULL};

/* The embedded machines, listed by make from params/. */
const char *const *ns_machine_names(void)
{
    return shipped;
}

/* The source of the numbers below an object. */
typedef struct origin_note {
    const char *source;
    bool calibrated;
} origin_note;

enum { PATH_SIZE = 200 };

/* Refuse the value at a path, with its position in the text. */
static ns_status refuse(const loader *l, ns_status code, const char *path, const char *format, ...) NS_PRINTF(4, 5);
static ns_status refuse(const loader *l, ns_status code, const char *path, const char *format, ...)
{
    char what[sizeof l->err->text];
    long line = 0, column = 0;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    if (l->text != NULL)
        ns_json_locate(l->text, path, &line, &column);
    return ns_fail_at(l->err, code, l->origin, line, column, "%s", what);
}

static ns_status unknown_key(const loader *l, const char *parent, const ns_value *value, const char *path)
{
    ns_schema_names names;
    char what[300];
    ns_schema_names_below(parent, &names);
    if (ns_closest(value->name, names.name, names.count) != NULL)
        ns_unknown_name(what, sizeof what, "unknown key", value->name, names.name, names.count, "");
    else
        snprintf(what, sizeof what, "unknown key \"%s\" in \"%s\"", value->name,
                 *parent != '\0' ? parent : "the machine");
    return refuse(l, NS_ERR_NAME, path, "%s", what);
}

/* Read a number in a row's unit from a text, or a bare count. */
static ns_status read_number(const loader *l, const ns_value *value, const char *path, const char *unit, double *number)
{
    ns_error inner = {0};
    ns_status status;
    if (value->kind == NS_TEXT)
        status = ns_quantity_parse_as(value->text, value->name, unit, number, &inner);
    else if (value->kind == NS_NUMBER && strcmp(unit, "1") == 0)
        status = (*number = value->number, NS_OK);
    else if (value->kind == NS_NUMBER)
        status = ns_fail(&inner, NS_ERR_UNIT, "%s wants a number with a unit like \"1 %s\", got a bare number",
                         value->name, unit);
    else
        status = ns_fail(&inner, NS_ERR_SYNTAX, "%s wants a number like \"1 %s\"", value->name, unit);
    if (status == NS_OK)
        status = ns_machine_check_value(path, *number, &inner);
    return status == NS_OK ? NS_OK : refuse(l, status, path, "%s", inner.text);
}

/* Read the nearest source, and whether the numbers below it are calibrated. */
static ns_status read_origin(const loader *l, const ns_value *object, const char *path, origin_note *origin)
{
    const ns_value *source = ns_value_get(object, "source"), *calibrated = ns_value_get(object, "calibrated");
    if (calibrated != NULL && calibrated->kind != NS_BOOL) {
        char below[PATH_SIZE + 12];
        snprintf(below, sizeof below, "%s%scalibrated", path, *path != '\0' ? "." : "");
        return refuse(l, NS_ERR_SYNTAX, below, "this key wants true or false");
    }
    if (source != NULL && source->kind == NS_TEXT)
        *origin = (origin_note){source->text, false};
    if (calibrated != NULL)
        origin->calibrated = calibrated->truth;
    return NS_OK;
}

static ns_status check_text(const loader *l, const ns_value *v, const char *path)
{
    if (v->kind != NS_TEXT)
        return refuse(l, NS_ERR_SYNTAX, path, "this key wants a text");
    return v->text[0] != '\0' || strcmp(v->name, "source") != 0
               ? NS_OK
               : refuse(l, NS_ERR_DATA, path, "an empty source; wanted where the numbers come from");
}

/* Read a number, or {"value": ..., "source": ..., "calibrated": ..., "note": ...} in its place; and "alpha_se" beside
 * "alpha". */
static ns_status read_parameter(const loader *l, const ns_value *parent, const ns_value *number, const char *path,
                                const ns_schema_row *row, origin_note origin)
{
    char below[PATH_SIZE + 40];
    ns_value value = *number;
    if (number->kind == NS_OBJECT) {
        const ns_value *inner = ns_value_get(number, "value");
        if (inner == NULL)
            return refuse(l, NS_ERR_SYNTAX, path, "a number that is an object wants its \"value\"");
        for (const ns_value *v = number->first; v != NULL; v = v->next) {
            snprintf(below, sizeof below, "%s.%.30s", path, v->name);
            if (strcmp(v->name, "source") == 0 || strcmp(v->name, "note") == 0)
                NS_TRY(check_text(l, v, below));
            else if (v != inner && strcmp(v->name, "calibrated") != 0)
                return refuse(l, NS_ERR_NAME, below,
                              "a number's object holds \"value\", \"source\", \"calibrated\" and \"note\" only");
        }
        NS_TRY(read_origin(l, number, path, &origin));
        value = *inner;
        value.name = number->name;
    }
    ns_parameter parameter = {.path = path,
                              .source = origin.source,
                              .calibrated = origin.calibrated,
                              .doc = row->doc,
                              .inverse = row->inverse};
    double factor;
    NS_TRY(ns_unit_parse(row->unit, &factor, &parameter.dim, l->err));
    NS_TRY(read_number(l, &value, path, row->unit, &parameter.value));
    const size_t length = strlen(number->name);
    const ns_value *se = parent->first;
    while (se != NULL && (strncmp(se->name, number->name, length) != 0 || strcmp(se->name + length, "_se") != 0))
        se = se->next;
    if (se != NULL) {
        snprintf(below, sizeof below, "%s_se", path);
        NS_TRY(read_number(l, se, below, row->unit, &parameter.se));
    }
    return ns_machine_add(l->machine->store, &parameter, l->err);
}

/* Read every key of an object of the file. */
static ns_status walk(const loader *l, const ns_value *object, const char *path, origin_note origin)
{
    const size_t above = strlen(path);
    NS_TRY(read_origin(l, object, path, &origin));
    for (const ns_value *v = object->first; v != NULL; v = v->next) {
        const char *key = v->name;
        const size_t begin = above + (above > 0), size = strlen(key) + 1;
        char below[PATH_SIZE];
        bool inverted;
        ns_schema_row scratch;
        if (*key == '\0' || begin + size > PATH_SIZE)
            return unknown_key(l, path, v, path);
        memcpy(below, path, above);
        below[above] = '.';
        memcpy(below + begin, key, size);
        if (strcmp(key, "source") == 0 || strcmp(key, "note") == 0 ||
            (above == 0 && (strcmp(key, "schema") == 0 || strcmp(key, "name") == 0 || strcmp(key, "title") == 0))) {
            NS_TRY(check_text(l, v, below));
            continue;
        }
        if (strcmp(below, "warnings") == 0) { /* the warnings that nsmodel fit recorded when it made the file */
            size_t at = 0;
            if (v->kind != NS_LIST)
                return refuse(l, NS_ERR_SYNTAX, below, "this key wants a list of texts");
            for (const ns_value *w = v->first; w != NULL; w = w->next) {
                snprintf(below, sizeof below, "warnings.%zu", at++);
                NS_TRY(check_text(l, w, below));
                NS_TRY(ns_machine_warn(l->machine, w->text, l->err));
            }
            continue;
        }
        if (strcmp(key, "calibrated") == 0)
            continue; /* read with the source beside it */
        ns_error inner = {0};
        bool is_word;
        const char *word = v->kind == NS_TEXT ? v->text : NULL;
        const ns_status status = ns_machine_set_word(l->machine, below, word, &is_word, &inner);
        if (status != NS_OK)
            return refuse(l, status, below, "%s", inner.text);
        if (is_word)
            continue;
        const ns_schema_row *row = ns_schema_find(below, &inverted, &scratch);
        if (row != NULL && !inverted) {
            NS_TRY(read_parameter(l, object, v, below, row, origin));
            continue;
        }
        const size_t length = strlen(below);
        if (length > 3 && strcmp(below + length - 3, "_se") == 0) { /* "alpha_se" where "alpha" is allowed */
            char base[PATH_SIZE];
            snprintf(base, sizeof base, "%.*s", (int)length - 3, below);
            if (ns_schema_find(base, &inverted, &scratch) != NULL && !inverted)
                continue;
        }
        if (!ns_schema_is_prefix(below))
            return unknown_key(l, path, v, below);
        if (v->kind != NS_OBJECT)
            return refuse(l, NS_ERR_SYNTAX, below, "this key wants an object");
        NS_TRY(walk(l, v, below, origin));
    }
    return NS_OK;
}

/* ---- the typed tables -------------------------------------------------------------------------------------------- */

static const ns_parameter *find(const loader *l, const char *format, ...) NS_PRINTF(2, 3);
static const ns_parameter *find(const loader *l, const char *format, ...)
{
    char path[200];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(path, sizeof path, format, arguments);
    va_end(arguments);
    return ns_machine_parameter(l->machine, path);
}

/* The lines of every class of messages in a memory, and the errors of its predictions. */
static ns_status compile_memory(loader *c, int memory)
{
    ns_machine *m = c->machine;
    const char *word = ns_memory_words[memory];
    char path[80], stem[100];
    bool any = false, sizes = false, measured[NS_LOCALITIES] = {false};
    for (int p = 0; p < NS_PROTOCOLS; p++)
        sizes = sizes || find(c, "%s.protocols.%s", word, ns_protocol_words[p]) != NULL;

    /* the lines of a locality by rising first size, the first from 0 B */
    for (int l = 0; l < NS_LOCALITIES; l++) {
        const int length = snprintf(path, sizeof path, "%s.%s", word, ns_locality_words[l]);
        bool given = false, own_sizes = false;
        for (size_t i = 0; i < m->parameters; i++) {
            const char *of = m->parameter[i].path;
            given = given || (strncmp(of, path, (size_t)length) == 0 && of[length] == '.');
        }
        any = any || given;
        /* first sizes are the locality's own, or else the memory's; a locality with any own sizes uses only these */
        for (int p = 0; p < NS_PROTOCOLS; p++)
            own_sizes = own_sizes || find(c, "%s.protocols.%s", path, ns_protocol_words[p]) != NULL;
        double last = -1;
        for (int i = 0; given && i < NS_PROTOCOLS; i++) {
            const char *p = ns_protocol_words[i];
            snprintf(stem, sizeof stem, "%s.%s", path, p);
            const ns_parameter *alpha = find(c, "%s.alpha", stem), *beta = find(c, "%s.beta", stem),
                               *from = find(c, "%s.protocols.%s", own_sizes ? path : word, p),
                               *to = find(c, "%s.to", stem);
            if (from == NULL && alpha == NULL && beta == NULL)
                continue;
            if (alpha == NULL || beta == NULL || from == NULL)
                return refuse(c, NS_ERR_DATA, path, "%s lacks %s of protocol \"%s\"", path,
                              alpha == NULL  ? "alpha"
                              : beta == NULL ? "beta"
                                             : "the first size (\"protocols\")",
                              p);
            if (last < 0 && from->value != 0)
                return refuse(c, NS_ERR_DATA, path, "%s: the first protocol, \"%s\", has to start at 0 B", path, p);
            if (from->value <= last)
                return refuse(c, NS_ERR_DATA, path,
                              "%s: protocol \"%s\" has to start at a larger size than the one before it", path, p);
            last = from->value;
            measured[l] = true;
            m->line[memory][l][i] = (ns_line){.given = true,
                                              .alpha = alpha->value,
                                              .beta = beta->value,
                                              .alpha_se = alpha->se,
                                              .beta_se = beta->se,
                                              .from = from->value,
                                              .to = to != NULL ? to->value : 0};
        }
    }
    if (sizes && !any)
        return refuse(c, NS_ERR_DATA, word,
                      "protocols are named, but there is no on-socket, on-node or off-node table");
    if (memory == NS_DEVICE && any && m->gpus == 0)
        return refuse(c, NS_ERR_DATA, "device", "device tables need topology.gpus of at least 1");

    /* on node, one measured locality stands in for the other, and off node for both: it is at least as slow */
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

    /* messages in flight: a line needs both of its numbers */
    for (int l = 0; l < NS_LOCALITIES; l++)
        for (int p = 0; p < NS_PROTOCOLS; p++) {
            snprintf(path, sizeof path, "%s.exchange.%s.%s", word, ns_locality_words[l], ns_protocol_words[p]);
            const ns_parameter *alpha = find(c, "%s.alpha", path), *beta = find(c, "%s.beta", path);
            if ((alpha == NULL) != (beta == NULL))
                return refuse(c, NS_ERR_DATA, path, "a line of the exchange wants both alpha and beta");
            m->in_flight[memory][l][p] = alpha != NULL
                                             ? (ns_line){.given = true, .alpha = alpha->value, .beta = beta->value}
                                             : (ns_line){.given = false};
        }

    /* residuals of the machine's predictions for measured exchanges, and published rankings of strategies that no
     * exchange measured */
    static const char *const names[] = {"messages", "size", "rows"};
    char points[40], ranked[40], way[64];
    const size_t points_stem = (size_t)snprintf(points, sizeof points, "%s.residual.", word),
                 ranked_stem = (size_t)snprintf(ranked, sizeof ranked, "%s.ranking.", word);
    const ns_parameter *width = find(c, "%swidth", points), *prior = find(c, "%sprior", points);
    ns_residual *r = &m->residual[memory];
    ns_free((void *)(uintptr_t)r->point);
    ns_free((void *)(uintptr_t)r->ratio);
    *r = (ns_residual){.width = 0};
    if ((width == NULL) != (prior == NULL))
        return refuse(c, NS_ERR_DATA, width != NULL ? width->path : prior->path, "%.100s wants %s beside it",
                      width != NULL ? width->path : prior->path,
                      width != NULL ? "its residual.prior" : "its residual.width");
    const size_t most = ns_size_add(m->parameters, 1);
    ns_residual_point *point = ns_malloc(ns_size_mul(most, sizeof *point));
    ns_way_ratio *ratio = ns_malloc(ns_size_mul(most, sizeof *ratio));
    r->point = point;
    r->ratio = ratio;
    if (point == NULL || ratio == NULL)
        return ns_no_memory(c->err);
    if (width != NULL) {
        r->width = width->value;
        r->prior = prior->value;
    }
    /* each ratio gives a point or a strategy, whose other numbers have the same parent */
    for (size_t i = 0; i < m->parameters; i++) {
        const ns_parameter *p = &m->parameter[i];
        const char *last = strrchr(p->path, '.');
        const bool is_point = width != NULL && strncmp(p->path, points, points_stem) == 0,
                   is_way = strncmp(p->path, ranked, ranked_stem) == 0;
        if ((!is_point && !is_way) || strcmp(last, ".ratio") != 0)
            continue;
        const char *name = p->path + (is_point ? points_stem : ranked_stem);
        const int length = (int)(last - p->path);
        snprintf(way, sizeof way, "%.*s", (int)strcspn(name, "."), name);
        const char *kept = ns_machine_keep(m->store, way);
        if (kept == NULL)
            return ns_no_memory(c->err);
        if (is_way) {
            const ns_parameter *from = find(c, "%.*s.from", length, p->path), *to = find(c, "%.*s.to", length, p->path);
            ratio[r->ratios++] =
                (ns_way_ratio){kept, log(p->value), from != NULL ? from->value : 0, to != NULL ? to->value : INFINITY};
            continue;
        }
        const ns_parameter *of[3];
        for (int k = 0; k < 3; k++) {
            of[k] = find(c, "%.*s.%s", length, p->path, names[k]);
            if (of[k] == NULL)
                return refuse(c, NS_ERR_DATA, p->path, "%.100s wants %.*s.%s beside it", p->path, length, p->path,
                              names[k]);
        }
        point[r->points++] = (ns_residual_point){.way = kept,
                                                 .messages = of[0]->value,
                                                 .size = of[1]->value,
                                                 .ln_ratio = log(p->value),
                                                 .rows = of[2]->value};
    }
    return NS_OK;
}

ns_status ns_machine_compile(ns_machine *machine, const char *text, const char *origin, ns_error *err)
{
    loader c = {machine, text, origin, err};
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
        return refuse(&c, NS_ERR_DATA, "topology.sockets", "sockets has to be at least 1");
    if (machine->host_processes < 1)
        return refuse(&c, NS_ERR_DATA, "topology.host_processes", "host_processes has to be at least 1");
    for (int memory = 0; memory < NS_MEMORIES; memory++)
        NS_TRY(compile_memory(&c, memory));
    const ns_parameter *delta = ns_machine_parameter(machine, "network.contention.delta");
    machine->contention_delta = delta != NULL ? delta->value : 0;

    /* copies by rising number of processes that share a GPU */
    machine->copy_levels = 0;
    for (size_t i = 0; i < machine->parameters; i++) {
        const char *key = machine->parameter[i].path;
        char path[16], stem[24];
        if (strncmp(key, "copy.", 5) != 0)
            continue;
        snprintf(path, sizeof path, "copy.%.*s", (int)strcspn(key + 5, "."), key + 5);
        ns_copy_line line = {.processes = atoi(path + 5)};
        for (int d = 0; d < NS_DIRECTIONS; d++) {
            snprintf(stem, sizeof stem, "%s.%s", path, ns_direction_words[d]);
            const ns_parameter *alpha = find(&c, "%s.alpha", stem), *beta = find(&c, "%s.beta", stem);
            if (alpha == NULL || beta == NULL)
                return refuse(&c, NS_ERR_DATA, path, "a copy level wants alpha and beta of both d2h and h2d");
            line.alpha[d] = alpha->value, line.alpha_se[d] = alpha->se;
            line.beta[d] = beta->value, line.beta_se[d] = beta->se;
            const ns_parameter *wait = find(&c, "%s.wait", stem), *of = find(&c, "%s.correlation", stem),
                               *below = find(&c, "%s.wait_below", stem);
            if ((wait == NULL) != (below == NULL))
                return refuse(&c, NS_ERR_DATA, stem, "copies that wait want both wait and wait_below");
            line.correlation[d] = of != NULL ? of->value : 0;
            line.wait[d] = wait != NULL ? wait->value : 0;
            line.wait_below[d] = below != NULL ? below->value : 0;
        }
        int at = 0;
        while (at < machine->copy_levels && machine->copy[at].processes < line.processes)
            at++;
        if (at < machine->copy_levels && machine->copy[at].processes == line.processes)
            continue;
        if (machine->copy_levels == NS_COPY_LEVELS)
            return refuse(&c, NS_ERR_DATA, path, "at most 4 copy levels");
        memmove(machine->copy + at + 1, machine->copy + at, (size_t)(machine->copy_levels - at) * sizeof line);
        machine->copy[at] = line;
        machine->copy_levels++;
    }
    if (machine->copy_levels > 0 && machine->copy[0].processes != 1)
        return refuse(&c, NS_ERR_DATA, "copy", "copies want the level of 1 process");

    /* parameters of the form taken by default: every price needs them */
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

/* ---- a whole file ------------------------------------------------------------------------------------------------ */

ns_status ns_machine_parse(const char *text, const char *origin, ns_machine **machine, ns_error *err)
{
    ns_error_clear(err);
    ns_value *root;
    NS_TRY(ns_json_parse(text, origin, &root, err));
    unsigned long code;
    const char *hidden = ns_json_hidden(text, &code);
    if (hidden != NULL) {
        long line, column;
        ns_value_free(root);
        ns_text_position(text, hidden, &line, &column);
        return ns_fail_at(err, NS_ERR_DATA, origin, line, column,
                          "a text with the control character U+%04lX; wanted one line of characters that can be seen",
                          code);
    }
    ns_machine *m = ns_machine_new();
    const loader l = {m, text, origin, err};
    static const char *const keys[] = {"schema", "name", "title", "source"};
    ns_status status = m == NULL                  ? ns_no_memory(err)
                       : root->kind != NS_OBJECT ? ns_fail_at(err, NS_ERR_SYNTAX, origin, 1, 1,
                                                              "a machine file is one JSON object")
                                                 : NS_OK;
    for (int i = 0; status == NS_OK && i < 4; i++) {
        const ns_value *value = ns_value_get(root, keys[i]);
        const char **kept[] = {NULL, &m->name, &m->title, &m->source};
        if (value == NULL || value->kind != NS_TEXT || value->text[0] == '\0')
            status = refuse(&l, NS_ERR_DATA, value != NULL ? keys[i] : "", "a machine wants a text \"%s\"", keys[i]);
        else if (i == 0 && strcmp(value->text, "nsmodel/machine/1") != 0)
            status = refuse(&l, NS_ERR_DATA, "schema", "schema wants \"nsmodel/machine/1\"");
        else if (i > 0 && (*kept[i] = ns_machine_keep(m->store, value->text)) == NULL)
            status = ns_no_memory(err);
    }
    if (status == NS_OK)
        status = walk(&l, root, "", (origin_note){"", false});
    if (status == NS_OK && (m->file = ns_machine_keep(m->store, origin)) == NULL)
        status = ns_no_memory(err);
    if (status == NS_OK)
        status = ns_machine_compile(m, text, origin, err);
    ns_value_free(root);
    if (status == NS_OK)
        *machine = m;
    else
        ns_machine_free(m);
    return status;
}

/* ---- opening by name or file ------------------------------------------------------------------------------------- */

enum { FILE_MOST = 16 << 20 };

ns_status ns_machine_load(const char *name_or_file, ns_machine **machine, ns_error *err)
{
    ns_error_clear(err);
    char path[100], *text;
    snprintf(path, sizeof path, "params/%.60s.json", name_or_file);
    const ns_embedded *own = ns_embedded_find(path);
    if (own != NULL && strchr(name_or_file, '/') == NULL) /* a name has no folder */
        NS_TRY(ns_machine_parse((const char *)own->data, own->path, machine, err));
    else {
        FILE *file = fopen(name_or_file, "rb");
        if (file == NULL && (errno == ENOENT || errno == ENOTDIR)) {
            size_t count = 0;
            while (shipped[count] != NULL)
                count++;
            return ns_refuse_name_for(err, "no machine or file", name_or_file, shipped, count, NS_REMEDY_MACHINES, "");
        }
        if (file == NULL)
            return ns_fail_at(err, NS_ERR_FILE, name_or_file, 0, 0, "cannot be opened");
        ns_status status = ns_text_read(file, name_or_file, FILE_MOST, "a machine file", &text, err);
        fclose(file);
        NS_TRY(status);
        status = ns_machine_parse(text, name_or_file, machine, err);
        ns_free(text);
        NS_TRY(status);
    }

    /* warnings that a caller should see before relying on a price */
    const ns_machine *m = *machine;
    for (int memory = 0; memory < NS_MEMORIES; memory++)
        for (int l = 0; l < NS_LOCALITIES; l++)
            if (m->stands_for[memory][l] != (ns_locality)l)
                ns_tell_host(NS_LOG_NOTE, "machine %s has no %s table %s: that %s stands for it", m->name,
                             ns_memory_words[memory], ns_locality_words[l],
                             ns_locality_words[m->stands_for[memory][l]]);
    return NS_OK;
}
