/* fuzz_logs.c -- any bytes as a benchmark's log; the first byte chooses the tool, or none, and the options */
#include "fuzz.h"

#include <logs/samples.h>

#include <math.h>

static ns_log_options logs_options(uint8_t choice)
{
    const char *const *names = ns_log_tool_names();
    ns_log_options options = NS_LOG_OPTIONS_DEFAULT;
    int tools = 0, kinds = 0;
    while (names[tools] != NULL)
        tools++;
    while (ns_log_kind_words[kinds] != NULL)
        kinds++;
    if (choice % 2 == 1)
        options.tool = names[choice / 2 % tools];
    if (choice % 3 == 1)
        options.kind = ns_log_kind_words[choice / 3 % kinds];
    if (choice % 5 == 1)
        options.per_node = 4;
    options.cyclic = choice % 5 == 1 && choice % 7 == 1;
    options.sockets = choice % 11 == 1 ? 2 : 0;
    options.locality = choice % 13 == 1 ? NS_ON_NODE : -1;
    options.round_trip = choice % 4 == 1 ? 1 : -1;
    return options;
}

static void logs_sample(const ns_sample *s)
{
    REQUIRE(s->kind < NS_SAMPLE_KINDS && s->locality < NS_LOCALITIES && s->memory < NS_MEMORIES);
    REQUIRE(s->direction < NS_DIRECTIONS);
    REQUIRE(isfinite(s->seconds) && s->seconds > 0);
    REQUIRE(isfinite(s->bytes) && s->bytes >= 0);
    REQUIRE(isfinite(s->spread) && s->spread >= 0);
    REQUIRE(s->pairs >= 0 && s->messages >= 1 && s->line >= 1 && s->file == 0);
    REQUIRE(s->name != NULL && s->rank[0] >= 0 && s->rank[1] >= 0);
}

FUZZ(logs)
{
    const ns_log_options options = logs_options(size > 0 ? data[0] : 0);
    const char *path = fuzz_file(size > 0 ? data + 1 : data, size > 0 ? size - 1 : 0);
    ns_log *log = NULL;
    ns_error err = {0};
    ns_status status = ns_log_read(&path, 1, &options, &log, &err);
    fuzz_check_error(status, &err);
    REQUIRE((status == NS_OK) == (log != NULL));
    if (log == NULL)
        return;
    REQUIRE(log->samples > 0 && log->files == 1 && *log->tool[0] != '\0');
    for (size_t i = 0; i < log->samples; i++)
        logs_sample(&log->sample[i]);
    for (size_t i = 0; i < log->warnings; i++) {
        const ns_log_warning *warning = &log->warning[i];
        REQUIRE(warning->file == 0 && warning->line >= 0);
        REQUIRE(*warning->text != '\0' && strchr(warning->text, '\n') == NULL);
    }
    ns_log_free(log);
}
