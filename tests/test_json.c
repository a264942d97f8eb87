/* test_json.c -- JSON both ways: round trips, refusals with exact words and places, positions of keys, and each
 * allocation failing in turn
 *
 * Provenance: RFC 8259 for what is JSON; positions are counted by hand.
 */
#include <nsmodel/json.h>

#include "core/memory.h"
#include "io/locate.h"

#include "core/value.h"
#include "support/allocations.h"
#include "support/needs.h"
#include "support/test.h"

#define COUNT(rows) (sizeof(rows) / sizeof *(rows))

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#define SANITIZED __has_feature(address_sanitizer)
#else
#define SANITIZED 0
#endif

/* ---- round trips ------------------------------------------------------------------------------------------------- */

static const struct trip {
    const char *in, *out; /* out without its last newline */
} trips[] = {
    {"{}", "{}"},
    {"[]", "[]"},
    {" [ ] ", "[]"},
    {"null", "null"},
    {"true", "true"},
    {"-1.50", "-1.5"},
    {"\"\"", "\"\""},
    {"\xef\xbb\xbf{}", "{}"}, /* a byte order mark */
    {"{\"a\":1,\"b\":[1,2.5,null,true,\"x\"]}", "{\n  \"a\": 1,\n  \"b\": [1, 2.5, null, true, \"x\"]\n}"},
    {"[1,[2]]", "[\n  1,\n  [2]\n]"},
    {"[{},[]]", "[\n  {},\n  []\n]"},
    {"{\"a\":{\"b\":{\"c\":1e-6}}}", "{\n  \"a\": {\n    \"b\": {\n      \"c\": 1e-06\n    }\n  }\n}"},
    {"{\"\":1}", "{\n  \"\": 1\n}"},
    {"[1e15,9007199254740993,1e22,-0.0]", "[1000000000000000, 9007199254740992, 1e+22, -0]"},
    {"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0001\\u007f\"", "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u007f\""},
    {"\r[\t1E3\r]\n", "[1000]"},
    {"\"\\u00C9\\uDBFF\\udfff\"", "\"\xc3\x89\xf4\x8f\xbf\xbf\""},
    {"\"h\\u00e9 \\u20ac \\ud83d\\ude00\"", "\"h\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\""},
    {"\"\\\\u0000\"", "\"\\\\u0000\""}, /* a backslash, then letters */
    {"\"a\xff"
     "b\xc3\"",
     "\"a\xef\xbf\xbd"
     "b\xef\xbf\xbd\""},                                              /* bytes that are not UTF-8 become U+FFFD */
    {"\"\xed\xa0\x80\"", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""}, /* a lone surrogate in UTF-8 */
};

TEST_EACH(round_trips, COUNT(trips))
{
    const struct trip *row = &trips[_i];
    ns_value *root;
    ns_error err = {0};
    char *text, *again;
    size_t size, again_size;
    ck_assert_msg(ns_json_parse(row->in, NULL, &root, &err) == NS_OK, "%s: %s", row->in, err.text);
    ck_assert_int_eq(ns_json_write(root, &text, &size, &err), NS_OK);
    ns_value_free(root);
    ck_assert_uint_eq(size, strlen(text));
    ck_assert_int_eq(text[size - 1], '\n');
    ck_assert_uint_eq(size, strlen(row->out) + 1);
    ck_assert_msg(strncmp(text, row->out, size - 1) == 0, "%s became %s", row->in, text);
    /* and what was written reads and writes the same */
    ck_assert_int_eq(ns_json_parse(text, NULL, &root, &err), NS_OK);
    ck_assert_int_eq(ns_json_write(root, &again, &again_size, &err), NS_OK);
    ck_assert_str_eq(text, again);
    ns_value_free(root);
    ns_free(again);
    ns_free(text);
}

