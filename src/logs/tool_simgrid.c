/* tool_simgrid.c -- ping-pongs of SimGrid's platform calibration
 *
 *     MPI_Send,765921,32.477584,5.012126e-03
 *     MPI_Recv,765921,32.477584,8.841378e-03
 *
 * operation, bytes, start (s), duration (s); no header.  The send and the receive after it are one round trip together.
 */
#include "log.h"

#include <string.h>

static int detect(const char *text, size_t size)
{
    int number[1];
    const char *at = ns_scan_match(text, "MPI_Send,%,", number);
    (void)size;
    if (at != NULL || ns_scan_match(text, "MPI_Recv,%,", number) != NULL)
        return 90;
    return ns_scan_match(text, "%,MPI_", number) != NULL || strncmp(text, "Limit, Name", 11) == 0 ? 70 : 0;
}

static bool row(const char *text, bool *send, double field[3])
{
    *send = strncmp(text, "MPI_Send,", 9) == 0;
    if (!*send && strncmp(text, "MPI_Recv,", 9) != 0)
        return false;
    text += 9;
    for (int i = 0; i < 3; i++) {
        if (!ns_scan_number(&text, &field[i]) || *text != (i < 2 ? ',' : '\0'))
            return false;
        text += i < 2;
    }
    return field[0] >= 0;
}

static ns_status other_file(ns_log_parser *p, ns_error *err)
{
    int number[1];
    if (strncmp(p->text, "Limit, Name", 11) == 0)
        return ns_log_leave_out(p, p->line, err,
                                "limits of protocols that were set by hand, no times; --switch takes them");
    if (ns_scan_match(p->text, "%,MPI_", number) != NULL)
        return ns_log_leave_out(
            p, p->line, err,
            "a load test: neither the unit of its times nor how many pairs ran at once is in the file");
    return NS_OK;
}

typedef struct simgrid_state {
    bool waiting; /* a send without its receive yet: bytes, start, duration */
    double sent[3];
    size_t alone; /* halves of a round trip */
    long sent_line, alone_line;
} simgrid_state;

static void leave_alone(simgrid_state *s, long line)
{
    s->alone_line = s->alone++ == 0 ? line : s->alone_line;
}

static ns_status add(ns_log_parser *p, double bytes, double round_trip, ns_error *err)
{
    ns_sample sample = {
        .kind = NS_PING_PONG,
        .memory = NS_HOST,
        .memory_stated = true,
        .pairs = 1,
        .messages = 1,
        .bytes = bytes,
        .seconds = round_trip * ns_log_one_way(p, 1),
    };
    return ns_log_add(p, &sample, err);
}

static ns_status half(ns_log_parser *p, simgrid_state *s, bool send, const double field[3], ns_error *err)
{
    bool pair = !send && s->waiting && s->sent[0] == field[0] && s->sent[1] == field[1];
    if (s->waiting && !pair)
        leave_alone(s, s->sent_line);
    if (!send && !pair)
        leave_alone(s, p->line);
    s->waiting = send;
    if (pair)
        return add(p, field[0], s->sent[2] + field[2], err);
    memcpy(s->sent, field, sizeof s->sent);
    s->sent_line = p->line;
    return NS_OK;
}

static ns_status one_line(ns_log_parser *p, simgrid_state *s, ns_error *err)
{
    bool send;
    double field[3];
    if (p->line == 1)
        NS_TRY(other_file(p, err));
    if (row(p->text, &send, field) && p->whole)
        return half(p, s, send, field, err);
    if (*p->text == '\0' || *p->reason != '\0')
        return NS_OK;
    return ns_log_warn(p, p->line, err, "not a whole line \"operation,bytes,start,duration\": left out");
}

static ns_status parse(ns_log_parser *p, ns_error *err)
{
    simgrid_state s = {.waiting = false};
    for (;;) {
        bool more;
        NS_TRY(ns_log_next(p, &more, err));
        if (!more)
            break;
        NS_TRY(one_line(p, &s, err));
    }
    if (s.waiting)
        leave_alone(&s, s.sent_line);
    return s.alone == 0
               ? NS_OK
               : ns_log_warn(p, s.alone_line, err, "%zu sends or receives without the other half: left out", s.alone);
}

const ns_log_tool ns_log_tool_simgrid = {
    .name = "simgrid",
    .title = "SimGrid calibration CSV",
    .detect = detect,
    .parse = parse,
};
