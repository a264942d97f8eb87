/* test_gunzip.c -- gzip unpacked by ISA-L and by zlib alone: the same bytes, the same errors, the same words
 *
 * Without ISA-L both ways are zlib's, and what is left to see is that they give what was packed.
 */
#include <fcntl.h>

#include <zlib.h>

#include "bytes/gunzip.h"
#include "core/memory.h"
#include "oracle/oracle.h"
#include "support/needs.h"
#include "support/shared.h"
#include "support/test.h"

enum { ROOM = 3 << 20 };

typedef struct result {
    unsigned char *bytes;
    size_t size;
    ns_status status;
    ns_error err;
} result;

/* The whole file, `step` bytes at a time. */
static result unpack(const char *path, bool fast, size_t step)
{
    result r = {.bytes = oracle_alloc(ROOM, 1)};
    ns_gunzip *gunzip = NULL;
    size_t got = 0;
    const int file = open(path, O_RDONLY);
    ck_assert_int_ge(file, 0);
    r.status = ns_gunzip_open(file, path, fast, &gunzip, &r.err);
    do {
        ck_assert(r.size + step <= ROOM);
        if (r.status == NS_OK)
            r.status = ns_gunzip_read(gunzip, r.bytes + r.size, step, &got, &r.err);
        r.size += got;
    } while (r.status == NS_OK && got == step);
    ns_gunzip_close(gunzip);
    close(file);
    return r;
}

static void same_both_ways(const char *path, size_t step, const char *what, size_t which)
{
    result fast = unpack(path, true, step), slow = unpack(path, false, step);
    ck_assert_msg(fast.status == slow.status && strcmp(fast.err.text, slow.err.text) == 0, "%s %zu: \"%s\", not \"%s\"",
                  what, which, fast.err.text, slow.err.text);
    ck_assert_msg(fast.size == slow.size && memcmp(fast.bytes, slow.bytes, slow.size) == 0,
                  "%s %zu: %zu bytes, not %zu, or others", what, which, fast.size, slow.size);
    ns_free(fast.bytes);
    ns_free(slow.bytes);
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

typedef struct packed {
    unsigned char bytes[ROOM];
    size_t size;
} packed;

/* Lines of numbers, some of which are noise. */
static size_t make_text(oracle_random *random, unsigned char *text, size_t size)
{
    for (size_t i = 0; i < size; i++)
        text[i] = i % 4096 < 512 ? (unsigned char)oracle_below(random, 256)
                                 : (unsigned char)("0123456789 \n"[oracle_below(random, 12)]);
    return size;
}

/* One more member. */
static void add_member(packed *p, const unsigned char *text, size_t size, int level, int strategy, gz_header *header)
{
    z_stream z = {.next_in = (unsigned char *)(uintptr_t)text, .avail_in = (uInt)size};
    ck_assert_int_eq(deflateInit2(&z, level, Z_DEFLATED, 16 + MAX_WBITS, 8, strategy), Z_OK);
    if (header != NULL)
        ck_assert_int_eq(deflateSetHeader(&z, header), Z_OK);
    z.next_out = p->bytes + p->size;
    z.avail_out = (uInt)(sizeof p->bytes - p->size);
    ck_assert_int_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
    p->size += z.total_out;
    deflateEnd(&z);
}

static const char *save(const packed *p)
{
    return scratch_file("x.gz", (const char *)p->bytes, p->size);
}

static packed file; /* too large for a stack */
static unsigned char text[1 << 20];

/* ---- tests ------------------------------------------------------------------------------------------------------- */

static const struct {
    int level, strategy;
} ways[] = {{0, Z_DEFAULT_STRATEGY},
            {1, Z_DEFAULT_STRATEGY},
            {6, Z_DEFAULT_STRATEGY},
            {9, Z_DEFAULT_STRATEGY},
            {6, Z_FIXED},
            {6, Z_HUFFMAN_ONLY},
            {6, Z_RLE}};
enum { WAYS = sizeof ways / sizeof *ways };

TEST_EACH(whole, WAYS)
{
    if (lacks(__func__, "isal")) /* zlib twice would show nothing */
        return;
    oracle_random random = {(uint64_t)_i};
    static const size_t steps[] = {1, 7, 1000, 65536, 512 << 10, ROOM - (1 << 20) - 1};
    const size_t size = make_text(&random, text, _i == 0 ? sizeof text : 100000);
    file.size = 0;
    add_member(&file, text, size, ways[_i].level, ways[_i].strategy, NULL);
    const char *path = save(&file);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        result r = unpack(path, true, steps[i]);
        ck_assert_msg(r.status == NS_OK, "%s", r.err.text);
        ck_assert_uint_eq(r.size, size);
        ck_assert_int_eq(memcmp(r.bytes, text, size), 0);
        ns_free(r.bytes);
        same_both_ways(path, steps[i], "step", steps[i]);
    }
}

