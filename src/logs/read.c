/* read.c -- the files of one call: each is opened, its tool found, its samples placed, what it lacks said */
#include "core/context.h"
#include "log.h"

/* What neither the log nor the command line places goes by the file's name. */
static ns_status place_by_name(ns_log_parser *p, ns_error *err)
{
    const int locality = ns_path_locality(p->path);
    size_t placed = 0;
    for (size_t i = p->first; locality >= 0 && i < p->log->samples; i++) {
        ns_sample *sample = &p->log->sample[i];
        if (!ns_log_travels(sample->kind) || sample->locality_stated)
            continue;
        sample->locality = (ns_locality)locality;
        sample->locality_stated = true;
        placed++;
    }
    return placed == 0 ? NS_OK
                       : ns_log_warn(p, 0, err,
                                     "states no locality: its name says %s for %zu samples; --locality says otherwise",
                                     ns_locality_words[locality], placed);
}

static ns_status say_defaults(ns_log_parser *p, ns_error *err)
{
    size_t locality = 0, memory = 0, ranks = 0, all = p->log->samples - p->first;
    for (size_t i = p->first; i < p->log->samples; i++) {
        const ns_sample *sample = &p->log->sample[i];
        locality += ns_log_travels(sample->kind) && !sample->locality_stated;
        ranks += ns_log_travels(sample->kind) && !sample->locality_stated && sample->rank[0] != sample->rank[1];
        memory += ns_log_travels(sample->kind) && !sample->memory_stated;
    }
    if (locality > 0)
        NS_TRY(ns_log_warn(p, 0, err, "states no locality for %zu of %zu samples: taken as off-node%s", locality, all,
                           ranks > 0 ? "; it names ranks, which --per-node places" : ""));
    if (memory > 0)
        NS_TRY(ns_log_warn(p, 0, err, "states no memory for %zu of %zu samples: taken as host", memory, all));
    return NS_OK;
}

static ns_status finish(ns_log_parser *p, ns_error *err)
{
    NS_TRY(ns_place_settle(p, err));
    NS_TRY(place_by_name(p, err));
    if (p->log->samples == p->first) {
        if (*p->reason != '\0')
            return ns_fail_at(err, NS_ERR_DATA, p->path, p->reason_line, 0, "%s", p->reason);
        if (p->bad > 0)
            return ns_fail_at(err, NS_ERR_DATA, p->path, p->bad_line, 0,
                              "all %zu times are zero, negative or not numbers", p->bad);
        return ns_fail_at(err, NS_ERR_DATA, p->path, 0, 0, "no table with a time in it");
    }
    if (p->bad > 0)
        NS_TRY(ns_log_warn(p, p->bad_line, err, "%zu values are zero, negative or not numbers: left out", p->bad));
    int more = p->warnings - NS_LOG_WARNINGS_MAX;
    p->warnings = 0;
    p->log->tables_out += p->tables_out;
    p->log->values_out += p->bad;
    if (more > 0)
        NS_TRY(ns_log_warn(p, 0, err, "%d more warnings are not listed", more));
    return say_defaults(p, err);
}

static ns_status choose_tool(ns_log_parser *p, const ns_log_tool **tool, ns_error *err)
{
    const ns_log_lines *lines = &p->lines;
    const ns_log_tool *other;
    if (p->options->tool != NULL)
        return ns_log_tool_named(p->options->tool, tool, err);
    *tool = ns_log_tool_detect(lines->buffer + lines->from, lines->to - lines->from, &other);
    if (other != NULL)
        return ns_log_warn(p, 0, err, "read as %s; it holds tables of %s too, which --tool %s reads", (*tool)->title,
                           other->title, other->name);
    if (*tool != NULL)
        return NS_OK;
    return ns_fail_at(err, NS_ERR_DATA, p->path, 0, 0,
                      "no table of a known benchmark%s; wanted BenchPress, MPI Advance, nodecomm, OSU, Intel MPI "
                      "Benchmarks, netgauge, NetPIPE, SimGrid or plain CSV (a header with bytes and seconds, ms or us)",
                      lines->end ? "" : " in its first MiB");
}

