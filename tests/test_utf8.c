/* test_utf8.c -- lengths of characters: every first two bytes, against Unicode's ranges of code points */

#include "core/utf8.h"
#include "support/test.h"

/* Bytes of the shortest form of a code point, the only one that is allowed. */
static size_t form_of(unsigned long point)
{
    return point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
}

static size_t wanted(const unsigned char *c)
{
    const size_t length = c[0] < 0x80 ? 1 : c[0] < 0xc0 ? 0 : c[0] < 0xe0 ? 2 : c[0] < 0xf0 ? 3 : c[0] < 0xf8 ? 4 : 0;
    unsigned long point = length < 2 ? c[0] : c[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if (c[i] < 0x80 || c[i] > 0xbf)
            return 0;
        point = point << 6 | (c[i] & 0x3fu);
    }
    if (length == 0 || c[0] == 0 || form_of(point) != length || point > 0x10ffff ||
        (point >= 0xd800 && point <= 0xdfff))
        return 0;
    return length;
}

TEST(test_length)
{
    static const unsigned char third[] = {0, 0x41, 0x7f, 0x80, 0x9f, 0xbf, 0xc0, 0xff};
    for (unsigned a = 0; a < 256; a++)
        for (unsigned b = 0; b < 256; b++)
            for (size_t k = 0; k < sizeof third * sizeof third; k++) {
                const unsigned char text[] = {(unsigned char)a, (unsigned char)b, third[k % sizeof third],
                                              third[k / sizeof third], 0};
                ck_assert_uint_eq(ns_utf8_length((const char *)text), wanted(text));
            }
}

/* Characters, each stray byte one; a cut never parts one. */
TEST(test_count_and_clip)
{
    const char *text = "a\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\xff";
    static const size_t cut[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 11, 11};
    ck_assert_uint_eq(ns_utf8_count(text), 5);
    ck_assert_uint_eq(ns_utf8_count(""), 0);
    for (size_t limit = 0; limit < sizeof cut / sizeof *cut; limit++)
        ck_assert_uint_eq(ns_utf8_clip(text, strlen(text), limit), cut[limit]);
    ck_assert_uint_eq(ns_utf8_clip("\x80\x80\x80", 3, 2), 0);
}

/* What is hidden, at the ends of each range, by its bytes. */
TEST(test_hidden)
{
    static const struct {
        const char *text;
        unsigned long code;
        bool hidden;
    } rows[] = {{"\n", 0xa, true},
                {"\x1f", 0x1f, true},
                {" ", 0x20, false},
                {"~", 0x7e, false},
                {"\x7f", 0x7f, true},
                {"\xc2\x80", 0x80, true},
                {"\xc2\x9f", 0x9f, true},
                {"\xc2\xa0", 0xa0, false},
                {"\xe2\x80\x8d", 0x200d, false},
                {"\xe2\x80\x8e", 0x200e, true},
                {"\xe2\x80\xa8", 0x2028, true},
                {"\xe2\x80\xae", 0x202e, true},
                {"\xe2\x80\xaf", 0x202f, false},
                {"\xe2\x81\xa9", 0x2069, true},
                {"\xef\xbf\xbd", 0xfffd, false},
                {"\xef\xbf\xbe", 0xfffe, true},
                {"\xf0\x9f\xbf\xbf", 0x1ffff, true},
                {"\xf0\x9f\x98\x80", 0x1f600, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const unsigned long code = ns_utf8_code(rows[i].text, ns_utf8_length(rows[i].text));
        ck_assert_uint_eq(code, rows[i].code);
        ck_assert_int_eq(ns_utf8_is_hidden(code), rows[i].hidden);
    }
    ck_assert_uint_eq(ns_utf8_code("\x9b", 0), 0x9b);
}
