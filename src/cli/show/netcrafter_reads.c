/* netcrafter_reads.c -- what of NetCrafter's inputs a matrix tells: how much of the reads one sector would do for */
#include "cli/show/netcrafter_reads.h"

#include "pattern/lines.h"
#include "report/columns.h"

#include <string.h>

static const char *const reuse_words[] = {"none", "all", NULL};

static ns_status number_of(const ns_machine *machine, const char *path, int64_t *bytes, ns_error *err)
{
    double value;
    if (!ns_machine_number(machine, path, &value, NULL, NULL))
        return ns_fail(err, NS_ERR_DATA, "machine %s has no %s", machine->name, path);
    *bytes = (int64_t)value;
    return NS_OK;
}

static ns_status read_rule(const ns_args *args, const ns_inputs *inputs, ns_line_rule *rule, ns_error *err)
{
    ns_machine **machine = NULL;
    size_t machines = 0;
    *rule = (ns_line_rule){.value = inputs->width, .part = inputs->part, .max_memory = inputs->limits.max_memory};
    NS_TRY(ns_args_count(args, "clusters", 1, NS_PARTS_MOST, &rule->clusters, err));
    NS_TRY(ns_args_count(args, "lanes", 1, 1 << 20, &rule->lanes, err));
    if (inputs->parts > rule->clusters)
        return ns_fail(err, NS_ERR_DATA, "the partition has %d parts, --clusters says %d", (int)inputs->parts,
                       (int)rule->clusters);
    NS_TRY(ns_machines_open(args, &machine, &machines, err));
    ns_status status = number_of(machine[0], "models.flits.line", &rule->line, err);
    if (status == NS_OK)
        status = number_of(machine[0], "models.trim.sector", &rule->sector, err);
    ns_machines_close(machine, machines);
    return status;
}

static void add_counts(const ns_line_rule *rule, const ns_line_counts *c, ns_value *result)
{
    ns_value *object = ns_put_object(result, "reads", NS_IN_JSON);
    ns_value_count(object, "nonzeros", (double)c->nonzeros);
    ns_value_count(object, "remote", (double)c->reads);
    ns_value_count(object, "requests", (double)c->requests);
    ns_value_count(object, "one_sector", (double)c->narrow);
    ns_value_count(object, "lines", (double)c->lines);
    ns_value_count(object, "one_sector_lines", (double)c->narrow_lines);
    ns_value_count(object, "sectors_of_these", (double)c->sectors);
    ns_value *by = ns_value_list(object, "requests_by_sectors");
    for (int64_t s = 0; s < rule->line / rule->sector; s++)
        ns_value_count(by, NULL, (double)c->by_sectors[s]);
}

static bool is_given(const ns_args *args, const char *name)
{
    for (int i = 0; i < args->words; i++)
        if (strncmp(args->word[i], name, strlen(name)) == 0)
            return true;
    return false;
}

/* The share of the requests that one sector would do for, and the sectors of their lines that are needed in the end. */
static ns_status add_words(const ns_line_counts *c, int reuse, ns_args *with, ns_reads_text *text, ns_value *result,
                           ns_error *err)
{
    const double requests = (double)(reuse == 0 ? c->requests : c->lines);
    const double narrow = (double)(reuse == 0 ? c->narrow : c->narrow_lines);
    const double sigma = reuse == 0 || narrow == 0 ? 1 : (double)c->sectors / narrow;
    char number[64];
    if (requests == 0)
        return ns_fail(err, NS_ERR_DATA, "no cluster reads a value of another one: there is nothing to trim");
    snprintf(text->trimmed, sizeof text->trimmed, "trimmed=%s",
             ns_double_format(narrow / requests, number, sizeof number));
    snprintf(text->sigma, sizeof text->sigma, "sigma=%s", ns_double_format(sigma, number, sizeof number));
    ns_sentence(result, "read", NS_NOT_IN_JSON,
                "%.0f of %.0f reads of lines of other clusters need one sector (%.3g %%)%s", narrow, requests,
                100 * narrow / requests, reuse == 0 ? ", when no line stays" : ", when every line stays");
    if (with->words + 2 > NS_ARGS_MAX)
        return ns_fail(err, NS_ERR_USAGE, "too many words");
    if (!is_given(with, "trimmed="))
        with->word[with->words++] = text->trimmed;
    if (!is_given(with, "sigma="))
        with->word[with->words++] = text->sigma;
    return NS_OK;
}

ns_status ns_netcrafter_reads(const ns_args *args, ns_args *with, ns_reads_text *text, ns_value *result, ns_error *err)
{
    ns_inputs inputs;
    ns_line_rule rule;
    ns_line_counts counts;
    int reuse;
    *with = *args;
    NS_TRY(ns_args_choice(args, "reuse", reuse_words, &reuse, err));
    ns_status status = ns_inputs_open(args, &inputs, err);
    if (status == NS_OK)
        status = read_rule(args, &inputs, &rule, err);
    if (status == NS_OK)
        status = ns_lines_count(inputs.matrix, &rule, &counts, err);
    if (status == NS_OK) {
        inputs.nonzeros = counts.nonzeros;
        ns_inputs_describe(&inputs, result);
        add_counts(&rule, &counts, result);
        status = add_words(&counts, reuse, with, text, result, err);
    }
    ns_inputs_close(&inputs);
    return status;
}
