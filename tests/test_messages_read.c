/* test_messages_read.c -- files of planned messages at the bounds of what a row may be, and places that are no files */
#include "core/memory.h"
#include "pattern/exchange.h"
#include "support/shell.h"
#include "support/test.h"

static void setup(void)
{
    ck_assert_int_eq(chdir(scratch_open()), 0);
}

static void teardown(void)
{
    ck_assert_int_eq(chdir("/"), 0);
    scratch_close();
}

static void write_text(const char *text)
{
    FILE *file = fopen("plan.csv", "wb");
    ck_assert(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
}

static ns_status read_text(const char *text, const ns_limits *limits, ns_planned *first, ns_error *err)
{
    ns_planned *message = NULL;
    size_t count = 7;
    int32_t parts = -7;
    write_text(text);
    const ns_status status = ns_messages_read_within("plan.csv", limits, &message, &count, &parts, err);
    if (status == NS_OK) {
        *first = message[0];
        ck_assert_uint_eq(count, 1);
        ck_assert_int_eq(parts, (first->from > first->to ? first->from : first->to) + 1);
    } else
        ck_assert(message == NULL && count == 7 && parts == -7);
    ns_free(message);
    return status;
}

static const struct {
    const char *text;
    ns_planned message; /* of good ones */
    long line, column;
    const char *words;
} rows[] = {
    {"0,1,1\n", {0, 1, 1}, 0, 0, NULL},
    {"1,0,1", {1, 0, 1}, 0, 0, NULL},
    {"999999999,1,999999999999999\n", {999999999, 1, 999999999999999}, 0, 0, NULL},
    {"1,1999999999,1\n", {1, 1999999999, 1}, 0, 0, NULL},
    {"2147483646,1,1\n", {2147483646, 1, 1}, 0, 0, NULL},
    {"2147483647,1,1\n", {0, 0, 0}, 1, 1, "src wants a part number from 0, got \"2147483647\""},
    {"1,99999999999999999999,1\n", {0, 0, 0}, 1, 3, "dst wants a part number from 0, got \"99999999999999999999\""},
    {"0,1,9007199254740992\n", {0, 1, INT64_C(9007199254740992)}, 0, 0, NULL},
    {"0,1,9007199254740994\n", {0, 0, 0}, 1, 5, "bytes wants a whole number from 1 to 2^53, got \"9007199254740994\""},
    {"0,1,1.5\n", {0, 0, 0}, 1, 5, "bytes wants a whole number from 1 to 2^53, got \"1.5\""},
    {"0,1,0.5KiB\n", {0, 1, 512}, 0, 0, NULL},
    {"0,1,2 s\n", {0, 0, 0}, 1, 5, "bytes wants a size like 4096 or 4KiB, got \"2 s\""},
    {"0,1,\n", {0, 0, 0}, 1, 5, "bytes wants a size like 4096 or 4KiB, got \"\""},
    {",1,5\n", {0, 0, 0}, 1, 1, "src wants a part number from 0, got \"\""},
    {" ,1,5\n", {0, 0, 0}, 1, 2, "src wants a part number from 0, got \"\""},
    {"0, ,5\n", {0, 0, 0}, 1, 4, "dst wants a part number from 0, got \"\""},
    {"0\n", {0, 0, 0}, 1, 2, "dst wants a part number from 0, got \"\""},
    {"0x,1,5\n", {0, 0, 0}, 1, 1, "src wants a part number from 0, got \"0x\""},
    {"\t0 ,\t1\t, 5 \r\n", {0, 1, 5}, 0, 0, NULL},
    {"SRC,DST,BYTES\n0,1,5\n", {0, 1, 5}, 0, 0, NULL},
    {"a,b,c\n0,1,5\n", {0, 0, 0}, 1, 1, "columns \"a,b,c\", wanted src,dst,bytes"},
    {"z\n", {0, 0, 0}, 1, 1, "columns \"z\", wanted src,dst,bytes"},
    {"Z\n", {0, 0, 0}, 1, 1, "columns \"Z\", wanted src,dst,bytes"},
    {"{0,1,5\n", {0, 0, 0}, 1, 1, "src wants a part number from 0, got \"{0\""},
    {"`0,1,5\n", {0, 0, 0}, 1, 1, "src wants a part number from 0, got \"`0\""},
    {"[0,1,5\n", {0, 0, 0}, 1, 1, "src wants a part number from 0, got \"[0\""},
    {"@0,1,5\n", {0, 0, 0}, 1, 1, "src wants a part number from 0, got \"@0\""},
    {"0,1,5\n\nsrc,dst,bytes\n", {0, 0, 0}, 3, 1, "src wants a part number from 0, got \"src\""},
    {"\n# only words\n", {0, 0, 0}, 0, 0, "holds no messages; rows are src,dst,bytes"},
};

TEST_EACH(test_rows, sizeof rows / sizeof *rows)
{
    ns_planned first = {0, 0, 0};
    ns_error err = {0};
    const ns_status status = read_text(rows[_i].text, NULL, &first, &err);
    ck_assert_str_eq(err.text, rows[_i].words != NULL ? rows[_i].words : "");
    ck_assert_int_eq(status == NS_OK, rows[_i].words == NULL);
    ck_assert_int_eq(err.line, rows[_i].line);
    ck_assert_int_eq(err.column, rows[_i].column);
    ck_assert_int_eq(first.from, rows[_i].message.from);
    ck_assert_int_eq(first.to, rows[_i].message.to);
    ck_assert_int_eq(first.bytes, rows[_i].message.bytes);
}

/* A line of 255 characters, its end included, or 254 at the end of the file; one more is too long. */
TEST(test_long_lines)
{
    static const struct {
        int blanks;
        const char *end;
        bool good;
    } lines[] = {{249, "\n", true}, {249, "", true}, {250, "\n", false}, {250, "", false}, {600, "\n", false}};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char text[800];
        ns_planned first = {0, 0, 0};
        ns_error err = {0};
        snprintf(text, sizeof text, "0,1,%*s5%s", lines[i].blanks, "", lines[i].end);
        const ns_status status = read_text(text, NULL, &first, &err);
        ck_assert_msg((status == NS_OK) == lines[i].good, "%d: %s", (int)i, err.text);
        ck_assert_int_eq(first.bytes, lines[i].good ? 5 : 0);
        if (!lines[i].good)
            ck_assert_str_eq(err.text, "a row is src,dst,bytes; this line is too long or holds a zero byte");
    }
}

TEST(test_places)
{
    static const struct {
        const char *path, *words;
    } places[] = {
        {".", "cannot be read (is it a directory?)"}, {"none", "no such file"}, {"plan.csv/x", "cannot be opened"}};
    write_text("0,1,5\n");
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        ns_planned *message = NULL;
        size_t count;
        int32_t parts;
        ns_error err = {0};
        ck_assert_int_eq(ns_messages_read(places[i].path, &message, &count, &parts, &err), NS_ERR_FILE);
        ck_assert_str_eq(err.text, places[i].words);
        ck_assert_str_eq(err.file, places[i].path);
        ck_assert(err.line == 0 && err.column == 0 && message == NULL);
    }
}

TEST_FIXTURE(setup, teardown)
