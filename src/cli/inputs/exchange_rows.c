/* exchange_rows.c -- which machine a row was measured on, and what is said of rows */
#include "cli/inputs/exchange.h"
#include "core/memory.h"
#include "core/number.h"
#include "core/refuse.h"
#include "report/columns.h"

#include <math.h>
#include <string.h>

typedef struct ns_row_machine {
    char *name;
    ns_machine *machine; /* NULL: it does not open, and error says why */
    ns_error error;
} ns_row_machine;

ns_status ns_row_machines_check(const ns_args *args, ns_error *err)
{
    int everyone = 0;
    for (const char *at = args->machine; at != NULL && *at != '\0'; at += *at == ',') {
        const size_t length = strcspn(at, ","), named = strcspn(at, "=,");
        everyone += named == length;
        if (length == 0 || named + 1 == length)
            return ns_fail(err, NS_ERR_USAGE, "--machine holds an empty name");
        at += length;
    }
    return everyone < 2 ? NS_OK
                        : ns_fail(err, NS_ERR_USAGE,
                                  "--machine wants one machine for every row, or COLUMN=NAME for those of one");
}

void ns_row_machines_close(ns_row_machines *machines)
{
    for (size_t i = 0; i < machines->count; i++) {
        ns_free(machines->of[i].name);
        ns_machine_free(machines->of[i].machine);
    }
    ns_free(machines->of);
    *machines = (ns_row_machines){0};
}

/* The name of a row's machine, "" for none, and what the row itself says: --machine gives "NAME" for all, "COLUMN=NAME"
 * for rows of that one; a default for matrices says nothing of rows. */
static const char *name_of(const ns_row_machines *machines, const ns_records *records, size_t row, char *name,
                           size_t size)
{
    const char *column = records->row[row].problem == NULL ? ns_record_text(records, row, "machine") : "";
    const char *option = machines->args->machine;
    snprintf(name, size, "%s", column);
    if (option == NULL || (ns_args_at(machines->args, "machine", 0) == NULL && strchr(option, '=') == NULL))
        return column;
    while (*option != '\0') {
        const size_t length = strcspn(option, ","), from = strcspn(option, "=,");
        if (from == length)
            snprintf(name, size, "%.*s", (int)length, option);
        else if (strlen(column) == from && strncmp(option, column, from) == 0)
            snprintf(name, size, "%.*s", (int)(length - from - 1), option + from + 1);
        option += length + (option[length] == ',');
    }
    return column;
}

static ns_status open_once(ns_row_machines *machines, const char *name, ns_row_machine **machine, ns_error *err)
{
    for (size_t i = 0; i < machines->count; i++)
        if (strcmp(machines->of[i].name, name) == 0) {
            *machine = &machines->of[i];
            return NS_OK;
        }
    if (machines->count == machines->capacity) {
        const size_t capacity = machines->capacity * 2 + 4;
        ns_row_machine *more = ns_realloc(machines->of, ns_size_mul(capacity, sizeof *more));
        if (more == NULL)
            return ns_no_memory(err);
        machines->of = more;
        machines->capacity = capacity;
    }
    ns_row_machine *m = &machines->of[machines->count];
    *m = (ns_row_machine){.name = ns_malloc(strlen(name) + 1)};
    if (m->name == NULL)
        return ns_no_memory(err);
    memcpy(m->name, name, strlen(name) + 1);
    if (ns_machine_open(machines->args, name, &m->machine, &m->error) != NS_OK)
        m->machine = NULL;
    machines->count++;
    *machine = m;
    return NS_OK;
}

/* Does the machine open as its file has it? */
static bool opens_unchanged(const char *name)
{
    ns_machine *machine;
    if (ns_machine_load(name, &machine, NULL) != NS_OK)
        return false;
    ns_machine_free(machine);
    return true;
}

ns_status ns_row_machines_try(ns_row_machines *machines, const ns_records *records, ns_error *err)
{
    for (size_t row = 0; row < records->rows; row++) {
        char name[256];
        ns_row_machine *m;
        const char *own = name_of(machines, records, row, name, sizeof name);
        if (records->row[row].problem != NULL || *name == '\0' || !ns_row_is_wanted(records, row, machines->args))
            continue;
        NS_TRY(open_once(machines, name, &m, err));
        if (m->machine == NULL && (strcmp(name, own) != 0 || opens_unchanged(name))) {
            if (err != NULL)
                *err = m->error;
            return m->error.code;
        }
    }
    return NS_OK;
}

ns_status ns_row_machine_get(ns_row_machines *machines, const ns_records *records, size_t row,
                             const ns_machine **machine, ns_error *err)
{
    char name[256];
    name_of(machines, records, row, name, sizeof name);
    if (records->row[row].problem != NULL)
        return ns_fail_at(err, NS_ERR_SYNTAX, records->file, records->row[row].line, 0, "%s",
                          records->row[row].problem);
    if (*name == '\0')
        return ns_fail_at(err, NS_ERR_DATA, records->file, records->row[row].line, 0,
                          "lacks machine; --machine names one");
    ns_row_machine *m;
    NS_TRY(open_once(machines, name, &m, err));
    if (m->machine == NULL) {
        char text[700];
        return ns_fail_at(err, m->error.code, records->file, records->row[row].line, 0, "%s",
                          ns_error_line(&m->error, text, sizeof text));
    }
    *machine = m->machine;
    return NS_OK;
}

