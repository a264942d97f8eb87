/* market_plain.c -- plain lines in two stages, on processors that support it
 *
 * ns_plain_line finds the next line only after the end of this one, which takes some thirty cycles.  Here a first
 * stage lists the positions of all non-number bytes of a block, 32 bytes at once, and a second stage takes lines from
 * the list: neither depends on its previous result.
 */
#include "matrix/market/market.h"

#include "bytes/token.h"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(NS_NO_AVX2)

#include <immintrin.h>

#define AVX2        __attribute__((target("avx2,bmi,bmi2,popcnt")))
#define AVX2_INLINE static inline __attribute__((always_inline, target("avx2,bmi,bmi2,popcnt")))

/* Bytes of a block: few after a line that was not plain, as the next one may not be either. */
enum { FEW = 256, MANY = 4096, STEP = 64 };

bool ns_market_has_plain(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("popcnt");
}

/* Bit i is set when at[i] is not a number character, for i < 32.  Both halves of a byte look up kinds, "+-." 1, digits
 * 2, "DEde" 4; a number character has a kind in common. */
AVX2_INLINE uint32_t break_bits(const unsigned char *at)
{
    const __m256i low = _mm256_broadcastsi128_si256(_mm_setr_epi8(2, 2, 2, 2, 6, 6, 2, 2, 2, 2, 0, 1, 0, 1, 1, 0));
    const __m256i high = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 0, 1, 2, 4, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    const __m256i bytes = _mm256_loadu_si256((const __m256i *)(const void *)at);
    const __m256i upper = _mm256_and_si256(_mm256_srli_epi16(bytes, 4), _mm256_set1_epi8(15));
    const __m256i kinds = _mm256_and_si256(_mm256_shuffle_epi8(low, bytes), _mm256_shuffle_epi8(high, upper));
    return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(kinds, _mm256_setzero_si256()));
}

/* List the positions of the breaks in `length` bytes, rounded up to STEP.  Eight are written at once, so `place` needs
 * space for that many plus STEP.  Returns their number. */
AVX2_INLINE size_t list_breaks(const unsigned char *text, size_t length, uint32_t *place)
{
    uint32_t *to = place;
    for (size_t i = 0; i < length; i += STEP) {
        uint64_t bits = (uint64_t)break_bits(text + i + 32) << 32 | break_bits(text + i);
        uint32_t *const end = to + __builtin_popcountll(bits);
        do {
#pragma GCC unroll 8
            for (int k = 0; k < 8; k++, bits &= bits - 1)
                to[k] = (uint32_t)i + (uint32_t)_tzcnt_u64(bits);
            to += 8;
        } while (bits != 0);
        to = end;
    }
    return (size_t)(to - place);
}

/* Both indices of a line, eight digits each with leading zeros, minus 1: as 32 bits, twice.  *good: they are digits,
 * and at most `most`. */
AVX2_INLINE __m128i join_both(uint64_t row, uint64_t col, __m128i most, bool *good)
{
    const __m128i digits = _mm_set_epi64x((int64_t)col, (int64_t)row);
    const __m128i twos = _mm_maddubs_epi16(digits, _mm_set1_epi16(1 << 8 | 10));
    const __m128i fours = _mm_madd_epi16(twos, _mm_set1_epi32(1 << 16 | 100));
    const __m128i eights = _mm_madd_epi16(_mm_packus_epi32(fours, fours), _mm_set1_epi32(1 << 16 | 10000));
    const __m128i both = _mm_sub_epi32(eights, _mm_set1_epi32(1));
    const __m128i others = _mm_cmpgt_epi8(digits, _mm_set1_epi8(9));
    const __m128i within = _mm_cmpeq_epi32(_mm_min_epu32(both, most), both);
    *good = _mm_movemask_epi8(_mm_andnot_si128(others, within)) == 0xffff;
    return both;
}