TEST(kinds_arrive)
{
    ns_value *root;
    const char *text = "{\"n\": 2.385, \"t\": \"us\", \"b\": false, \"z\": null, \"l\": [3, 4], \"o\": {\"k\": 5}}";
    ck_assert_int_eq(ns_json_parse(text, NULL, &root, NULL), NS_OK);
    ck_assert_double_eq(ns_value_get(root, "n")->number, 2.385);
    ck_assert(ns_dim_equal(ns_value_get(root, "n")->dim, NS_DIMENSIONLESS));
    ck_assert_str_eq(ns_value_get(root, "t")->text, "us");
    ck_assert(ns_value_get(root, "b")->kind == NS_BOOL && !ns_value_get(root, "b")->truth);
    ck_assert_int_eq(ns_value_get(root, "z")->kind, NS_NULL);
    ck_assert_double_eq(ns_value_at(root, "l.1")->number, 4);
    ck_assert_double_eq(ns_value_at(root, "o.k")->number, 5);
    ns_value_free(root);
}

/* A list of scalars stays on its line up to 100 columns. */
TEST(lists_break_when_long)
{
    for (int count = 1; count < 60; count++) {
        ns_value *root = ns_value_new(), *list = ns_value_list(root, "l");
        char *text;
        size_t size, lines = 0;
        for (int i = 0; i < count; i++)
            ns_value_count(list, NULL, 7);
        ck_assert_int_eq(ns_json_write(root, &text, &size, NULL), NS_OK);
        for (size_t i = 0; i < size; i++)
            lines += text[i] == '\n';
        ck_assert_uint_eq(lines, 3 * count <= 100 ? 3 : (size_t)count + 4);
        ns_free(text);
        ns_value_free(root);
    }
}

