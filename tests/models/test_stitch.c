/* test_stitch.c -- the best packing against brute force on random small mixes, and the expected saving on [NC]'s mix */
#include "../support/model_rows.h"

#include "api/library.h"
#include "model/parts/traffic.h"

/* 29 reads and 13 page-walk pairs: 200 flits, 13 % of them page-table ones. */
#define READS "read_req=29 read_rsp=29 pt_req=13 pt_rsp=13 "
#define BY_HAND_4                                                                                                      \
    "flit=16B header=4B address=8B line=64B read_req=1 id_size=2B load=0.5 window=6 clock=2GHz bandwidth=8GB/s"
static const model_row rows[] = {
    {"netcrafter", READS, "parents", 0.145, NEAR, "tails, 14.5 % of the flits"},
    {"netcrafter", READS, "candidates", 0.275, NEAR, "12 B packets, 27.5 %"},
    {"netcrafter", READS, "best_flits", 171, 0, "every tail takes one 12 B packet: 200 - 29"},
    {"netcrafter", READS, "best_saving", 0.145, NEAR, "cannot exceed 14.5 %"},
    {"netcrafter", READS "load=0.5 pooling=none", "matched", 0.12, 0.01, "by hand, with the queue after stitching"},
    {"netcrafter", READS "load=0.5 pooling=all window=8", "matched", 0.80, 0.01, "8 cycles"},
    {"netcrafter", READS "load=0.5 pooling=all", "matched", 0.993, 0.001, "32 cycles"},
    {"netcrafter", READS "load=0.3 pooling=all", "matched", 0.96, 0.005, "32 cycles, lower load"},
    {"netcrafter", READS "load=0.5 pooling=all window=128", "saving", 0.145, 1e-6,
     "savings constant past 32 cycles, [NC] Figure 20"},
    {"netcrafter", READS "load=0.5", "added_page_table", 0, 0, "selective pooling spares page-table traffic"},
    {"netcrafter", READS "load=0.5", "matched", 0.9723513240870734, 1e-9,
     "quadrature of the queue's two sides: 26 of 55 candidates wait for their turn only"},
    {"netcrafter", READS "load=0.5 window=8", "matched", 0.7270143405509135, 1e-9, "the same, 8 cycles"},
    {"netcrafter", "read_rsp=1 pt_req=1 load=0.5 window=8", "matched", 0.424949130231839, 1e-9,
     "the same: all candidates are of page tables"},
    {"netcrafter", READS "load=0", "saving", 0, 0, "nobody meets"},
    {"netcrafter", READS "load=1.1", "load_left", 1.1 * (1 - 0.145), 0.01,
     "an overloaded link that stitching relieves"},
    {"netcrafter", READS "load=1.2", NULL, 0, 0, "stays overloaded"},
    {"netcrafter", "read_req=0.5 read_rsp=1", NULL, 0, 0, "whole numbers"},
    {"netcrafter", "read_rsp=2", "best_flits", 9, 0, "[NC] Figure 11: a tail in a tail, with ID and Size"},
    {"netcrafter", "read_rsp=4 id_size=0B", "best_flits", 17, 0, "four tails of 4 B in one flit"},
    {"netcrafter", "read_rsp=4", "best_flits", 18, 0, "with 2 B of ID and Size three fit"},
    {"netcrafter", "read_rsp=4 id_size=9B", "best_flits", 20, 0, "with 9 B none"},
    {"netcrafter", "write_req=1000000 write_rsp=1000000", "best_flits", 5e6, 0, "large mixes, too: 4 B beside 12 B"},
    {"netcrafter", "flit=8B read_req=2 read_rsp=2 write_rsp=2", "best_flits", 22, 0,
     "at 8 B only write responses fit beside a tail"},
    {"netcrafter", "", "best_flits", 0, 0, "nothing"},
    {"netcrafter", "flit=10B packets=4B,3B counts=2,4", "best_flits", 2, 0,
     "4 + 3 + 3 twice; largest first would take three"},
    {"netcrafter", "flit=10B packets=4B,3B counts=12,24", "best_flits", 12, 0, "the same six times"},
    {"netcrafter", "flit=10B packets=4B,3B counts=200,400", NULL, 0, 0, "600 partly filled flits are too many"},
    {"netcrafter", "packets=12B,68B counts=1", NULL, 0, 0, "1 counts for 2 packets"},
    /* By hand, each from its term. flits: by hand; best_flits: 4, 4 and 12 B tails take a packet of 12, 12 and 4
     * B; best_saving: three of them; parents: tails that a whole packet fits into; candidates: whole packets that
     * fit; matched: quadrature and bisection, apart; saving: quadrature and bisection, apart; load_left:
     * quadrature and bisection, apart; queue: quadrature and bisection, apart; added: quadrature and bisection,
     * apart; added_page_table and added_flit: quadrature, apart, at the queue that bisection gives. */
    {NULL,
     "flit=16B header=4B address=8B line=64B read_req=4 read_rsp=2 pt_req=1 pt_rsp=1 write_req=1 write_rsp=1 "
     "id_size=2B load=0.6 window=6 clock=2GHz bandwidth=8GB/s pooling=selective",
     "flits=22 best_flits=19 best_saving=0.13636363636363635 parents=0.13636363636363635 candidates=0.3181818181818182 "
     "matched=0.47592944424472095 saving=0.06489946966973467 load_left=0.5610603181981592 queue=1.2782173529971468e-09 "
     "added=1.8101218503409044e-09 added_page_table=0 added_flit=8.032633540405687e-10",
     0, 1e-8, "by hand"},
    {NULL,
     "flit=16B header=4B address=8B line=64B read_req=4 read_rsp=2 pt_req=1 pt_rsp=1 write_req=1 write_rsp=1 "
     "id_size=2B load=0.6 window=6 clock=2GHz bandwidth=8GB/s pooling=all",
     "flits=22 best_flits=19 best_saving=0.13636363636363635 parents=0.13636363636363635 candidates=0.3181818181818182 "
     "matched=0.5089765692820876 saving=0.06940589581119376 load_left=0.5583564625132837 queue=1.264269518559586e-09 "
     "added=1.69597820600875e-09 added_page_table=2.4819961595174338e-09 added_flit=1.0209958061203875e-09",
     0, 1e-8, "by hand"},
    {NULL,
     "flit=16B header=4B address=8B line=64B read_req=4 read_rsp=2 pt_req=1 pt_rsp=1 write_req=1 write_rsp=1 "
     "id_size=2B load=0.6 window=6 clock=2GHz bandwidth=8GB/s pooling=none",
     "flits=22 best_flits=19 best_saving=0.13636363636363635 parents=0.13636363636363635 candidates=0.3181818181818182 "
     "matched=0.22285647324465696 saving=0.030389519078816856 load_left=0.5817662885527098 "
     "queue=1.3910076414919255e-09 added=0 added_page_table=0 added_flit=0",
     0, 1e-8, "by hand"},
    {NULL, BY_HAND_4, "queue", 1e-09, 1e-8, "rho/(2 (1 - rho)) flit times: one flit has nobody to ride with"},
    {NULL, BY_HAND_4, "load_left", 0.5, 1e-8, "nothing saved"},
};

