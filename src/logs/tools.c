/* tools.c -- the list of log tools, made from the directory, and which of them printed a file */
#include <string.h>

#include "log.h"

#include "core/refuse.h"

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
    return ns_refuse_name(err, "no log tool", name, ns_log_tool_names(), TOOLS);
}

const ns_log_tool *ns_log_tool_detect(const char *text, size_t size, const ns_log_tool **other)
{
    enum { SURE = 80 };
    const ns_log_tool *tool = NULL;
    int best = 0;
    *other = NULL;
    for (size_t i = 0; i < TOOLS; i++) {
        int score = tools[i]->detect(text, size);
        if (score >= SURE && best >= SURE)
            *other = score > best ? tool : tools[i];
        if (score > best) {
            best = score;
            tool = tools[i];
        }
    }
    return tool;
}
