/* tool_netgauge.c -- netgauge's LogGP pattern: its output file and its terminal output
 *
 *     # size n PRTT(1,0,s) PRTT(n,0,s) PRTT(n,PRTT(1,0,s),s) L o_s o_r g G lsqu(g,G)
 *     1 10 2.244175 4.112484 23.683617 1.122088 0.137985 0.168865 -nan -nan -nan
 *      L=37.689019  s=1  o_s=11.999546  o_r=5.775757  g=-nan  G=-nan (-nan GiB/s) lsqu(g,G)=-nan
 *
 * Times in us, G in us/B.  PRTT(1,0,s) is one message there and back.  g and G are fitted to the sizes so far, so the
 * first ones are NaN, and noise makes some negative.  After "we detected a protocol change" the size is printed twice;
 * the second time belongs to the new protocol.
 */
#include "log.h"

#include <string.h>

enum { PARAMETERS = 5 };
static const char *const names[PARAMETERS] = {"L", "o_s", "o_r", "g", "G"};

typedef struct netgauge_state {
    double last_L;
    double size; /* of the pending line of the terminal output; < 0: none */
    double value[PARAMETERS];
    long line;
} netgauge_state;

static int detect(const char *text, size_t size)
{
    const char *found = strstr(text, " L="); /* the buffer is null-terminated */
    if (ns_scan_line(text, size, "# size n PRTT(") || strstr(text, "Netgauge v") != NULL)
        return 90;
    return found != NULL && strstr(found, "o_s=") != NULL ? 80 : 0;
}

static ns_status add(ns_log_parser *p, ns_sample_kind kind, double bytes, double us, const char *name, long line,
                     ns_error *err)
{
    ns_sample sample = {
        .kind = kind,
        .memory = NS_HOST,
        .memory_stated = true,
        .pairs = 1,
        .messages = 1,
        .bytes = bytes,
        .seconds = us * 1e-6,
        .name = name,
        .line = line,
    };
    return ns_log_add(p, &sample, err);
}

/* L is measured once and printed with every size. */
static ns_status add_parameters(ns_log_parser *p, netgauge_state *state, double bytes, const double *value, long line,
                                ns_error *err)
{
    bool again = value[0] == state->last_L;
    state->last_L = value[0];
    for (int i = again ? 1 : 0; i < PARAMETERS; i++)
        NS_TRY(add(p, NS_LOGGP, bytes, value[i], names[i], line, err));
    return NS_OK;
}

static ns_status flush(ns_log_parser *p, netgauge_state *state, ns_error *err)
{
    double size = state->size;
    state->size = -1;
    return size < 0 ? NS_OK : add_parameters(p, state, size, state->value, state->line, err);
}

static bool named(const char *text, const char *name, double *value)
{
    const char *at = strstr(text, name);
    if (at == NULL)
        return false;
    at += strlen(name);
    return ns_scan_number(&at, value);
}

static ns_status one_line(ns_log_parser *p, void *of, ns_error *err)
{
    netgauge_state *state = of;
    const char *text = ns_scan_blanks(ns_scan_label(p->text));
    double number[12], value[PARAMETERS], bytes;
    int at_bytes, decimals;
    if (strncmp(text, "L=", 2) == 0) {
        /* "L=..  s=..  o_s=..": kept until the next line shows that no second line of this size follows */
        if (!named(text, " s=", &bytes) || !named(text, "L=", &value[0]) || !named(text, "o_s=", &value[1]) ||
            !named(text, "o_r=", &value[2]) || !named(text, " g=", &value[3]) || !named(text, " G=", &value[4]) ||
            !(bytes >= 0))
            return NS_OK;
        if (!p->whole)
            return ns_log_warn(p, p->line, err, "the file ends in the middle of a row: left out");
        if (state->size != bytes)
            NS_TRY(flush(p, state, err));
        state->size = bytes;
        state->line = p->line;
        memcpy(state->value, value, sizeof value);
        return NS_OK;
    }
    if (ns_scan_match(text, "we detected a protocol change at % bytes", &at_bytes) != NULL)
        return ns_log_warn(p, p->line, err, "netgauge saw a protocol change at %d B", at_bytes);
    /* "1025 10 3.32 7.05 35.18 1.12 0.21 0.28 0.20 0.0002 -nan" */
    if (!ns_scan_size(&text, &bytes))
        return NS_OK;
    const int count = ns_scan_numbers(&text, number, 12, &decimals);
    if (!ns_scan_end(text) || count < 9 || (!p->whole && count < 10))
        return p->whole ? NS_OK : ns_log_warn(p, p->line, err, "the file ends in the middle of a row: left out");
    NS_TRY(add(p, NS_PING_PONG, bytes, number[1] * ns_log_one_way(p, 1), "", p->line, err));
    return add_parameters(p, state, bytes, number + 4, p->line, err);
}

static ns_status parse(ns_log_parser *p, ns_error *err)
{
    netgauge_state state = {.last_L = -1, .size = -1};
    NS_TRY(ns_log_each_line(p, one_line, &state, err));
    return flush(p, &state, err);
}

const ns_log_tool ns_log_tool_netgauge = {
    .name = "netgauge",
    .title = "netgauge LogGP",
    .detect = detect,
    .parse = parse,
};
