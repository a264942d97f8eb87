/* exchange_rows.c -- which machine a row was measured on, and what is printed about rows */
#include "cli/inputs/exchange.h"
#include "core/memory.h"
#include "core/number.h"
#include "core/refuse.h"
#include "report/columns.h"

#include <math.h>
#include <string.h>

typedef struct ns_row_machine {
    char *name;
    ns_machine *machine; /* NULL: it does not open, and error has the reason */
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

/* The name of a row's machine, "" for none, and the name in the row itself: --machine gives "NAME" for all,
 * "COLUMN=NAME" for rows of that one; a default for matrices does not apply to rows. */
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
    ns_row_machine *more = ns_realloc(machines->of, ns_size_mul(machines->count + 1, sizeof *more));
    if (more == NULL)
        return ns_no_memory(err);
    machines->of = more;
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

ns_status ns_row_machines_try(ns_row_machines *machines, const ns_records *records, ns_error *err)
{
    for (size_t row = 0; row < records->rows; row++) {
        char name[256];
        ns_row_machine *m;
        const char *own = name_of(machines, records, row, name, sizeof name);
        if (records->row[row].problem != NULL || *name == '\0' || !ns_row_is_wanted(records, row, machines->args))
            continue;
        NS_TRY(open_once(machines, name, &m, err));
        if (m->machine != NULL)
            continue;
        ns_machine *unchanged = NULL; /* as in its file */
        const bool opens = ns_machine_load(name, &unchanged, NULL) == NS_OK;
        ns_machine_free(unchanged);
        if ((opens || strcmp(name, own) != 0) && err != NULL)
            *err = m->error;
        if (opens || strcmp(name, own) != 0)
            return m->error.code;
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

void ns_price_terms(const ns_price *price, unsigned flags, ns_value *object)
{
    static const char *const always[] = {"off_node", "on_node", "queue", "contention"};
    enum { ALWAYS = sizeof always / sizeof *always };
    const char *const *own = price->form->terms;
    char key[60];
    for (int i = 0; i < ALWAYS; i++) {
        snprintf(key, sizeof key, "%s_s", always[i]);
        ns_put_number(object, key, ns_form_term(price->form, always[i]) < 0 ? flags : 0,
                      ns_price_term(price, always[i]), NS_SECOND);
    }
    for (int t = 0; own[t] != NULL; t++) {
        bool said = false;
        for (int i = 0; i < ALWAYS; i++)
            said = said || strcmp(always[i], own[t]) == 0;
        snprintf(key, sizeof key, "%s_s", own[t]);
        if (!said)
            ns_put_number(object, key, 0, price->term_s[t], NS_SECOND);
    }
    ns_put_number(object, "copy_s", 0, price->copy_s, NS_SECOND);
    if (price->learnt_s < 0 || price->learnt_s > 0)
        ns_put_number(object, "learnt_s", 0, price->learnt_s, NS_SECOND);
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

/* "512:", ":4096", "512:4096": a range of numbers that contains the cell? */
static bool is_in_range(const char *cell, const char *range)
{
    const char *colon = strchr(range, ':');
    double lo = -INFINITY, hi = INFINITY;
    char *end;
    const double value = ns_strtod(cell, &end);
    if (colon == NULL || *cell == '\0' || *end != '\0' || strlen(range) == 1)
        return false;
    if (colon > range && (lo = ns_strtod(range, &end), end != colon))
        return false;
    if (colon[1] != '\0' && (hi = ns_strtod(colon + 1, &end), *end != '\0'))
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
