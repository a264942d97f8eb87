/* machine.c -- every number of a machine with its source */
#include "cli/show/machine.h"
#include "report/columns.h"

#include <math.h>

void ns_machine_show(const ns_machine *machine, ns_value *result)
{
    ns_value_text(result, "name", machine->name);
    ns_value_text(result, "title", machine->title);
    ns_value_text(result, "source", machine->source);
    ns_value_text(result, "file", machine->file);
    if (machine->copy_levels > 0)
        ns_value_text(result, "copy_bytes", machine->copy_total ? "total" : "share");
    ns_value *list = ns_put_rows(result, "parameters", NS_EVERYWHERE);
    for (size_t i = 0; i < machine->parameters; i++) {
        const ns_parameter *p = &machine->parameter[i];
        char unit[24];
        ns_value *row = ns_value_object(list, NULL);
        ns_value_text(row, "path", p->path);
        ns_value_number(row, "value", p->value, p->dim);
        ns_put_text(row, "unit", NS_IN_DATA, ns_dim_unit(p->dim, unit, sizeof unit));
        ns_put_number(row, "standard_error", NS_EVERYWHERE, p->se > 0 ? p->se : (double)NAN, p->dim);
        ns_value_textf(row, "source", "%s%s", p->calibrated ? "calibrated: " : "", p->source);
        ns_value_text(row, "doc", p->doc);
    }
}
