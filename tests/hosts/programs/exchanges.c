/* exchanges.c -- exchanges of nsmodel/mpi.h on simulated clocks: exchanges CALLS SEED SLOW AGREEMENT WAY...
 *
 * Every rank exchanges with all others, and checks every value.  MPI_Wtime is ours: a clock of each rank with an
 * offset of its own, on which a call of a way takes a time that follows from its name and the seed, whatever the
 * machine file says, times a noise that is each rank's own; on rank SLOW ten times as long.  What the layer finds
 * that an agreement takes is AGREEMENT us.  The file LAYER_BLIND names, if any, is not there for rank 1.
 * LAYER_KILL is where rank 0 dies while wisdom is written: write (half of it is), fsync, renameat, or after that:
 * renamed.  Rank 0 prints: agreements, how many calls were not the same way on all ranks, the mean time of a call,
 * and of those after the 200th, in us; then what the ways take. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <math.h>
#include <nsmodel/mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST = 64, WORDS = 16 };

static int rank, ranks, slow = -1;
static uint64_t seed;
static double now_s, agreement_s;
static bool finished;
static int64_t made; /* before the call under way */
static ns_mpi_exchange *exchange;

static uint64_t next(uint64_t *s)
{
    uint64_t x = *s += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static double uniform(uint64_t *s)
{
    return (double)(next(s) >> 11) / 9007199254740992.0;
}

/* Of the way itself: between 20 us and eight times that. */
static double truth(const char *way)
{
    uint64_t s = seed;
    for (const char *c = way; *c != '\0'; c++)
        s = s * 131 + (unsigned char)*c;
    return 20e-6 * exp(log(8) * uniform(&s));
}

/* Before there is an exchange, agreements are timed; then the clock stands still but for the end of a call, which is
 * when another one is made.  The noise of a call follows from the seed, the rank and the call's number alone: how often
 * the layer reads the clock depends on which messages happen to be there when it looks. */
double MPI_Wtime(void)
{
    ns_mpi_exchange_info info = {.size = sizeof info};
    if (exchange == NULL)
        return now_s += agreement_s;
    if (ns_mpi_exchange_describe(exchange, &info, NULL) != NS_OK || info.made == made)
        return now_s;
    uint64_t state = next(&(uint64_t){seed + 1000 * (uint64_t)rank}) + next(&(uint64_t){(uint64_t)made});
    const double noise = exp(0.15 * (uniform(&state) + uniform(&state) + uniform(&state) - 1.5) * 2);
    return now_s + truth(info.way) * noise * (rank == slow ? 10 : 1);
}

int access(const char *path, int mode)
{
    static int (*own)(const char *, int);
    const char *blind = getenv("LAYER_BLIND"), *here = getenv("OMPI_COMM_WORLD_RANK");
    here = here != NULL ? here : getenv("PMI_RANK");
    if (own == NULL)
        *(void **)&own = dlsym(RTLD_NEXT, "access");
    return blind != NULL && here != NULL && strcmp(here, "1") == 0 && strcmp(path, blind) == 0 ? -1 : own(path, mode);
}

static void die(const char *where)
{
    const char *wanted = getenv("LAYER_KILL");
    if (finished && rank == 0 && wanted != NULL && strcmp(wanted, where) == 0)
        (void)raise(SIGKILL);
}

/* Lines of wisdom begin with a brace. */
ssize_t write(int file, const void *bytes, size_t size)
{
    const char *wanted = getenv("LAYER_KILL");
    if (finished && rank == 0 && wanted != NULL && strcmp(wanted, "write") == 0 && size > 2 &&
        memcmp(bytes, "{\"", 2) == 0) {
        (void)syscall(SYS_write, file, bytes, size / 2);
        die("write");
    }
    return syscall(SYS_write, file, bytes, size);
}

int fsync(int file)
{
    die("fsync");
    return (int)syscall(SYS_fsync, file);
}

int renameat(int from, const char *name, int to, const char *new_name)
{
    die("renameat");
    const int code = (int)syscall(SYS_renameat2, from, name, to, new_name, 0);
    die("renamed");
    return code;
}

static void fail(const char *what)
{
    fprintf(stderr, "rank %d: %s\n", rank, what);
    MPI_Abort(MPI_COMM_WORLD, 3);
}

int main(int argc, char **argv)
{
    static double sent[MOST][WORDS], received[MOST][WORDS];
    static ns_mpi_message out[MOST], in[MOST];
    const int calls = argc > 1 ? atoi(argv[1]) : 100;
    int others = 0, wrong = 0, all_wrong;
    double total = 0, last = 0;
    int lasts = 0;
    ns_error err = {NS_OK};
    ns_mpi_exchange *x;
    ns_mpi_exchange_info info = {.size = sizeof info};
    seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    slow = argc > 3 ? atoi(argv[3]) : -1;
    agreement_s = argc > 4 ? 1e-6 * atof(argv[4]) : 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    now_s = 1e3 * uniform(&(uint64_t){seed + 1000 * (uint64_t)rank});
    for (int r = 0; r < ranks; r++)
        if (r != rank) {
            out[others] = (ns_mpi_message){sent[r], WORDS, MPI_DOUBLE, r};
            in[others++] = (ns_mpi_message){received[r], WORDS, MPI_DOUBLE, r};
        }
    if (ns_mpi_exchange_init(MPI_COMM_WORLD, out, others, in, others, NULL, &x, &err) != NS_OK)
        fail(err.text);
    exchange = x;
    for (int call = 0; call < calls; call++) {
        int bits[2], any[2];
        for (int r = 0; r < ranks; r++)
            for (int i = 0; i < WORDS; i++)
                sent[r][i] = 1e6 * rank + 1e3 * r + i + call;
        made = call;
        if (ns_mpi_exchange_start(x, &err) != NS_OK || ns_mpi_exchange_wait(x, &err) != NS_OK)
            fail(err.text);
        for (int r = 0; r < ranks; r++)
            for (int i = 0; i < WORDS; i++)
                if (r != rank && received[r][i] != 1e6 * r + 1e3 * rank + i + call)
                    fail("a wrong value");
        made = call + 1;
        ns_mpi_exchange_describe(x, &info, NULL);
        bits[0] = (int)(1e9 * truth(info.way));
        bits[1] = -bits[0];
        MPI_Allreduce(bits, any, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        wrong += any[0] != -any[1];
        total += truth(info.way);
        if (call >= 200) {
            last += truth(info.way);
            lasts++;
        }
    }
    MPI_Allreduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("agreements %lld different %d mean %.3f last %.3f MPI %.3f", (long long)info.agreements, all_wrong,
               1e6 * total / calls, lasts > 0 ? 1e6 * last / lasts : 0, 1e6 * truth("MPI"));
    for (int i = 5; i < argc && rank == 0; i++)
        printf(" %s %.3f", argv[i], 1e6 * truth(argv[i]));
    exchange = NULL;
    ns_mpi_exchange_free(x);
    finished = true;
    MPI_Finalize();
    return 0;
}
