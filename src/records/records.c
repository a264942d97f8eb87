/* records.c -- read rows of statistics from a CSV file: a header, then one exchange per line, with "quoted, fields" as
 * written by spreadsheets; or from wisdom */
#define _POSIX_C_SOURCE 200809L /* fmemopen */
#include "core/embedded.h"
#include "core/memory.h"
#include "core/value.h"
#include "records/record.h"

#include <nsmodel/plan.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LINE_SIZE = 16384, COLUMNS_MAX = 512 };

typedef struct reader {
    ns_records *records;
    int64_t capacity;
    ns_budget budget;
    char line[LINE_SIZE];
    char *field[COLUMNS_MAX];
} reader;

/* Cut a field from *rest, in place; a doubled quote inside quotes stands for one. */
static char *next_field(char **rest)
{
    char *from = *rest, *to = from, *field = from;
    const bool quoted = *from == '"';
    from += quoted;
    for (; *from != '\0' && (quoted || *from != ','); from++) {
        if (quoted && *from == '"' && *++from != '"')
            break;
        *to++ = *from;
    }
    while (*from != '\0' && *from != ',')
        *to++ = *from++;
    *rest = *from == ',' ? from + 1 : NULL;
    *to = '\0';
    field += strspn(field, " \t");
    for (size_t n = strlen(field); n > 0 && strchr(" \t\r\n", field[n - 1]) != NULL;)
        field[--n] = '\0';
    return field;
}

static size_t split(reader *r)
{
    size_t count = 0;
    char *rest = r->line;
    while (rest != NULL && count < COLUMNS_MAX)
        r->field[count++] = next_field(&rest);
    return rest == NULL ? count : COLUMNS_MAX + 1;
}

/* Copies of the first `count` fields, valid as long as the records. */
static const char **keep_fields(reader *r, size_t count)
{
    size_t size = 0;
    void *list_room, *text_room;
    for (size_t i = 0; i < count; i++)
        size += strlen(r->field[i]) + 1;
    if (ns_arena_take(&r->records->texts, count, sizeof(char *), &list_room, NULL) != NS_OK ||
        ns_arena_take(&r->records->texts, size, 1, &text_room, NULL) != NS_OK)
        return NULL;
    const char **list = list_room;
    char *text = text_room;
    for (size_t i = 0; i < count; i++) {
        list[i] = strcpy(text, r->field[i]);
        text += strlen(text) + 1;
    }
    return list;
}

bool ns_records_are_ranked(const ns_records *records)
{
    return ns_records_column(records, "winner") >= 0 && ns_records_column(records, "measured_s") < 0;
}

static ns_status read_header(reader *r, long line, ns_error *err)
{
    ns_records *x = r->records;
    x->columns = split(r);
    if (x->columns > COLUMNS_MAX)
        return ns_fail_at(err, NS_ERR_LIMIT, x->file, line, 0, "more than %d columns", (int)COLUMNS_MAX);
    x->column = keep_fields(r, x->columns);
    if (x->column == NULL)
        return ns_no_memory(err);
    for (size_t i = 0; i < x->columns; i++)
        for (size_t k = 0; k < i; k++)
            if (x->column[i][0] != '\0' && strcmp(x->column[i], x->column[k]) == 0)
                return ns_fail_at(err, NS_ERR_NAME, x->file, line, 0, "column \"%.60s\" stands twice in the header",
                                  x->column[i]);
    if (ns_records_column(x, "strategy") < 0 && !ns_records_are_ranked(x))
        return ns_fail_at(err, NS_ERR_DATA, x->file, line, 0,
                          "the header lacks the column \"strategy\"; is this a file of exchanges?");
    return NS_OK;
}

