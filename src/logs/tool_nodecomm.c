/* tool_nodecomm.c -- nodecomm and its variants (Cray XE6 Blue Waters): 1 to 16 pairs, queue search, contention
 *
 *     Pingpong for                            Num Msgs 4
 *     master:  0, 1, 2                        SizeMsgs 16
 *     partner: 384, 385, 386                  5.42e-06<TAB>5.42e-06<TAB>...
 *     1024<TAB>1.81e-05<TAB>2.00e-05<TAB>
 *
 * Sizes count integers of 4 bytes; times are FULL round trips in seconds.  Column k of a ping-pong has k active pairs.
 * SizeMsgs is the length of all Num Msgs messages together; the columns repeat one measurement with every pair active.
 * Whether receives were posted in order or reversed, or links shared, is not printed: --kind in-order, reversed,
 * contention.
 */
#include "log.h"

#include <string.h>

enum { INTEGER = 4 };

typedef struct nodecomm_state {
    bool any; /* a "Pingpong for" or a "Hops" line was found */
    bool hops;
    int pairs;          /* masters */
    int rank[2];        /* of the first pair */
    int messages, size; /* of the queue variants; 0: a ping-pong */
    bool said;
} nodecomm_state;

/* Count the ranks in a list such as "0, 1, 2", and return the first. */
static int list(const char *text, int *first)
{
    int count = 0, rank;
    for (text = ns_scan_blanks(text); ns_scan_integer(&text, &rank); count++) {
        if (count == 0)
            *first = rank;
        if (*text == ',')
            text = ns_scan_blanks(text + 1);
    }
    return count;
}

/* "1024 t1 t2 ...": size, then one time per number of active pairs; or repeats of a queue's time. */
static ns_status times_row(ns_log_parser *p, nodecomm_state *s, const char *text, ns_error *err)
{
    enum { MOST = 256, REPEATS = 64 };
    const bool queue = s->messages > 0;
    double value[MOST], size = 0;
    if (!s->any || (queue && s->size == 0) || (!queue && (!ns_scan_size(&text, &size) || *text != '\t')))
        return NS_OK;
    const char *kind = queue ? ns_log_kind(p) : NULL;
    int count = 0;
    for (text = ns_scan_blanks(text); count < (queue ? REPEATS : MOST); count++) { /* each ends in a tab */
        const char *at = text;
        if (!ns_scan_number(&at, &value[count]) || *at != '\t')
            break;
        text = ns_scan_blanks(at);
    }
    const bool rest = *text != '\0'; /* the last value of a truncated file */
    for (int i = 0; i < count; i++) {
        const ns_sample sample = {
            .kind = !queue                                            ? (i == 0 ? NS_PING_PONG : NS_NODE_PONG)
                    : kind != NULL && strcmp(kind, "in-order") == 0   ? NS_QUEUE_IN_ORDER
                    : kind != NULL && strcmp(kind, "reversed") == 0   ? NS_QUEUE_REVERSED
                    : kind != NULL && strcmp(kind, "contention") == 0 ? NS_CONTENTION
                                                                      : NS_MULTI_MESSAGE,
            .locality = NS_OFF_NODE,
            .locality_stated = s->hops,
            .memory = NS_HOST,
            .memory_stated = true,
            .pairs = queue ? s->pairs : i + 1,
            .messages = queue ? s->messages : 1,
            .bytes = queue ? (double)INTEGER * s->size / s->messages : INTEGER * size,
            .seconds = value[i] * ns_log_one_way(p, 1),
            .rank = {s->rank[0], s->rank[1]},
        };
        NS_TRY(ns_log_add(p, &sample, err));
        if (sample.kind == NS_MULTI_MESSAGE && !s->said && i + 1 == count) {
            s->said = true;
            NS_TRY(ns_log_warn(
                p, p->line, err,
                "the order of the receives is not printed: no queue search from it; --kind in-order, reversed or "
                "contention says"));
        }
    }
    if (!rest || (queue && count == 0))
        return NS_OK;
    return queue ? ns_log_warn(p, p->line, err, "the rest of the row is cut: left out")
                 : ns_log_warn(p, p->line, err, "the rest of the row after %d times is cut or no number: left out",
                               count);
}

static ns_status one_line(ns_log_parser *p, void *state, ns_error *err)
{
    /* variants that do not measure messages of a class */
    static const char
        uneven[] = "uneven splits of a node's data over its processes, not messages of one size",
        exchanges[] = "times of whole exchanges with their statistics, not of messages; validate takes those",
        protocols[] = "times per process of messages of different protocols, not messages of one class",
        sizes[] = "times per process of messages of different sizes, not messages of one class",
        trips[] = "\"Time\" may be half or a full round trip, the file does not say; nodecomm tables begin with "
                  "\"Pingpong for\"";
    static const struct {
        const char *start, *reason;
    } others[] = {
        {"Percent Rank", uneven},      {"NodeSizeMsgs", uneven}, {"Msg Size", protocols}, {"P0 Msg Size", sizes},
        {"Eager Msg Size", protocols}, {"Len ", uneven},         {"PPN\t", uneven},       {"Rank 0", uneven},
        {"Max Num Msgs:", exchanges},  {"Avg Hops:", exchanges}, {"Size Msgs ", trips},
    };
    nodecomm_state *s = state;
    const char *text = p->text;
    int number[1];
    if (strncmp(text, "Pingpong for", 12) == 0) {
        *s = (nodecomm_state){.any = true, .said = s->said};
    } else if (ns_scan_match(text, "Hops: %", number) != NULL) {
        *s = (nodecomm_state){.any = true, .hops = number[0] > 0};
    } else if (strncmp(text, "master:", 7) == 0) {
        s->pairs = list(text + 7, &s->rank[0]);
    } else if (strncmp(text, "partner:", 8) == 0) {
        (void)list(text + 8, &s->rank[1]);
    } else if (ns_scan_match(text, "Num Msgs %", number) != NULL) {
        s->messages = number[0];
        s->size = 0;
    } else if (ns_scan_match(text, "SizeMsgs %", number) != NULL) {
        s->size = number[0];
    } else if (*text >= '0' && *text <= '9') {
        return times_row(p, s, text, err);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strncmp(text, others[i].start, strlen(others[i].start)) == 0) {
            s->any = false;
            return *p->reason == '\0' ? ns_log_leave_out(p, p->line, err, "%s", others[i].reason) : NS_OK;
        }
    return NS_OK;
}

static ns_status parse(ns_log_parser *p, ns_error *err)
{
    nodecomm_state s = {.any = false};
    return ns_log_each_line(p, one_line, &s, err);
}

static const ns_log_mark marks[] = {
    {"Pingpong for", 90}, {"Hops: ", 60},         {"Num Msgs ", 60},      {"Percent Rank 0:", 60}, {"PPN\t", 60},
    {"Msg Size ", 60},    {"P0 Msg Size ", 60},   {"P0-", 60},            {"Max Num Msgs: ", 60},  {"Rank 0 comm", 60},
    {"NodeSizeMsgs ", 60}, {"Allreduce Time", 60}, {"Num Short Socket: ", 60},
    {NULL, 0}};

const ns_log_tool ns_log_tool_nodecomm = {
    .name = "nodecomm",
    .title = "nodecomm",
    .marks = marks,
    .parse = parse,
};
