/* layer.h -- neighbourhood collectives of an MPI program, performed by the strategy that the advice chooses
 *
 * The layer stands between a program and its MPI, by the profiling interface.  To every communicator with a graph it
 * ties a graph: a private communicator, where ranks stand, and plans.  A plan is of one set of counts; it is made once,
 * by rank 0, and kept.  Exchanges of one communicator are performed one after the other, in the order in which the
 * program began them, which is the same in all its processes.
 *
 * An exchange under way is a flight (flight.c), a state machine that never waits.  The calls of the program that wait
 * for it push it on, and so does a thread (progress.c).
 */
#ifndef NS_MPI_LAYER_H
#define NS_MPI_LAYER_H

#include <mpi.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- settings.c: the environment of rank 0, the same in every process -------------------------------------------- */
typedef struct layer_settings {
    bool on;            /* there is a machine or a strategy, and no process has switched the layer off */
    bool threads;       /* every process may call MPI from any thread */
    int emulate;        /* ranks of a node, to try layouts on one machine; 0: as they stand */
    char machine[4096]; /* a name or a file; "": the flat one, for a strategy that is named */
    char strategy[256]; /* or "": the advice */
    char log[4096];     /* a file, "stderr", or "" */
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

/* ---- call.c: what a call hands over ------------------------------------------------------------------------------ */
#define LAYER_FORMALS                                                                                                  \
    const void *send, const int send_count[], const int send_displ[], MPI_Datatype send_type, void *receive,           \
        const int receive_count[], const int receive_displ[], MPI_Datatype receive_type
#define LAYER_ACTUALS send, send_count, send_displ, send_type, receive, receive_count, receive_displ, receive_type

struct layer_graph;

/* Bytes and places of the edges, in bytes; and counts and places as they were given, for MPI's own exchange. */
typedef struct layer_call {
    const void *send;
    void *receive;
    MPI_Datatype send_type, receive_type; /* own, unless named */
    bool supported;                       /* plain bytes in host memory */
    int64_t *send_bytes, *send_at, *receive_bytes, *receive_at;
    int *send_count, *send_displ, *receive_count, *receive_displ;
} layer_call;

void layer_call_open(layer_call *call, const struct layer_graph *graph, LAYER_FORMALS);
void layer_call_close(layer_call *call);
/* What a plan is of: send_bytes, send_at and receive_bytes, one behind the other. */
size_t layer_signature_words(const struct layer_graph *graph);

/* ---- plan.c: what one process does in an exchange, on the program's own buffers ---------------------------------- */
typedef enum layer_place { LAYER_SEND, LAYER_WORK, LAYER_RECEIVE } layer_place;

/* Bytes of a buffer; of receive, of an edge, whose place the call at hand says. */
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

typedef struct layer_plan {
    int64_t *signature;
    bool usable; /* else its exchanges are MPI's own */
    int steps;
    layer_message *message; /* by step */
    int64_t messages;
    layer_segment *segment;
    int64_t segments;
    layer_move *move;
    int64_t moves;
    char *work, *packed;
    MPI_Request *request; /* [messages] */
} layer_plan;

/* What rank 0 sends each process: words, of which the first LAYER_HEAD say what follows (advise.c). */
enum { LAYER_STATUS, LAYER_WIDTH, LAYER_WORK_ENTRIES, LAYER_OPS, LAYER_SLICES, LAYER_SENT, LAYER_RECEIVED, LAYER_HEAD };
/* LAYER_LEAVE: MPI's own from now on, unless there is a plan that is usable; LAYER_EMPTY: nothing is sent. */
enum { LAYER_LEAVE, LAYER_EMPTY, LAYER_RUN };
bool layer_plan_make(const struct layer_graph *graph, const layer_call *call, const int64_t *words, layer_plan *plan);
void layer_plan_free(layer_plan *plan);

/* ---- graph.c ----------------------------------------------------------------------------------------------------- */
enum { LAYER_PLANS = 16 };
struct layer_flight;

typedef struct layer_graph {
    MPI_Comm comm; /* private, with the graph, of ranks with neighbours; a rank without any is alone in its own */
    int rank, ranks, in, out;
    int *source, *target; /* [in], [out] */
    int *node_of;         /* [ranks] */
    int nodes;
    int *ins, *outs;    /* [ranks] degrees, on rank 0 */
    atomic_bool left;   /* from now on MPI's own, on comm */
    atomic_int flights; /* in line */
    bool detached;      /* the program has freed its communicator */
    int users;          /* flights that know it */
    layer_plan *plan[LAYER_PLANS];
    int plans;
    struct layer_flight *first, *last; /* in line: under way, and waiting behind it */
    struct layer_graph *next_busy;     /* of those with any */
    bool listed;
} layer_graph;

/* Collective: tie a graph to a communicator that was just made. */
void layer_graph_attach(MPI_Comm comm);
layer_graph *layer_graph_of(MPI_Comm comm);
/* Freed with the last who knows it. */
void layer_graph_release(layer_graph *graph);

/* ---- columns.c, advise.c: rank 0 --------------------------------------------------------------------------------- */
/* What every process says of itself: out edges as target, bytes, place; then in edges as source, bytes. */
int layer_ask_words(int in, int out);
void layer_ask(const layer_graph *graph, const layer_call *call, int64_t *words);

/* Words for every process, one behind the other; a process' begin at `at`. */
typedef struct layer_words {
    int64_t *word;
    int *count, *at; /* [ranks] */
} layer_words;
void layer_words_open(layer_words *words, int ranks);
void layer_words_close(layer_words *words);
/* answer is open and without words. */
void layer_advise(const layer_graph *graph, const layer_words *asked, layer_words *answer);

/* ---- flight.c: an exchange under way ----------------------------------------------------------------------------- */
typedef enum layer_kind { LAYER_BLOCKING, LAYER_NONBLOCKING, LAYER_PERSISTENT } layer_kind;

typedef struct layer_flight {
    layer_graph *graph;
    layer_call call;
    layer_kind kind;
    layer_plan *plan;                          /* NULL: none yet, or MPI's own */
    bool (*next)(struct layer_flight *flight); /* what comes when request has ended; NULL: it is done */
    MPI_Request request;
    int step;
    uint64_t offer, agreed;
    int64_t understood, all_understood;
    int64_t *said;
    int words;                    /* of the answer */
    layer_words asked, answer;    /* on rank 0 */
    bool active;                  /* in line */
    bool waited;                  /* in line by layer_flight_wait */
    bool forgotten;               /* the program has freed its request */
    MPI_Request handle;           /* what the program waits for */
    int tag;                      /* of the message to itself that ends the handle; of no other flight */
    struct layer_flight *behind;  /* in line */
    struct layer_flight *another; /* of those with a handle, or of those to be used again */
} layer_flight;

/* The first `next`. */
bool layer_flight_begin(layer_flight *flight);
/* Push it on as far as it goes; it is the first of its graph.  Never waits. */
void layer_flight_push(layer_flight *flight);

/* ---- progress.c -------------------------------------------------------------------------------------------------- */
void layer_lock(void);
void layer_unlock(void);

void layer_open(void); /* when settings are read */
void layer_close(void);

layer_flight *layer_flight_new(layer_graph *graph, layer_kind kind, LAYER_FORMALS);
/* Perform it; of a persistent one, agree on its plan.  false: it is MPI's own.  Freed, unless it is persistent and
 * true. */
bool layer_flight_wait(layer_flight *flight);
/* A request that ends when the flight does; a persistent one is begun by layer_start. */
int layer_flight_request(layer_flight *flight, MPI_Request *request);
void layer_flight_start(layer_flight *flight);

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

#endif
