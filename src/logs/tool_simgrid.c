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

typedef struct simgrid_state {
    bool waiting; /* a send whose receive has not been read: bytes, start, duration */
    double sent[3];
    size_t alone; /* unmatched sends and receives */
    long sent_line, alone_line;
} simgrid_state;

static void leave_alone(simgrid_state *s, long line)
{
    s->alone_line = s->alone++ == 0 ? line : s->alone_line;
}

static ns_status one_line(ns_log_parser *p, void *state, ns_error *err)
{
    simgrid_state *s = state;
    const char *at = p->text;
    int number[1];
    double field[3];
    if (p->line == 1 && strncmp(at, "Limit, Name", 11) == 0)
        NS_TRY(ns_log_leave_out(p, 1, err, "limits of protocols that were set by hand, no times; --switch takes them"));
    if (p->line == 1 && ns_scan_match(at, "%,MPI_", number) != NULL)
        NS_TRY(ns_log_leave_out(
            p, 1, err, "a load test: neither the unit of its times nor how many pairs ran at once is in the file"));
    const bool send = strncmp(at, "MPI_Send,", 9) == 0;
    bool good = p->whole && (send || strncmp(at, "MPI_Recv,", 9) == 0);
    at += good ? 9 : 0;
    for (int i = 0; i < 3 && good; i++) {
        good = ns_scan_number(&at, &field[i]) && *at == (i < 2 ? ',' : '\0');
        at++;
    }
    if (!good || !(field[0] >= 0))
        return *p->text == '\0' || *p->reason != '\0'
                   ? NS_OK
                   : ns_log_warn(p, p->line, err, "not a whole line \"operation,bytes,start,duration\": left out");
    const bool pair = !send && s->waiting && s->sent[0] == field[0] && s->sent[1] == field[1];
    if (s->waiting && !pair)
        leave_alone(s, s->sent_line);
    if (!send && !pair)
        leave_alone(s, p->line);
    s->waiting = send;
    if (!pair) {
        memcpy(s->sent, field, sizeof s->sent);
        s->sent_line = p->line;
        return NS_OK;
    }
    return ns_log_add(p,
                      &(ns_sample){
                          .kind = NS_PING_PONG,
                          .memory = NS_HOST,
                          .memory_stated = true,
                          .pairs = 1,
                          .messages = 1,
                          .bytes = field[0],
                          .seconds = (s->sent[2] + field[2]) * ns_log_one_way(p, 1),
                      },
                      err);
}

static ns_status parse(ns_log_parser *p, ns_error *err)
{
    simgrid_state s = {.waiting = false};
    NS_TRY(ns_log_each_line(p, one_line, &s, err));
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