static ns_status read_all(reader *r, FILE *file, ns_error *err)
{
    ns_records *x = r->records;
    for (long line = 1; fgets(r->line, LINE_SIZE, file) != NULL; line++) {
        /* Skip the rest of a line that is longer than the buffer. */
        const bool cut = strchr(r->line, '\n') == NULL && !feof(file);
        for (int c = cut ? getc(file) : '\n'; c != '\n' && c != EOF;)
            c = getc(file);
        if (r->line[strspn(r->line, " \t\r\n")] == '\0' || *r->line == '#')
            continue;
        if (x->column == NULL) {
            NS_TRY(read_header(r, line, err));
            continue;
        }
        void *memory = x->row;
        NS_TRY(ns_grow(&memory, &r->capacity, (int64_t)x->rows + 1, sizeof *x->row, &r->budget, err));
        x->row = memory;
        size_t fields = split(r);
        ns_record row = {.line = line,
                         .problem = cut                   ? "is too long"
                                    : fields < x->columns ? "has fewer fields than the header"
                                    : fields > x->columns ? "has more fields than the header"
                                                          : NULL};
        for (; fields < x->columns; fields++)
            r->field[fields] = r->line + strlen(r->line);
        row.cell = keep_fields(r, x->columns);
        if (row.cell == NULL)
            return ns_no_memory(err);
        x->row[x->rows++] = row;
    }
    if (ferror(file))
        return ns_fail_at(err, NS_ERR_FILE, x->file, 0, 0, "cannot be read (is it a directory?)");
    return x->rows > 0
               ? NS_OK
               : ns_fail_at(err, NS_ERR_DATA, x->file, 0, 0, "holds no exchanges; it wants a header and one row each");
}

/* ---- wisdom ------------------------------------------------------------------------------------------------------ */

/* Columns of wisdom's rows before those of the sent data.  `file` alone identifies an exchange; ways that send the
 * same, such as MPI's own and standard, are repeats of one `group`. */
static const char *const of_wisdom[] = {"id",  "machine", "mpi",    "file", "group",
                                        "way", "count",   "spread", "date", "measured_s"};
static const char *const of_sends[] = {"strategy", "transport", "processes", "nodes", "ppn"};
enum { OF_WISDOM = sizeof of_wisdom / sizeof *of_wisdom, OF_SENDS = sizeof of_sends / sizeof *of_sends };
enum { CELL = LINE_SIZE / (OF_WISDOM + OF_SENDS + NS_COUNT_COLUMNS) };

static const char *wisdom_column(int i)
{
    return i < OF_WISDOM              ? of_wisdom[i]
           : i < OF_WISDOM + OF_SENDS ? of_sends[i - OF_WISDOM]
                                      : ns_count_columns[i - OF_WISDOM - OF_SENDS];
}

static ns_status read_wisdom(reader *r, const ns_wisdom *wisdom, ns_error *err)
{
    ns_records *x = r->records;
    x->columns = OF_WISDOM + OF_SENDS + NS_COUNT_COLUMNS;
    for (int i = 0; i < (int)x->columns; i++) {
        r->field[i] = r->line + i * CELL;
        snprintf(r->field[i], CELL, "%s", wisdom_column(i));
    }
    x->column = keep_fields(r, x->columns);
    x->row = ns_calloc(ns_wisdom_rows(wisdom) + 1, sizeof *x->row);
    if (x->column == NULL || x->row == NULL)
        return ns_no_memory(err);
    for (; x->rows < ns_wisdom_rows(wisdom); x->rows++) {
        ns_wisdom_row row = {.size = sizeof row};
        NS_TRY(ns_wisdom_row_at(wisdom, x->rows, &row, err));
        const ns_value *strategy = row.sends != NULL ? ns_value_get(row.sends, "strategy") : NULL;
        const char *sent = strategy != NULL && strategy->kind == NS_TEXT ? strategy->text : "";
        char exchange[160];
        snprintf(exchange, sizeof exchange, "%.12g B in %.12g messages of %lld processes, %lld a node", row.bytes,
                 row.messages, (long long)row.processes, (long long)row.per_node);
        snprintf(r->field[0], CELL, "%s, %s", exchange, row.way);
        snprintf(r->field[1], CELL, "%s", row.machine);
        snprintf(r->field[2], CELL, "%s", row.mpi);
        snprintf(r->field[3], CELL, "%s, %s, %s", row.machine, row.mpi, exchange);
        snprintf(r->field[4], CELL, "%s, %s, %s, %s", row.machine, row.mpi, exchange, sent);
        snprintf(r->field[5], CELL, "%s", row.way);
        snprintf(r->field[6], CELL, "%lld", (long long)row.count);
        snprintf(r->field[7], CELL, "%.9g", row.spread);
        snprintf(r->field[8], CELL, "%s", row.date);
        snprintf(r->field[9], CELL, "%.9g", row.median_s);
        for (int i = OF_WISDOM; i < OF_WISDOM + OF_SENDS + NS_COUNT_COLUMNS; i++) {
            const ns_value *v = row.sends != NULL ? ns_value_get(row.sends, wisdom_column(i)) : NULL;
            if (v != NULL && v->kind == NS_NUMBER)
                snprintf(r->field[i], CELL, "%.17g", v->number);
            else
                snprintf(r->field[i], CELL, "%.*s", CELL - 1, v != NULL && v->kind == NS_TEXT ? v->text : "");
        }
        x->row[x->rows] = (ns_record){.line = (long)x->rows + 1,
                                      .problem = row.sends == NULL ? "does not say what was sent" : NULL,
                                      .cell = keep_fields(r, x->columns)};
        if (x->row[x->rows].cell == NULL)
            return ns_no_memory(err);
    }
    return x->rows > 0 ? NS_OK : ns_fail_at(err, NS_ERR_DATA, x->file, 0, 0, "holds no exchanges");
}

