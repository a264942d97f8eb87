/* census.c -- a command for tests/test_additions.c: how many models and strategies there are */
#include "cli/front/command.h"
#include "report/columns.h"

#include <math.h>

typedef struct request {
    bool strategies;
} request;

static const ns_option options[] = {
    {"strategies", 0, NULL, NULL, "strategies too: {strategies}", NS_OPT(request, strategies)},
    {NULL},
};

typedef struct census {
    double models, strategies;
} census;

static const ns_table_column columns[] = {
    {"models", NS_COL(census, models)},
    {"strategies", NS_COL(census, strategies), .shows = NS_OPTIONAL},
    {NULL},
};

static ns_status run(const ns_args *args, ns_value *result, ns_command_context *context, ns_error *err)
{
    request asked;
    census found = {0, 0};
    (void)context;
    NS_TRY(ns_args_read(args, &asked, err));
    for (const ns_model *const *m = ns_models(); *m != NULL; m++)
        found.models++;
    for (const ns_strategy *const *s = ns_strategies(); *s != NULL; s++)
        found.strategies++;
    found.strategies = asked.strategies ? found.strategies : (double)NAN;
    ns_put_columns(result, columns, &found);
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
