/* tool_ferry.c -- a log tool for tests/test_additions.c
 *
 *     # ferry
 *     8 1.7
 *
 * bytes and microseconds, one way.
 */
#include "log.h"

static int detect(const char *text, size_t size)
{
    return ns_scan_line(text, size, "# ferry") ? 100 : 0;
}

static ns_status one_line(ns_log_parser *p, void *state, ns_error *err)
{
    ns_sample sample = {.kind = NS_PING_PONG, .pairs = 1, .messages = 1};
    double us;
    const char *at = ns_scan_blanks(p->text);
    (void)state;
    if (*at == '#' || *at == '\0')
        return NS_OK;
    if (!ns_scan_size(&at, &sample.bytes) || *(at = ns_scan_blanks(at)) == '\0' || !ns_scan_number(&at, &us) ||
        !ns_scan_end(at))
        return ns_log_warn(p, p->line, err, "not \"bytes microseconds\": left out");
    sample.seconds = us * 1e-6 * ns_log_one_way(p, 0);
    return ns_log_add(p, &sample, err);
}

static ns_status parse(ns_log_parser *p, ns_error *err)
{
    return ns_log_each_line(p, one_line, NULL, err);
}

const ns_log_tool ns_log_tool_ferry = {
    .name = "ferry",
    .title = "a table of tests/test_additions.c",
    .detect = detect,
    .parse = parse,
};
