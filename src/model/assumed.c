/* assumed.c -- which of a model's inputs stand on nothing but a machine file's assumption */
#include "model/binding.h"

#include <stdio.h>
#include <string.h>

static bool is_assumed(const ns_binding *binding, size_t i)
{
    char path[160];
    const ns_parameter *parameter = NULL;
    double value;
    return binding->given[i] == NS_GIVEN_MACHINE &&
           ns_bind_path(binding, &binding->model->inputs[i], path, sizeof path) != NULL &&
           ns_machine_number(binding->machine, path, &value, NULL, &parameter) && ns_parameter_assumed(parameter);
}

const char *ns_bind_assumed(const ns_binding *binding, char *text, size_t size)
{
    const char *name[NS_LIST_MAX];
    size_t count = 0, used = 0;
    for (size_t i = 0; binding->model->inputs[i].kind != NS_FIELD_END; i++)
        if (is_assumed(binding, i))
            name[count++] = binding->model->inputs[i].name;
    text[0] = '\0';
    for (size_t i = 0; i < count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s",
                                 i == 0          ? ""
                                 : i + 1 < count ? ", "
                                                 : " and ",
                                 name[i]);
    if (count > 0 && used < size)
        snprintf(text + used, size - used, " of %s %s assumed on %s: no source gives %s", binding->model->name,
                 count > 1 ? "are" : "is", binding->machine->name, count > 1 ? "them" : "it");
    return text;
}
