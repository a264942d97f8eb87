/* layer.h -- neighbourhood exchanges of an MPI program, each performed in the way that its plan selects
 *
 * The layer is between a program and its MPI, through the profiling interface; nsmodel/mpi.h is another entry point.  A
 * communicator with neighbours has a graph: a private communicator of the ranks that have any, and the nodes of these.
 * An exchange is what a graph's processes send each other, with the ways that can perform it and the plan that chooses
 * among them: one for the calls on the communicator, and one for each persistent request.
 *
 * Rank 0 of an exchange has the plan (planner.c).  All processes agree at the first call of the exchange, and then
 * whenever the runs of calls that rank 0 broadcast have ended: the maxima of their latest times are reduced to rank 0,
 * which broadcasts the next runs.  Between agreements only the messages of the exchanges are sent.
 *
 * A call of an exchange is a flight (flight.c), a state machine that need not wait.  It is advanced by the calls of the
 * program that wait for it, and by a thread (progress.c).
 */
#ifndef NS_MPI_LAYER_H
#define NS_MPI_LAYER_H

#include <mpi.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <nsmodel/choice.h>
#include <nsmodel/machine.h>
#include <nsmodel/mpi.h>
#include <nsmodel/needs.h>
#include <nsmodel/plan.h>
#include <nsmodel/schedule.h>

/* ---- settings.c: the environment of rank 0, but for locks the same in every process ------------------------ */
typedef struct layer_settings {
    bool open;          /* MPI was initialized through the layer */
    bool on;            /* no process has switched the layer off */
    bool threads;       /* every process may call MPI from any thread */
    bool locks;         /* several threads of this process may be in the layer */
    bool remembers;     /* there is a wisdom file that every process can read */
    unsigned flags;     /* as in nsmodel/mpi.h: how the profiled calls are planned */
    int emulate;        /* ranks per node, to try layouts on one machine; 0: the real nodes */
    char machine[4096]; /* a name or a file; "": none */
    char strategy[256]; /* or "": the planner's choice */
    char log[4096];     /* a file, "stderr", or "" */
    char wisdom[4096];  /* a file, or "" */
} layer_settings;
extern layer_settings layer_set;

/* Collective over all processes, immediately after the initialization of MPI.  A wrong setting ends the job. */
void layer_settings_read(void);
/* From the environment of this process alone: the thread level with which to initialize MPI, for a program that
 * requests `asked`. */
int layer_thread_level(int asked);
/* Write to the log, if there is one; one process calls it. */
void layer_log(const char *format, ...) __attribute__((__format__(__printf__, 1, 2)));
/* Zeroed memory.  Without memory the job ends: the other processes depend on this one. */
void *layer_memory(size_t count, size_t size) __attribute__((__returns_nonnull__));
/* A list of `count` items of this size with capacity for one more, which replaces the list that was passed. */
void *layer_grown(void *list, int64_t *room, int64_t count, size_t size);

/* ---- call.c: what a call hands over ------------------------------------------------------------------------------ */
typedef struct layer_edge {
    char *at;
    int64_t count, bytes;
    MPI_Datatype type;
} layer_edge;

/* The two sides of a call: an edge for each neighbour. */
typedef struct layer_call {
    layer_edge *send, *receive; /* [out], [in]; one block of memory, which send begins */
} layer_call;

struct layer_exchange;

/* Hold references to the types until layer_call_release. */
void layer_call_keep(layer_call *call, int edges);
void layer_call_release(layer_call *call, int edges);
/* Memory of a device, or memory that may be a device's, according to the libraries that were loaded when this thread
 * last looked. */
void layer_look_for_devices(void);
bool layer_on_device(const void *buffer);
typedef struct layer_type {
    MPI_Datatype type;
    MPI_Count size;
    MPI_Aint extent;
    bool named; /* not made by the program, so that its handle never denotes another type */
} layer_type;
void layer_type_of(MPI_Datatype type, layer_type *of);
/* Are n elements of it n times its size in contiguous bytes, in this order? */
bool layer_is_plain(MPI_Datatype type);

/* ---- program.c: what one process does in an exchange ------------------------------------------------------------- */
typedef enum layer_place { LAYER_SEND, LAYER_WORK, LAYER_RECEIVE } layer_place;

