/* token.h -- the two inner loops of the reader: a run of digits, and a run of the characters of a number
 *
 * Both load whole words and may look up to 16 bytes past what they return: text is followed by NS_PIECE_PAD zeros.
 * A value is never converted.  Its spelling is
 *
 *     [+-] [.] digit { digit | + | - | . | e | E | d | D }
 *
 * which lets every number pass that C, Fortran or MATLAB prints, and stops at words and at commas.
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

#define NS_EACH_BYTE(x) (UINT64_C(0x0101010101010101) * (x))

static inline bool ns_is_digit(unsigned char c)
{
    return (unsigned)c - '0' < 10u;
}

static inline bool ns_is_blank(unsigned char c)
{
    return c == ' ' || c == '\t';
}

static inline bool ns_is_number_character(unsigned char c)
{
    unsigned char letter = c | 0x20;
    return ns_is_digit(c) || c == '+' || c == '-' || c == '.' || letter == 'd' || letter == 'e';
}

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && defined(__GNUC__)

/* Eight bytes at a time.  With y = byte xor '0', y + 0x76 reaches 0x80 exactly when y > 9; what a carry spoils lies
 * behind the first byte that is no digit.  The digits, moved to the top with zeros before them, are then added in
 * pairs, fours and eights. */
static inline size_t ns_digits_8(const unsigned char *at, uint64_t *value)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
    word ^= NS_EACH_BYTE('0');
    uint64_t other = ((word + NS_EACH_BYTE(0x76)) | word) & NS_EACH_BYTE(0x80);
    size_t count = other == 0 ? 8 : (size_t)__builtin_ctzll(other) / 8;
    if (count == 0)
        return 0;
    word <<= 64 - 8 * count;
    word = word * 10 + (word >> 8);
    word = (word & UINT64_C(0x000000ff000000ff)) * UINT64_C(0x000f424000000064) +
           (word >> 16 & UINT64_C(0x000000ff000000ff)) * UINT64_C(0x0000271000000001);
    *value = word >> 32;
    return count;
}

#else

static inline size_t ns_digits_8(const unsigned char *at, uint64_t *value)
{
    size_t count = 0;
    uint64_t sum = 0;
    for (; count < 8 && ns_is_digit(at[count]); count++)
        sum = 10 * sum + (uint64_t)(at[count] - '0');
    *value = sum;
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

/* Length of the run of number characters: one byte at a time, and 16 at a time. */
static inline size_t ns_number_run_plain(const unsigned char *at)
{
    size_t count = 0;
    while (ns_is_number_character(at[count]))
        count++;
    return count;
}

#ifdef __SSE2__

static inline size_t ns_number_run(const unsigned char *at)
{
    for (size_t count = 0;; count += 16) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(at + count));
        __m128i offset = _mm_sub_epi8(v, _mm_set1_epi8('+')); /* "+,-./0123456789" become 0..14 */
        __m128i range = _mm_cmpeq_epi8(_mm_min_epu8(offset, _mm_set1_epi8('9' - '+')), offset);
        __m128i comma = _mm_cmpeq_epi8(v, _mm_set1_epi8(','));
        __m128i slash = _mm_cmpeq_epi8(v, _mm_set1_epi8('/'));
        __m128i letter = _mm_cmpeq_epi8(_mm_and_si128(v, _mm_set1_epi8((char)0xde)), _mm_set1_epi8('D')); /* DdEe */
        __m128i good = _mm_or_si128(_mm_andnot_si128(_mm_or_si128(comma, slash), range), letter);
        unsigned bad = ~(unsigned)_mm_movemask_epi8(good) & 0xffffu;
        if (bad != 0)
            return count + (size_t)__builtin_ctz(bad);
    }
}

#else

static inline size_t ns_number_run(const unsigned char *at)
{
    return ns_number_run_plain(at);
}

#endif

/* Length of a number's spelling, 0 when it is none.  Words such as "inf" are left to the caller. */
static inline size_t ns_number(const unsigned char *at)
{
    size_t first = at[0] == '-' || at[0] == '+';
    first += at[first] == '.';
    return ns_is_digit(at[first]) ? ns_number_run(at) : 0;
}

#endif
