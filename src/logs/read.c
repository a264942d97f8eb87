/* read.c -- read the files of one call: open each, find its tool, place its samples, report what is missing
 *
 * The build makes the list of tools from the directory.
 */
#include "core/context.h"
#include "core/own.h"
#include "core/refuse.h"
#include "log.h"

#include <string.h>

#define NS_LOG_TOOL(name) extern const ns_log_tool ns_log_tool_##name;
#include "logs.def"
#undef NS_LOG_TOOL

#define NS_LOG_TOOL(name) &ns_log_tool_##name,
static const ns_log_tool *const tools[] = {
#include "logs.def"
};
#undef NS_LOG_TOOL
enum { TOOLS = sizeof tools / sizeof *tools };

const char *const *ns_log_tool_names(void)
{
#define NS_LOG_TOOL(name) #name,
    static const char *const names[] = {
#include "logs.def"
        NULL};
#undef NS_LOG_TOOL
    return names;
}

/* Set the locality of the samples, by ranks or else by the file's name; warn of what is left out or assumed. */
static ns_status finish(ns_log_parser *p, ns_error *err)
{
    const int by_name = ns_path_locality(p->path);
    const size_t all = p->log->samples - p->first;
    size_t named = 0, locality = 0, memory = 0, ranks = 0;
    NS_TRY(ns_place_settle(p, err));
    for (size_t i = p->first; i < p->log->samples; i++) {
        ns_sample *sample = &p->log->sample[i];
        if (!ns_log_travels(sample->kind))
            continue;
        memory += !sample->memory_stated;
        if (sample->locality_stated)
            continue;
        if (by_name < 0) {
            locality++;
            ranks += sample->rank[0] != sample->rank[1];
            continue;
        }
        sample->locality = (ns_locality)by_name;
        sample->locality_stated = true;
        named++;
    }
    if (named > 0)
        NS_TRY(ns_log_warn(p, 0, err, "states no locality: its name says %s for %zu samples; --locality says otherwise",
                           ns_locality_words[by_name], named));
    if (all == 0 && *p->reason != '\0')
        return ns_fail_at(err, NS_ERR_DATA, p->path, p->reason_line, 0, "%s", p->reason);
    if (all == 0 && p->bad > 0)
        return ns_fail_at(err, NS_ERR_DATA, p->path, p->bad_line, 0, "all %zu times are zero, negative or not numbers",
                          p->bad);
    if (all == 0)
        return ns_fail_at(err, NS_ERR_DATA, p->path, 0, 0, "no table with a time in it");
    if (p->bad > 0)
        NS_TRY(ns_log_warn(p, p->bad_line, err, "%zu values are zero, negative or not numbers: left out", p->bad));
    const int more = p->warnings - NS_LOG_WARNINGS_MAX;
    p->warnings = 0;
    p->log->tables_out += p->tables_out;
    p->log->values_out += p->bad;
    if (more > 0)
        NS_TRY(ns_log_warn(p, 0, err, "%d more warnings are not listed", more));
    if (locality > 0)
        NS_TRY(ns_log_warn(p, 0, err, "states no locality for %zu of %zu samples: taken as off-node%s", locality, all,
                           ranks > 0 ? "; it names ranks, which --per-node places" : ""));
    return memory == 0 ? NS_OK
                       : ns_log_warn(p, 0, err, "states no memory for %zu of %zu samples: taken as host", memory, all);
}