/* Members, empty ones, headers with all that a header can have, zeros or other bytes behind. */
TEST_EACH(several_members, 6)
{
    if (lacks(__func__, "isal")) /* zlib twice would show nothing */
        return;
    oracle_random random = {(uint64_t)_i + 100};
    unsigned char extra[300] = {1, 2, 3};
    char name[] = "matrix.mtx", comment[] = "as shipped";
    for (int members = 1; members <= 6; members++) {
        size_t size = 0;
        file.size = 0;
        for (int m = 0; m < members; m++) {
            gz_header header = {.text = 1,
                                .time = 7,
                                .extra = extra,
                                .extra_len = sizeof extra,
                                .name = (unsigned char *)name,
                                .comment = (unsigned char *)comment,
                                .hcrc = _i % 3 == 2};
            const size_t add = oracle_below(&random, 4) == 0 ? 0 : (size_t)oracle_below(&random, 150000);
            make_text(&random, text + size, add);
            add_member(&file, text + size, add, 6, Z_DEFAULT_STRATEGY, _i % 3 > 0 ? &header : NULL);
            size += add;
        }
        for (int behind = 0; behind < 4; behind++) { /* nothing, zeros, zeros and another byte, half a header */
            static const char *const bytes[] = {"", "\0\0\0\0\0\0", "\0\0x", "\x1f\x8b"};
            static const size_t count[] = {0, 6, 3, 2};
            memcpy(file.bytes + file.size, bytes[behind], count[behind]);
            file.size += count[behind];
            const char *path = save(&file);
            result r = unpack(path, true, 40000);
            ck_assert_msg((r.status == NS_OK) == (behind < 2), "%s", r.err.text);
            ck_assert(r.size == size && memcmp(r.bytes, text, size) == 0);
            ns_free(r.bytes);
            same_both_ways(path, 40000, "behind", (size_t)behind);
            file.size -= count[behind];
        }
    }
}

TEST_EACH(cut_anywhere, WAYS)
{
    if (lacks(__func__, "isal")) /* zlib twice would show nothing */
        return;
    oracle_random random = {5};
    const size_t size = make_text(&random, text, 1000);
    file.size = 0;
    add_member(&file, text, size, ways[_i].level, ways[_i].strategy, NULL);
    add_member(&file, text, 100, 6, Z_DEFAULT_STRATEGY, NULL);
    const size_t all = file.size;
    for (file.size = 2; file.size < all; file.size++)
        same_both_ways(save(&file), 1000, "cut at", file.size);
}

/* Every bit of a small file turned: header, blocks, CRC, length, and those of a second member. */
TEST_EACH(every_bit, WAYS)
{
    if (lacks(__func__, "isal")) /* zlib twice would show nothing */
        return;
    oracle_random random = {6};
    const size_t size = make_text(&random, text, 400) - 100;
    gz_header header = {.name = (unsigned char *)(uintptr_t) "m", .hcrc = _i % 2};
    file.size = 0;
    add_member(&file, text + 300, size, ways[_i].level, ways[_i].strategy, _i % 2 == 0 ? NULL : &header);
    add_member(&file, text + 380, 20, 6, Z_DEFAULT_STRATEGY, NULL);
    for (size_t bit = 0; bit < 8 * file.size; bit++) {
        file.bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        same_both_ways(save(&file), 1000, "bit", bit);
        file.bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
}

/* Damage far behind what has been handed out: zlib passes over that. */
TEST_EACH(damage_late, 3)
{
    if (lacks(__func__, "isal")) /* zlib twice would show nothing */
        return;
    oracle_random random = {(uint64_t)_i + 7};
    const size_t size = make_text(&random, text, sizeof text);
    file.size = 0;
    add_member(&file, text, size, 6, Z_DEFAULT_STRATEGY, NULL);
    for (int i = 0; i < 20; i++) {
        const size_t at = (size_t)oracle_below(&random, (int64_t)file.size);
        const unsigned char kept = file.bytes[at];
        file.bytes[at] ^= (unsigned char)(1 + oracle_below(&random, 255));
        same_both_ways(save(&file), 30000, "byte", at);
        file.bytes[at] = kept;
    }
}

TEST_TIMEOUT(300)