/* ---- brute force: every way to put the pieces into groups -------------------------------------------------------- */

enum { PIECES = 7 };
typedef struct brute {
    int pieces, flit, id_size;
    int used[PIECES], group[PIECES];
    bool tail[PIECES];
} brute;

/* Some member travels as it is; the others add their bytes, tails ID and Size. */
static bool fits(const brute *b, int group)
{
    for (int parent = 0; parent < b->pieces; parent++) {
        int used = 0;
        if (b->group[parent] != group)
            continue;
        for (int i = 0; i < b->pieces; i++)
            if (b->group[i] == group)
                used += b->used[i] + (i != parent && b->tail[i] ? b->id_size : 0);
        if (used <= b->flit)
            return true;
    }
    return false;
}

static int fewest(brute *b, int at, int groups)
{
    int best = b->pieces;
    if (at == b->pieces) {
        for (int g = 0; g < groups; g++)
            if (!fits(b, g))
                return b->pieces;
        return groups;
    }
    for (int g = 0; g <= groups; g++) {
        b->group[at] = g;
        const int flits = fewest(b, at + 1, g == groups ? groups + 1 : groups);
        best = flits < best ? flits : best;
    }
    return best;
}

static unsigned next(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

TEST_EACH(best_is_brute_force, 10)
{
    unsigned seed = 1 + (unsigned)_i;
    for (int trial = 0; trial < 100; trial++) {
        brute b = {.flit = 8 << next(&seed) % 3, .id_size = (int)(next(&seed) % 4)};
        ns_flit_mix mix = {.flit = b.flit};
        const int packets = 1 + (int)(next(&seed) % PIECES);
        double full = 0, best;
        for (int i = 0; i < packets; i++) {
            const unsigned most = trial % 2 == 0 ? 2 * (unsigned)b.flit + 8 : (unsigned)b.flit / 2;
            const int bytes = 1 + (int)(next(&seed) % most), last = bytes % b.flit;
            ns_flit_mix_add(&mix, bytes, 1, false);
            full += bytes / b.flit;
            if (last > 0) {
                b.used[b.pieces] = last;
                b.tail[b.pieces++] = bytes > b.flit;
            }
        }
        ns_error err = {0};
        ck_assert_msg(ns_stitch_best(&mix, b.id_size, &best, &err) == NS_OK, "%s", err.text);
        ck_assert_msg(best == full + fewest(&b, 0, 0), "seed %d, trial %d: %g flits, brute force %g", _i, trial, best,
                      full + fewest(&b, 0, 0));
    }
}

MODEL_ROWS("stitch", rows)
