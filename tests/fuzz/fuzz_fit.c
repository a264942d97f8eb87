/* fuzz_fit.c -- any samples as the log of a benchmark: what can be fitted is a machine that can be read again
 *
 * Input: three bytes of options | samples of eight bytes: kind | place | pairs | messages | bytes (2) | seconds (2).
 * In memory: no file is read.
 *
 * About 900 executions a second of processor time, not 1,000: each fits all kinds of curves, with held-out errors,
 * and reads the machine file that comes of it again.
 */
#include "take.h"

#include <fit/fit.h>

enum { FIT_SAMPLES = 48 };

static void fit_sample(fuzz_bytes *in, ns_sample *s, long line)
{
    static const char *const parameter[] = {"L", "o_s", "o_r", "g", "G"};
    static const int few[] = {0, 1, 2, 4, 8, 16, 40, 1000000};
    *s = (ns_sample){.line = line, .rank = {0, 1}};
    s->kind = (ns_sample_kind)(fuzz_take(in) % NS_SAMPLE_KINDS);
    const unsigned place = fuzz_take(in);
    s->locality = (ns_locality)(place % NS_LOCALITIES);
    s->memory = (ns_memory)(place >> 3 & 1);
    s->direction = (ns_direction)(place >> 4 & 1);
    s->locality_stated = place >> 5 & 1;
    s->memory_stated = place >> 6 & 1;
    s->pairs = few[fuzz_take(in) & 7];
    s->messages = few[fuzz_take(in) & 7];
    s->messages += s->messages == 0;
    s->bytes = (double)fuzz_count(in);
    s->bytes = s->bytes < 0 ? 0 : s->bytes;
    s->seconds = fuzz_positive(in);
    s->spread = place & 128 ? s->seconds / 8 : 0;
    s->name = s->kind == NS_LOGGP ? parameter[place % 5] : s->kind == NS_COLLECTIVE ? "allreduce" : "";
}

static ns_fit_options fit_options(fuzz_bytes *in)
{
    const unsigned a = fuzz_take(in), b = fuzz_take(in), c = fuzz_take(in);
    ns_fit_options options = {.statistic = (ns_statistic)(a & 1),
                              .weights = (ns_weights)(a >> 1 & 1),
                              .switches = (int)(a >> 2) % 4 - 1,
                              .gpus = (int)(b % 6) - 1,
                              .per_node = c % 3 == 0 ? 0 : (int)(c % 41),
                              .sockets = c % 5 == 0 ? 2 : 0};
    for (int i = 0; i < options.switches; i++)
        options.first[i] = ldexp(1, 4 * i + (int)(b >> 4));
    return options;
}

/* The machine as text, read again. */
static void fit_machine(const ns_fit *fit, const ns_log *log)
{
    char *text;
    size_t length;
    ns_machine *machine;
    ns_fit_score *score;
    size_t scores;
    ns_error err = {0};
    ns_value *object = ns_value_new();
    REQUIRE(object != NULL);
    ns_status status = ns_fit_machine(fit, log, object, &err);
    fuzz_check_error(status, &err);
    if (status == NS_OK) {
        REQUIRE(ns_json_write(object, &text, &length, NULL) == NS_OK);
        status = ns_machine_parse(text, "fitted", &machine, &err);
        if (status != NS_OK)
            fprintf(stderr, "%ld:%ld: %s\n%s\n", err.line, err.column, err.text, text);
        REQUIRE(status == NS_OK);
        status = ns_fit_check(machine, log, fit->options.statistic, &score, &scores, &err);
        fuzz_check_error(status, &err);
        if (status == NS_OK)
            ns_free(score);
        ns_machine_free(machine);
        ns_free(text);
    }
    ns_value_free(object);
}

FUZZ(fit)
{
    static ns_sample sample[FIT_SAMPLES];
    static const char *file[] = {"memory"}, *tool[] = {"osu"};
    fuzz_bytes in = {data, data + size};
    ns_log log = {.file = file, .tool = tool, .files = 1, .sample = sample};
    const ns_fit_options options = fit_options(&in);
    while (fuzz_left(&in) && log.samples < FIT_SAMPLES) {
        fit_sample(&in, &sample[log.samples], (long)log.samples + 1);
        log.samples++;
    }
    ns_fit *fit = NULL;
    ns_error err = {0};
    ns_status status = ns_fit_log(&log, &options, &fit, &err);
    fuzz_check_error(status, &err);
    REQUIRE((status == NS_OK) == (fit != NULL));
    if (fit == NULL)
        return;
    for (size_t g = 0; g < fit->groups; g++)
        for (int c = 0; c < fit->group[g].classes; c++)
            REQUIRE(isfinite(fit->group[g].of[c].line.alpha) && isfinite(fit->group[g].of[c].line.beta));
    fit_machine(fit, &log);
    ns_fit_free(fit);
}
