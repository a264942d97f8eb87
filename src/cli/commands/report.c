/* report.c -- one page about a matrix on a machine, to read, print and pass on */
#include "cli/show/report.h"
#include "cli/show/machine.h"
#include "core/memory.h"
#include "io/whole_file.h"
#include "report/report.h"
#include "report/columns.h"

#include <stdlib.h>
#include <string.h>

static const ns_option options[] = {
    NS_OPTION_MATRIX,
    NS_OPTION_MESSAGES,
    NS_OPTION_MACHINE,
    NS_OPTION_GPUS,
    NS_OPTION_PARTS,
    NS_OPTION_PER_NODE,
    NS_OPTION_PARTITION,
    NS_OPTION_WIDTH,
    NS_OPTION_STRATEGY,
    NS_OPTION_TRANSPORT,
    NS_OPTION_INCUMBENT,
    NS_OPTION_SET,
    {"netsparse", 0, "NAME|FILE", "netsparse",
     "add a section on in-network hardware of this machine, as --nodes and --k do; none: not"},
    {"nodes", 0, "N", "128", "nodes of that section, each a part [with --partition: its parts]"},
    {"k", 'k', "LIST", "1,16,128", "values a column of that section"},
    {"title", 0, "TEXT", NULL, "title of the page [the matrix and the machine]"},
    {"date", 0, "TEXT", NULL, "a date to print; without it two runs write the same bytes"},
    NS_OPTION_MEMORY,
    NS_OPTION_WORK,
    {NULL},
};

static bool ends_with(const char *text, const char *end)
{
    const size_t a = strlen(text), b = strlen(end);
    return a >= b && strcmp(text + a - b, end) == 0;
}

static bool owns_output(const char *path)
{
    return ends_with(path, ".html") || ends_with(path, ".htm");
}

static ns_status check(const ns_args *args, ns_error *err)
{
    const char *path = ns_args_get(args, "output");
    if (path == NULL)
        return ns_fail(err, NS_ERR_USAGE, "report wants -o FILE.html");
    if (!owns_output(path))
        return ns_fail(err, NS_ERR_USAGE, "report writes a page: -o wants a name that ends in .html, got \"%s\"", path);
    if ((ns_args_get(args, "messages") != NULL) == (ns_args_get(args, "matrix") != NULL))
        return ns_fail(err, NS_ERR_USAGE, "report wants --matrix M%s",
                       ns_args_get(args, "messages") != NULL ? " or --messages FILE.csv, not both" : "");
    return NS_OK;
}

static ns_status write_page(const char *path, const ns_value *result, ns_error *err)
{
    ns_whole_file whole;
    if (!ns_value_complete(result))
        return ns_no_memory(err);
    NS_TRY(ns_whole_file_begin(path, NS_FOR_ALL, &whole, err));
    return ns_whole_file_end(&whole, ns_report_html(result, whole.file, err), err);
}

/* ---- the answers: those of the commands themselves --------------------------------------------------------------- */

extern const ns_command ns_command_predict, ns_command_netsparse;

/* Answers and ends the question. */
static ns_status put(ns_args *question, ns_status status, ns_value *answer, FILE *words, ns_error *err)
{
    ns_command_context context = {.err = words};
    if (status == NS_OK)
        status = answer != NULL ? question->command->run(question, answer, &context, err) : ns_no_memory(err);
    ns_free(question);
    return status;
}

static ns_status ask_predict(const ns_args *args, ns_value *answer, FILE *words, ns_error *err)
{
    static const char *const same[] = {"matrix",    "messages",  "machine",    "gpus",     "parts",
                                       "per-node",  "partition", "width",      "strategy", "transport",
                                       "incumbent", "set",       "max-memory", "max-work", NULL};
    ns_args *question = ns_args_ask(&ns_command_predict, args);
    if (question == NULL)
        return ns_no_memory(err);
    return put(question, ns_args_pass(question, args, same, err), answer, words, err);
}

static ns_status show_machines(const ns_args *args, ns_value *list, ns_error *err)
{
    ns_machine **machine;
    size_t machines;
    NS_TRY(ns_machines_open(args, &machine, &machines, err));
    for (size_t i = 0; i < machines; i++)
        ns_machine_show(machine[i], ns_value_object(list, NULL));
    ns_machines_close(machine, machines);
    return NS_OK;
}

