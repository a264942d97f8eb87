/* test_foreign.c -- what a text is that is no Matrix Market file, told from its first lines; and what is not told */
#include "matrix/market/market.h"
#include "support/test.h"

#define PAGE    "an HTML page saved under a matrix name: a failed download?"
#define BOEING  "a Harwell-Boeing or Rutherford-Boeing file: convert it to Matrix Market"
#define NUMBERS "no %%MatrixMarket banner, only numbers: a headerless edge list, or a METIS or hMETIS graph?"

#define TEXT(text) text, sizeof text - 1

static const struct {
    const char *text;
    size_t length;
    const char *words; /* NULL: nothing is recognised */
} texts[] = {
    {TEXT(""), NULL},
    {TEXT(" "), NULL},
    {TEXT("\n\r\n"), NULL},
    {TEXT("<!doctype html>"), PAGE},
    {TEXT(" \t\r\n<HTML lang=en>"), PAGE},
    {TEXT("<?xml version='1.0'?>"), PAGE},
    {TEXT("<head>"), PAGE},
    {TEXT("<!-- a page -->"), PAGE},
    {TEXT("<hea"), NULL},
    {TEXT("<h\0ad>"), NULL},
    {TEXT("<!-"), NULL},
    {TEXT("<body>"), NULL},
    /* a title, card counts, type and sizes */
    {TEXT("title\n 1 2 3\nRUA            10  20 30\n"), BOEING},
    {TEXT("title\r\n 1 2 3\r\nPSE            10  20 30\r\n"), BOEING},
    {TEXT("title\r 1 2 3\rcza            10  20 30\r"), BOEING},
    {TEXT("title\n 1 2 3\nRUA            10  20 3x\n"), NULL},
    {TEXT("title\n 1 2 3\nXUA            10  20 30\n"), BOEING},
    {TEXT("title\n 1 2 3\nBUA            10  20 30\n"), NULL},
    {TEXT("title\n 1 2 3\nRBA            10  20 30\n"), NULL},
    {TEXT("title\n 1 2 3\nRUX            10  20 30\n"), NULL},
    {TEXT("title\n 1 2 3\nRUA 10 20 3\n"), NULL}, /* too short: 11 */
    {TEXT("title\n 1 2 3\nRUA  10 20 30  \n"), BOEING},
    {TEXT("title\n 1 2 3\nRUA  10 20 30 \n"), NULL},
    {TEXT("title\n 1 b 3\nRUA            10  20 30\n"), NULL},
    {TEXT("title\n     \nRUA            10  20 30\n"), NULL},
    {TEXT("title\n 1 2 3\nRUA            10  20 30"), NULL}, /* cut */
    {TEXT("title\r"), NULL},
    /* numbers */
    {TEXT("1 2\n"), NUMBERS},
    {TEXT("1 2"), NUMBERS},
    {TEXT("\n\r\r\n 3 -4.5e+3\t1D2\r"), NUMBERS},
    {TEXT("1 2\0"), NULL},
    {TEXT("1 2 a\n"), NULL},
    {TEXT("+ - .\n"), NULL},
    {TEXT("a\n1 2\n"), NULL},
};

TEST_EACH(recognised, sizeof texts / sizeof *texts)
{
    const char *words = ns_foreign((const unsigned char *)texts[_i].text, texts[_i].length);
    ck_assert_msg((words == NULL) == (texts[_i].words == NULL), "\"%s\": %s", texts[_i].text,
                  words != NULL ? words : "nothing");
    ck_assert(words == NULL || strcmp(words, texts[_i].words) == 0);
}

TEST(bytes)
{
    static const struct {
        const char *head;
        size_t length;
        const char *words; /* their beginning, or NULL */
    } rows[] = {{TEXT("BZh9"), "bzip2 data"},      {TEXT("BZ"), NULL},
                {TEXT("\x1f\x8b"), "gzip data"},   {TEXT("\x1f"), NULL},
                {TEXT("PK\x03\x04x"), "a zip"},    {TEXT("PK\x03"), NULL},
                {TEXT("\x93NUMPY"), "a NumPy"},    {TEXT("%%MatrixMarket "), NULL},
                {TEXT("\xff\xfe"), "UTF-16 text"}, {TEXT(""), NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *words = ns_foreign_binary((const unsigned char *)rows[i].head, rows[i].length);
        ck_assert((words == NULL) == (rows[i].words == NULL));
        ck_assert(words == NULL || strncmp(words, rows[i].words, strlen(rows[i].words)) == 0);
    }
}
