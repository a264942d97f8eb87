/* census.c -- a command for tests/test_additions.c: how many models and strategies there are */
#include "cli/front/command.h"

static const ns_option options[] = {
    {"strategies", 0, NULL, NULL, "strategies too: {strategies}"},
    {NULL},
};

static ns_status run(const ns_args *args, ns_value *result, ns_command_context *context, ns_error *err)
{
    double models = 0, strategies = 0;
    (void)context, (void)err;
    for (const ns_model *const *m = ns_models(); *m != NULL; m++)
        models++;
    for (const ns_strategy *const *s = ns_strategies(); *s != NULL; s++)
        strategies++;
    ns_value_number(result, "models", models, NS_DIMENSIONLESS);
    if (ns_args_has(args, "strategies"))
        ns_value_number(result, "strategies", strategies, NS_DIMENSIONLESS);
    return NS_OK;
}

const ns_command ns_command_census = {
    .name = "census",
    .summary = "how many models and strategies there are",
    .usage = "",
    .options = options,
    .example = "nsmodel census --strategies",
    .rank = 99,
    .run = run,
};