/* Read the line at text + begin, whose breaks are listed from `place` on; returns the number of its breaks, 0 when it
 * is not plain.  padded: a value may have two blanks before it, as in files that leave space for a sign. */
AVX2_INLINE size_t take_line(ns_market_run *r, __m128i most, const unsigned char *text, size_t begin,
                             const uint32_t *place, int values, bool mirror, bool padded)
{
    const size_t first = place[0] - begin, second = place[1] - place[0] - 1;
    const uint64_t row = ns_load_digits(text + begin) << ((64 - 8 * first) & 63);
    const uint64_t col = ns_load_digits(text + place[0] + 1) << ((64 - 8 * second) & 63);
    size_t last = 1;
    bool plain;
    const __m128i both = join_both(row, col, most, &plain);
    plain &= ((first - 1) | (second - 1)) <= 7;
    plain &= text[place[0]] == ' ';
    for (int i = 0; i < values; i++, last++) {
        plain &= text[place[last]] == ' ';
        last += padded && text[place[last] + 1] == ' ';
        plain &= ns_starts_number(text + place[last] + 1);
    }
    plain &= text[place[last]] == '\n';
    if (__builtin_expect(!plain, 0))
        return 0;
    const __m128i entry = _mm_cvtepu32_epi64(both);
    _mm_storeu_si128((__m128i *)(void *)r->to, entry);
    if (mirror)
        _mm_storeu_si128((__m128i *)(void *)(r->to + 1), _mm_shuffle_epi32(entry, 0x4e));
    r->to += 1 + (mirror && _mm_cvtsi128_si32(both) != _mm_extract_epi32(both, 1));
    r->lines++;
    return last + 1;
}

/* The limit for eight digits. */
static int least(uint64_t most)
{
    return most < 99999999 ? (int)most : 99999999;
}

/* Compiled for each of its choices. */
AVX2_INLINE void take_lines(ns_market_run *run, int values, bool mirror, bool padded)
{
    uint32_t place[MANY + STEP + 8] = {0};
    ns_market_run r = *run;
    const int most_row = least(r.rows - 1), most_col = least(r.cols - 1);
    const __m128i most = _mm_setr_epi32(most_row, most_col, most_row, most_col);
    const size_t each = (size_t)(padded ? 2 + 2 * values : 2 + values); /* maximum number of breaks per line */
    bool plain = r.rows > 0 && r.cols > 0;
    for (size_t block = FEW; plain && r.at < r.limit; block = MANY) {
        const size_t left = (size_t)(r.limit - r.at), length = left < block ? left : block;
        const size_t breaks = list_breaks(r.at, length, place);
        size_t begin = 0;
        for (size_t k = 0; begin < left && k + each <= breaks;) {
            const size_t taken = take_line(&r, most, r.at, begin, place + k, values, mirror, padded);
            plain = taken > 0;
            if (!plain)
                break;
            k += taken;
            begin = place[k - 1] + 1;
        }
        plain &= begin > 0 || block < MANY; /* a line may be longer than the block */
        r.at += begin;
    }
    *run = r;
}

AVX2 void ns_market_plain(ns_market_run *run, int values, bool mirror, bool padded)
{
    if (values == 0)
        mirror ? take_lines(run, 0, true, false) : take_lines(run, 0, false, false);
    else if (values == 1 && !padded)
        mirror ? take_lines(run, 1, true, false) : take_lines(run, 1, false, false);
    else if (values == 1)
        mirror ? take_lines(run, 1, true, true) : take_lines(run, 1, false, true);
    else if (!padded)
        mirror ? take_lines(run, 2, true, false) : take_lines(run, 2, false, false);
    else
        mirror ? take_lines(run, 2, true, true) : take_lines(run, 2, false, true);
}

#else

bool ns_market_has_plain(void)
{
    return false;
}

void ns_market_plain(ns_market_run *run, int values, bool mirror, bool padded)
{
    (void)run, (void)values, (void)mirror, (void)padded;
}

#endif
