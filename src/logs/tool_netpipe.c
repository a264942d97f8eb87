/* tool_netpipe.c -- NetPIPE: its output file np.out of version 3 and of 4 and 5, and the terminal output of version 3
 *
 *     np.out of 3        1 1.074654   0.00000710                       bytes, Mbit/s of 2^20 bit, s
 *     np.out of 4, 5     65536    21.845    21.312    22.410   24.00   bytes, Gbit/s of 10^9 bit (three), us
 *     terminal of 3      0:       1 bytes   4794 times -->      1.07 Mbps in       7.10 usec
 *
 * Times are one way.  A file has no header: it is recognised by its redundant columns, since rate times time is the
 * bytes of all pairs.  In bidirectional mode the files add up the bytes of both messages, so that every size is even.
 */
#include "log.h"

#include <math.h>
#include <string.h>

static const double MBIT = 1048576, GBIT = 1e9, BITS = 8;

typedef struct netpipe_row {
    bool file;
    double bytes, seconds;
    double carried; /* bytes by rate and time: of the message, or of all messages in flight at once */
    int decimals;   /* of the last number of a file's row */
} netpipe_row;

typedef struct netpipe {
    size_t rows, odd, cut;
    double last;    /* size of the previous row */
    double carried; /* concurrent messages, by the largest size */
    ns_sample_kind kind;
    bool stated; /* the kind, if a terminal line gives it */
    int decimals;
    long cut_line;
} netpipe;

static bool agree(double a, double b)
{
    return fabs(a - b) <= 0.02 * b;
}

/* A row of a file, on a line of its own. */
static bool file_row(const char *text, netpipe_row *row)
{
    double number[5];
    const char *at = ns_scan_blanks(text);
    if (!ns_scan_size(&at, &row->bytes) || row->bytes < 1)
        return false;
    row->decimals = -1;
    const int count = ns_scan_numbers(&at, number, 4, &row->decimals);
    if ((*at != '\0' && *at != '\r') || (count != 2 && count != 4))
        return false;
    row->file = true;
    row->seconds = count == 2 ? number[1] : number[3] * 1e-6;
    row->carried = number[0] * (count == 2 ? MBIT : GBIT) / BITS * row->seconds;
    return row->seconds > 0 && number[0] >= 0 && (count == 2 || (number[1] <= number[0] && number[0] <= number[2]));
}

/* "0:  1 bytes   4794 times -->      1.07 Mbps in       7.10 usec"; a launcher may put its own label before the number.
 * *cut: it breaks off. */
static bool terminal_row(const char *text, netpipe_row *row, bool *cut)
{
    double rate, us;
    int times;
    const char *at = ns_scan_blanks(ns_scan_label(ns_scan_label(text)));
    *cut = false;
    if (!ns_scan_size(&at, &row->bytes) || row->bytes < 1 || strncmp(at, " bytes", 6) != 0)
        return false;
    at = ns_scan_blanks(at + 6);
    if (!ns_scan_integer(&at, &times) || strncmp(at, " times -->", 10) != 0)
        return false;
    *cut = true;
    at = ns_scan_blanks(at + 10);
    if (!ns_scan_number(&at, &rate) || strncmp(at, " Mbps in", 8) != 0)
        return false;
    at = ns_scan_blanks(at + 8);
    if (!ns_scan_number(&at, &us) || strncmp(at, " usec", 5) != 0)
        return false;
    *cut = false;
    *row = (netpipe_row){false, row->bytes, us * 1e-6, rate * MBIT / BITS * us * 1e-6, -1};
    return true;
}

/* ---- detection --------------------------------------------------------------------------------------------------- */

/* Rate times time is the size, or that of a whole number of pairs: three such rows, in a file of nothing else, are not
 * a coincidence. */
