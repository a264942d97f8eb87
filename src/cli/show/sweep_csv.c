/* sweep_csv.c -- a sweep's points as CSV, one after another, in memory that does not depend on their number
 *
 * The header and what stands before every row's own cells are those of ns_report_csv, taken from the first point's
 * result: the same bytes come out.
 */
#include "cli/show/sweep.h"

#include "cli/show/result.h"
#include "core/memory.h"
#include "core/number.h"
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

enum { KEPT_MOST = 1000000, BUFFER = 1 << 16 };

/* Texts that come again and again, as CSV writes them. */
typedef struct texts {
    char *all;
    size_t *end; /* text i is all[end[i - 1]] to all[end[i]] */
} texts;

typedef struct csv {
    FILE *out;
    texts axis[NS_AXES], label;
    char *head; /* the header and its newline, then what begins each row */
    size_t header, prefix;
    bool failed;
    size_t used;
    char buffer[BUFFER];
} csv;

static void put(csv *c, const char *text, size_t length)
{
    if (c->used + length > BUFFER) {
        c->failed |= fwrite(c->buffer, 1, c->used, c->out) != c->used;
        c->used = 0;
    }
    if (length > BUFFER) {
        c->failed |= fwrite(text, 1, length, c->out) != length;
        return;
    }
    memcpy(c->buffer + c->used, text, length);
    c->used += length;
}

static void put_text(csv *c, const texts *t, size_t i)
{
    const size_t begin = i > 0 ? t->end[i - 1] : 0;
    put(c, t->all + begin, t->end[i] - begin);
}

static void put_number(csv *c, double value)
{
    char text[NS_NUMBER_MAX + 1] = ",";
    put(c, text, 1 + ns_double_write(value, text + 1));
}

/* A row's own cells and its end. */
static void put_cells(csv *c, const ns_sweep *sweep, size_t point)
{
    size_t rest = point;
    for (int a = 0; a < sweep->axes; a++) {
        if (a > 0)
            put(c, ",", 1);
        put_text(c, &c->axis[a], rest % sweep->axis[a]->count);
        rest /= sweep->axis[a]->count;
    }
    for (size_t k = 0; k < sweep->outputs; k++)
        put_number(c, ns_sweep_output(sweep, point, k));
    for (int k = 0; k < sweep->curves->count && sweep->outputs == 0; k++)
        put_number(c, ns_sweep_value(sweep, point, k));
    if (sweep->outputs == 0) {
        ns_ranking ranking = {.size = sizeof ranking};
        ns_sweep_rank(sweep, point, &ranking, NULL);
        put(c, ",", 1);
        put_text(c, &c->label, (size_t)ranking.best);
    }
    put(c, "\n", 1);
}

static ns_status put_rows(void *receiver, const ns_sweep *sweep, size_t first, size_t count, ns_error *err)
{
    csv *c = receiver;
    if (first == 0)
        put(c, c->head, c->header);
    for (size_t i = first; i < first + count; i++) {
        put(c, c->head + c->header, c->prefix);
        put_cells(c, sweep, i);
    }
    return c->failed ? ns_fail(err, NS_ERR_FILE, "the result could not be written") : NS_OK;
}

/* ---- before the rows --------------------------------------------------------------------------------------------- */

typedef const char *text_of(const void *from, size_t i, char *buffer);

static const char *text_of_axis(const void *from, size_t i, char *buffer)
{
    const ns_axis *axis = from;
    if (axis->word != NULL)
        return axis->word[i];
    ns_double_write(axis->number[i], buffer);
    return buffer;
}

static const char *text_of_curve(const void *from, size_t i, char *buffer)
{
    (void)buffer;
    return ns_curves_at(from, (int)i)->label;
}

