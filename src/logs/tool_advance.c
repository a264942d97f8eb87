/* tool_advance.c -- microbenchmarks of MPI Advance's locality_aware
 *
 *     Off-Node MultiProc Ping-Pong:
 *     Active Procs: 4
 *     Size 1024: 3.412345e-06
 *
 * Times are FULL round trips in seconds, sizes are bytes.  Multi and Matching send N messages of one byte ("Size N"),
 * received in the order they are sent, and in the reverse order.  The GPU programs print the same titles under
 * headings that name the buffers; the word GPU-Aware in a title means nothing there.  The numbers of processes of a
 * NUMA region, a socket and a node are printed, given, or the maximum that the tables of one such place reach: off node
 * every process is active in the end; on node half of them send to the others.
 */
#include "log.h"

#include <string.h>

typedef struct advance_state {
    bool open;
    ns_sample sample;                               /* fields common to all rows of the table */
    bool copies;                                    /* through host buffers, copies included */
    bool device, headed;                            /* headed: a heading gave the memory */
    bool managed, ccl;                              /* managed memory; messages of NCCL or RCCL */
    int numa, socket, gpu, node;                    /* processes in each, from the program or an option; else 0 */
    int printed_node, printed_socket, printed_gpus; /* processes and GPUs, if printed by the program */
    int numa_most, socket_most, node_most;          /* the same, as reached by the tables so far */
    int regions;                                    /* pairs = active processes x regions; 0: unknown */
    bool filling;                                   /* the table fills one place with more and more active processes */
    bool in_numa;                                   /* the table is of one NUMA region */
    bool many;                                      /* the size is the number of messages */
    double last;
    long line;
    size_t rows;
} advance_state;

static ns_status close_table(ns_log_parser *p, advance_state *s, ns_error *err)
{
    bool empty = s->open && s->rows == 0;
    s->open = false;
    return empty ? ns_log_leave_out(p, s->line, err, "a table without rows") : NS_OK;
}

/* Number of places of a node that hold the active processes of a title; 0: unknown. */
static int regions(const advance_state *s, const char *text)
{
    bool numa = strstr(text, "NUMAs Active") || strstr(text, "Even NUMA"),
         socket = strstr(text, "Sockets Active") || strstr(text, "Even Sockets"), gpu = strstr(text, "all GPUs active");
    const int of_numa = s->numa > 0 ? s->numa : s->numa_most, of_socket = s->socket > 0 ? s->socket : s->socket_most;
    const int size = numa     ? of_numa
                     : socket ? of_socket
                     : gpu    ? s->gpu
                              : 0,
              node = s->node > 0 ? s->node : s->node_most;
    if (!numa && !socket && !gpu)
        return 1;
    return size > 0 && node > 0 && node % size == 0 ? node / size : 0;
}

static ns_status title_line(ns_log_parser *p, advance_state *s, const char *text, ns_error *err)
{
    int locality = strncmp(text, "On-NUMA", 7) == 0 || strncmp(text, "On-Socket", 9) == 0 ? NS_ON_SOCKET
                   : strncmp(text, "On-Node", 7) == 0                                     ? NS_ON_NODE
                                                                                          : NS_OFF_NODE;
    NS_TRY(close_table(p, s, err));
    s->filling = strstr(text, " MultiProc ") != NULL && strchr(text, ',') == NULL;
    s->in_numa = strncmp(text, "On-NUMA", 7) == 0;
    s->many = strstr(text, " Multi Ping-Pong") != NULL || strstr(text, " Matching Ping-Pong") != NULL;
    s->sample = (ns_sample){
        .kind = s->copies ? NS_STAGED : NS_PING_PONG,
        .locality = (ns_locality)locality,
        .locality_stated = true,
        .memory = s->device ? NS_DEVICE : NS_HOST,
        .memory_stated = true,
        .pairs = 1,
        .messages = 1,
    };
    if (s->many)
        s->sample.kind = strstr(text, "Matching") != NULL ? NS_QUEUE_REVERSED : NS_QUEUE_IN_ORDER;
    s->regions = regions(s, text);
    s->open = s->regions > 0 && !(s->many && s->copies) && !s->managed && !s->ccl;
    s->last = -1;
    s->rows = 0;
    s->line = p->line;
    if (s->managed || s->ccl)
        return ns_log_leave_out(p, p->line, err, "\"%.80s\" %s", text,
                                s->ccl ? "of NCCL or RCCL, not of MPI"
                                       : "of managed memory, neither the host's nor the device's");
    if (s->regions == 0)
        return ns_log_leave_out(p, p->line, err, "\"%.80s\": how many processes a node has is not printed", text);
    return s->open ? NS_OK : ns_log_leave_out(p, p->line, err, "\"%.80s\" with copies in its times", text);
}

