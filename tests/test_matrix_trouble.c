/* test_matrix_trouble.c -- matrices that are read and saved while files change, and calls fail that mostly do not
 *
 * The calls are defined here, in front of those of the libraries.
 */
#define _GNU_SOURCE

#include "support/cli.h"
#include "support/shell.h"
#include "support/trouble.h"

#include <errno.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <zlib.h>

#include "support/test.h"
#include <nsmodel/matrix.h>

/* ---- calls in trouble -------------------------------------------------------------------------------------------- */

static long processors; /* 0: as many as there are */

ssize_t pread(int handle, void *to, size_t size, off_t at)
{
    if (trouble_hits("pread"))
        return -1;
    return syscall(SYS_pread64, handle, to, trouble_is("pread") && size > 7 ? 7 : size, at);
}

int fstat(int handle, struct stat *to)
{
    TROUBLE_REAL(int, "fstat", int, struct stat *);
    return trouble_hits("fstat") ? -1 : real(handle, to);
}

size_t fwrite(const void *restrict from, size_t size, size_t count, FILE *restrict file)
{
    TROUBLE_REAL(size_t, "fwrite", const void *, size_t, size_t, FILE *);
    return trouble_hits("fwrite") ? 0 : real(from, size, count, file);
}

int fseek(FILE *file, long to, int from)
{
    TROUBLE_REAL(int, "fseek", FILE *, long, int);
    return trouble_hits("fseek") ? -1 : real(file, to, from);
}

int ftruncate(int handle, off_t size)
{
    return trouble_hits("ftruncate") ? -1 : (int)syscall(SYS_ftruncate, handle, size);
}

int deflate(z_streamp stream, int flush)
{
    TROUBLE_REAL(int, "deflate", z_streamp, int);
    return trouble_hits("deflate") ? Z_MEM_ERROR : real(stream, flush);
}