static ns_status read_file(ns_log_parser *p, ns_error *err)
{
    enum { SURE = 80 };
    const ns_log_lines *lines = &p->lines;
    const ns_log_tool *tool = NULL, *other = NULL;
    const char *asked = p->options->tool;
    int best = 0;
    NS_TRY(ns_log_open(p, err));
    const char *text = lines->buffer + lines->from;
    const size_t size = lines->to - lines->from;
    /* the requested tool, or the one whose marks match the beginning of the file best */
    for (size_t i = 0; i < TOOLS; i++) {
        const ns_log_mark *mark = tools[i]->marks;
        int score = asked != NULL && strcmp(tools[i]->name, asked) == 0;
        while (asked == NULL && mark != NULL && mark->begins != NULL && !ns_scan_line(text, size, mark->begins))
            mark++;
        if (asked == NULL)
            score = mark != NULL ? mark->score : tools[i]->detect(text, size);
        if (score >= SURE && best >= SURE)
            other = score > best ? tool : tools[i];
        if (score > best) {
            best = score;
            tool = tools[i];
        }
    }
    if (tool == NULL && asked != NULL)
        return ns_refuse_name(err, "no log tool", asked, ns_log_tool_names(), TOOLS);
    if (tool == NULL)
        return ns_fail_at(err, NS_ERR_DATA, p->path, 0, 0,
                          "no table of a known benchmark%s; wanted BenchPress, MPI Advance, nodecomm, OSU, Intel MPI "
                          "Benchmarks, netgauge, NetPIPE, SimGrid or plain CSV (a header with bytes and seconds, ms or "
                          "us)",
                          lines->end ? "" : " in its first MiB");
    if (other != NULL)
        NS_TRY(ns_log_warn(p, 0, err, "read as %s; it holds tables of %s too, which --tool %s reads", tool->title,
                           other->title, other->name));
    p->log->tool[p->file] = tool->name;
    NS_TRY(tool->parse(p, err));
    return finish(p, err);
}

static ns_status check_kind(const char *kind, ns_error *err)
{
    if (kind == NULL || ns_log_kind_word(kind) != NULL)
        return NS_OK;
    return ns_fail(err, NS_ERR_NAME,
                   "kind \"%s\"; wanted node-pong, maxrate, 3step, device-aware, mult-pong, mult-pong-split, in-order, "
                   "reversed or contention",
                   kind);
}

NS_FREED_BY(ns_log_free, ns_log)

ns_status ns_log_read(const char *const *path, int paths, const ns_log_options *options, ns_log **result, ns_error *err)
{
    const ns_log_options standard = NS_LOG_OPTIONS_DEFAULT;
    NS_OWN(ns_log_free) ns_log *log = NULL;
    if (options == NULL)
        options = &standard;
    if (paths < 1)
        return ns_fail(err, NS_ERR_RANGE, "no log; wanted at least one file");
    NS_TRY(check_kind(options->kind, err));
    for (int i = 0; options->kind_of_file != NULL && i < paths; i++)
        NS_TRY(check_kind(options->kind_of_file[i], err));
    if (options->per_node < 0 || options->sockets < 0 ||
        (options->per_node > 0 && options->sockets > 0 && options->per_node % options->sockets != 0))
        return ns_fail(err, NS_ERR_RANGE, "%d ranks a node on %d sockets; wanted whole ranks a socket",
                       options->per_node, options->sockets);
    if (options->cyclic == 1 && options->per_node == 0)
        return ns_fail(err, NS_ERR_RANGE, "ranks in cyclic order on nodes of unknown size; wanted --per-node too");
    NS_TRY(ns_log_new(path, paths, &log, err));

    /* a rejected file leaves only the error message */
    bool kind_given = options->kind != NULL;
    for (int i = 0; i < log->files; i++) {
        ns_error why = {.code = NS_OK};
        ns_log_parser p = {.options = options, .log = log, .file = i, .path = log->file[i]};
        const size_t samples = log->samples, warnings = log->warnings;
        p.first = p.unplaced = samples;
        const ns_status status = read_file(&p, &why);
        ns_log_close(&p);
        ns_placement_free(&p.place);
        if (status != NS_OK) {
            if (!options->keep_going || ns_ends_call(status) || status == NS_ERR_LIMIT || status == NS_ERR_NAME)
                return ns_fail_at(err, status, why.file, why.line, why.column, "%s", why.text);
            log->samples = samples;
            log->warnings = warnings;
            log->files_out++;
            NS_TRY(ns_log_add_warning(log, i, why.line, why.text, err));
        }
        kind_given = kind_given || (options->kind_of_file != NULL && options->kind_of_file[i] != NULL);
        if (options->watch != NULL)
            options->watch(options->watcher, i + 1, log->files);
    }
    if (log->files_out == (size_t)log->files)
        return ns_fail_at(err, NS_ERR_DATA, log->file[0], log->warning[0].line, 0, "%s", log->warning[0].text);
    if (kind_given && !log->asked_kind)
        NS_TRY(ns_log_add_warning(log, 0, 0, "--kind changes nothing: these logs tell their kind by themselves", err));
    *result = log;
    log = NULL;
    return NS_OK;
}