static ns_status size_row(ns_log_parser *p, advance_state *s, const char *text, ns_error *err)
{
    double size, time;
    ns_sample sample = s->sample;
    const char *at = text + strlen("Size ");
    if (!s->open || !ns_scan_size(&at, &size) || *at != ':')
        return NS_OK;
    at = ns_scan_blanks(at + 1);
    if (!ns_scan_number(&at, &time) || !ns_scan_end(at) || !p->whole)
        return ns_log_warn(p, p->line, err, "a row without a whole time: left out");
    if (!(size > s->last) || size < 1 || (s->many && size > 1e9))
        return ns_log_warn(p, p->line, err, "sizes do not rise: row left out");
    s->last = size;
    s->rows++;
    sample.bytes = s->many ? 1 : size;
    sample.messages = s->many ? (int)size : 1;
    sample.seconds = time * ns_log_one_way(p, 1);
    return ns_log_add(p, &sample, err);
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static ns_status one_line(ns_log_parser *p, void *state, ns_error *err)
{
    advance_state *s = state;
    const char *text = ns_scan_label(p->text);
    int number[1];
    bool aware = strncmp(text, "GPU-Aware ", 10) == 0;
    /* "Running multi-proc Copy-to-CPU benchmarks", "GPUDirect Tests:" */
    if ((strncmp(text, "Running ", 8) == 0 && strstr(text, "benchmarks") != NULL) ||
        strcmp(text, "Inter-CPU Tests:") == 0 || strcmp(text, "GPUDirect Tests:") == 0 ||
        strcmp(text, "Copy-To-CPU Tests:") == 0) {
        s->headed = true;
        s->copies = strstr(text, "Copy-to-CPU") != NULL || strstr(text, "Copy-To-CPU") != NULL;
        s->device = s->copies || strstr(text, "GPU-Aware") != NULL || strstr(text, "GPUDirect") != NULL;
        s->managed = strstr(text, "managed memory") != NULL || strstr(text, "GPU Managed") != NULL;
        return close_table(p, s, err);
    }
    const char *title = aware ? text + 10 : text;
    if ((strstr(title, "Ping-Pong") != NULL || strncmp(title, "Off-Node Multiple Processes Per GPU", 35) == 0) &&
        strchr(title, ':') != NULL && (strncmp(title, "On-", 3) == 0 || strncmp(title, "Off-Node", 8) == 0)) {
        s->device = s->headed ? s->device : aware;
        return title_line(p, s, title, err);
    }
    if (strcspn(text, " ") == 3 && strncmp(text + 3, " Microbenchmarks", 16) == 0) { /* CPU, GPU or CCL */
        s->ccl = strncmp(text, "CCL ", 4) == 0;
    } else if (ns_scan_match(text, "# Processes per NUMA: %", number) != NULL) {
        s->numa = number[0];
    } else if (ns_scan_match(text, "# Processes per socket: %", number) != NULL) {
        s->socket = s->printed_socket = number[0];
    } else if (ns_scan_match(text, "# Processes per node: %", number) != NULL) {
        s->node = s->printed_node = number[0];
    } else if (ns_scan_match(text, "# GPUs per node: %", number) != NULL) {
        s->printed_gpus = number[0];
    } else if (ns_scan_match(text, "# Processes per GPU: %", number) != NULL) {
        s->gpu = number[0];
    } else if (s->open && ns_scan_match(text, "Active Procs: %", number) != NULL) {
        const int processes = number[0], both = processes <= 1 << 20 ? 2 * processes : 0; /* senders and receivers */
        if (s->filling && s->sample.locality == NS_OFF_NODE)
            s->node_most = larger(s->node_most, processes);
        else if (s->filling && s->sample.locality == NS_ON_SOCKET && s->in_numa)
            s->numa_most = larger(s->numa_most, both);
        else if (s->filling && s->sample.locality == NS_ON_SOCKET)
            s->socket_most = larger(s->socket_most, both);
        s->sample.pairs = processes <= (1 << 20) / s->regions ? processes * s->regions : 0;
        if (!s->copies)
            s->sample.kind = s->sample.pairs == 1 ? NS_PING_PONG : NS_NODE_PONG;
        s->last = -1;
    } else if (strncmp(text, "Size ", 5) == 0) {
        return size_row(p, s, text, err);
    }
    return NS_OK;
}

static ns_status parse(ns_log_parser *p, ns_error *err)
{
    const int given = p->options->per_node, sockets = p->options->sockets;
    const int per_node = given > 0 ? given : p->options->processes;
    advance_state s = {.regions = 1, .node = per_node, .socket = sockets > 0 ? per_node / sockets : 0};
    ns_log_node *node = &p->log->node;
    NS_TRY(ns_log_each_line(p, one_line, &s, err));
    const bool whole = s.printed_node > 0 && s.printed_socket > 0 && s.printed_node % s.printed_socket == 0;
    node->processes = larger(node->processes, s.printed_node);
    node->sockets = larger(node->sockets, whole ? s.printed_node / s.printed_socket : 0);
    node->gpus = larger(node->gpus, s.printed_gpus);
    return close_table(p, &s, err);
}

static const ns_log_mark marks[] = {
    {"On-NUMA Ping-Pong:", 90},
    {"On-Socket Ping-Pong:", 90},
    {"On-Node, Off-Socket ", 90},
    {"Off-Node Ping-Pong:", 90},
    {"GPU-Aware On-", 90},
    {"GPU-Aware Off-Node", 90},
    {"Running standard GPU-Aware", 90},
    {"Off-Node Mul", 90}, /* Multi, MultiProc, Multiple */
    {"Off-Node Matching", 90},
    {"On-NUMA M", 90},
    {"On-Socket M", 90},
    {NULL, 0}};

const ns_log_tool ns_log_tool_advance = {
    .name = "advance",
    .title = "MPI Advance locality_aware microbenchmarks",
    .marks = marks,
    .parse = parse,
};
