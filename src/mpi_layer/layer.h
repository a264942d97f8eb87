/* layer.h -- neighbourhood collectives of an MPI program, performed by the strategy that the advice chooses
 *
 * The layer stands between a program and its MPI, by the profiling interface.  To every communicator with a graph it
 * ties a graph: a private communicator, where ranks stand, and plans.  A plan is of one set of counts; it is made once,
 * by rank 0, and kept.  Exchanges of one communicator are performed one after the other, in the order in which the
 * program began them, which is the same in all its processes.
 *
 * Nothing here waits for a message except inside calls that may wait.  What is under way is a state machine (flight.c)
 * that is pushed on by whoever comes by: the caller, its waiting for a request, or a thread.
 */
#ifndef NS_MPI_LAYER_H
#define NS_MPI_LAYER_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- settings.c: the environment of rank 0, the same in every process -------------------------------------------- */
typedef struct layer_settings {
    bool on;           /* MPI_Init was seen, and nobody switched the layer off */
    bool threads;      /* every process may call MPI from any thread */
    int emulate;       /* ranks of a node, to try layouts on one machine; 0: as they stand */
    char machine[512]; /* a name or a file */
    char strategy[64]; /* or "": the advice */
    char log[512];     /* a file, "stderr", or "" */
} layer_settings;
extern layer_settings layer_set;

/* Collective over all processes, when MPI has just been initialized. */
void layer_settings_read(void);
/* The environment alone: is the layer switched off here? */
bool layer_is_off(void);
/* To the log, if there is one; rank 0 calls it. */
void layer_log(const char *format, ...) __attribute__((__format__(__printf__, 1, 2)));

/* ---- signature.c: what a call hands over, in bytes --------------------------------------------------------------- */
typedef struct layer_signature {
    int64_t *send_bytes, *send_at; /* [out] */
    int64_t *receive_bytes;        /* [in] */
} layer_signature;

typedef struct layer_call {
    const void *send;
    void *receive;
    int *send_count, *send_displ, *receive_count, *receive_displ; /* copies */
    MPI_Datatype send_type, receive_type;                         /* own, unless named */
    bool supported;                                               /* plain bytes in host memory */
    layer_signature bytes;
    int64_t *receive_at; /* [in] bytes */
} layer_call;

struct layer_graph;
/* false: there is no memory.  Not collective. */
bool layer_call_open(layer_call *call, const struct layer_graph *graph, const void *send, const int *send_count,
                     const int *send_displ, MPI_Datatype send_type, void *receive, const int *receive_count,
                     const int *receive_displ, MPI_Datatype receive_type);
void layer_call_close(layer_call *call);
bool layer_signature_same(const struct layer_graph *graph, const layer_signature *a, const layer_signature *b);
bool layer_signature_copy(const struct layer_graph *graph, const layer_signature *from, layer_signature *to);
void layer_signature_free(layer_signature *signature);

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
    layer_signature bytes;
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
enum { LAYER_UNUSABLE, LAYER_LEAVE, LAYER_RUN }; /* LAYER_LEAVE: MPI's own from now on */
int64_t layer_words(const int64_t *head);
bool layer_plan_make(const struct layer_graph *graph, const int64_t *words, layer_plan *plan);
void layer_plan_free(layer_plan *plan);

/* ---- graph.c ----------------------------------------------------------------------------------------------------- */
enum { LAYER_PLANS = 16 };
struct layer_flight;

typedef struct layer_graph {
    MPI_Comm comm; /* private, with the graph */
    int rank, ranks, in, out;
    int *source, *target; /* [in], [out] */
    int *node_of;         /* [ranks] */
    int nodes;
    int *ins, *outs; /* [ranks] degrees, on rank 0 */
    bool left;       /* from now on MPI's own */
    bool detached;   /* the program has freed its communicator */
    int users;       /* flights that know it */
    layer_plan *plan[LAYER_PLANS];
    int plans;
    struct layer_flight *first, *last; /* under way, and waiting behind it */
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
int64_t layer_ask_words(int64_t in, int64_t out);
void layer_ask(const layer_graph *graph, const layer_signature *bytes, int64_t *words);
/* words[rank] is allocated for every process. */
bool layer_advise(const layer_graph *graph, int64_t *const *asked, int64_t **words);

/* ---- flight.c: an exchange under way ----------------------------------------------------------------------------- */
typedef enum layer_state {
    LAYER_QUEUED,
    LAYER_AGREE,   /* which plan? */
    LAYER_ASK,     /* rank 0 hears what everybody sends */
    LAYER_HEAR,    /* the head of what rank 0 says */
    LAYER_LISTEN,  /* all of it */
    LAYER_CONFIRM, /* has everybody understood? */
    LAYER_STEP,
    LAYER_FLUSH,
    LAYER_FALL,      /* MPI's own, under way */
    LAYER_FALL_HERE, /* MPI's own, to be called by the one who waits */
    LAYER_DONE
} layer_state;

typedef struct layer_flight {
    layer_graph *graph;
    layer_call call;
    bool blocking, persistent;
    bool forgotten; /* persistent, and the program has freed its request */
    bool active;    /* in line */
    layer_plan *plan;
    layer_state state;
    int step;
    uint64_t offer, agreed;
    int64_t head[LAYER_HEAD], *said, understood, all_understood;
    int64_t **asked, **answer;       /* [ranks], on rank 0 */
    MPI_Request *asking, *answering; /* [ranks], [2 ranks] */
    MPI_Request request;             /* of the state */
    MPI_Request handle;              /* what the program waits for */
    int tag;                         /* of the message to itself that ends the handle */
    struct layer_flight *next;       /* in line */
    struct layer_flight *next_persistent;
} layer_flight;

/* Push it on as far as it goes; it is the first of its graph.  Never waits. */
void layer_flight_push(layer_flight *flight);

/* ---- progress.c -------------------------------------------------------------------------------------------------- */
void layer_lock(void);
void layer_unlock(void);
/* Under the lock: push all that is under way.  What is done leaves its line, and its request ends. */
void layer_progress(void);
/* Is anything under way that the program can wait for by a request? */
bool layer_busy(void);

void layer_open(void); /* when settings are read */
void layer_close(void);

/* A flight of the program's arguments; its call is open.  NULL: there is no memory. */
layer_flight *layer_flight_new(layer_graph *graph, const layer_call *call, bool blocking);
/* Perform it and free it; what MPI's own exchange returns, where it is that. */
int layer_flight_wait(layer_flight *flight);
/* A request that ends when the flight does; a persistent one is begun by layer_flight_start. */
int layer_flight_request(layer_flight *flight, bool persistent, MPI_Request *request);
void layer_flight_start(layer_flight *flight);

/* The persistent flight of a request, or NULL; forgetting it frees it when it is done. */
layer_flight *layer_persistent(MPI_Request request);
void layer_persistent_forget(MPI_Request request);

/* What the layer itself has sent. */
typedef struct layer_count {
    int64_t exchanges, messages, messages_off_node, bytes_off_node;
} layer_count;
extern layer_count layer_counted;

#endif
