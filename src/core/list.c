/* list.c -- "8,16,32", "1:1MiB:x2", "0:100us:+10us", "1B:1MiB:21": lists and ranges of quantities
 *
 * A range holds from f^i or from + i d, and its last value when that is hit within 1e-9 of it.  Values that are not
 * whole are rounded to 15 digits, so that "1us:1ms:x10" holds 1e-5 and not 9.999999999999999e-6.
 */
#include <nsmodel/quantity.h>

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/number.h"
#include "core/span.h"

enum { VALUES_MAX = 100000 };

typedef struct value_list {
    const char *what, *unit;
    double *values;
    size_t count, room;
    size_t points; /* of a range without a step; 0 where it has to have one */
} value_list;

typedef struct range {
    double from, to, step;
    bool factor;
} range;

static ns_status push(value_list *list, double value, ns_span item, ns_error *err)
{
    if (list->count == VALUES_MAX)
        return ns_span_fail(item, NS_ERR_RANGE, err, "%s: \"%.*s\" makes more than %d values", list->what,
                            ns_span_quote(item), item.begin, VALUES_MAX);
    if (list->count == list->room) {
        size_t room = list->room == 0 ? 16 : 2 * list->room;
        double *values = ns_realloc(list->values, ns_size_mul(room, sizeof *values));
        if (values == NULL)
            return ns_fail(err, NS_ERR_MEMORY, "out of memory for a list of %zu values", room);
        list->values = values;
        list->room = room;
    }
    list->values[list->count++] = value;
    return NS_OK;
}

/* Both ends of a range; *step_unit is what a bare step counts. */
static ns_status read_ends(const value_list *list, ns_span first, ns_span last, range *r, const ns_unit **step_unit,
                           ns_unit *unit, ns_error *err)
{
    char *stop;
    NS_TRY(ns_span_value(last, list->what, list->unit, NULL, &r->to, err));
    ns_strtod(last.begin, &stop); /* the unit that the last value is written in */
    const ns_span written = {last.origin, stop < last.end ? stop : last.end, last.end};
    NS_TRY(ns_span_unit(ns_span_trim(written), unit, err));
    /* A first value without a unit counts bytes or bits in a range of sizes ("1:1MiB:x2" begins at 1 B), else in the
     * last value's unit ("0:100us:+10us"). */
    ns_unit first_unit = *unit;
    if (ns_dim_equal(unit->dim, (ns_dim){.byte = 1})) {
        const bool bits = (unit->two - 7) % 10 == 0; /* a bit is 2^-3 B, a binary prefix 2^10 k */
        first_unit = (ns_unit){.two = bits ? -3 : 0, .dim = unit->dim};
    }
    /* "0:1MiB:+64" could mean bytes or MiB: there the step needs its own unit */
    *step_unit = first_unit.ten == unit->ten && first_unit.two == unit->two ? unit : NULL;
    return ns_span_value(first, list->what, list->unit, &first_unit, &r->from, err);
}

/* first:last:x2 and first:last:+10. */
static ns_status add_range(value_list *list, ns_span item, const char *colon, const char *second, ns_error *err)
{
    const int quote = ns_span_quote(item);
    ns_span first = ns_span_trim((ns_span){item.origin, item.begin, colon});
    ns_span last = ns_span_trim((ns_span){item.origin, colon + 1, second});
    ns_span step = ns_span_trim((ns_span){item.origin, second + 1, item.end});
    ns_unit unit;
    const ns_unit *step_unit;
    range r;
    NS_TRY(read_ends(list, first, last, &r, &step_unit, &unit, err));
    r.factor = step.begin < step.end && *step.begin == 'x';
    if (!r.factor && (step.begin == step.end || *step.begin != '+'))
        return ns_span_fail(step, NS_ERR_SYNTAX, err, "%s: range \"%.*s\" wants a step like \"x2\" or \"+10\"",
                            list->what, quote, item.begin);
    step.begin++;
    NS_TRY(r.factor ? ns_span_value(step, list->what, "1", NULL, &r.step, err)
                    : ns_span_value(step, list->what, list->unit, step_unit, &r.step, err));
    if (r.from > r.to)
        return ns_span_fail(item, NS_ERR_RANGE, err,
                            "%s: range \"%.*s\" runs down, wants first:last with first <= last", list->what, quote,
                            item.begin);
    if (r.factor && !(r.from > 0))
        return ns_span_fail(item, NS_ERR_RANGE, err, "%s: range \"%.*s\" multiplies, wants a first value above 0",
                            list->what, quote, item.begin);
    if (r.factor && !(r.step > 1))
        return ns_span_fail(item, NS_ERR_RANGE, err, "%s: range \"%.*s\" wants a factor above 1", list->what, quote,
                            item.begin);
    if (!r.factor && !(r.step > 0))
        return ns_span_fail(item, NS_ERR_RANGE, err, "%s: range \"%.*s\" wants a step above 0", list->what, quote,
                            item.begin);
    const double slack = 1e-9 * fabs(r.to);
    for (size_t i = 0;; i++) {
        double value = r.factor ? r.from * pow(r.step, (double)i) : r.from + (double)i * r.step;
        if (i > 0 && value != trunc(value))
            value = ns_round_digits(value, 15);
        if (value > r.to + slack)
            return NS_OK;
        const bool end = value >= r.to - slack;
        NS_TRY(push(list, end && i > 0 ? r.to : value, item, err));
        if (end)
            return NS_OK;
    }
}

