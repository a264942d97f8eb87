/* token.h -- the inner loops of the reader: runs of digits and of the characters of a number, and whole lines at once
 *
 * All load whole words and may read up to 64 bytes past the end of the token: text is followed by NS_PIECE_PAD zeros.
 * Values are never converted.  Its spelling is
 *
 *     [+-] [.] digit { digit | + | - | . | e | E | d | D }
 *
 * which accepts every number that C, Fortran or MATLAB prints, and stops at words and at commas.
 */
#ifndef NS_MATRIX_TOKEN_H
#define NS_MATRIX_TOKEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "core/utf8.h"

#define NS_EACH_BYTE(x) (UINT64_C(0x0101010101010101) * (x))

static inline bool ns_is_blank(unsigned char c)
{
    return c == ' ' || c == '\t';
}

static inline bool ns_is_number_character(unsigned char c)
{
    unsigned char letter = c | 0x20;
    return ns_is_digit(c) || c == '+' || c == '-' || c == '.' || letter == 'd' || letter == 'e';
}

#if defined(__SSE2__) || (defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)

/* Marks the bytes above 9; a carry falsifies only bytes after the first of them. */
static inline uint64_t ns_not_digits(uint64_t bytes)
{
    return ((bytes + NS_EACH_BYTE(0x76)) | bytes) & NS_EACH_BYTE(0x80);
}

/* Convert eight decimal digits, the first in the lowest byte, to a number: combined in pairs, fours and eights. */
static inline uint64_t ns_join_digits(uint64_t bytes)
{
    bytes = bytes * 10 + (bytes >> 8);
    bytes = (bytes & UINT64_C(0x000000ff000000ff)) * UINT64_C(0x000f424000000064) +
            (bytes >> 16 & UINT64_C(0x000000ff000000ff)) * UINT64_C(0x0000271000000001);
    return bytes >> 32;
}

static inline uint64_t ns_load_digits(const unsigned char *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return word ^ NS_EACH_BYTE('0');
}

static inline size_t ns_digits_8(const unsigned char *at, uint64_t *value)
{
    uint64_t word = ns_load_digits(at), other = ns_not_digits(word);
    size_t count = other == 0 ? 8 : (size_t)__builtin_ctzll(other) / 8;
    if (count > 0)
        *value = ns_join_digits(word << (64 - 8 * count)); /* leading zeros */
    return count;
}

#else

static inline size_t ns_digits_8(const unsigned char *at, uint64_t *value)
{
    size_t count = 0;
    for (*value = 0; count < 8 && ns_is_digit(at[count]); count++)
        *value = 10 * *value + (uint64_t)(at[count] - '0');
    return count;
}

#endif

/* Read a run of 1 to 18 digits; returns its length, 0 when there is none, more than 18 when it is too long. */
static inline size_t ns_digits(const unsigned char *at, uint64_t *value)
{
    size_t count = ns_digits_8(at, value);
    if (__builtin_expect(count == 8, 0))
        for (; count <= 18 && ns_is_digit(at[count]); count++)
            *value = 10 * *value + (uint64_t)(at[count] - '0');
    return count;
}

#ifdef __SSE2__

/* Bit i is set when at[i] is a number character, for i < 16. */
static inline unsigned ns_number_bits(const unsigned char *at)
{
    __m128i v = _mm_loadu_si128((const __m128i *)(const void *)at);
    __m128i offset = _mm_sub_epi8(v, _mm_set1_epi8('+')); /* "+,-./0123456789" become 0..14 */
    __m128i range = _mm_cmpeq_epi8(_mm_min_epu8(offset, _mm_set1_epi8('9' - '+')), offset);
    __m128i comma = _mm_cmpeq_epi8(v, _mm_set1_epi8(','));
    __m128i slash = _mm_cmpeq_epi8(v, _mm_set1_epi8('/'));
    __m128i letter = _mm_cmpeq_epi8(_mm_and_si128(v, _mm_set1_epi8((char)0xde)), _mm_set1_epi8('D')); /* DdEe */
    __m128i good = _mm_or_si128(_mm_andnot_si128(_mm_or_si128(comma, slash), range), letter);
    return (unsigned)_mm_movemask_epi8(good);
}

/* Length of the run of number characters. */
static inline size_t ns_number_run(const unsigned char *at)
{
    for (size_t count = 0;; count += 16) {
        unsigned other = ns_number_bits(at + count) ^ 0xffffu;
        if (other != 0)
            return count + (size_t)__builtin_ctz(other);
    }
}

#else

static inline size_t ns_number_run(const unsigned char *at)
{
    size_t count = 0;
    while (ns_is_number_character(at[count]))
        count++;
    return count;
}

#endif

static inline bool ns_starts_number(const unsigned char *at)
{
    size_t first = (size_t)(at[0] == '-') | (size_t)(at[0] == '+'); /* no branch: signs are hard to predict */
    first += at[first] == '.';
    return ns_is_digit(at[first]);
}

/* Length of a number's spelling, 0 when it is not a number.  Words such as "inf" are left to the caller. */
static inline size_t ns_number(const unsigned char *at)
{
    return ns_starts_number(at) ? ns_number_run(at) : 0;
}

#ifdef __SSE2__

/* One whole line "row column value ...
 * " with single blanks, indices up to 8 digits and at most 32 + 16 `values` bytes, found by the bits of its separators:
 * no step depends on the length of the previous token.  Returns the next line, or NULL for a line in any other format.
 */
static inline __attribute__((always_inline)) const unsigned char *ns_plain_line(const unsigned char *at, int values,
                                                                                uint64_t *row, uint64_t *col)
{
    uint64_t breaks = 0;
    size_t stop[4];
    for (int block = 0; block < 2 + values; block++)
        breaks |= (uint64_t)(ns_number_bits(at + 16 * block) ^ 0xffffu) << 16 * block;
    for (int token = 0; token < 2 + values; token++, breaks &= breaks - 1) {
        if (breaks == 0)
            return NULL;
        stop[token] = (size_t)__builtin_ctzll(breaks);
        if (at[stop[token]] != (token < 1 + values ? ' ' : '\n'))
            return NULL;
    }
    size_t first = stop[0], second = stop[1] - stop[0] - 1;
    if (first - 1 > 7 || second - 1 > 7)
        return NULL;
    uint64_t a = ns_load_digits(at) << (64 - 8 * first);
    uint64_t b = ns_load_digits(at + stop[0] + 1) << (64 - 8 * second);
    if ((ns_not_digits(a) | ns_not_digits(b)) != 0)
        return NULL;
    for (int value = 0; value < values; value++)
        if (!ns_starts_number(at + stop[1 + value] + 1))
            return NULL;
    *row = ns_join_digits(a);
    *col = ns_join_digits(b);
    return at + stop[1 + values] + 1;
}

#else

static inline const unsigned char *ns_plain_line(const unsigned char *at, int values, uint64_t *row, uint64_t *col)
{
    (void)at, (void)values, (void)row, (void)col;
    return NULL;
}

#endif

#endif
