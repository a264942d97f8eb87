/* place.c -- placements as values, and as files that launchers read */
#include "cli/show/place.h"

#include "core/memory.h"
#include "core/utf8.h"
#include "io/whole_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const ns_dim second = {1, 0, 0}, byte = {0, 1, 0};

/* ---- values ------------------------------------------------------------------------------------------------------ */

static const char *way_of(const ns_placing *p, int choice, char *text, size_t size)
{
    const ns_placed *of = ns_placer_choice(p->placer, choice);
    snprintf(text, size, "%s/%s", of->strategy->name, ns_transport_words[of->transport]);
    return text;
}

static void add_strategies(const ns_placing *p, const ns_placement *one, ns_value *row)
{
    ns_value *list = ns_value_flag(ns_value_list(row, "strategies"), NS_V_JSON_ONLY);
    for (int i = 0; i < ns_placer_choices(p->placer); i++) {
        const ns_placed *of = ns_placer_choice(p->placer, i);
        ns_value *object = ns_value_object(list, NULL);
        ns_value_text(object, "strategy", of->strategy->name);
        ns_value_text(object, "transport", ns_transport_words[of->transport]);
        ns_value_number(object, "estimate_s", one->seconds[i], second);
    }
}

static void add_placement(const ns_placing *p, int i, ns_value *list)
{
    const ns_placement *one = &p->placement[i];
    const ns_placed *best = ns_placer_choice(p->placer, one->best);
    char way[80];
    ns_value *row = ns_value_flag(ns_value_object(list, NULL), i == p->best ? NS_V_MARK : 0);
    ns_value_text(row, "name", one->name);
    ns_value_flag(ns_value_text(row, "best way", way_of(p, one->best, way, sizeof way)), NS_V_NO_JSON | NS_V_NO_CSV);
    ns_value_flag(ns_value_text(row, "strategy", best->strategy->name), NS_V_NO_TABLE);
    ns_value_flag(ns_value_text(row, "transport", ns_transport_words[best->transport]), NS_V_NO_TABLE);
    ns_value_flag(ns_value_number(row, "estimate_s", one->seconds[one->best], second), NS_V_NO_TABLE);
    ns_value_flag(ns_value_number(row, "time", one->seconds[one->best], second), NS_V_NO_JSON | NS_V_NO_CSV);
    ns_value_count(row, "gain", one->gain);
    ns_value_flag(ns_value_number(row, "bytes_off_node", (double)one->bytes_off_node, byte), NS_V_NO_TABLE);
    ns_value_flag(ns_value_number(row, "off node", (double)one->bytes_off_node, byte), NS_V_NO_JSON | NS_V_NO_CSV);
    ns_value *nodes = ns_value_flag(ns_value_list(row, "node_of"), NS_V_JSON_ONLY);
    for (int32_t q = 0; q < p->parts; q++)
        ns_value_count(nodes, NULL, one->node_of[q]);
    add_strategies(p, one, row);
}

static void note(ns_value *line)
{
    ns_value_flag(line, NS_V_NOTE | NS_V_NO_JSON | NS_V_NO_CSV);
}

static void say_answer(const ns_placing *p, ns_value *result)
{
    const ns_placement *best = &p->placement[p->best];
    char way[80], time[40];
    ns_quantity_format(best->seconds[best->best], second, 3, time, sizeof time);
    way_of(p, best->best, way, sizeof way);
    if (p->best == 0)
        note(ns_value_textf(result, "answer_line", "block is the fastest found: %s, %s", way, time));
    else
        note(ns_value_textf(result, "answer_line", "%s, %s, %s: %.3g times as fast as block", best->name, way, time,
                            best->gain));
}

void ns_placing_value(const ns_placing *p, ns_value *result)
{
    ns_value_flag(ns_value_text(result, "schema", "nsmodel/place/1"), NS_V_JSON_ONLY);
    say_answer(p, result);
    ns_inputs_describe(&p->inputs, result);
    note(ns_value_textf(result, "places_line", "machine    %s; %d parts on %d nodes, at most %d on each",
                        p->machine->name, (int)p->parts, (int)p->nodes, (int)p->per_node));
    if (p->unmapped.code != NS_OK)
        note(ns_value_textf(result, "scotch_line", "no placement of Scotch: %s", p->unmapped.text));
    ns_value_flag(ns_value_text(result, "machine", p->machine->name), NS_V_NO_TABLE);
    ns_value_flag(ns_value_count(result, "parts", p->parts), NS_V_NO_TABLE);
    ns_value_flag(ns_value_count(result, "nodes", p->nodes), NS_V_NO_TABLE);
    ns_value_flag(ns_value_count(result, "per_node", p->per_node), NS_V_NO_TABLE);
    ns_value_flag(ns_value_count(result, "seed", (double)p->seed), NS_V_JSON_ONLY);
    ns_value_flag(ns_value_text(result, "best", p->placement[p->best].name), NS_V_JSON_ONLY);
    ns_value *list = ns_value_flag(ns_value_list(result, "placements"), NS_V_ROWS);
    for (int i = 0; i < p->placements; i++)
        add_placement(p, i, list);
}

