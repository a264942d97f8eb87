/* calibrate.c -- what the full form leaves on whole measured exchanges, files left out one by one
 *
 * The parameters come from other measurements; these rows set the width of the interval only.
 */
#include <nsmodel/record.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

typedef struct other_files {
    const ns_records *records;
    ns_transport transport;
    const char *left_out; /* NULL: none */
} other_files;

static const char *file_of(const ns_records *records, const ns_scored *s)
{
    return ns_record_text(records, s->rows[0], "file");
}

static bool is_device(const ns_records *records, const ns_scored *s)
{
    return strcmp(ns_record_text(records, s->rows[0], "transport"), ns_transport_words[NS_VIA_DEVICE]) == 0;
}

static bool is_in(const ns_scored *s, const void *context)
{
    const other_files *o = context;
    return is_device(o->records, s) == (o->transport == NS_VIA_DEVICE) &&
           (o->left_out == NULL || strcmp(file_of(o->records, s), o->left_out) != 0);
}

/* Keep what can be priced. */
static ns_status price_all(const ns_records *records, const ns_machine *machine, ns_scored *list, size_t *count,
                           ns_error *err)
{
    ns_price_options options = {NULL, NS_CONFIDENCE, 0};
    NS_TRY(ns_form_get("full", &options.form, err));
    size_t kept = 0;
    for (size_t i = 0; i < *count; i++) {
        ns_error ignored = {0};
        ns_scored s = list[i];
        const ns_status status = ns_record_price(records, s.rows[0], machine, &options, &s.price, &ignored);
        if (status == NS_ERR_MEMORY)
            return ns_no_memory(err);
        if (status == NS_OK && s.price.estimate_s > 0)
            list[kept++] = s;
    }
    *count = kept;
    return NS_OK;
}

static ns_status calibrate_memory(const ns_records *records, const ns_scored *list, size_t count,
                                  ns_transport transport, ns_calibration *c, ns_error *err)
{
    other_files o = {records, transport, NULL};
    double without;
    NS_TRY(ns_model_error(list, count, is_in, &o, NS_CONFIDENCE, &c->error, err));
    for (size_t i = 0; i < count; i++)
        c->count += is_in(&list[i], &o);
    for (size_t i = 0; i < count; i++) {
        const char *file = file_of(records, &list[i]);
        bool seen = !is_in(&list[i], &(other_files){records, transport, NULL});
        for (size_t k = 0; k < i && !seen; k++)
            seen = is_in(&list[k], &(other_files){records, transport, NULL}) &&
                   strcmp(file_of(records, &list[k]), file) == 0;
        if (seen)
            continue;
        c->files++;
        o.left_out = file;
        NS_TRY(ns_model_error(list, count, is_in, &o, NS_CONFIDENCE, &without, err));
        c->error = fmax(c->error, without);
    }
    return NS_OK;
}

static ns_status calibrate_list(const ns_records *records, const ns_scored *list, size_t count,
                                ns_calibration calibration[NS_MEMORIES], ns_error *err)
{
    ns_advice advice;
    ns_calibration made[NS_MEMORIES];
    NS_TRY(ns_advice_list(records, list, count, NS_CONFIDENCE, &advice, err));
    for (int t = 0; t < NS_TRANSPORTS; t++) {
        ns_calibration *c = &made[t == NS_VIA_DEVICE ? NS_DEVICE : NS_HOST];
        *c = (ns_calibration){.error_between = advice.between};
        NS_TRY(calibrate_memory(records, list, count, (ns_transport)t, c, err));
    }
    memcpy(calibration, made, sizeof made);
    return NS_OK;
}

ns_status ns_calibrate(const ns_records *records, ns_row_filter filter, const void *context, const ns_machine *machine,
                       ns_calibration calibration[NS_MEMORIES], ns_error *err)
{
    ns_scored *list;
    size_t count;
    NS_TRY(ns_scored_make(records, filter, context, &list, &count, err));
    ns_status status = price_all(records, machine, list, &count, err);
    if (status == NS_OK)
        status = calibrate_list(records, list, count, calibration, err);
    free(list);
    return status;
}