static int detect(const char *text, size_t size)
{
    enum { ENOUGH = 3, DIGITS_ENOUGH = 100 /* us */ };
    const char *end = text + size;
    bool other = false, contradicts = false, screen = false;
    int good = 0;
    while (text < end) {
        char line[200];
        netpipe_row row;
        bool cut;
        size_t length = 0;
        for (; text < end && *text != '\n'; text++)
            if (length + 1 < sizeof line)
                line[length++] = *text;
        line[length] = '\0';
        text += text < end;
        if (terminal_row(line, &row, &cut))
            return 90;
        screen = screen || strstr(line, " times -->") != NULL;
        if (*ns_scan_blanks(line) == '\0' || *line == '#')
            continue;
        if (other || !file_row(line, &row)) {
            other = true;
            continue;
        }
        const double pairs = fmax(1, round(row.carried / row.bytes));
        good += agree(row.carried, pairs * row.bytes);
        contradicts = contradicts || (!agree(row.carried, pairs * row.bytes) && row.seconds * 1e6 > DIGITS_ENOUGH);
    }
    return good >= ENOUGH && !other && !contradicts ? 85 : screen ? 70 : 0;
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static ns_status add(ns_log_parser *p, netpipe *n, const netpipe_row *row, ns_error *err)
{
    if (row->bytes <= n->last)
        return ns_log_warn(p, p->line, err, "a row whose size does not rise: left out");
    n->last = row->bytes;
    n->rows++;
    n->odd += fmod(row->bytes, 2) != 0;
    n->carried = fmax(1, round(row->carried / row->bytes));
    ns_sample sample = {
        .kind = n->kind,
        .memory = NS_HOST,
        .memory_stated = true,
        .pairs = 1,
        .messages = 1,
        .bytes = row->bytes,
        .seconds = row->seconds * (n->kind == NS_PING_PONG ? ns_log_one_way(p, 0) : 1),
    };
    return ns_log_add(p, &sample, err);
}

static ns_status one_line(ns_log_parser *p, void *state, ns_error *err)
{
    netpipe *n = state;
    netpipe_row row;
    bool cut = false;
    if (terminal_row(p->text, &row, &cut))
        return p->whole ? add(p, n, &row, err) : NS_OK;
    if (cut) {
        n->cut_line = n->cut++ == 0 ? p->line : n->cut_line;
        return NS_OK;
    }
    if (!file_row(p->text, &row)) {
        const bool one = strstr(p->text, "Streaming in one direction only") != NULL;
        if (one || strstr(p->text, "Passing data in both directions") != NULL) {
            n->kind = one ? NS_STREAMING : NS_BIDIRECTIONAL;
            n->stated = true;
        }
        return NS_OK;
    }
    if (!p->whole && (row.decimals < 0 || row.decimals != n->decimals))
        return ns_log_warn(p, p->line, err, "the file ends in the middle of a row: left out");
    n->decimals = row.decimals;
    return add(p, n, &row, err);
}

static ns_status parse(ns_log_parser *p, ns_error *err)
{
    enum { ENOUGH = 8 };
    netpipe n = {.kind = NS_PING_PONG, .decimals = -1};
    NS_TRY(ns_log_each_line(p, one_line, &n, err));
    /* only the whole table shows the concurrent pairs, and whether a file is bidirectional */
    const bool file = n.decimals >= 0;
    const bool both = file && !n.stated && n.odd == 0 && n.rows >= ENOUGH;
    const int pairs = file && n.carried < 1e6 ? (int)n.carried : 1;
    for (size_t i = p->first; i < p->log->samples; i++) {
        ns_sample *s = &p->log->sample[i];
        s->pairs = pairs;
        if (pairs > 1 && s->kind == NS_PING_PONG)
            s->kind = NS_NODE_PONG;
        if (both)
            s->kind = NS_BIDIRECTIONAL;
        if (both || (file && s->kind == NS_BIDIRECTIONAL))
            s->bytes /= 2;
    }
    if (n.cut > 0)
        NS_TRY(ns_log_warn(p, n.cut_line, err, "%zu rows break off: left out", n.cut));
    if (both)
        NS_TRY(ns_log_warn(p, 0, err,
                           "every size is even: taken as messages of half of it both ways at once, as NetPIPE writes "
                           "them"));
    return n.rows > 0 ? NS_OK
                      : ns_log_leave_out(p, 1, err,
                                         "no row of NetPIPE's terminal with bytes and usec; its file np.out has them");
}

const ns_log_tool ns_log_tool_netpipe = {
    .name = "netpipe",
    .title = "NetPIPE",
    .detect = detect,
    .parse = parse,
};