int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict how, void *(*run)(void *),
                   void *restrict with)
{
    TROUBLE_REAL(int, "pthread_create", pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    return trouble_hits("pthread_create") ? EAGAIN : real(thread, how, run, with);
}

int pthread_mutex_init(pthread_mutex_t *lock, const pthread_mutexattr_t *how)
{
    TROUBLE_REAL(int, "pthread_mutex_init", pthread_mutex_t *, const pthread_mutexattr_t *);
    return trouble_hits("pthread_mutex_init") ? EAGAIN : real(lock, how);
}

int pthread_cond_init(pthread_cond_t *restrict changed, const pthread_condattr_t *restrict how)
{
    TROUBLE_REAL(int, "pthread_cond_init", pthread_cond_t *, const pthread_condattr_t *);
    return trouble_hits("pthread_cond_init") ? EAGAIN : real(changed, how);
}

long sysconf(int name)
{
    TROUBLE_REAL(long, "sysconf", int);
    return name == _SC_NPROCESSORS_ONLN && processors != 0 ? processors : real(name);
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    ck_assert(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
}

#define BANNER "%%MatrixMarket matrix coordinate "
static const char small[] = BANNER "pattern general\n3 4 3\n1 2\n3 4\n2 2\n";

/* Some pieces of text long; the sum of rows + 3 columns. */
enum { LONG = 400000 };
static void write_long(void)
{
    FILE *file = fopen("long.mtx", "w");
    ck_assert_ptr_nonnull(file);
    fprintf(file, BANNER "pattern general\n%d %d %d\n", (int)LONG, (int)LONG, (int)LONG);
    for (int i = 0; i < LONG; i++)
        fprintf(file, "%d %d\n", i + 1, LONG - i);
    ck_assert_int_eq(fclose(file), 0);
}

static ns_status add(void *context, const ns_entry *entries, size_t count, ns_error *err)
{
    (void)err;
    for (size_t i = 0; i < count; i++)
        *(int64_t *)context += entries[i].row + 3 * entries[i].col;
    return NS_OK;
}

static ns_status open_and_scan(const char *path, int64_t *sum, ns_error *err)
{
    ns_matrix *matrix;
    NS_TRY(ns_matrix_open(path, &matrix, err));
    *sum = 0;
    const ns_status status = ns_matrix_scan(matrix, add, sum, err);
    ns_matrix_free(matrix);
    return status;
}

static ns_status save(const char *from, const char *to, ns_error *err)
{
    ns_matrix *matrix;
    NS_TRY(ns_matrix_open(from, &matrix, err)); /* no assertion, which writes too */
    const ns_status status = ns_matrix_save(matrix, to, 0, err);
    ns_matrix_free(matrix);
    return status;
}

static void setup(void)
{
    ck_assert_int_eq(chdir(scratch_open()), 0);
    write_file("small.mtx", small);
    ck_assert_int_eq(save("small.mtx", "small.nsp", NULL), NS_OK);
    write_long();
}

static void teardown(void)
{
    trouble_end();
    processors = 0;
    ck_assert_int_eq(chdir("/"), 0);
    scratch_close();
}

/* ---- Matrix Market files ----------------------------------------------------------------------------------------- */

/* What the file has become between the opening and the reading. */
static const struct {
    const char *text, *words;
} changed[] = {
    {BANNER "pattern general\n2 4 2\n1 2\n2 4\n", "the file has changed since it was opened"},
    {BANNER "pattern general\n3 5 3\n1 2\n3 4\n2 2\n", "the file has changed since it was opened"},
    {BANNER "pattern general\n3 4 2\n1 2\n3 4\n", "the file has changed since it was opened"},
    {BANNER "real general\n3 4 3\n1 2 1\n3 4 1\n2 2 1\n", "the file has changed since it was opened"},
    {BANNER "pattern symmetric\n3 3 3\n1 1\n2 1\n2 2\n", "the file has changed since it was opened"},
    {"%%MatrixMarket matrix array real general\n3 4\n1\n2\n3\n", "the file has changed since it was opened"},
    {BANNER "pattern general\n3 4\n", NULL},
    {"", NULL},
    {small, ""},
};

TEST_EACH(market_changed, sizeof changed / sizeof *changed)
{
    ns_matrix *matrix;
    ns_error err = {0};
    int64_t sum = 0;
    ck_assert_int_eq(ns_matrix_open("small.mtx", &matrix, &err), NS_OK);
    write_file("small.mtx", changed[_i].text);
    const ns_status status = ns_matrix_scan(matrix, add, &sum, &err);
    ck_assert_int_eq(status == NS_OK, changed[_i].words != NULL && changed[_i].words[0] == '\0');
    if (changed[_i].words != NULL)
        ck_assert_str_eq(err.text, changed[_i].words);
    ns_matrix_free(matrix);
}

/* The same square matrix, symmetric now. */
TEST(symmetry_changed)
{
    ns_matrix *matrix;
    ns_error err = {0};
    int64_t sum = 0;
    write_file("square.mtx", BANNER "pattern general\n3 3 2\n1 1\n2 1\n");
    ck_assert_int_eq(ns_matrix_open("square.mtx", &matrix, &err), NS_OK);
    write_file("square.mtx", BANNER "pattern symmetric\n3 3 2\n1 1\n2 1\n");
    ck_assert_int_eq(ns_matrix_scan(matrix, add, &sum, &err), NS_ERR_FILE);
    ck_assert_str_eq(err.text, "the file has changed since it was opened");
    ns_matrix_free(matrix);
}

/* Fewer threads than wanted, or none, change nothing but the time. */
static const struct {
    long processors;
    const char *call;
    int skip;
} threads[] = {
    {1, "", 0},
    {2, "", 0},
    {64, "", 0},
    {4, "pthread_create", 0},
    {4, "pthread_create", 2},
    {4, "pthread_mutex_init", 0},
    {4, "pthread_cond_init", 0},
};

TEST_EACH(fewer_threads, sizeof threads / sizeof *threads)
{
    int64_t sum = 0, expected = 0;
    for (int64_t i = 0; i < LONG; i++)
        expected += i + 3 * (LONG - i - 1);
    processors = threads[_i].processors;
    trouble_set(threads[_i].call, threads[_i].skip, 1000, EAGAIN);
    const ns_status status = open_and_scan("long.mtx", &sum, NULL);
    trouble_end();
    ck_assert_int_eq(status, NS_OK);
    ck_assert_int_eq(sum, expected);
}

/* ---- .nsp files -------------------------------------------------------------------------------------------------- */

static const struct {
    const char *call;
    int skip, how_often, error;
    const char *words; /* NULL: it is read */
} reading[] = {
    {"fstat", 0, 1, EIO, "cannot be opened"},
    {"pread", 0, 0, 0, NULL}, /* seven bytes at a time */
    {"pread", 0, 3, EINTR, NULL},
    {"pread", 30, 5, EINTR, NULL},
    {"pread", 0, 1, EIO, "cannot be read"},
    {"pread", 3, 1, EIO, "cannot be read"},
    {"pread", 14, 1, EIO, "cannot be read"},
    {"pread", 16, 1, EIO, "cannot be read"},
    {"pread", 21, 1, EIO, "cannot be read"},
};

TEST_EACH(nsp_reading, sizeof reading / sizeof *reading)
{
    ns_error err = {0};
    int64_t sum = 0;
    trouble_set(reading[_i].call, reading[_i].skip, reading[_i].how_often, reading[_i].error);
    const ns_status status = open_and_scan("small.nsp", &sum, &err);
    trouble_end();
    ck_assert_int_eq(status, reading[_i].words != NULL ? NS_ERR_FILE : NS_OK);
    ck_assert_str_eq(err.text, reading[_i].words != NULL ? reading[_i].words : "");
    ck_assert(status != NS_OK || sum == 0 + 3 * 1 + 2 + 3 * 3 + 1 + 3 * 1);
}

/* It became shorter, or went away, between opening and reading. */
TEST(nsp_shorter)
{
    ns_matrix *matrix;
    ns_error err = {0};
    int64_t sum = 0;
    ck_assert_int_eq(ns_matrix_open("small.nsp", &matrix, &err), NS_OK);
    ck_assert_int_eq(truncate("small.nsp", 105), 0);
    ck_assert_int_eq(ns_matrix_scan(matrix, add, &sum, &err), NS_ERR_FILE);
    ck_assert_str_eq(err.text, "the file has become shorter since it was opened");
    ns_matrix_free(matrix);
}

/* Each call of a kind fails once, at every place where it is made. */
static const char *const writing[] = {"fwrite", "fseek", "ftruncate", "deflate"};

TEST_EACH(nsp_writing, sizeof writing / sizeof *writing)
{
    const char *const from[] = {"small.mtx", "long.mtx"};
    for (size_t k = 0; k < 2; k++)
        for (int skip = 0;; skip++) {
            ns_error err = {0};
            trouble_set(writing[_i], skip, 1, ENOSPC);
            const ns_status status = save(from[k], "out.nsp", &err);
            const bool happened = trouble_left() <= 0;
            trouble_end();
            if (!happened) {
                ck_assert_msg(status == NS_OK, "%s", err.text);
                ck_assert_int_gt(skip, 0);
                break;
            }
            ck_assert_msg(status == NS_ERR_FILE || status == NS_ERR_MEMORY, "%s, call %d: %s", writing[_i], skip,
                          err.text);
            ck_assert_msg(err.text[0] != '\0', "%s, call %d: no words", writing[_i], skip);
            ck_assert_int_lt(skip, 1000);
            ck_assert_int_eq(k == 0 && access("out.nsp", F_OK) == 0, 0); /* nothing was there, nothing is */
        }
}

TEST_FIXTURE(setup, teardown)
TEST_TIMEOUT(120)