ns_status ns_records_read(const char *path, ns_records **records, ns_error *err)
{
    FILE *file = fopen(path, "rb");
    const bool absent = file == NULL && errno == ENOENT;
    /* Published rankings are embedded in the library, by their path in its sources. */
    for (const ns_embedded *own = ns_embedded_files; absent && own->path != NULL; own++)
        if (strcmp(own->path, path) == 0 && own->raw == 0)
            file = fmemopen((void *)(uintptr_t)own->data, own->size, "rb");
    if (file == NULL)
        return ns_fail_at(err, NS_ERR_FILE, path, 0, 0, absent ? "no such file" : "cannot be opened");
    reader *r = ns_calloc(1, sizeof *r);
    ns_records *x = ns_calloc(1, sizeof *x);
    void *name;
    ns_status status = r != NULL && x != NULL ? NS_OK : ns_no_memory(err);
    const int first = getc(file);
    if (status == NS_OK)
        status = ns_arena_take(&x->texts, strlen(path) + 1, 1, &name, err);
    if (status == NS_OK) {
        x->file = strcpy(name, path);
        r->records = x;
    }
    if (status == NS_OK && first == '{') {
        ns_wisdom *wisdom;
        status = ns_wisdom_open(path, &wisdom, err);
        if (status == NS_OK) {
            status = read_wisdom(r, wisdom, err);
            ns_wisdom_free(wisdom);
        }
    } else if (status == NS_OK) {
        status = first != EOF && ungetc(first, file) == EOF ? NS_ERR_FILE : read_all(r, file, err);
    }
    fclose(file);
    if (status == NS_OK)
        *records = x;
    else
        ns_records_free(x);
    ns_free(r);
    return status;
}

void ns_records_free(ns_records *records)
{
    if (records == NULL)
        return;
    ns_arena_free(&records->texts);
    ns_free(records->row);
    ns_free(records);
}

int ns_records_column(const ns_records *records, const char *name)
{
    for (size_t i = 0; i < records->columns; i++)
        if (strcmp(records->column[i], name) == 0)
            return (int)i;
    return -1;
}

const char *ns_record_text(const ns_records *records, size_t row, const char *name)
{
    const int column = ns_records_column(records, name);
    return column >= 0 ? records->row[row].cell[column] : "";
}

bool ns_record_number(const ns_records *records, size_t row, const char *name, double *number)
{
    const char *text = ns_record_text(records, row, name);
    char *end;
    if (*text == '\0' || text[strspn(text, "+-.0123456789eE")] != '\0')
        return false;
    const double value = ns_strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(value))
        return false;
    *number = value;
    return true;
}
