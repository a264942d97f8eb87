/* reader.c -- the oracle's own reader of Matrix Market files: the whole file in memory, a line at a time
 *
 * Plain text, gzip of it, or a gzip of a tar archive whose member NAME/NAME.mtx is wanted.  Values are not read.
 */
#include "core/memory.h"
#include "oracle.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

typedef struct text {
    char *next, *end;
} text;

static char *slurp(const char *path, size_t *size)
{
    gzFile file = gzopen(path, "rb");
    if (file == NULL)
        return NULL;
    size_t room = 1 << 16;
    char *bytes = ns_malloc(room + 1);
    *size = 0;
    int got;
    while ((got = gzread(file, bytes + *size, (unsigned)(room - *size < 1 << 20 ? room - *size : 1 << 20))) > 0) {
        *size += (size_t)got;
        if (*size == room)
            bytes = ns_realloc(bytes, (room *= 2) + 1);
    }
    gzclose(file);
    bytes[*size] = '\0';
    return bytes;
}

/* Member "NAME/NAME.mtx" of a tar archive, or the first that ends in .mtx. */
static bool is_matrix_member(const char *name)
{
    char folder[128], file[128];
    return sscanf(name, "%127[^/]/%127[^.].mtx", folder, file) == 2 && strcmp(folder, file) == 0;
}

static text find_text(char *bytes, size_t size)
{
    if (size < 512 || memcmp(bytes + 257, "ustar", 5) != 0)
        return (text){bytes, bytes + size};
    for (size_t at = 0; at + 512 <= size && bytes[at] != '\0';) {
        char name[101] = "", octal[13] = "";
        memcpy(name, bytes + at, 100);
        memcpy(octal, bytes + at + 124, 12);
        size_t length = strtoul(octal, NULL, 8);
        if (is_matrix_member(name) && at + 512 + length <= size)
            return (text){bytes + at + 512, bytes + at + 512 + length};
        at += 512 + (length + 511) / 512 * 512;
    }
    return (text){bytes, bytes};
}

/* The next line that holds something else than blanks or a comment, ended by a zero; NULL at the end. */
static char *next_line(text *input, bool comments)
{
    while (input->next < input->end) {
        char *line = input->next;
        char *stop = memchr(line, '\n', (size_t)(input->end - line));
        if (stop == NULL)
            stop = input->end;
        input->next = stop + 1;
        *stop = '\0';
        while (isspace((unsigned char)*line))
            line++;
        if (*line != '\0' && (comments || *line != '%'))
            return line;
    }
    return NULL;
}

typedef struct header {
    bool vector, array, symmetric, skew;
} header;

static bool one_of(const char *word, const char *const *words)
{
    for (; *words != NULL; words++)
        if (strcmp(word, *words) == 0)
            return true;
    return false;
}

static bool read_banner(text *input, header *head)
{
    static const char *const fields[] = {"real", "double", "complex", "integer", "unsigned-integer", "pattern", NULL};
    static const char *const symmetries[] = {"general", "symmetric", "skew-symmetric", "hermitian", NULL};
    char word[5][32] = {"", "", "", "", ""};
    char *line = next_line(input, true);
    if (line == NULL || strlen(line) > 200 ||
        sscanf(line, "%31s %31s %31s %31s %31s", word[0], word[1], word[2], word[3], word[4]) != 5)
        return false;
    for (int i = 0; i < 5; i++)
        for (char *c = word[i]; *c != '\0'; c++)
            *c = (char)tolower((unsigned char)*c);
    head->vector = strcmp(word[1], "vector") == 0;
    head->array = strcmp(word[2], "array") == 0;
    head->skew = strcmp(word[4], "skew-symmetric") == 0;
    head->symmetric = strcmp(word[4], "general") != 0;
    const char *first = word[0][0] == '%' && word[0][1] == '%' ? word[0] + 1 : word[0]; /* one % is seen, too */
    return strcmp(first, "%matrixmarket") == 0 && (head->vector || strcmp(word[1], "matrix") == 0) &&
           (head->array || strcmp(word[2], "coordinate") == 0) && one_of(word[3], fields) &&
           one_of(word[4], symmetries);
}

typedef struct entries {
    int64_t count, *row, *col;
} entries;

static void put(entries *list, int64_t row, int64_t col, bool both)
{
    list->row[list->count] = row;
    list->col[list->count++] = col;
    if (both && row != col)
        put(list, col, row, false);
}

/* Arrays go column by column; of symmetric ones only the lower triangle is there, of skew ones without the diagonal. */
static bool read_array(text *input, const header *head, int64_t rows, int64_t cols, entries *list)
{
    for (int64_t col = 0; col < cols; col++)
        for (int64_t row = !head->symmetric ? 0 : head->skew ? col + 1 : col; row < rows; row++) {
            if (next_line(input, false) == NULL)
                return false;
            put(list, row, col, head->symmetric);
        }
    return next_line(input, false) == NULL;
}

static bool read_coordinates(text *input, const header *head, int64_t rows, int64_t cols, int64_t stored, entries *list)
{
    for (int64_t i = 0; i < stored; i++) {
        char *line = next_line(input, false), *rest;
        if (line == NULL)
            return false;
        int64_t row = strtoll(line, &rest, 10);
        int64_t col = head->vector ? 1 : strtoll(rest, NULL, 10);
        if (row < 1 || row > rows || col < 1 || col > cols)
            return false;
        put(list, row - 1, col - 1, head->symmetric);
    }
    return next_line(input, false) == NULL;
}

static bool read_body(text *input, const header *head, oracle_matrix *matrix)
{
    char *line = next_line(input, false);
    long long size[3] = {0, 0, 0};
    int wanted = (head->vector ? 1 : 2) + !head->array;
    if (line == NULL || strlen(line) > 200 || sscanf(line, "%lld %lld %lld", &size[0], &size[1], &size[2]) != wanted)
        return false;
    int64_t rows = size[0], cols = head->vector ? 1 : size[1], stored = head->array ? rows * cols : size[wanted - 1];
    if (rows < 0 || cols < 0 || stored < 0 || rows > 100000000 || cols > 100000000 || stored > 100000000)
        return false;
    entries list = {0, oracle_alloc(2 * stored, sizeof(int64_t)), oracle_alloc(2 * stored, sizeof(int64_t))};
    bool good = head->array ? read_array(input, head, rows, cols, &list)
                            : read_coordinates(input, head, rows, cols, stored, &list);
    if (good)
        oracle_from_entries(rows, cols, list.count, list.row, list.col, matrix);
    ns_free(list.row);
    ns_free(list.col);
    return good;
}

bool oracle_read(const char *path, oracle_matrix *matrix)
{
    size_t size;
    char *bytes = slurp(path, &size);
    if (bytes == NULL)
        return false;
    text input = find_text(bytes, size);
    for (char *c = input.next; c < input.end; c++)
        if (*c == '\r')
            *c = '\n'; /* blank lines do not count, so every kind of line end works */
    header head;
    bool good = read_banner(&input, &head) && read_body(&input, &head, matrix);
    ns_free(bytes);
    return good;
}
