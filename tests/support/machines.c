/* machines.c -- shipped machines, and a machine file from numbers by path */
#include "support/machines.h"

#include <check.h>
#include <math.h>
#include <nsmodel/json.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/value.h"
#include "support/files.h"

ns_machine *machine_named(const char *name)
{
    ns_machine *machine;
    ns_error err = {0};
    ck_assert_msg(ns_machine_load(name, &machine, &err) == NS_OK, "%s", err.text);
    return test_keep(machine);
}

struct machine_text {
    ns_value *root;
};

machine_text *machine_start(int sockets, int gpus, int host_processes)
{
    machine_text *t = ns_malloc(sizeof *t);
    ck_assert_ptr_nonnull(t);
    t->root = ns_value_new();
    ns_value_text(t->root, "schema", "nsmodel/machine/1");
    ns_value_text(t->root, "name", "made");
    ns_value_text(t->root, "title", "made by a test");
    ns_value_text(t->root, "source", "tests");
    machine_put(t, sockets, "", "topology.sockets");
    machine_put(t, gpus, "", "topology.gpus");
    machine_put(t, host_processes, "", "topology.host_processes");
    return t;
}

void machine_put(machine_text *t, double value, const char *unit, const char *format, ...)
{
    char path[160], text[60], *at = path;
    va_list list;
    va_start(list, format);
    vsnprintf(path, sizeof path, format, list);
    va_end(list);
    ns_value *object = t->root;
    for (char *dot = strchr(at, '.'); dot != NULL; at = dot + 1, dot = strchr(at, '.')) {
        *dot = '\0';
        ns_value *below = (ns_value *)(uintptr_t)ns_value_get(object, at);
        object = below != NULL ? below : ns_value_object(object, at);
    }
    snprintf(text, sizeof text, "%.17g %s", value, unit);
    if (*unit != '\0')
        ns_value_text(object, at, text);
    else
        ns_value_count(object, at, value);
}

ns_machine *machine_made(machine_text *t)
{
    ns_machine *machine = NULL;
    ns_error err = {0};
    char *text;
    size_t size;
    ck_assert_int_eq(ns_json_write(t->root, &text, &size, &err), NS_OK);
    ck_assert_msg(ns_machine_parse(text, "made.json", &machine, &err) == NS_OK, "%s\n%s", err.text, text);
    ns_free(text);
    ns_value_free(t->root);
    ns_free(t);
    return test_keep(machine);
}

ns_machine *machine_with(ns_machine *machine, const char *assignment)
{
    ns_machine *changed = NULL;
    ns_error err = {0};
    ck_assert_msg(ns_machine_with(machine, assignment, &changed, &err) == NS_OK, "%s: %s", assignment, err.text);
    ns_machine_free(machine);
    return test_keep(changed);
}

/* Largest protocol first, so that the sizes stay in order. */
ns_machine *machine_rescaled(const ns_machine *machine)
{
    char text[300], number[64], unit[32];
    ns_machine *now = NULL;
    for (size_t i = machine->parameters; i-- > 0;) {
        const ns_parameter *p = &machine->parameter[i];
        ns_error err = {0};
        ns_machine *changed;
        if (ns_dim_equal(p->dim, NS_DIMENSIONLESS))
            continue;
        ns_double_format(ldexp(p->value, 3 * p->dim.second + 5 * p->dim.byte), number, sizeof number);
        snprintf(text, sizeof text, "%s=%s %s", p->path, number, ns_dim_unit(p->dim, unit, sizeof unit));
        ck_assert_msg(ns_machine_with(now != NULL ? now : machine, text, &changed, &err) == NS_OK, "%s", err.text);
        ns_machine_free(now);
        now = changed;
    }
    ck_assert_ptr_nonnull(now);
    return test_keep(now);
}

ns_machine *machine_taught(const char *name)
{
    static const char *const way[] = {"standard", "two-step", "three-step", "split-dd"};
    machine_text *text = ns_malloc(sizeof *text);
    char path[100];
    snprintf(path, sizeof path, "params/%s.json", name);
    char *file = read_whole(path);
    ck_assert_int_eq(ns_json_parse(file, path, &text->root, NULL), NS_OK);
    for (int m = 0; m < NS_MEMORIES; m++) {
        if (ns_value_get(text->root, ns_memory_words[m]) == NULL)
            continue;
        machine_put(text, 1.5 + m, "", "%s.residual.width", ns_memory_words[m]);
        machine_put(text, 0.7, "", "%s.residual.prior", ns_memory_words[m]);
        for (int i = 0; i < 8; i++) {
            const char *w = way[i % 4];
            machine_put(text, 2.0 + 5 * i, "", "%s.residual.%s.%d.messages", ns_memory_words[m], w, 1 + i / 4);
            machine_put(text, 900.0 * (1 + i * i * i), "B", "%s.residual.%s.%d.size", ns_memory_words[m], w, 1 + i / 4);
            machine_put(text, 0.6 + 0.31 * i, "", "%s.residual.%s.%d.ratio", ns_memory_words[m], w, 1 + i / 4);
            machine_put(text, 1 + 0.5 * i, "", "%s.residual.%s.%d.rows", ns_memory_words[m], w, 1 + i / 4);
        }
    }
    return machine_made(text);
}
