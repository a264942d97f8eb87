/* take.h -- numbers out of a fuzzer's bytes, and matrices in memory made of them
 *
 * Beyond the end of the input every byte is 0, so that every input means something.
 */
#ifndef NS_TESTS_FUZZ_TAKE_H
#define NS_TESTS_FUZZ_TAKE_H

#include "fuzz.h"

#include <math.h>

#include <matrix/source.h>

typedef struct fuzz_bytes {
    const uint8_t *next, *end;
} fuzz_bytes;

static inline unsigned fuzz_take(fuzz_bytes *in)
{
    return in->next < in->end ? *in->next++ : 0;
}

static inline bool fuzz_left(const fuzz_bytes *in)
{
    return in->next < in->end;
}

/* A count of any size from two bytes: m 2^e, with m below 256 and e below 56; the top two bits add or take away 1. */
static inline int64_t fuzz_count(fuzz_bytes *in)
{
    const unsigned mantissa = fuzz_take(in), exponent = fuzz_take(in);
    const int64_t size = (int64_t)mantissa << (exponent & 63) % 56;
    return size + (exponent >> 6 == 1) - (exponent >> 6 == 2);
}

/* Any number above 0 from two bytes: (1 + m / 256) 2^e, -128 <= e < 128. */
static inline double fuzz_positive(fuzz_bytes *in)
{
    const unsigned mantissa = fuzz_take(in), exponent = fuzz_take(in);
    return ldexp(1 + mantissa / 256.0, (int)exponent - 128);
}

/* Any double, NaN included, from eight bytes. */
static inline double fuzz_double(fuzz_bytes *in)
{
    uint64_t bits = 0;
    double value;
    for (int i = 0; i < 8; i++)
        bits = bits << 8 | fuzz_take(in);
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* ---- a matrix in memory ------------------------------------------------------------------------------------------ */

enum { FUZZ_ENTRIES = 256, FUZZ_WORK = 1 << 17, FUZZ_MEMORY = 1 << 19 };

typedef struct fuzz_given {
    ns_matrix matrix;
    ns_entry entry[FUZZ_ENTRIES];
    size_t entries;
} fuzz_given;

static inline ns_status fuzz_given_scan(ns_matrix *matrix, ns_entry_fn *receive, void *context, ns_error *err)
{
    const fuzz_given *in = matrix->state;
    for (size_t i = 0; i < in->entries; i += 7) /* in batches, as readers hand them on */
        NS_TRY(receive(context, in->entry + i, in->entries - i < 7 ? in->entries - i : 7, err));
    return NS_OK;
}

/* Rows and columns of any size, few entries, in any order; not to be freed.  Work and memory have a limit. */
static inline void fuzz_given_take(fuzz_bytes *in, fuzz_given *m)
{
    memset(m, 0, sizeof *m);
    const int64_t rows = fuzz_count(in), cols = fuzz_count(in);
    m->matrix = (ns_matrix){.scan = fuzz_given_scan, .state = m};
    m->matrix.info.name = "fuzz";
    m->matrix.info.note = "";
    m->matrix.info.rows = rows > 0 ? rows : 1;
    m->matrix.info.cols = cols > 0 ? cols : 1;
    const unsigned few = fuzz_take(in);
    const size_t most = few % FUZZ_ENTRIES;
    for (; m->entries < most && fuzz_left(in); m->entries++)
        m->entry[m->entries] = (ns_entry){fuzz_count(in) % m->matrix.info.rows, fuzz_count(in) % m->matrix.info.cols};
    for (size_t i = 0; i < m->entries; i++) { /* -1 is the last */
        m->entry[i].row += m->entry[i].row < 0 ? m->matrix.info.rows : 0;
        m->entry[i].col += m->entry[i].col < 0 ? m->matrix.info.cols : 0;
    }
    m->matrix.info.stored = (int64_t)m->entries;
    ns_matrix_limit(&m->matrix, FUZZ_WORK);
}

#endif
