/* layer.h -- neighbourhood exchanges of an MPI program, each performed in the way that its plan says
 *
 * The layer stands between a program and its MPI, by the profiling interface; nsmodel/mpi.h is another way in.  A
 * communicator with neighbours has a graph: a private communicator of the ranks that have any, and where these stand.
 * An exchange is what a graph's processes send each other, with the ways that can perform it and the plan that chooses
 * among them: one for the calls on the communicator, and one for each persistent request.
 *
 * Rank 0 of an exchange has the plan (planner.c).  All processes agree at its first call, and then whenever the runs of
 * calls that rank 0 broadcast are over: the maxima of their last times are reduced to rank 0, which broadcasts the next
 * runs.  Between agreements only the messages of the exchanges are sent.
 *
 * A call of an exchange is a flight (flight.c), a state machine that need not wait.  The calls of the program that wait
 * for it push it on, and so does a thread (progress.c).
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
    unsigned flags;     /* as of nsmodel/mpi.h: what the profiled calls are planned with */
    int emulate;        /* ranks of a node, to try layouts on one machine; 0: as they stand */
    char machine[4096]; /* a name or a file; "": none */
    char strategy[256]; /* or "": the planner's choice */
    char log[4096];     /* a file, "stderr", or "" */
    char wisdom[4096];  /* a file, or "" */
} layer_settings;
extern layer_settings layer_set;

/* Collective over all processes, when MPI has just been initialized.  A wrong setting ends the job. */
void layer_settings_read(void);
/* The environment of this process alone: the thread level to initialize MPI with, for a program that asks for one. */
int layer_thread_level(int asked);
/* To the log, if there is one; one process calls it. */
void layer_log(const char *format, ...) __attribute__((__format__(__printf__, 1, 2)));
/* Zeros.  Without memory the job ends: the other processes count on this one. */
void *layer_memory(size_t count, size_t size) __attribute__((__returns_nonnull__));
/* A list of `count` items of this size with room for one more, in the place of the one that was handed over. */
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

/* Hold the types until layer_call_release. */
void layer_call_keep(layer_call *call, int edges);
void layer_call_release(layer_call *call, int edges);
/* Memory of a device, or memory of which that is not known, by the libraries that were loaded when this thread last
 * looked. */
void layer_look_for_devices(void);
bool layer_on_device(const void *buffer);
typedef struct layer_type {
    MPI_Datatype type;
    MPI_Count size;
    MPI_Aint extent;
    bool named; /* not made by the program, so that its handle never means another */
} layer_type;
void layer_type_of(MPI_Datatype type, layer_type *of);
/* Are n elements of it n times its size in bytes, in this order? */
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
    char *packed; /* where it is put together, unless it is one segment */
} layer_message;

/* Bytes that change their place inside the process. */
typedef struct layer_move {
    int step; /* after which; LAYER_LAST: when all is there */
    layer_segment from, to;
} layer_move;
enum { LAYER_LAST = 1 << 20 };

typedef struct layer_program {
    int steps;
    layer_message *message;          /* by step, what comes before what goes */
    int64_t messages, *begin, *sent; /* [steps + 1]: the first message of a step, and its first that goes */
    layer_segment *segment;
    int64_t segments;
    layer_move *move;
    int64_t moves;
    char *work, *packed;
    MPI_Request *request; /* [messages] */
} layer_program;

/* What rank 0 sends each process: words, of which the first LAYER_HEAD say what follows (planner.c). */
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
    double agreement_s;          /* what an agreement takes, about */
    MPI_Comm copy[LAYER_COPIES]; /* of comm, for persistent exchanges, which may be started in any order */
    bool taken[LAYER_COPIES];
    int copies;
    int users; /* exchanges, and who made it */
} layer_graph;

/* Collective: the graph of a communicator with neighbours; NULL: it is left to MPI. */
layer_graph *layer_graph_make(MPI_Comm comm);
void layer_graph_release(layer_graph *graph);
/* Collective over comm: a copy that no process has taken, or MPI_COMM_NULL where all are. */
MPI_Comm layer_graph_copy(layer_graph *graph);
void layer_graph_give_back(layer_graph *graph, MPI_Comm copy);
/* Collective. */
void layer_graph_free_communicators(layer_graph *graph);