/* Bytes of an edge, or of the program's own memory. */
typedef struct layer_segment {
    layer_place place;
    int edge;
    int64_t at, bytes;
} layer_segment;

typedef struct layer_message {
    int step, peer;
    bool sending, off_node;
    int64_t bytes, segment, segments;
    char *packed; /* where it is packed, unless it is a single segment */
} layer_message;

/* Bytes that are copied inside the process. */
typedef struct layer_move {
    int step; /* the step after which it is made; LAYER_LAST: when everything has arrived */
    layer_segment from, to;
} layer_move;
enum { LAYER_LAST = 1 << 20 };

typedef struct layer_program {
    int steps;
    layer_message *message;          /* by step, incoming messages before outgoing ones */
    int64_t messages, *begin, *sent; /* [steps + 1]: the first message of a step, and its first outgoing one */
    layer_segment *segment;
    int64_t segments;
    layer_move *move;
    int64_t moves;
    char *work, *packed;
    MPI_Request *request; /* [messages] */
} layer_program;

/* What rank 0 sends to each process: words, of which the first LAYER_HEAD describe the rest (planner.c). */
enum { LAYER_WIDTH, LAYER_WORK_ENTRIES, LAYER_OPS, LAYER_SLICES, LAYER_SENT, LAYER_RECEIVED, LAYER_HEAD };
layer_program *layer_program_make(const struct layer_exchange *exchange, const int64_t *words);
void layer_program_free(layer_program *program);

/* ---- graph.c ----------------------------------------------------------------------------------------------------- */
enum { LAYER_COPIES = 64 };

typedef struct layer_graph {
    MPI_Comm comm; /* private, with the graph, of ranks with neighbours; a rank without any is alone in its own */
    int rank, ranks, in, out;
    int *source, *target; /* [in], [out] */
    int *node_of;         /* [ranks] */
    int nodes;
    int *ins, *outs;             /* [ranks] degrees, on rank 0 */
    double agreement_s;          /* approximate time of an agreement */
    MPI_Comm copy[LAYER_COPIES]; /* of comm, for persistent exchanges, which may be started in any order */
    bool taken[LAYER_COPIES];
    int copies;
    int users; /* exchanges, and its creator */
} layer_graph;

/* Collective: the graph of a communicator with neighbours; NULL: it is left to MPI. */
layer_graph *layer_graph_make(MPI_Comm comm);
void layer_graph_release(layer_graph *graph);
/* Collective over comm: a copy that no process uses, or MPI_COMM_NULL where all are in use. */
MPI_Comm layer_graph_copy(layer_graph *graph);
void layer_graph_give_back(layer_graph *graph, MPI_Comm copy);
/* Collective. */
void layer_graph_free_communicators(layer_graph *graph);

/* ---- planner.c: rank 0 of an exchange ---------------------------------------------------------------------------- */
enum { LAYER_WAYS = NS_PLAN_WAYS, LAYER_OWN = 0 }; /* way 0: MPI's own; the others: 1 + the strategy's number by rank */
static const int64_t layer_forever = INT64_MAX / 2;

typedef struct layer_planner layer_planner;

/* The words of all processes, consecutively; those of a process begin at `at`. */
typedef struct layer_words {
    int64_t *word;
    int *count, *at; /* [ranks] */
} layer_words;
void layer_words_open(layer_words *words, int ranks);
void layer_words_close(layer_words *words);

/* The result of an agreement: the next runs, each of which, except the first, has one call.  Before a way is used for
 * the first time every process gets its program.  No runs: what is sent has changed, and rank 0 asks again. */
typedef struct layer_decision {
    int64_t runs;
    struct {
        int64_t way, calls;
    } run[NS_PLAN_TOLD];
} layer_decision;

/* The words of a process about itself: outgoing edges as target, bytes, place; then incoming edges as source, bytes.
 * Edges at the same place of the same memory are sent once to each node, where the exchange is known to keep its
 * places. */
int layer_ask_words(int in, int out);
void layer_ask(const struct layer_exchange *exchange, const layer_call *call, int64_t *words);

