/* wisdom.c -- measurements of a machine's earlier exchanges: kept in a file, and passed to new plans
 *
 * A row is one way of one exchange.  A plan for an exchange of another size uses it through the ratio of measurement
 * and model: r = ln(median / base), averaged as in core/smooth.h over log2 of bytes, messages and processes.
 *
 * The width is 1.5 doublings, twice that for the processes, and shrink is 1.  These numbers come from a study on
 * Lassen and Dane, where they halve the excess at 10 and 30 calls.  The spreads of predictions are unchanged.
 */
#include <nsmodel/plan.h>

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <nsmodel/json.h>

#include "core/memory.h"
#include "core/sized.h"
#include "core/smooth.h"
#include "core/value.h"
#include "io/whole_file.h"

static const double width = 1.5, shrink = 1, nearby_least = 0.3; /* nearby_least: minimum sum of q of a known way */

enum { FILE_MOST = 64 << 20, ROWS_FIRST = 16, TEXT_MOST = 256 };

struct ns_wisdom {
    size_t rows, room;
    long cut;           /* the line where the file ends within a row; 0: none */
    ns_wisdom_row *row; /* the four texts of a row are one block, to which `machine` points; `sends` is separate */
};

static bool same_exchange(const ns_wisdom_row *a, const ns_wisdom_row *b)
{
    return a->bytes == b->bytes && a->messages == b->messages && a->processes == b->processes &&
           a->per_node == b->per_node;
}