void ns_row_machines_describe(const ns_row_machines *machines, ns_value *result)
{
    for (size_t i = 0; i < machines->count; i++) {
        const ns_machine *m = machines->of[i].machine;
        if (m != NULL)
            ns_note(result, "machine    %s: %s", m->name, m->source);
    }
}

void ns_row_id(const ns_records *records, size_t row, ns_value *object)
{
    const char *id = records->row[row].problem == NULL ? ns_record_text(records, row, "id") : "";
    if (*id != '\0')
        ns_value_text(object, "id", id);
    else
        ns_value_textf(object, "id", "line %ld", records->row[row].line);
}

static void add_term(ns_value *object, const char *name, double seconds, unsigned flags)
{
    char key[60];
    snprintf(key, sizeof key, "%s_s", name);
    ns_put_number(object, key, flags, seconds, NS_SECOND);
}

void ns_price_terms(const ns_price *price, unsigned flags, ns_value *object)
{
    static const char *const always[] = {"off_node", "on_node", "queue", "contention", NULL};
    for (const char *const *name = always; *name != NULL; name++)
        add_term(object, *name, ns_price_term(price, *name), ns_form_term(price->form, *name) < 0 ? flags : 0);
    for (int t = 0; price->form->terms[t] != NULL; t++) {
        bool said = false;
        for (const char *const *name = always; *name != NULL; name++)
            said = said || strcmp(*name, price->form->terms[t]) == 0;
        if (!said)
            add_term(object, price->form->terms[t], price->term_s[t], 0);
    }
    add_term(object, "copy", price->copy_s, 0);
    if (price->learnt_s < 0 || price->learnt_s > 0)
        add_term(object, "learnt", price->learnt_s, 0);
}

void ns_row_left_out(const ns_records *records, size_t row, const ns_error *problem, ns_value *list, FILE *words)
{
    char text[900];
    if (words != NULL)
        fprintf(words, "nsmodel: left out: %s\n", ns_error_line(problem, text, sizeof text));
    ns_value *object = ns_value_object(list, NULL);
    ns_row_id(records, row, object);
    ns_value_count(object, "line", (double)records->row[row].line);
    ns_value_text(object, "reason", words != NULL ? ns_error_words(problem, text, sizeof text) : problem->text);
}

/* ---- --where ----------------------------------------------------------------------------------------------------- */

ns_status ns_row_column_check(const ns_records *records, const char *text, ns_error *err)
{
    char column[80];
    const size_t length = strcspn(text, "=");
    snprintf(column, sizeof column, "%.*s", (int)(length < 79 ? length : 79), text);
    if (ns_records_column(records, column) >= 0)
        return NS_OK;
    char refusal[NS_UNKNOWN_MOST];
    ns_unknown_name(refusal, sizeof refusal, "no column", column, records->column, records->columns, "");
    return ns_fail_at(err, NS_ERR_NAME, records->file, 1, 0, "%s", refusal);
}

ns_status ns_row_where_check(const ns_args *args, const ns_records *records, ns_error *err)
{
    const char *where;
    for (int i = 0; (where = ns_args_at(args, "where", i)) != NULL; i++) {
        if (strchr(where, '=') == NULL)
            return ns_fail(err, NS_ERR_USAGE, "--where wants COLUMN=VALUE, got \"%.80s\"", where);
        NS_TRY(ns_row_column_check(records, where, err));
    }
    return NS_OK;
}

/* "512:", ":4096", "512:4096": a range of numbers that holds the cell? */
static bool is_in_range(const char *cell, const char *range)
{
    char low[40];
    double value, lo = -INFINITY, hi = INFINITY;
    const size_t length = strcspn(range, ":");
    char *end;
    if (range[length] != ':' || length >= sizeof low || *cell == '\0')
        return false;
    snprintf(low, sizeof low, "%.*s", (int)length, range);
    const char *high = range + length + 1;
    value = ns_strtod(cell, &end);
    if (*end != '\0' || (*low == '\0' && *high == '\0'))
        return false;
    if (*low != '\0' && (lo = ns_strtod(low, &end), *end != '\0'))
        return false;
    if (*high != '\0' && (hi = ns_strtod(high, &end), *end != '\0'))
        return false;
    return value >= lo && value <= hi;
}

bool ns_row_is_wanted(const ns_records *records, size_t row, const void *args)
{
    const char *where;
    for (int i = 0; (where = ns_args_at(args, "where", i)) != NULL; i++) {
        char column[80];
        const size_t length = strcspn(where, "=");
        snprintf(column, sizeof column, "%.*s", (int)length, where);
        const char *cell = ns_record_text(records, row, column), *value = where + length + (where[length] == '=');
        if (strcmp(cell, value) != 0 && !is_in_range(cell, value))
            return false;
    }
    return true;
}