/* Open a planner for what all processes reported; it takes over `asked`. */
layer_planner *layer_planner_open(struct layer_exchange *exchange, layer_words *asked);
/* Close it, and add the measurements to the wisdom of this run. */
void layer_planner_close(layer_planner *planner);
/* The runs of the last decision have ended: `told` times, the maxima over ranks, one for each run except the first. */
void layer_planner_tell(layer_planner *planner, const double *seconds, int told);
layer_decision layer_planner_next(layer_planner *planner);
/* Every process' program of a way that was decided on; called once per way. */
void layer_planner_program(layer_planner *planner, int64_t way, layer_words *answer);
/* In MPI_Finalize: append the wisdom of this run to the wisdom file. */
void layer_wisdom_write(void);

/* The name of a way, on every process. */
const char *layer_way_name(int64_t way);

/* ---- exchange.c -------------------------------------------------------------------------------------------------- */
enum { LAYER_CHANGES = 4 }; /* how often an exchange is planned again after its counts have changed */
struct layer_flight;

typedef struct layer_exchange {
    layer_graph *graph;
    MPI_Comm comm; /* that of the graph, or a copy */
    bool fixed;    /* the buffers are always the same */
    ns_mpi_options options;
    int64_t *send_bytes, *receive_bytes;         /* as planned; NULL: there is no plan yet */
    char *staged, **send_stage, **receive_stage; /* for edges that are not plain bytes of the planned length; or NULL */
    layer_program *program[LAYER_WAYS];
    layer_decision decided;
    int run;                             /* the current one of the decided runs: */
    int64_t way, left, made, agreements; /* its way and its remaining calls */
    double sample[NS_PLAN_TOLD + 1],
        greatest[NS_PLAN_TOLD + 1]; /* times, 0 for none; and whether counts have changed */
    int samples;
    MPI_Request reduction; /* of the samples, when the runs have ended */
    int changes, plans;
    layer_planner *planner; /* on rank 0 */
    layer_decision coming;  /* during an agreement: the new decision */
    int64_t *said;
    int words;                         /* of the program that is being received */
    layer_words asking, answer;        /* on rank 0 */
    atomic_int flights;                /* in the queue */
    struct layer_flight *first, *last; /* the queue: the current flight, and those that wait behind it */
    struct layer_flight *idle;         /* for reuse */
    struct layer_exchange *next_busy;  /* in the list of exchanges with a queue */
    bool listed, detached;             /* detached: no more calls can begin */
    int users;                         /* flights that refer to it */
    struct layer_exchange *another;    /* in the list of all */
} layer_exchange;

layer_exchange *layer_exchange_new(layer_graph *graph, MPI_Comm comm, bool fixed, const ns_mpi_options *options);
/* Freed with the last reference. */
void layer_exchange_release(layer_exchange *exchange);
/* Collective: attach an exchange to a newly made communicator. */
void layer_attach(MPI_Comm comm);
layer_exchange *layer_exchange_of(MPI_Comm comm);
/* In MPI_Finalize: close all planners. */
void layer_exchanges_end(void);
/* Forget what was planned. */
void layer_exchange_reset(layer_exchange *exchange);
/* Begin the next of the decided runs. */
void layer_exchange_run(layer_exchange *exchange, int run);

/* Is the next call performed by MPI itself, without being timed? */
static inline bool layer_passes(layer_exchange *x)
{
    if (x->way != LAYER_OWN || x->left <= NS_PLAN_TOLD || atomic_load(&x->flights) != 0)
        return false;
    x->left -= x->left < layer_forever;
    x->made++;
    return true;
}

/* ---- flight.c: a call under way ---------------------------------------------------------------------------------- */
typedef enum layer_kind { LAYER_BLOCKING, LAYER_NONBLOCKING, LAYER_PERSISTENT } layer_kind;