/* ---- hosts ------------------------------------------------------------------------------------------------------- */

static ns_status read_file(FILE *file, const char *path, char **text, ns_error *err)
{
    size_t used = 0, room = 0;
    for (;;) {
        if (used + 1 >= room) {
            char *grown = ns_realloc(*text, ns_size_add(ns_size_mul(2, room), 4096));
            if (grown == NULL)
                return ns_no_memory(err);
            *text = grown;
            room = 2 * room + 4096;
        }
        const size_t got = fread(*text + used, 1, room - 1 - used, file);
        used += got;
        (*text)[used] = '\0';
        if (got == 0)
            break;
    }
    return ferror(file) ? ns_fail_at(err, NS_ERR_FILE, path, 0, 0, "cannot be read") : NS_OK;
}

/* A file's text, or else what is given itself. */
static ns_status copy_text(const char *given, ns_hosts *hosts, bool *is_file, ns_error *err)
{
    FILE *file = fopen(given, "r");
    *is_file = file != NULL;
    if (file != NULL) {
        const ns_status status = read_file(file, given, &hosts->text, err);
        fclose(file);
        return status;
    }
    const size_t size = strlen(given) + 1;
    hosts->text = ns_malloc(size);
    if (hosts->text == NULL)
        return ns_no_memory(err);
    memcpy(hosts->text, given, size);
    return NS_OK;
}

static bool is_listed(const ns_hosts *hosts, const char *name)
{
    for (int32_t i = 0; i < hosts->count; i++)
        if (strcmp(hosts->name[i], name) == 0)
            return true;
    return false;
}

/* A LIST names each node once.  A FILE is what a scheduler or mpirun has: a name may come once for each slot, a line
 * say how many (slots=4) or be a comment, and of more nodes than are wanted the first are taken. */
static ns_status read_hosts(const char *given, int32_t wanted, ns_hosts *hosts, ns_error *err)
{
    static const char between[] = ", \t\r\n";
    int32_t listed = 0;
    bool is_file;
    NS_TRY(copy_text(given, hosts, &is_file, err));
    hosts->name = ns_calloc((size_t)wanted, sizeof *hosts->name);
    if (hosts->name == NULL)
        return ns_no_memory(err);
    for (char *at = hosts->text + strspn(hosts->text, between); *at != '\0'; at += strspn(at, between)) {
        char *name = at;
        if (is_file && *at == '#') {
            at += strcspn(at, "\n");
            continue;
        }
        at += strcspn(at, between);
        if (*at != '\0')
            *at++ = '\0';
        if (ns_utf8_hides(name))
            return ns_fail(err, NS_ERR_DATA, "--hosts: a control character in the node's name \"%.80s\"", name);
        if (is_file && (strchr(name, '=') != NULL || hosts->count == wanted || is_listed(hosts, name)))
            continue;
        if (is_listed(hosts, name)) /* it would get the parts of two nodes */
            return ns_fail(err, NS_ERR_DATA, "--hosts names %.100s twice; wanted %d different nodes", name,
                           (int)wanted);
        if (listed++ < wanted)
            hosts->name[hosts->count++] = name;
    }
    return listed == wanted ? NS_OK
                            : ns_fail(err, NS_ERR_DATA, "--hosts names %d nodes, wanted %d", (int)listed, (int)wanted);
}

ns_status ns_hosts_read(const char *given, int32_t wanted, ns_hosts *hosts, ns_error *err)
{
    ns_hosts read = {0};
    const ns_status status = read_hosts(given, wanted, &read, err);
    if (status == NS_OK)
        *hosts = read;
    else
        ns_hosts_free(&read);
    return status;
}

void ns_hosts_free(ns_hosts *hosts)
{
    ns_free(hosts->text);
    ns_free(hosts->name);
}

ns_status ns_placement_save_hosts(const ns_placing *p, const ns_hosts *hosts, const char *path, ns_error *err)
{
    ns_whole_file whole;
    NS_TRY(ns_whole_file_begin(path, NS_FOR_ALL, &whole, err));
    for (int32_t q = 0; q < p->parts; q++)
        fprintf(whole.file, "%s\n", hosts->name[p->placement[p->best].node_of[q]]);
    return ns_whole_file_end(&whole, NS_OK, err);
}
