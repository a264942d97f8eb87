/* test_stitch_packing.c -- fewest flits of small mixes, against every way to part their pieces
 *
 * Pieces are the partly filled last flits of packets.  A set of them can share a flit if their bytes fit, each tail of
 * a longer packet but one with ID and Size.  The slow way tries all sets: best[m] = min over sets s of m that fit, with
 * the lowest piece of m, of 1 + best[m - s].
 */

#include "model/parts/traffic.h"
#include "support/events.h"
#include "support/test.h"

enum { PIECES = 11 };

typedef struct piece {
    double used;
    bool tail;
} piece;

static int slow(const piece *p, int count, double flit, double id_size)
{
    static bool fits[1 << PIECES];
    static int best[1 << PIECES];
    for (int s = 1; s < 1 << count; s++) {
        double bytes = 0;
        int tails = 0;
        for (int i = 0; i < count; i++)
            if (s >> i & 1) {
                bytes += p[i].used;
                tails += p[i].tail;
            }
        fits[s] = bytes + id_size * (tails > 1 ? tails - 1 : 0) <= flit;
    }
    best[0] = 0;
    for (int m = 1; m < 1 << count; m++) {
        const int low = m & -m, rest = m ^ low;
        best[m] = count + 1;
        for (int s = rest;; s = (s - 1) & rest) {
            if (fits[s | low] && best[rest ^ s] + 1 < best[m])
                best[m] = best[rest ^ s] + 1;
            if (s == 0)
                break;
        }
    }
    return best[(1 << count) - 1];
}

static int below(uint64_t *seed, int most)
{
    return (int)(event_uniform(seed) * most);
}

/* Packets of one size are one class, however they come. */
TEST(one_class_a_size)
{
    ns_flit_mix mix = {.flit = 16};
    for (int again = 0; again < 3; again++) {
        ns_flit_mix_add(&mix, 40, 2, false);
        ns_flit_mix_add(&mix, 12, 1, false);
        ns_flit_mix_add(&mix, 32, 5, false); /* fills its flits */
    }
    ck_assert_uint_eq(mix.classes, 2);
    ck_assert_double_eq(mix.partial[0].count, 6);
    ck_assert_double_eq(mix.partial[0].used, 8);
    ck_assert_double_eq(mix.partial[1].count, 3);
    ck_assert_double_eq(mix.flits, 3 * (2 * 3 + 1 + 5 * 2));
}

TEST_EACH(every_way, 20)
{
    uint64_t seed = (uint64_t)_i + 1;
    for (int round = 0; round < 60; round++) {
        const double flit = 6 + below(&seed, 15), id_size = below(&seed, 4);
        const int kinds = 1 + below(&seed, 5);
        piece p[PIECES];
        ns_flit_mix mix = {.flit = flit};
        int pieces = 0;
        double whole = 0;
        for (int k = 0; k < kinds; k++) {
            const double bytes = 1 + below(&seed, (int)(2.5 * flit));
            const int count = 1 + below(&seed, 4);
            const double last = bytes - flit * (ceil(bytes / flit) - 1);
            if (pieces + count > PIECES)
                break;
            ns_flit_mix_add(&mix, bytes, count, false);
            whole += count * (last < flit ? floor(bytes / flit) : bytes / flit);
            for (int i = 0; i < count && last < flit; i++)
                p[pieces++] = (piece){last, bytes > flit};
        }
        double flits;
        ns_error err = {0};
        ck_assert_msg(ns_stitch_best(&mix, id_size, &flits, &err) == NS_OK, "%s", err.text);
        const double wanted = whole + slow(p, pieces, flit, id_size);
        ck_assert_msg(flits == wanted, "seed %d, round %d: %g flits, wanted %g; F = %g, o = %g, %d pieces", _i + 1,
                      round, flits, wanted, flit, id_size, pieces);
    }
}

/* Mixes that no search ends for are refused, not guessed; as many as that of pieces that greedy packs are not. */
TEST(limits)
{
    ns_flit_mix hard = {.flit = 1000}, easy = {.flit = 10};
    ns_error err = {0};
    double flits = -1;
    for (int i = 0; i < 40; i++)
        ns_flit_mix_add(&hard, 251 + 7 * i % 97, 1, false);
    const ns_status status = ns_stitch_best(&hard, 2, &flits, &err);
    ck_assert_msg(status == NS_ERR_LIMIT && strstr(err.text, "takes too long") != NULL, "%d: %g, %s", status, flits,
                  err.text);
    ns_flit_mix_add(&easy, 5, 1e15, false);
    ck_assert_int_eq(ns_stitch_best(&easy, 2, &flits, &err), NS_OK);
    ck_assert_double_eq(flits, 5e14);
    ns_flit_mix_add(&easy, 3, 0.5, false);
    ck_assert_int_eq(ns_stitch_best(&easy, 2, &flits, &err), NS_ERR_RANGE);
}
