/* tools.c -- the list of log tools, made from the directory, and which of them printed a file */
#include <stdlib.h>
#include <string.h>

#include "log.h"

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

ns_status ns_log_tool_named(const char *name, const ns_log_tool **tool, ns_error *err)
{
    for (size_t i = 0; i < TOOLS; i++)
        if (strcmp(tools[i]->name, name) == 0) {
            *tool = tools[i];
            return NS_OK;
        }
    const char *closest = ns_closest(name, ns_log_tool_names(), TOOLS);
    return ns_fail(err, NS_ERR_NAME, "no log tool \"%s\"%s%s%s", name, closest ? "; did you mean \"" : "",
                   closest ? closest : "", closest ? "\"?" : "");
}

/* The start of a file, as text; *size is 0 for an empty one. */
static ns_status read_head(const char *path, char **head, size_t *size, ns_error *err)
{
    ns_log_lines lines;
    NS_TRY(ns_log_open(path, &lines, err));
    *head = malloc(NS_LOG_HEAD + 1);
    *size = *head == NULL ? 0 : fread(*head, 1, NS_LOG_HEAD, lines.file);
    bool bad = *head != NULL && *size < NS_LOG_HEAD && ferror(lines.file);
    ns_log_close(&lines);
    if (*head == NULL)
        return ns_fail(err, NS_ERR_MEMORY, "out of memory");
    (*head)[*size] = '\0';
    if (!bad && *size > 0)
        return NS_OK;
    free(*head);
    return bad ? ns_fail_at(err, NS_ERR_FILE, path, 0, 0, "cannot be read")
               : ns_fail_at(err, NS_ERR_DATA, path, 0, 0, "an empty file");
}

/* The tool whose marks the text shows most clearly. */
ns_status ns_log_tool_detect(const char *path, const ns_log_tool **tool, ns_error *err)
{
    char *head;
    size_t size;
    int best = 0;
    NS_TRY(read_head(path, &head, &size, err));
    bool binary = memchr(head, '\0', size) != NULL;
    *tool = NULL;
    for (size_t i = 0; i < TOOLS && !binary; i++) {
        int score = tools[i]->detect(head, size);
        if (score > best) {
            best = score;
            *tool = tools[i];
        }
    }
    free(head);
    if (binary)
        return ns_fail_at(err, NS_ERR_DATA, path, 0, 0, "binary data; wanted the text a benchmark printed");
    return *tool != NULL
               ? NS_OK
               : ns_fail_at(err, NS_ERR_DATA, path, 0, 0,
                            "no table of a known benchmark; wanted BenchPress, MPI Advance, nodecomm, OSU, Intel "
                            "MPI Benchmarks, netgauge, SimGrid or plain CSV");
}