static ns_status parse(ns_log_parser *p, ns_error *err)
{
    const ns_log_tool *tool = NULL;
    NS_TRY(ns_log_open(p, err));
    NS_TRY(choose_tool(p, &tool, err));
    p->log->tool[p->file] = tool->name;
    NS_TRY(tool->parse(p, err));
    return finish(p, err);
}

static ns_status read_file(ns_log *log, int file, const ns_log_options *options, ns_error *err)
{
    ns_log_parser p = {.options = options, .log = log, .file = file, .path = log->file[file]};
    p.first = p.unplaced = log->samples;
    ns_status status = parse(&p, err);
    ns_log_close(&p);
    ns_placement_free(&p.place);
    return status;
}

/* A file that is refused leaves nothing behind but the reason. */
static ns_status read_or_warn(ns_log *log, int file, const ns_log_options *options, int *refused, ns_error *err)
{
    ns_error mine = {.code = NS_OK};
    size_t samples = log->samples, warnings = log->warnings;
    ns_status status = read_file(log, file, options, &mine);
    if (status == NS_OK)
        return NS_OK;
    if (!options->keep_going || ns_ends_call(status) || status == NS_ERR_LIMIT || status == NS_ERR_NAME)
        return ns_fail_at(err, status, mine.file, mine.line, mine.column, "%s", mine.text);
    log->samples = samples;
    log->warnings = warnings;
    (*refused)++;
    log->files_out++;
    return ns_log_add_warning(log, file, mine.line, mine.text, err);
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

static ns_status check(const ns_log_options *options, int paths, ns_error *err)
{
    NS_TRY(check_kind(options->kind, err));
    for (int i = 0; options->kind_of_file != NULL && i < paths; i++)
        NS_TRY(check_kind(options->kind_of_file[i], err));
    if (options->per_node < 0 || options->sockets < 0 ||
        (options->per_node > 0 && options->sockets > 0 && options->per_node % options->sockets != 0))
        return ns_fail(err, NS_ERR_RANGE, "%d ranks a node on %d sockets; wanted whole ranks a socket",
                       options->per_node, options->sockets);
    if (options->cyclic == 1 && options->per_node == 0)
        return ns_fail(err, NS_ERR_RANGE, "ranks in cyclic order on nodes of unknown size; wanted --per-node too");
    return NS_OK;
}

/* A kind that no file asks for was meant to change what it does not. */
static ns_status check_use(ns_log *log, const ns_log_options *options, ns_error *err)
{
    bool given = options->kind != NULL;
    for (int i = 0; options->kind_of_file != NULL && i < log->files; i++)
        given = given || options->kind_of_file[i] != NULL;
    return given && !log->asked_kind
               ? ns_log_add_warning(log, 0, 0, "--kind changes nothing: these logs tell their kind by themselves", err)
               : NS_OK;
}

ns_status ns_log_read(const char *const *path, int paths, const ns_log_options *options, ns_log **log, ns_error *err)
{
    const ns_log_options standard = NS_LOG_OPTIONS_DEFAULT;
    ns_log *mine = NULL;
    int refused = 0;
    if (options == NULL)
        options = &standard;
    if (paths < 1)
        return ns_fail(err, NS_ERR_RANGE, "no log; wanted at least one file");
    NS_TRY(check(options, paths, err));
    ns_status status = ns_log_new(path, paths, &mine, err);
    for (int i = 0; i < paths && status == NS_OK; i++) {
        status = read_or_warn(mine, i, options, &refused, err);
        if (options->watch != NULL)
            options->watch(options->watcher, i + 1, paths);
    }
    if (status == NS_OK && refused == paths)
        status = ns_fail_at(err, NS_ERR_DATA, mine->file[0], mine->warning[0].line, 0, "%s", mine->warning[0].text);
    if (status == NS_OK)
        status = check_use(mine, options, err);
    if (status == NS_OK)
        *log = mine;
    else
        ns_log_free(mine);
    return status;
}