/* A partition says how many nodes there are. */
static ns_status fill_netsparse(const ns_args *args, ns_args *question, ns_error *err)
{
    static const char *const same[] = {"matrix", "partition", "max-memory", "max-work", NULL};
    NS_TRY(ns_args_give(question, "ablation", "", err));
    NS_TRY(ns_args_give(question, "machine", ns_args_get(args, "netsparse"), err));
    if (ns_args_has(args, "nodes") || !ns_args_has(args, "partition"))
        NS_TRY(ns_args_give(question, "nodes", ns_args_get(args, "nodes"), err));
    NS_TRY(ns_args_give(question, "k", ns_args_get(args, "k"), err));
    return ns_args_pass(question, args, same, err);
}

static ns_status ask_netsparse(const ns_args *args, ns_value *answer, FILE *words, ns_error *err)
{
    ns_args *question = ns_args_ask(&ns_command_netsparse, args);
    if (question == NULL)
        return ns_no_memory(err);
    return put(question, fill_netsparse(args, question, err), answer, words, err);
}

static ns_status ask_all(const ns_args *args, ns_value *result, FILE *words, ns_error *err)
{
    NS_TRY(ask_predict(args, ns_put_object(result, "predict", NS_IN_JSON), words, err));
    NS_TRY(show_machines(args, ns_put_list(result, "machines", NS_IN_JSON), err));
    const bool asked = ns_args_has(args, "netsparse") || ns_args_has(args, "nodes") || ns_args_has(args, "k");
    if (ns_args_get(args, "matrix") == NULL || !asked || strcmp(ns_args_get(args, "netsparse"), "none") == 0)
        return NS_OK;
    return ask_netsparse(args, ns_put_object(result, "netsparse", NS_IN_JSON), words, err);
}

/* ---- the page --------------------------------------------------------------------------------------------------- */

/* What the other commands say on the way goes to the reader's terminal and on the page. */
static ns_status ask(const ns_args *args, ns_value *result, FILE *err_stream, ns_error *err)
{
    char *text = NULL;
    size_t size;
    FILE *words = open_memstream(&text, &size);
    if (words == NULL)
        return ns_no_memory(err);
    ns_status status = ask_all(args, result, words, err);
    if ((fclose(words) != 0 || text == NULL) && status == NS_OK) /* its last realloc may leave it NULL */
        status = ns_no_memory(err);
    if (status == NS_OK) {
        fputs(text, err_stream);
        ns_report_frame(args, result, text);
    }
    free(text);
    return status;
}

static void add_strategies(ns_value *result)
{
    const ns_strategy *list[NS_CHOICES];
    const size_t count = ns_strategies_by_rank(list, NS_CHOICES);
    ns_value *strategies = ns_value_list(result, "strategies");
    if (strategies != NULL)
        strategies->flags |= NS_V_NO_TABLE;
    for (size_t i = 0; i < count; i++) {
        ns_value *row = ns_value_object(strategies, NULL);
        ns_value_text(row, "name", list[i]->name);
        ns_value_text(row, "title", list[i]->title);
    }
}

static ns_status run(const ns_args *args, ns_value *result, ns_command_context *context, ns_error *err)
{
    NS_TRY(check(args, err));
    const char *path = ns_args_get(args, "output");
    NS_TRY(ns_whole_file_check(path, err)); /* nobody waits for a page that cannot be put where it should be */
    NS_TRY(ask(args, result, context->err, err));
    add_strategies(result);
    return write_page(path, result, err);
}

const ns_command ns_command_report = {
    .name = "report",
    .summary = "one page about a matrix on a machine: tables, charts, NetSparse, sources",
    .usage = "MATRIX -o FILE.html",
    .takes_subject = true,
    .options = options,
    .example = "nsmodel report --matrix rajat01 --machine lassen,bluewaters -o rajat01.html",
    .about = NS_ABOUT_MESSAGES,
    .rank = 7,
    .owns_output = owns_output,
    .run = run,
};