static ns_status open_texts(texts *t, size_t count, text_of *text, const void *from, ns_error *err)
{
    char number[NS_NUMBER_MAX];
    size_t size;
    t->end = ns_malloc(ns_size_mul(count, sizeof *t->end));
    FILE *arena = t->end != NULL ? open_memstream(&t->all, &size) : NULL;
    if (arena == NULL)
        return ns_no_memory(err);
    for (size_t i = 0, end = 0; i < count; i++) {
        end += ns_csv_field(text(from, i, number), arena);
        t->end[i] = end;
    }
    return fclose(arena) == 0 && t->all != NULL ? NS_OK : ns_no_memory(err); /* its last realloc may leave it NULL */
}

/* The first point's CSV: *same tells whether its row ends in this file's own cells. */
static ns_status read_head(void *receiver, const ns_sweep *sweep, bool *same, ns_error *err)
{
    csv *c = receiver;
    size_t size;
    ns_value *result = ns_value_new();
    FILE *text = result != NULL ? open_memstream(&c->head, &size) : NULL;
    ns_status status = text != NULL ? ns_sweep_first(sweep, result, err) : ns_no_memory(err);
    if (status == NS_OK)
        status = ns_value_complete(result) ? ns_report_csv(result, text, err) : ns_no_memory(err);
    ns_value_free(result);
    if (text != NULL && (fclose(text) != 0 || c->head == NULL) && status == NS_OK)
        status = ns_no_memory(err);
    NS_TRY(status);
    put_cells(c, sweep, 0);
    const char *row = strchr(c->head, '\n');
    c->header = row != NULL ? (size_t)(row + 1 - c->head) : size;
    *same = size - c->header >= c->used && memcmp(c->head + size - c->used, c->buffer, c->used) == 0;
    c->prefix = *same ? size - c->header - c->used : 0;
    c->used = 0;
    return NS_OK;
}

/* A sweep of the first point alone gives the head. */
static ns_status open_csv(csv *c, const ns_sweep_question *q, bool *same, ns_error *err)
{
    ns_axis first[NS_AXES];
    const ns_axis *axes[NS_AXES];
    ns_sweep *sweep;
    for (int a = 0; a < q->axes; a++) {
        NS_TRY(open_texts(&c->axis[a], q->axis[a]->count, text_of_axis, q->axis[a], err));
        first[a] = *q->axis[a];
        first[a].count = 1;
        axes[a] = &first[a];
    }
    NS_TRY(open_texts(&c->label, (size_t)q->curves->count, text_of_curve, q->curves, err));
    NS_TRY(ns_sweep_run(q->curves, axes, q->axes, NULL, &sweep, err));
    const ns_status status = read_head(c, sweep, same, err);
    ns_sweep_free(sweep);
    return status;
}

/* As many points as a result keeps are all evaluated before the first is written, so that a failure writes none. */
static ns_status write_rows(csv *c, ns_progress *progress, const ns_sweep_question *q, ns_error *err)
{
    ns_sweep *sweep;
    double points = 1;
    for (int a = 0; a < q->axes; a++)
        points *= (double)q->axis[a]->count;
    const bool kept = points <= KEPT_MOST;
    NS_TRY(ns_sweep_watched(progress, q, false, kept ? NULL : put_rows, c, &sweep, err));
    const ns_status status = kept ? put_rows(c, sweep, 0, sweep->points, err) : NS_OK;
    ns_sweep_free(sweep);
    NS_TRY(status);
    c->failed |= fwrite(c->buffer, 1, c->used, c->out) != c->used;
    return c->failed ? ns_fail(err, NS_ERR_FILE, "the result could not be written") : NS_OK;
}

ns_status ns_sweep_csv(ns_progress *progress, const ns_sweep_question *q, FILE *out, bool *done, ns_error *err)
{
    csv *c = ns_calloc(1, sizeof *c);
    if (c == NULL)
        return ns_no_memory(err);
    c->out = out;
    ns_status status = open_csv(c, q, done, err);
    if (status == NS_OK && *done)
        status = write_rows(c, progress, q, err);
    for (int a = 0; a < NS_AXES; a++) {
        free(c->axis[a].all);
        ns_free(c->axis[a].end);
    }
    free(c->label.all);
    ns_free(c->label.end);
    free(c->head);
    ns_free(c);
    return status;
}
