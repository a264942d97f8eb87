/* foreign.c -- recognise formats that users pass by mistake, by their first bytes */
#include "matrix/market/market.h"

#include <stdbool.h>
#include <string.h>

#include "bytes/bytes.h"

typedef struct magic {
    size_t length;
    const char *bytes, *words;
} magic;

#define MAGIC(text, words)                                                                                             \
    {                                                                                                                  \
        sizeof text - 1, text, words                                                                                   \
    }

static const magic magics[] = {
    MAGIC("BZh", "bzip2 data, which is not read: unpack it with bunzip2"),
    MAGIC("\xfd"
          "7zXZ",
          "xz data, which is not read: unpack it with unxz"),
    MAGIC("\x28\xb5\x2f\xfd", "zstd data, which is not read: unpack it with unzstd"),
    MAGIC("\x1f\x9d", "data of the old compress program, which is not read: unpack it with uncompress"),
    MAGIC("\x1f\x8b", "gzip data inside gzip data: unpack it once"),
    MAGIC("\x04\x22\x4d\x18", "lz4 data, which is not read: unpack it with unlz4"),
    MAGIC("7z\xbc\xaf", "a 7-Zip archive, which is not read: unpack it first"),
    MAGIC("PK\x03\x04", "a zip archive, which is not read: unpack it first"),
    MAGIC("MATLAB ", "a MATLAB .mat file: save the matrix as Matrix Market (mmwrite)"),
    MAGIC("\x89HDF", "an HDF5 or MATLAB 7.3 .mat file: save the matrix as Matrix Market"),
    MAGIC("\x93NUMPY", "a NumPy array: save the matrix as Matrix Market (scipy.io.mmwrite)"),
    MAGIC("\x00\x12\x7b\x50", "a PETSc binary matrix: write it as Matrix Market"),
    MAGIC("\xff\xfe", "UTF-16 text: save it as plain text"),
    MAGIC("\xfe\xff", "UTF-16 text: save it as plain text"),
    MAGIC("\0\0\0\0\0\0\0\0", "it begins with zero bytes: a copy that was not finished, or an empty archive?"),
    MAGIC("version https://git-lfs", "a Git LFS pointer in place of the file: git lfs pull fetches it"),
    MAGIC("%%MatrixMarket+", "Zoltan's \"MatrixMarket+ distributed-matrix\", which is another format"),
};

static bool letter_is(unsigned char c, const char *set)
{
    if (c >= 'a' && c <= 'z')
        c = (unsigned char)(c - 'a' + 'A');
    return c != '\0' && strchr(set, c) != NULL;
}

static bool is_numbers(const unsigned char *at, const unsigned char *end)
{
    bool digit = false;
    for (; at < end; at++) {
        if (*at >= '0' && *at <= '9')
            digit = true;
        else if (strchr(" \t+-.eEdD", *at) == NULL || *at == '\0')
            return false;
    }
    return digit;
}

/* Harwell-Boeing and Rutherford-Boeing: a title, card counts, then a three-letter type and sizes on line 3. */
static bool is_boeing(const unsigned char *at, const unsigned char *end)
{
    for (int line = 1;; line++) {
        const unsigned char *stop = at;
        while (stop < end && *stop != '\n' && *stop != '\r')
            stop++;
        if (stop == end)
            return false;
        if (line == 2 && !is_numbers(at, stop))
            return false;
        if (line == 3)
            return stop - at > 14 && letter_is(at[0], "RCPIQX") && letter_is(at[1], "SUHZR") &&
                   letter_is(at[2], "AE") && is_numbers(at + 3, stop);
        at = stop + (stop[0] == '\r' && stop + 1 < end && stop[1] == '\n' ? 2 : 1);
    }
}

const char *ns_foreign_binary(const unsigned char *head, size_t length)
{
    for (size_t i = 0; i < sizeof magics / sizeof *magics; i++)
        if (length >= magics[i].length && memcmp(head, magics[i].bytes, magics[i].length) == 0)
            return magics[i].words;
    return NULL;
}

const char *ns_foreign(const unsigned char *text, size_t length)
{
    static const char *const page[] = {"<!doctype", "<html", "<?xml", "<head", "<!--"};
    const unsigned char *end = text + length, *at = text;
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n'))
        at++;
    for (size_t i = 0; i < sizeof page / sizeof *page; i++) {
        const unsigned char *c = at;
        const char *word = page[i];
        for (; *word != '\0' && c < end && ns_lower((char)*c) == *word; c++)
            word++;
        if (*word == '\0')
            return "an HTML page saved under a matrix name: a failed download?";
    }
    if (is_boeing(text, end))
        return "a Harwell-Boeing or Rutherford-Boeing file: convert it to Matrix Market";
    /* the first line that is not blank holds numbers only */
    for (at = text; at < end && (*at == '\n' || *at == '\r');)
        at++;
    const unsigned char *stop = at;
    while (stop < end && *stop != '\n' && *stop != '\r')
        stop++;
    if (is_numbers(at, stop))
        return "no %%MatrixMarket banner, only numbers: a headerless edge list, or a METIS or hMETIS graph?";
    return NULL;
}
