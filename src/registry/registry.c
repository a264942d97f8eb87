/* registry.c -- the list of models, made by make from the directory */

#include "core/refuse.h"
#include "machine/model.h"

#include <string.h>

#define NS_MODEL(stem) extern const ns_model ns_model_##stem;
#include "models.def"
#undef NS_MODEL

#define NS_MODEL(stem) &ns_model_##stem,
static const ns_model *const models[] = {
#include "models.def"
    NULL};
#undef NS_MODEL

enum { MODELS = sizeof models / sizeof *models - 1 };

const ns_model *const *ns_models(void)
{
    return models;
}

const ns_model *ns_model_find(const char *name)
{
    for (const ns_model *const *model = models; *model != NULL; model++)
        if (name != NULL && strcmp((*model)->name, name) == 0)
            return *model;
    return NULL;
}

ns_status ns_model_get(const char *name, const ns_model **model, ns_error *err)
{
    ns_error_clear(err);
    const ns_model *found = ns_model_find(name);
    if (found == NULL) {
        const char *names[MODELS];
        for (int i = 0; i < MODELS; i++)
            names[i] = models[i]->name;
        return ns_refuse_name_for(err, "no model", name, names, MODELS, NS_REMEDY_MODELS, "");
    }
    *model = found;
    return NS_OK;
}
