/* predict_exchange.c -- predict --exchange: what is said of an exchange's messages becomes its time, row by row */
#include "cli/inputs/exchange.h"
#include "core/memory.h"
#include "report/columns.h"

#include <string.h>

static ns_status price_rows(const ns_records *records, ns_row_machines *machines, const ns_price_options *options,
                            ns_value *result, FILE *words, ns_error *err)
{
    ns_value *list = ns_put_rows(result, "exchanges", NS_EVERYWHERE);
    ns_value *left_out = ns_put_list(result, "left_out", NS_IN_JSON);
    ns_error first = {0};
    size_t priced = 0;
    for (size_t row = 0; row < records->rows; row++) {
        const ns_machine *machine;
        ns_price price;
        ns_error problem = {0};
        ns_status status = ns_row_machine_get(machines, records, row, &machine, &problem);
        if (status == NS_OK)
            status = ns_record_price(records, row, machine, options, &price, &problem);
        if (status == NS_ERR_MEMORY)
            return ns_no_memory(err);
        if (status == NS_OK) {
            ns_value *object = ns_value_object(list, NULL);
            ns_row_id(records, row, object);
            ns_put_text(object, "machine", NS_NOT_IN_CSV, machine->name);
            ns_value_number(object, "predicted_s", price.estimate_s, NS_SECOND);
            ns_value_number(object, "lo_s", price.lo_s, NS_SECOND);
            ns_value_number(object, "hi_s", price.hi_s, NS_SECOND);
            ns_price_terms(&price, 0, object);
            ns_put_bool(object, "extrapolated", NS_NOT_IN_CSV, price.extrapolated);
            priced++;
            continue;
        }
        ns_row_left_out(records, row, &problem, left_out, words);
        first = first.code == NS_OK ? problem : first;
    }
    if (priced == 0)
        return ns_fail_at(err, first.code, first.file, first.line, 0, "none of %zu rows can be priced; the first: %s",
                          records->rows, first.text);
    return NS_OK;
}

ns_status ns_predict_exchange(const ns_args *args, const char *path, ns_value *result, ns_command_context *context,
                              ns_error *err)
{
    ns_price_options options;
    ns_records *records;
    ns_row_machines machines;
    /* options that speak of schedules have no use for rows */
    static const char *const others[] = {"matrix",    "messages", "gpus",      "parts", "per-node",
                                         "partition", "strategy", "transport", "plot",  "explain",
                                         "schedule",  "network",  NULL};
    for (const char *const *name = others; *name != NULL; name++)
        if (ns_args_has(args, *name))
            return ns_fail(err, NS_ERR_USAGE, "--%s has no use beside --exchange: the rows say all of it", *name);
    NS_TRY(ns_price_options_read(args, &options, err));
    NS_TRY(ns_row_machines_check(args, err));
    NS_TRY(ns_records_read(path, &records, err));
    ns_put_schema(result, "nsmodel/predict-exchange/1");
    ns_row_machines_open(args, &machines);
    ns_status status = ns_row_machines_try(&machines, records, err);
    if (status == NS_OK)
        status = price_rows(records, &machines, &options, result, context->err, err);
    ns_row_machines_close(&machines);
    ns_records_free(records);
    return status;
}