typedef struct layer_flight {
    layer_exchange *exchange;
    layer_call call;
    layer_kind kind;
    bool (*next)(struct layer_flight *flight); /* called when request has completed; NULL: the flight is done */
    MPI_Request request;
    MPI_Request own; /* MPI's own persistent exchange, where the program made one */
    void *own_words; /* arguments of MPI's own */
    bool waits;      /* waits for requests instead of testing them when pushed */
    bool by_caller;  /* MPI's own collective is called by the program's thread */
    bool preparing;  /* it ends when it could begin */
    layer_program *program;
    int step;
    char **from, **to;   /* [out], [in]: location of the planned bytes of each edge in this call */
    MPI_Request *direct; /* for edges whose length has changed */
    int directs;
    bool same;       /* the arguments are those of the last call of this flight, with named types */
    int placed;      /* the plan for which its edges were found to be plain bytes in host memory, as planned; 0: none */
    bool all_waited; /* for all messages of its program */
    bool changed, timed;
    double begun, asked, spent;   /* s: when it began, when the program first waited for it, and what it took before */
    bool active;                  /* in the queue */
    bool held;                    /* only one thread pushes it */
    bool late;                    /* others of its exchange were in the queue before it */
    bool forgotten;               /* the program has freed its request */
    MPI_Request handle;           /* the request for which the program waits */
    int tag;                      /* of the message to itself that completes the handle; not used by any other flight */
    struct layer_flight *behind;  /* in the queue */
    struct layer_flight *another; /* in the list of flights with a handle, or of those for reuse */
} layer_flight;

/* The first value of `next`. */
bool layer_flight_begin(layer_flight *flight);
/* Advance it as far as possible; it is the first of its exchange. */
void layer_flight_push(layer_flight *flight);
/* Called when it has been performed. */
bool layer_flight_ended(layer_flight *flight);

/* ---- progress.c -------------------------------------------------------------------------------------------------- */
void layer_lock(void);
void layer_unlock(void);

void layer_open(void); /* called when settings have been read */
void layer_close(void);

/* A flight with memory for its call, which may contain an earlier one of the exchange; unless it is a blocking one, its
 * types must then be kept. */
layer_flight *layer_flight_new(layer_exchange *exchange, layer_kind kind);
void layer_flight_free(layer_flight *flight);
/* Free the flights of an exchange that is being freed. */
void layer_flights_end(layer_exchange *exchange);
/* Wait until it is first in its queue, then perform it.  False: the caller has to call MPI's own, then
 * layer_flight_done. */
bool layer_flight_wait(layer_flight *flight);
void layer_flight_done(layer_flight *flight);
/* For a persistent flight: agree on the resources of its first run. */
void layer_flight_prepare(layer_flight *flight);
/* A request that completes with the flight; a persistent one is begun by layer_start. */
int layer_flight_request(layer_flight *flight, MPI_Request *request);
void layer_flight_start(layer_flight *flight);
/* For the explicit interface: begin; then push or wait.  True: it has ended. */
void layer_flight_launch(layer_flight *flight);
bool layer_flight_test(layer_flight *flight);
void layer_flight_finish(layer_flight *flight);

/* Advance flights, if one in progress has one of these requests.  Is one still in progress? */
bool layer_push(int requests, const MPI_Request *request);
/* The program has just started or freed a request, which may be a flight's. */
void layer_start(MPI_Request request);
void layer_forget(MPI_Request request);

/* Messages that the layer itself has sent. */
typedef struct layer_count {
    int64_t exchanges, messages, messages_off_node, bytes_off_node;
} layer_count;
extern layer_count layer_counted;

/* ---- columns.c: what rank 0 works with: everybody's edges, and the exchange they make ---------------------------- */
/* A piece of a buffer, in entries: its offset in send or receive, and the edge to which it belongs. */
typedef struct layer_mapped {
    int64_t offset, entries, edge, at; /* at: byte offset in the edge */
} layer_mapped;

typedef struct layer_map {
    layer_mapped *item;
    int64_t count, capacity, entries;
} layer_map;

typedef struct layer_advice {
    const layer_graph *graph;
    const layer_words *asked;
    int64_t width, *least, *base; /* [ranks] lowest place of each send buffer; [ranks + 1] its first column */
    layer_map *sent, *received;   /* [ranks] */
    int *by_node;                 /* [ranks] ranks, node by node: the processes of strategies that use all of them */
    bool equal;                   /* all nodes have the same number of ranks */
    int most;                     /* most ranks of a node */
    ns_site *site;
    ns_exchange *exchange;
    ns_machine *machine;
} layer_advice;

/* settings.c: the machine of the settings, valid until the job ends. */
ns_status layer_machine(const ns_machine **machine, ns_error *err);

/* Fill exchange, sent and received from what all processes reported; the site is already set.  Width 0: nothing is
 * sent. */
ns_status layer_columns(layer_advice *advice, ns_error *err);

#endif