/* ---- planner.c: rank 0 of an exchange ---------------------------------------------------------------------------- */
enum { LAYER_WAYS = NS_PLAN_WAYS, LAYER_OWN = 0 }; /* way 0: MPI's own; the others: 1 + its number by rank */
static const int64_t layer_forever = INT64_MAX / 2;

typedef struct layer_planner layer_planner;

/* Words for every process, one behind the other; a process' begin at `at`. */
typedef struct layer_words {
    int64_t *word;
    int *count, *at; /* [ranks] */
} layer_words;
void layer_words_open(layer_words *words, int ranks);
void layer_words_close(layer_words *words);

/* What an agreement decides: the runs that follow one another, all but the first of one call.  Of a way that is taken
 * for the first time every process gets its program before.  No runs: what is sent has changed, rank 0 asks again. */
typedef struct layer_decision {
    int64_t runs;
    struct {
        int64_t way, calls;
    } run[NS_PLAN_TOLD];
} layer_decision;

/* What every process says of itself: out edges as target, bytes, place; then in edges as source, bytes.  Edges at the
 * same place of the same memory are sent once to each node, where the exchange says that places stay. */
int layer_ask_words(int in, int out);
void layer_ask(const struct layer_exchange *exchange, const layer_call *call, int64_t *words);

/* A planner for what everybody asked; `asked` is its own from here on. */
layer_planner *layer_planner_open(struct layer_exchange *exchange, layer_words *asked);
/* Adds what was measured to the wisdom of this run. */
void layer_planner_close(layer_planner *planner);
/* The runs of the last decision have ended: `told` times, the maxima over ranks; one of each run but the first. */
void layer_planner_tell(layer_planner *planner, const double *seconds, int told);
layer_decision layer_planner_next(layer_planner *planner);
/* Every process' program of a way that was decided on, once. */
void layer_planner_program(layer_planner *planner, int64_t way, layer_words *answer);
/* In MPI_Finalize: append it to the wisdom file. */
void layer_wisdom_write(void);

/* The name of a way, on every process. */
const char *layer_way_name(int64_t way);

/* ---- exchange.c -------------------------------------------------------------------------------------------------- */
enum { LAYER_CHANGES = 4 }; /* how often an exchange is planned anew when its counts have changed */
struct layer_flight;

typedef struct layer_exchange {
    layer_graph *graph;
    MPI_Comm comm; /* of the graph, or a copy */
    bool fixed;    /* it is always of the same buffers */
    ns_mpi_options options;
    int64_t *send_bytes, *receive_bytes;         /* what was planned; NULL: nothing yet */
    char *staged, **send_stage, **receive_stage; /* for edges that are not plain bytes of this length; or NULL */
    layer_program *program[LAYER_WAYS];
    layer_decision decided;
    int run;                             /* of those decided, the one under way: */
    int64_t way, left, made, agreements; /* its way and the calls that are left of it */
    double sample[NS_PLAN_TOLD + 1],
        greatest[NS_PLAN_TOLD + 1]; /* times, 0 for none; and whether counts have changed */
    int samples;
    MPI_Request reduction; /* of the samples, when the runs have ended */
    int changes, plans;
    layer_planner *planner; /* on rank 0 */
    layer_decision coming;  /* while it is agreed on: */
    int64_t *said;
    int words;                         /* of the program that comes */
    layer_words asking, answer;        /* on rank 0 */
    atomic_int flights;                /* in line */
    struct layer_flight *first, *last; /* in line: under way, and waiting behind it */
    struct layer_flight *idle;         /* to be used again */
    struct layer_exchange *next_busy;  /* of those with any */
    bool listed, detached;             /* detached: no call can begin any more */
    int users;                         /* flights that refer to it */
    struct layer_exchange *another;    /* of all */
} layer_exchange;

layer_exchange *layer_exchange_new(layer_graph *graph, MPI_Comm comm, bool fixed, const ns_mpi_options *options);
/* Freed with the last reference. */
void layer_exchange_release(layer_exchange *exchange);
/* Collective: tie an exchange to a communicator that was just made. */
void layer_attach(MPI_Comm comm);
layer_exchange *layer_exchange_of(MPI_Comm comm);
/* In MPI_Finalize: close all planners. */
void layer_exchanges_end(void);
/* Forget what was planned. */
void layer_exchange_reset(layer_exchange *exchange);
/* The next run of those decided. */
void layer_exchange_run(layer_exchange *exchange, int run);