TEST(only_finite_numbers_are_written)
{
    static const double numbers[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    for (size_t i = 0; i < COUNT(numbers); i++) {
        ns_value *root = ns_value_new();
        char *text = NULL;
        size_t size = 77;
        ns_error err = {0};
        ns_value_number(ns_value_list(root, "interval_s"), NULL, numbers[i], (ns_dim){1, 0, 0});
        ck_assert_int_eq(ns_json_write(root, &text, &size, &err), NS_ERR_RANGE);
        ck_assert_str_eq(err.text, "interval_s is not a finite number");
        ck_assert(text == NULL && size == 77);
        ns_value_free(root);
        root = ns_value_new(); /* a member that has no name */
        err = (ns_error){0};
        ns_value_number(root, "", numbers[i], (ns_dim){1, 0, 0});
        ck_assert_int_eq(ns_json_write(root, &text, &size, &err), NS_ERR_RANGE);
        ck_assert_str_eq(err.text, "a value is not a finite number");
        ns_value_free(root);
    }
}

/* ---- refusals ---------------------------------------------------------------------------------------------------- */

static const struct bad {
    const char *text;
    ns_status code;
    long line, column;
    const char *words;
} bad[] = {
    {"", NS_ERR_SYNTAX, 1, 1, "found the end, wanted a value"},
    {"  \n ", NS_ERR_SYNTAX, 2, 2, "found the end, wanted a value"},
    {"{", NS_ERR_SYNTAX, 1, 2, "found the end, wanted a key in double quotes"},
    {"[[[", NS_ERR_SYNTAX, 1, 4, "found the end, wanted a value"},
    {"[[[]]", NS_ERR_SYNTAX, 1, 6, "found the end, wanted \",\" or \"]\""},
    {"{\"a\":1", NS_ERR_SYNTAX, 1, 7, "found the end, wanted \",\" or \"}\""},
    {"{} junk", NS_ERR_SYNTAX, 1, 4, "found \"junk\", wanted nothing after the document"},
    {"{}\n{}", NS_ERR_SYNTAX, 2, 1, "found \"{}\", wanted nothing after the document"},
    {"{\"a\": tru}", NS_ERR_SYNTAX, 1, 7, "found \"tru}\", wanted a value"},
    {"{\"a\": nan}", NS_ERR_SYNTAX, 1, 7, "found \"nan}\", wanted a value"},
    {"truely", NS_ERR_SYNTAX, 1, 5, "found \"ly\", wanted nothing after the document"},
    {"{\n  \"a\": 1\n  \"b\": 2\n}", NS_ERR_SYNTAX, 3, 3, "found \"\"b\": 2\", wanted \",\" or \"}\""},
    {"[1,]", NS_ERR_SYNTAX, 1, 4, "found \"]\", wanted a value"},
    {"{\"a\":1,}", NS_ERR_SYNTAX, 1, 8, "found \"}\", wanted a key in double quotes"},
    {"{\"a\":\n}", NS_ERR_SYNTAX, 2, 1, "found \"}\", wanted a value"},
    {"{\"a\" 1}", NS_ERR_SYNTAX, 1, 6, "found \"1}\", wanted \":\" after the key"},
    {"{a:1}", NS_ERR_SYNTAX, 1, 2, "found \"a:1}\", wanted a key in double quotes"},
    {"{'a':1}", NS_ERR_SYNTAX, 1, 2, "found \"'a':1}\", wanted a key in double quotes"},
    {"[0x10]", NS_ERR_SYNTAX, 1, 3, "found \"x10]\", wanted \",\" or \"]\""},
    {"[01]", NS_ERR_SYNTAX, 1, 2, "found \"01]\", wanted a number without leading zeros"},
    {"[1.]", NS_ERR_SYNTAX, 1, 2, "found \"1.]\", wanted a number like 0.5 or -1e-6"},
    {"[-]", NS_ERR_SYNTAX, 1, 2, "found \"-]\", wanted a number like 0.5 or -1e-6"},
    {"[1e+]", NS_ERR_SYNTAX, 1, 2, "found \"1e+]\", wanted a number like 0.5 or -1e-6"},
    {"[.5]", NS_ERR_SYNTAX, 1, 2, "found \".5]\", wanted a value"},
    {"[+5]", NS_ERR_SYNTAX, 1, 2, "found \"+5]\", wanted a value"},
    {"0.1234567890123456789012345678901234567890123456789012345678901234567890", NS_ERR_SYNTAX, 1, 1,
     "found \"0.1234567890123456789012\", wanted a number of at most 63 characters"},
    {"{\"a\": \"ab\rc\"}", NS_ERR_SYNTAX, 1, 7, "found \"\"ab\", wanted a closing quote on the same line"},
    {"{\"a\": \"abc}", NS_ERR_SYNTAX, 1, 7, "found \"\"abc}\", wanted a closing quote on the same line"},
    {"{\"a\": \"ab\nc\"}", NS_ERR_SYNTAX, 1, 7, "found \"\"ab\", wanted a closing quote on the same line"},
    {"\"a\tb\"", NS_ERR_SYNTAX, 1, 3, "found \"?b\"\", wanted an escape for the control character"},
    {"\"\\x\"", NS_ERR_SYNTAX, 1, 2, "found \"\\x\"\", wanted an escape like \\n or \\u00b5"},
    {"\"\\u12g4\"", NS_ERR_SYNTAX, 1, 2, "found \"\\u12g4\"\", wanted four hexadecimal digits after \\u"},
    {"\"\\ud83d\"", NS_ERR_SYNTAX, 1, 2, "found \"\\ud83d\"\", wanted both halves of a surrogate pair"},
    {"\"\\ud83d\\ue000\"", NS_ERR_SYNTAX, 1, 2, "found \"\\ud83d\\ue000\"\", wanted both halves of a surrogate pair"},
    {"\"\\ud83d\\n\"", NS_ERR_SYNTAX, 1, 2, "found \"\\ud83d\\n\"\", wanted both halves of a surrogate pair"},
    {"\"\\ude00\\ud83d\"", NS_ERR_SYNTAX, 1, 2, "found \"\\ude00\\ud83d\"\", wanted both halves of a surrogate pair"},
    {"\"\\ude00\\ude00\"", NS_ERR_SYNTAX, 1, 2, "found \"\\ude00\\ude00\"\", wanted both halves of a surrogate pair"},
    {"xxxxxxxxxxxxxxxxxxxxxxx\xc3\xa9", NS_ERR_SYNTAX, 1, 1, "found \"xxxxxxxxxxxxxxxxxxxxxxx\", wanted a value"},
    {"[1, // no\n2]", NS_ERR_SYNTAX, 1, 5, "found \"// no\", wanted a value"},
    {"{\"a\": \"x\\u0000\"}", NS_ERR_SYNTAX, 1, 9, "found \"\\u0000\"}\", wanted no character \\u0000"},
    {"{\"a\":1,\n \"b\":2, \"a\":3}", NS_ERR_NAME, 2, 9, "key \"a\" appears twice"},
    {"{\"x\":{\"l\":[0,{\"k\":1,\n\"k\":2}]}}", NS_ERR_NAME, 2, 1, "key \"k\" appears twice in \"x.l.1\""},
    {"{\"\":1,\"\":2}", NS_ERR_NAME, 1, 7, "key \"\" appears twice"},
    {"1e999", NS_ERR_RANGE, 1, 1, "the number is too large"},
    {"{\"x\":\n {\"y\": [1, -1e999]}}", NS_ERR_RANGE, 2, 12, "x.y.1 is too large"},
};

/* Where names on the way are longer than what a message quotes. */
TEST(long_way)
{
    char text[3000], key[1101];
    ns_value *root = NULL;
    ns_error err = {0};
    memset(key, 'k', sizeof key - 1);
    key[sizeof key - 1] = '\0';
    snprintf(text, sizeof text, "{\"%s\": {\"%s\": {\"x\": [1e999]}}}", key, key);
    ck_assert_int_eq(ns_json_parse(text, "long", &root, &err), NS_ERR_RANGE);
    ck_assert_ptr_null(root);
    ck_assert_int_eq(err.line, 1);
    ck_assert_msg(strncmp(err.text, key, 100) == 0 && strcmp(err.text + 100, " is too large") == 0, "%s", err.text);
}

TEST_EACH(refuses, COUNT(bad))
{
    const struct bad *row = &bad[_i];
    ns_value *root = NULL;
    ns_error err = {0};
    ck_assert_int_eq(ns_json_parse(row->text, "m.json", &root, &err), row->code);
    ck_assert_ptr_null(root);
    ck_assert_msg(strcmp(err.text, row->words) == 0, "%s: %s", row->text, err.text);
    ck_assert_msg(err.line == row->line && err.column == row->column, "%s: %ld:%ld", row->text, err.line, err.column);
    ck_assert_str_eq(err.file, "m.json");
}

static char *nested(size_t depth)
{
    char *text = ns_malloc(2 * depth + 1);
    if (text == NULL)
        ck_abort_msg("out of memory");
    memset(text, '[', depth);
    memset(text + depth, ']', depth);
    text[2 * depth] = '\0';
    return text;
}

TEST(nesting_has_a_limit)
{
    ns_value *root;
    ns_error err = {0};
    char *text = nested(1000), *written;
    size_t size;
    ck_assert_int_eq(ns_json_parse(text, NULL, &root, &err), NS_OK);
    ck_assert_int_eq(ns_json_write(root, &written, &size, &err), NS_OK);
    ns_free(written);
    ns_value_free(root);
    ns_free(text);
    static const size_t depths[] = {1030, 1000000};
    for (size_t i = 0; i < COUNT(depths); i++) {
        text = nested(depths[i]);
        err = (ns_error){0};
        ck_assert_int_eq(ns_json_parse(text, NULL, &root, &err), NS_ERR_SYNTAX);
        ck_assert_str_eq(err.text, "found \"[[[[[[[[[[[[[[[[[[[[[[[[\", wanted at most 1000 levels of brackets");
        ck_assert_int_eq(err.column, 1001);
        ns_free(text);
    }
}

/* 200000 keys, all different but the last: comparing each with each would take minutes. */
TEST(many_keys)
{
    enum { KEYS = 200000, ROOM = KEYS * 24 };
    char *text = ns_malloc(ROOM);
    ns_value *root;
    ns_error err = {0};
    if (text == NULL)
        ck_abort_msg("out of memory");
    size_t used = (size_t)snprintf(text, ROOM, "{");
    for (int i = 0; i < KEYS; i++)
        used += (size_t)snprintf(text + used, ROOM - used, "\"k%d\":%d,\n", i, i);
    snprintf(text + used, ROOM - used, "\"z\":0}");
    ck_assert_int_eq(ns_json_parse(text, NULL, &root, &err), NS_OK);
    ns_value_free(root);
    snprintf(text + used, ROOM - used, "\"k77\":0}");
    ck_assert_int_eq(ns_json_parse(text, NULL, &root, &err), NS_ERR_NAME);
    ck_assert_str_eq(err.text, "key \"k77\" appears twice");
    ck_assert_int_eq(err.line, KEYS + 1);
    ns_free(text);
}

/* Every prefix of a document, and every document with one byte changed: an answer, never a crash. */
TEST(damaged_text)
{
    const char whole[] = "{\"a\": [1, -2.5e-3, {\"b\\u00e9\": \"x\\\\\"}, null], \"c\": {\"d\": true, \"e\": false}}";
    static const char bytes[] = "\"\\{}[],:0e-u\x01\xff ";
    char text[sizeof whole];
    for (size_t i = 0; i < sizeof whole - 1; i++)
        for (size_t k = 0; k < sizeof bytes; k++) { /* the last one is the terminator: a prefix */
            ns_value *root;
            ns_error err = {0};
            long line, column;
            memcpy(text, whole, sizeof whole);
            text[i] = bytes[k];
            ns_json_locate(text, "a.2.b", &line, &column);
            ns_json_locate(text, "c.e", &line, &column);
            if (ns_json_parse(text, NULL, &root, &err) == NS_OK)
                ns_value_free(root);
            else
                ck_assert(err.text[0] != '\0' && err.line == 1 && err.column >= 1 && err.column <= (long)sizeof whole);
        }
}

/* ---- positions --------------------------------------------------------------------------------------------------- */

TEST(locates)
{
    const char *text = "{\n  \"a\": 1,\n  \"b\": {\"a\": 2, \"s\": \"}\\\"]\", \"c\": [10, {\"d\": 3}, [4, 5]]},\n"
                       "  \"b.x\": 6,\t\"e\" : 7\n}\n";
    static const struct {
        const char *path;
        long line, column;
    } rows[] = {
        {"", 1, 1},       {"a", 2, 8},      {"b", 3, 8},        {"b.a", 3, 14},     {"b.s", 3, 22}, {"b.c", 3, 35},
        {"b.c.0", 3, 36}, {"b.c.1", 3, 40}, {"b.c.1.d", 3, 46}, {"b.c.2.1", 3, 54}, {"b.x", 4, 10}, {"e", 4, 19},
        {"nope", 1, 1},   {"b.c.3", 1, 1},  {"a.b", 1, 1},      {"b.c.01", 1, 1},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        long line, column;
        ns_json_locate(text, rows[i].path, &line, &column);
        ck_assert_msg(line == rows[i].line && column == rows[i].column, "%s: %ld:%ld", rows[i].path, line, column);
    }
    long line, column;
    ns_json_locate_key(text, "b", "c", 0, &line, &column);
    ck_assert(line == 3 && column == 30);
    ns_json_locate_key(text, "b", "c", 1, &line, &column);
    ck_assert(line == 1 && column == 1);
    ns_json_locate("not { json", "a", &line, &column);
    ck_assert(line == 1 && column == 1);
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

#if defined(__GLIBC__) && !SANITIZED
static ns_status read_and_write(const char *text, ns_error *err)
{
    ns_value *root;
    char *written;
    size_t size;
    NS_TRY(ns_json_parse(text, NULL, &root, err));
    ns_value *more = ns_value_object(ns_value_object(root, "new"), "object");
    ns_value_textf(more, "text", "%050000d", 7);
    ns_status status = ns_value_complete(root) ? NS_OK : ns_fail(err, NS_ERR_MEMORY, "incomplete");
    if (status == NS_OK)
        status = ns_json_write(root, &written, &size, err);
    if (status == NS_OK)
        ns_free(written);
    ns_value_free(root);
    return status;
}

TEST(each_allocation_fails_once)
{
    const char *text = "{\"a\": [1, 2, {\"b\": \"x\"}], \"c\": {\"d\": true, \"e\": null}}";
    ns_error err = {0};
    long limit = 1, failed = 0;
    for (;; limit++) {
        err = (ns_error){0};
        allocations_limit(limit);
        ns_status status = read_and_write(text, &err);
        allocations_limit(-1);
        if (status == NS_OK)
            break;
        failed++;
        ck_assert_msg(status == NS_ERR_MEMORY, "%ld: %s", limit, err.text);
        ck_assert_int_lt(limit, 1000);
    }
    ck_assert_int_gt(failed, 10);
}
#else
TEST(each_allocation_fails_once)
{
    skipped(__func__, "needs glibc and a build without sanitizers");
}
#endif

TEST_TIMEOUT(300)