static bool same_system(const ns_wisdom_row *a, const ns_wisdom_row *b)
{
    return strcmp(a->machine, b->machine) == 0 && strcmp(a->mpi, b->mpi) == 0;
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static bool is_date(const char *text)
{
    static const char shape[] = "dddd-dd-dd";
    for (size_t i = 0; i < sizeof shape; i++)
        if (shape[i] == 'd' ? text[i] < '0' || text[i] > '9' : text[i] != shape[i])
            return false;
    return true;
}

static bool finite_from(double value, double least)
{
    return value >= least && !isinf(value);
}

static void free_row(const ns_wisdom_row *row)
{
    ns_value_free((ns_value *)(uintptr_t)row->sends);
    ns_free((void *)(uintptr_t)row->machine);
}

ns_status ns_wisdom_add(ns_wisdom *w, const ns_wisdom_row *given, ns_error *err)
{
    ns_error_clear(err);
    ns_wisdom_row row, made;
    NS_TRY(NS_TAKE_OPTIONS(given, ns_wisdom_row, date, &row, err));
    if (row.machine == NULL || row.mpi == NULL || row.way == NULL || row.date == NULL)
        return ns_fail(err, NS_ERR_DATA, "a row of wisdom wants machine, mpi, way and date");
    if (*row.way == '\0' || strlen(row.machine) + strlen(row.mpi) + strlen(row.way) > TEXT_MOST)
        return ns_fail(err, NS_ERR_DATA, "machine, mpi and way of a row of wisdom want up to %d bytes together",
                       TEXT_MOST);
    if (!is_date(row.date))
        return ns_fail(err, NS_ERR_DATA, "the date of a row of wisdom is \"%.20s\"; wanted one like 2026-11-23",
                       row.date);
    if (!finite_from(row.bytes, 0) || !finite_from(row.messages, 0) || row.processes < 1 || row.per_node < 1)
        return ns_fail(err, NS_ERR_RANGE,
                       "a row of wisdom wants bytes and messages of at least 0, processes and per_node "
                       "of at least 1");
    if (!finite_from(row.median_s, 1e-12) || !finite_from(row.base_s, 1e-12) || !finite_from(row.spread, 0) ||
        row.count < 1)
        return ns_fail(err, NS_ERR_RANGE,
                       "a row of wisdom wants median_s and base_s greater than 0, spread of at least 0 "
                       "and count of at least 1");
    for (const ns_value *cell = row.sends != NULL ? row.sends->first : NULL; cell != NULL; cell = cell->next)
        if (cell->kind != NS_TEXT && cell->kind != NS_NUMBER)
            return ns_fail(err, NS_ERR_DATA, "\"%.40s\" of what a row of wisdom sends wants a number or a text",
                           cell->name);
    if (row.sends != NULL && row.sends->kind != NS_OBJECT)
        return ns_fail(err, NS_ERR_DATA, "what a row of wisdom sends wants to be an object");
    size_t i = 0;
    while (i < w->rows &&
           !(same_system(&w->row[i], &row) && same_exchange(&w->row[i], &row) && strcmp(w->row[i].way, row.way) == 0))
        i++;
    if (i < w->rows) {
        const ns_wisdom_row *old = &w->row[i];
        const double all = (double)old->count + (double)row.count, share = (double)row.count / all;
        row.median_s = old->median_s * pow(row.median_s / old->median_s, share);
        row.spread = (1 - share) * old->spread + share * row.spread;
        row.count = ns_count_add(old->count, row.count);
        if (strcmp(old->date, row.date) > 0) {
            row.date = old->date;
            row.base_s = old->base_s;
            row.predicted = old->predicted;
            row.sends = old->sends != NULL ? old->sends : row.sends;
        }
        row.sends = row.sends != NULL ? row.sends : old->sends;
    } else if (w->rows == w->room) {
        const size_t room = w->room > 0 ? ns_size_mul(2, w->room) : ROWS_FIRST;
        ns_wisdom_row *grown = ns_realloc(w->row, ns_size_mul(room, sizeof *grown));
        if (grown == NULL)
            return ns_no_memory(err);
        w->row = grown;
        w->room = room;
    }
    const char *const text[] = {row.machine, row.mpi, row.way, row.date};
    const char **const place[] = {&made.machine, &made.mpi, &made.way, &made.date};
    size_t size = 0;
    for (int k = 0; k < 4; k++)
        size += strlen(text[k]) + 1;
    char *block = ns_malloc(size);
    ns_value *sends = row.sends != NULL ? ns_value_without(row.sends, 0) : NULL;
    if (block == NULL || (row.sends != NULL && (sends == NULL || !ns_value_complete(sends)))) {
        ns_value_free(sends);
        ns_free(block);
        return ns_no_memory(err);
    }
    made = row;
    made.size = sizeof made;
    made.sends = sends;
    for (int k = 0; k < 4; k++) {
        *place[k] = strcpy(block, text[k]);
        block += strlen(text[k]) + 1;
    }
    if (i < w->rows)
        free_row(&w->row[i]);
    else
        w->rows++;
    w->row[i] = made;
    return NS_OK;
}

void ns_wisdom_free(ns_wisdom *wisdom)
{
    for (size_t i = 0; wisdom != NULL && i < wisdom->rows; i++)
        free_row(&wisdom->row[i]);
    if (wisdom != NULL)
        ns_free(wisdom->row);
    ns_free(wisdom);
}

long ns_wisdom_cut(const ns_wisdom *wisdom)
{
    return wisdom->cut;
}

size_t ns_wisdom_rows(const ns_wisdom *wisdom)
{
    return wisdom->rows;
}

ns_status ns_wisdom_row_at(const ns_wisdom *wisdom, size_t row, ns_wisdom_row *to, ns_error *err)
{
    ns_error_clear(err);
    if (row >= wisdom->rows)
        return ns_fail(err, NS_ERR_RANGE, "no row %zu of wisdom; there are %zu", row, wisdom->rows);
    return ns_sized_give(to, &wisdom->row[row], sizeof *to, err);
}

ns_status ns_wisdom_merge(ns_wisdom *wisdom, const ns_wisdom *other, ns_error *err)
{
    ns_error_clear(err);
    for (size_t i = 0; i < other->rows; i++)
        NS_TRY(ns_wisdom_add(wisdom, &other->row[i], err));
    return NS_OK;
}

ns_status ns_wisdom_prune(ns_wisdom *w, const char *before, int64_t least_calls, size_t *gone, ns_error *err)
{
    ns_error_clear(err);
    size_t kept = 0;
    if (before != NULL && !is_date(before))
        return ns_fail(err, NS_ERR_DATA, "\"%.20s\" is no date; wanted one like 2026-11-23", before);
    for (size_t i = 0; i < w->rows; i++)
        if ((before != NULL && strcmp(w->row[i].date, before) < 0) || w->row[i].count < least_calls)
            free_row(&w->row[i]);
        else
            w->row[kept++] = w->row[i];
    if (gone != NULL)
        *gone = w->rows - kept;
    w->rows = kept;
    return NS_OK;
}

/* ---- the file ---------------------------------------------------------------------------------------------------- */

/* The members of a line in their order, before "sends". */
static const struct {
    const char *name;
    enum { TEXT, NUMBER, WHOLE, TRUTH } kind; /* a whole number must be at least 1 */
    size_t offset;
} members[] = {
    {"machine", TEXT, offsetof(ns_wisdom_row, machine)},     {"mpi", TEXT, offsetof(ns_wisdom_row, mpi)},
    {"bytes", NUMBER, offsetof(ns_wisdom_row, bytes)},       {"messages", NUMBER, offsetof(ns_wisdom_row, messages)},
    {"processes", WHOLE, offsetof(ns_wisdom_row, processes)}, {"per_node", WHOLE, offsetof(ns_wisdom_row, per_node)},
    {"way", TEXT, offsetof(ns_wisdom_row, way)},             {"median_s", NUMBER, offsetof(ns_wisdom_row, median_s)},
    {"spread", NUMBER, offsetof(ns_wisdom_row, spread)},     {"count", WHOLE, offsetof(ns_wisdom_row, count)},
    {"base_s", NUMBER, offsetof(ns_wisdom_row, base_s)},     {"predicted", TRUTH, offsetof(ns_wisdom_row, predicted)},
    {"date", TEXT, offsetof(ns_wisdom_row, date)},
};
enum { MEMBERS = sizeof members / sizeof *members };

static ns_status add_line(ns_wisdom *w, const char *text, const char *path, long line, ns_error *err)
{
    ns_value *root = NULL;
    ns_error own = {.code = NS_OK};
    ns_status status = ns_json_parse(text, path, &root, &own);
    if (status == NS_OK) {
        ns_wisdom_row row = {.size = sizeof row, .sends = ns_value_get(root, "sends")};
        for (int i = 0; i < MEMBERS; i++) {
            const ns_value *v = ns_value_get(root, members[i].name);
            const double number = v != NULL && v->kind == NS_NUMBER ? v->number : (double)NAN;
            void *to = (char *)&row + members[i].offset;
            if (members[i].kind == TEXT)
                *(const char **)to = v != NULL && v->kind == NS_TEXT ? v->text : NULL;
            else if (members[i].kind == NUMBER)
                *(double *)to = number;
            else if (members[i].kind == WHOLE)
                *(int64_t *)to = number >= 1 && number <= 9e15 && number == floor(number) ? (int64_t)number : 0;
            else
                *(bool *)to = v != NULL && v->kind == NS_BOOL && v->truth;
        }
        status = ns_wisdom_add(w, &row, &own);
    }
    ns_value_free(root);
    return status == NS_OK ? NS_OK : ns_fail_at(err, own.code, path, line, own.column, "%s", own.text);
}

static ns_status add_lines(ns_wisdom *w, char *text, const char *path, ns_error *err)
{
    long line = 1;
    for (char *end; (end = strchr(text, '\n')) != NULL; text = end + 1, line++) {
        *end = '\0';
        if (text[strspn(text, " \t\r")] != '\0')
            NS_TRY(add_line(w, text, path, line, err));
    }
    ns_value *whole = NULL;
    if (text[strspn(text, " \t\r")] == '\0')
        return NS_OK;
    if (ns_json_parse(text, path, &whole, NULL) != NS_OK) {
        w->cut = line;
        return NS_OK;
    }
    ns_value_free(whole);
    return add_line(w, text, path, line, err);
}

ns_status ns_wisdom_open(const char *path, ns_wisdom **wisdom, ns_error *err)
{
    ns_error_clear(err);
    ns_wisdom *w = ns_calloc(1, sizeof *w);
    if (w == NULL)
        return ns_no_memory(err);
    char *text;
    FILE *file = path != NULL ? fopen(path, "rb") : NULL;
    ns_status status = NS_OK;
    if (path != NULL && file == NULL && errno != ENOENT)
        status = ns_fail_at(err, NS_ERR_FILE, path, 0, 0, "cannot be opened");
    if (file != NULL) {
        status = ns_text_read(file, path, FILE_MOST, "a wisdom file", &text, err);
        fclose(file);
        if (status == NS_OK) {
            status = add_lines(w, text, path, err);
            ns_free(text);
        }
    }
    if (status == NS_OK)
        *wisdom = w;
    else
        ns_wisdom_free(w);
    return status;
}

/* Write one row as a line: the JSON writer's output without its line ends. */
static ns_status write_row(const ns_wisdom_row *r, FILE *file, ns_error *err)
{
    char *text;
    size_t size;
    ns_value *v = ns_value_new();
    for (int i = 0; i < MEMBERS; i++) {
        const void *from = (const char *)r + members[i].offset;
        if (members[i].kind == TEXT)
            ns_value_text(v, members[i].name, *(const char *const *)from);
        else if (members[i].kind == TRUTH)
            ns_value_bool(v, members[i].name, *(const bool *)from);
        else
            ns_value_count(v, members[i].name,
                           members[i].kind == NUMBER ? *(const double *)from : (double)*(const int64_t *)from);
    }
    ns_value *sends = r->sends != NULL ? ns_value_object(v, "sends") : NULL;
    for (const ns_value *cell = r->sends != NULL ? r->sends->first : NULL; cell != NULL; cell = cell->next)
        if (cell->kind == NS_TEXT)
            ns_value_text(sends, cell->name, cell->text);
        else
            ns_value_count(sends, cell->name, cell->number);
    const ns_status status =
        v != NULL && ns_value_complete(v) ? ns_json_write(v, &text, &size, err) : ns_no_memory(err);
    ns_value_free(v);
    NS_TRY(status);
    for (size_t i = 0; i < size; i++) {
        if (text[i] != '\n')
            fputc(text[i], file);
        else
            while (text[i + 1] == ' ')
                i++;
    }
    fputc('\n', file);
    ns_free(text);
    return NS_OK;
}

ns_status ns_wisdom_write(const ns_wisdom *wisdom, const char *path, ns_error *err)
{
    ns_error_clear(err);
    ns_whole_file whole;
    ns_status status = NS_OK;
    NS_TRY(ns_whole_file_begin(path, NS_FOR_ALL, &whole, err));
    for (size_t i = 0; i < wisdom->rows && status == NS_OK; i++)
        status = write_row(&wisdom->row[i], whole.file, err);
    return ns_whole_file_end(&whole, status, err);
}

enum { LOCK_TURNS = 200, LOCK_TURN_NS = 50000000 };

/* The file itself is locked, and each writer replaces it: after taking the lock, check that the path still leads to the
 * locked file. */
static ns_status lock(const char *path, int *handle, ns_error *err)
{
    for (int turn = 0; turn < LOCK_TURNS; turn++) {
        struct stat held, there;
        const int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (file < 0)
            return ns_fail_at(err, NS_ERR_FILE, path, 0, 0, "cannot be opened");
        if (flock(file, LOCK_EX | LOCK_NB) == 0) {
            if (fstat(file, &held) == 0 && stat(path, &there) == 0 && held.st_ino == there.st_ino &&
                held.st_dev == there.st_dev) {
                *handle = file;
                return NS_OK;
            }
        } else if (errno != EWOULDBLOCK && errno != EINTR) {
            close(file);
            return ns_fail_at(err, NS_ERR_FILE, path, 0, 0, "cannot be locked: its file system has no locks");
        } else
            (void)nanosleep(&(struct timespec){.tv_nsec = LOCK_TURN_NS}, NULL);
        close(file);
    }
    return ns_fail_at(err, NS_ERR_FILE, path, 0, 0, "is locked by another process, for ten seconds now");
}

ns_status ns_wisdom_append(const ns_wisdom *wisdom, const char *path, ns_error *err)
{
    ns_error_clear(err);
    ns_wisdom *all;
    int handle;
    NS_TRY(lock(path, &handle, err));
    ns_status status = ns_wisdom_open(path, &all, err);
    if (status == NS_OK) {
        status = ns_wisdom_merge(all, wisdom, err);
        if (status == NS_OK)
            status = ns_wisdom_write(all, path, err);
        ns_wisdom_free(all);
    }
    close(handle);
    return status;
}

/* ---- information about a new exchange ---------------------------------------------------------------------------- */

ns_status ns_wisdom_check(const ns_wisdom *wisdom, const char *machine, const char *mpi, ns_error *err)
{
    ns_error_clear(err);
    const ns_wisdom_row wanted = {.machine = machine, .mpi = mpi};
    if (wisdom->rows == 0)
        return NS_OK;
    for (size_t i = 0; i < wisdom->rows; i++)
        if (same_system(&wisdom->row[i], &wanted))
            return NS_OK;
    return ns_fail(err, NS_ERR_DATA,
                   "this wisdom is of machine \"%.60s\" with %.60s; wanted machine \"%.60s\" with %.60s",
                   wisdom->row[0].machine, wisdom->row[0].mpi, machine, mpi);
}

static double doublings(double a, double b)
{
    return log2(fmax(1, a)) - log2(fmax(1, b));
}

ns_status ns_wisdom_foretell(const ns_wisdom *wisdom, const ns_wisdom_row *exchange, const char *const *names,
                             ns_plan_way *ways, int count, bool *nearby, ns_error *err)
{
    ns_error_clear(err);
    ns_near of[NS_PLAN_WAYS] = {{.weight = 0}}, all = {.weight = 0};
    double base = INFINITY, doubt = 0;
    if (count < 1 || count > NS_PLAN_WAYS)
        return ns_fail(err, NS_ERR_RANGE, "%d ways; wanted 1 to %d", count, NS_PLAN_WAYS);
    *nearby = false;
    for (int i = 0; i < count; i++)
        if (ways[i].predicted_s > 0) {
            base = fmin(base, ways[i].predicted_s);
            doubt = fmax(doubt, ways[i].doubt);
        }
    for (size_t row = 0; row < wisdom->rows; row++) {
        const ns_wisdom_row *r = &wisdom->row[row];
        if (!same_system(r, exchange))
            continue;
        const double distance[] = {doublings(r->bytes, exchange->bytes) / width,
                                   doublings(r->messages, exchange->messages) / width,
                                   doublings((double)r->processes, (double)exchange->processes) / (2 * width)};
        const double q = ns_nearness(distance, sizeof distance / sizeof *distance);
        const double residual = log(r->median_s / r->base_s);
        ns_near_add(&all, q, residual);
        for (int i = 0; i < count; i++)
            if (strcmp(names[i], r->way) == 0) {
                ns_near_add(&of[i], q, residual);
                if (same_exchange(r, exchange)) {
                    ways[i].measured = r->count < INT32_MAX ? (int)r->count : INT32_MAX;
                    ways[i].measured_s = r->median_s;
                }
            }
    }
    *nearby = all.weight > nearby_least;
    if (all.weight < 1e-9 || isinf(base))
        return NS_OK;
    for (int i = 0; i < count; i++) {
        const bool unknown = !(ways[i].predicted_s > 0);
        if (unknown && of[i].weight <= nearby_least)
            continue;
        const double shift = ns_near_shift(&of[i], shrink, &all, 0);
        ways[i].doubt = unknown ? fmax(doubt, 1) : ways[i].doubt;
        ways[i].predicted_s = (unknown ? base : ways[i].predicted_s) * exp(shift);
    }
    return NS_OK;
}