/* Does MPI's own perform the next call, which is not timed? */
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
    bool (*next)(struct layer_flight *flight); /* what comes when request has ended; NULL: it is done */
    MPI_Request request;
    MPI_Request own; /* MPI's own persistent exchange, where the program made one */
    void *own_words; /* arguments of MPI's own */
    bool waits;      /* whoever pushes it waits for requests instead of testing them */
    bool by_caller;  /* MPI's own is called by the program's thread */
    bool preparing;  /* it ends when it could go */
    layer_program *program;
    int step;
    char **from, **to;   /* [out], [in]: where the planned bytes of each edge stand in this call */
    MPI_Request *direct; /* of edges whose length has changed */
    int directs;
    bool same;       /* the call hands over what the last one of this flight did, of named types */
    int placed;      /* for which plan its edges were found to be plain bytes in host memory, as planned; 0: none */
    bool all_waited; /* for all messages of its program */
    bool changed, timed;
    double begun, asked, spent;   /* s: when it began, and when the program first waited for it; what it took before */
    bool active;                  /* in line */
    bool held;                    /* one thread alone pushes it */
    bool late;                    /* others of its exchange were in line before it */
    bool forgotten;               /* the program has freed its request */
    MPI_Request handle;           /* what the program waits for */
    int tag;                      /* of the message to itself that ends the handle; of no other flight */
    struct layer_flight *behind;  /* in line */
    struct layer_flight *another; /* of those with a handle, or of those to be used again */
} layer_flight;

/* The first `next`. */
bool layer_flight_begin(layer_flight *flight);
/* Push it on as far as it goes; it is the first of its exchange. */
void layer_flight_push(layer_flight *flight);
/* It has been performed. */
bool layer_flight_ended(layer_flight *flight);

/* ---- progress.c -------------------------------------------------------------------------------------------------- */
void layer_lock(void);
void layer_unlock(void);

void layer_open(void); /* when settings are read */
void layer_close(void);

/* With room for its call, which may hold an earlier one of the exchange; but for a blocking one its types are then to
 * be kept. */
layer_flight *layer_flight_new(layer_exchange *exchange, layer_kind kind);
void layer_flight_free(layer_flight *flight);
/* The exchange is freed: so are its flights. */
void layer_flights_end(layer_exchange *exchange);
/* Wait until it may go, then perform it.  False: MPI's own is to be called, and layer_flight_done after it. */
bool layer_flight_wait(layer_flight *flight);
void layer_flight_done(layer_flight *flight);
/* Of a persistent one: agree on what its first run takes. */
void layer_flight_prepare(layer_flight *flight);
/* A request that ends when the flight does; a persistent one is begun by layer_start. */
int layer_flight_request(layer_flight *flight, MPI_Request *request);
void layer_flight_start(layer_flight *flight);
/* Of the explicit interface: begin; push, or wait.  True: it has ended. */
void layer_flight_launch(layer_flight *flight);
bool layer_flight_test(layer_flight *flight);
void layer_flight_finish(layer_flight *flight);

/* Push flights, if one that is under way has a request of these.  Is one still under way? */
bool layer_push(int requests, const MPI_Request *request);
/* A request that the program has just started or freed, if it is a flight's. */
void layer_start(MPI_Request request);
void layer_forget(MPI_Request request);

/* What the layer itself has sent. */
typedef struct layer_count {
    int64_t exchanges, messages, messages_off_node, bytes_off_node;
} layer_count;
extern layer_count layer_counted;

/* ---- columns.c: what rank 0 works with: everybody's edges, and the exchange they make ---------------------------- */
/* A piece of a buffer, in entries: where it stands in send or receive, and of which edge it is. */
typedef struct layer_mapped {
    int64_t offset, entries, edge, at; /* at: bytes into the edge */
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
    int *by_node;                 /* [ranks] ranks, node by node: processes of strategies that take all of them */
    bool equal;                   /* every node has as many ranks */
    int most;                     /* ranks of a node */
    ns_site *site;
    ns_exchange *exchange;
    ns_machine *machine;
} layer_advice;

/* settings.c: the machine of the settings, to the end of the job. */
ns_status layer_machine(const ns_machine **machine, ns_error *err);

/* Fill exchange, sent and received from what everybody asked; the site is there.  Width 0: nothing is sent. */
ns_status layer_columns(layer_advice *advice, ns_error *err);

#endif