/* first:last and first:last:n, both ends included; equal ratios over two decades or more, else equal steps.  n may say
 * how: "21", "21log", "21lin". */
static ns_status add_points(value_list *list, ns_span item, const char *colon, const char *second, ns_error *err)
{
    const int quote = ns_span_quote(item);
    ns_span first = ns_span_trim((ns_span){item.origin, item.begin, colon});
    ns_span last = ns_span_trim((ns_span){item.origin, colon + 1, second != NULL ? second : item.end});
    ns_unit unit;
    const ns_unit *step_unit;
    size_t points = list->points;
    range r;
    NS_TRY(read_ends(list, first, last, &r, &step_unit, &unit, err));
    if (!(r.from < r.to))
        return ns_span_fail(item, NS_ERR_RANGE, err,
                            "%s: range \"%.*s\" does not rise, wants first:last with first < last", list->what, quote,
                            item.begin);
    if (!isfinite(r.to - r.from) || (r.from > 0 && !isfinite(r.to / r.from)))
        return ns_span_fail(item, NS_ERR_RANGE, err, "%s: range \"%.*s\" is too wide", list->what, quote, item.begin);
    r.factor = r.from > 0 && r.to / r.from >= 100;
    if (second != NULL) {
        const ns_span step = ns_span_trim((ns_span){item.origin, second + 1, item.end});
        const char *c = step.begin;
        points = 0;
        for (; c < step.end && *c >= '0' && *c <= '9'; c++)
            points = points > VALUES_MAX ? points : 10 * points + (size_t)(*c - '0');
        const size_t rest = (size_t)(step.end - c);
        if (rest == 3 && memcmp(c, "log", 3) == 0)
            r.factor = true;
        else if (rest == 3 && memcmp(c, "lin", 3) == 0)
            r.factor = false;
        else if (rest != 0 || c == step.begin)
            return ns_span_fail(step, NS_ERR_SYNTAX, err,
                                "%s: \"%.*s\" is no step: wants x2, +10, or a number of values (21, 21log, 21lin)",
                                list->what, ns_span_quote(step), step.begin);
        if (points < 2 || points > VALUES_MAX)
            return ns_span_fail(step, NS_ERR_RANGE, err, "%s: a range wants 2 to %d values, got \"%.*s\"", list->what,
                                VALUES_MAX, ns_span_quote(step), step.begin);
    }
    if (r.factor && !(r.from > 0))
        return ns_span_fail(item, NS_ERR_RANGE, err, "%s: equal ratios want a first value above 0", list->what);
    for (size_t i = 0; i < points; i++) {
        const double t = (double)i / (double)(points - 1);
        const double value = r.factor ? r.from * pow(r.to / r.from, t) : r.from + (r.to - r.from) * t;
        NS_TRY(push(list, i == 0 ? r.from : i + 1 == points ? r.to : ns_round_digits(value, 15), item, err));
    }
    return NS_OK;
}

static ns_status add_item(value_list *list, ns_span item, ns_error *err)
{
    const size_t length = ns_span_length(item);
    if (length == 0)
        return ns_span_fail(item, NS_ERR_SYNTAX, err, "%s: an empty place in the list, wants a value", list->what);
    const char *colon = memchr(item.begin, ':', length);
    if (colon == NULL) {
        double value;
        NS_TRY(ns_span_value(item, list->what, list->unit, NULL, &value, err));
        return push(list, value, item, err);
    }
    const char *second = memchr(colon + 1, ':', (size_t)(item.end - colon - 1));
    const char *step = second != NULL ? second + 1 : item.end;
    while (step < item.end && *step == ' ')
        step++;
    if (list->points > 0 && (second == NULL || step == item.end || (*step != 'x' && *step != '+')))
        return add_points(list, item, colon, second, err);
    if (second == NULL || memchr(second + 1, ':', (size_t)(item.end - second - 1)) != NULL)
        return ns_span_fail(item, NS_ERR_SYNTAX, err, "%s: range \"%.*s\" wants three parts, as in \"1:8:x2\"",
                            list->what, ns_span_quote(item), item.begin);
    return add_range(list, item, colon, second, err);
}

ns_status ns_range_parse(const char *text, const char *what, const char *unit, size_t points, double **values,
                         size_t *count, ns_error *err)
{
    ns_error_clear(err);
    value_list list = {.what = what, .unit = unit, .points = points};
    for (const char *begin = text;;) {
        const char *end = begin + strcspn(begin, ",");
        ns_status status = add_item(&list, ns_span_trim((ns_span){text, begin, end}), err);
        if (status != NS_OK) {
            ns_free(list.values);
            return status;
        }
        if (*end == '\0')
            break;
        begin = end + 1;
    }
    *values = list.values;
    *count = list.count;
    return NS_OK;
}

ns_status ns_list_parse(const char *text, const char *what, const char *unit, double **values, size_t *count,
                        ns_error *err)
{
    return ns_range_parse(text, what, unit, 0, values, count, err);
}

void ns_list_free(double *values)
{
    ns_free(values);
}
