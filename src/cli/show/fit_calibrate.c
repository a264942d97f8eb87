/* fit_calibrate.c -- fit --records: the model error of whole exchanges, stated in the machine's file with what it
 * stands on */
#include "cli/inputs/exchange.h"
#include "cli/inputs/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static ns_value *child(ns_value *object, const char *name)
{
    for (ns_value *v = object != NULL ? object->first : NULL; v != NULL; v = v->next)
        if (strcmp(v->name, name) == 0)
            return v;
    return ns_value_object(object, name);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static void add(ns_value *machine, ns_memory memory, const ns_calibration *c, const char *path)
{
    ns_value *x = child(child(machine, ns_memory_words[memory]), "exchange"), *e = ns_value_object(x, "model_error");
    ns_value_count(e, "time", round(1000 * c->error) / 1000);
    if (c->error_between > 0)
        ns_value_count(e, "ratio", round(1000 * c->error_between) / 1000);
    ns_value_textf(e, "source", "%zu measured exchanges of %zu file%s in %s, %s; the parameters never saw them",
                   c->count, c->files, c->files == 1 ? "" : "s", base_name(path),
                   c->files > 1 ? "the largest of the errors without one file each" : "not cross-validated");
}

static ns_status calibrate(const ns_args *args, const ns_machine *machine, ns_value *root, ns_error *err)
{
    const char *path = ns_args_get(args, "records");
    ns_calibration calibration[NS_MEMORIES];
    ns_records *records;
    NS_TRY(ns_records_read(path, &records, err));
    ns_status status = ns_row_where_check(args, records, err);
    if (status == NS_OK)
        status = ns_calibrate(records, ns_row_is_wanted, args, machine, calibration, err);
    ns_records_free(records);
    NS_TRY(status);
    size_t rows = 0;
    for (int m = 0; m < NS_MEMORIES; m++) {
        rows += calibration[m].count;
        if (calibration[m].count > 0)
            add(root, (ns_memory)m, &calibration[m], path);
    }
    return rows > 0 ? NS_OK : ns_fail_at(err, NS_ERR_DATA, path, 0, 0, "no row passes --where and can be priced");
}

ns_status ns_fit_machine_of(const ns_value *root, ns_machine **machine, ns_error *err)
{
    char *text;
    size_t size;
    NS_TRY(ns_json_write(root, &text, &size, err));
    const ns_status status = ns_machine_parse(text, "the fitted machine", machine, err);
    free(text);
    return status;
}

ns_status ns_fit_calibrate(const ns_args *args, ns_value *root, ns_error *err)
{
    ns_machine *machine;
    NS_TRY(ns_fit_machine_of(root, &machine, err));
    const ns_status status = calibrate(args, machine, root, err);
    ns_machine_free(machine);
    return status;
}
