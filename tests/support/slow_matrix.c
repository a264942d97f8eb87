/* slow_matrix.c -- the whole file in memory, cut into lines, cut into words, every number through strtoll */
#include "slow_matrix.h"

#include "core/memory.h"

#include <check.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { WORDS = 8 };

ns_status entry_list_receive(void *context, const ns_entry *entries, size_t count, ns_error *err)
{
    entry_list *list = context;
    (void)err;
    if (list->count + count > list->room) {
        list->room = 2 * list->room + count;
        list->at = ns_realloc(list->at, list->room * sizeof *list->at);
        if (list->at == NULL)
            ck_abort_msg("not enough memory");
    }
    memcpy(list->at + list->count, entries, count * sizeof *entries);
    list->count += count;
    return NS_OK;
}

void entry_list_free(entry_list *list)
{
    ns_free(list->at);
    *list = (entry_list){.at = NULL};
}

char *slow_bytes(const char *path, size_t *size)
{
    gzFile file = gzopen(path, "rb");
    ck_assert_msg(file != NULL, "%s", path);
    size_t room = 1 << 16;
    char *text = ns_malloc(room);
    int got;
    for (*size = 0; (got = gzread(file, text + *size, (unsigned)(room - *size - 1))) > 0;) {
        *size += (size_t)got;
        if (*size + 1 == room)
            text = ns_realloc(text, room *= 2);
        ck_assert_ptr_nonnull(text);
    }
    ck_assert_int_eq(got, 0);
    gzclose(file);
    text[*size] = '\0';
    return text;
}

/* In a tar archive, the member NAME/NAME.mtx, moved to the beginning of the text. */
static void take_member(char *text, size_t size)
{
    if (size < 512 || memcmp(text + 257, "ustar", 5) != 0)
        return;
    for (size_t at = 0; at + 512 <= size && text[at] != '\0';) {
        size_t length = strtoul(text + at + 124, NULL, 8);
        char *slash = strchr(text + at, '/'), name[256];
        ck_assert_ptr_nonnull(slash);
        snprintf(name, sizeof name, "%.*s.mtx", (int)(slash - (text + at)), text + at);
        if (strcmp(slash + 1, name) == 0) {
            memmove(text, text + at + 512, length);
            text[length] = '\0';
            return;
        }
        at += 512 + (length + 511) / 512 * 512;
    }
    ck_abort_msg("no matrix in the archive");
}

/* Cut the next line with anything on it into words; comments count when wanted.  0 at the end. */
static int next_words(char **at, char *word[WORDS], bool comments)
{
    while (**at != '\0') {
        char *line = *at, *end = line + strcspn(line, "\r\n");
        *at = *end != '\0' ? end + 1 : end;
        *end = '\0';
        int count = 0;
        for (char *rest = line, *w; count < WORDS && (w = strtok_r(rest, " \t", &rest)) != NULL;)
            word[count++] = w;
        if (count > 0 && (comments || word[0][0] != '%'))
            return count;
    }
    return 0;
}

static int64_t whole(const char *word)
{
    char *end;
    long long value = strtoll(word, &end, 10);
    if (*end != '\0')
        ck_abort_msg("\"%s\" is no whole number", word);
    return value;
}

static void put(slow_matrix *m, int64_t row, int64_t col, bool mirror)
{
    ns_entry pair[2] = {{row, col}, {col, row}};
    entry_list_receive(&m->entries, pair, mirror && row != col ? 2 : 1, NULL);
    m->stored++;
}

static void read_coordinates(slow_matrix *m, char *at, bool vector, bool mirror)
{
    char *word[WORDS];
    while (next_words(&at, word, false) > 0)
        put(m, whole(word[0]) - 1, vector ? 0 : whole(word[1]) - 1, mirror);
}

static void read_array(slow_matrix *m, char *at, bool mirror, bool skew)
{
    char *word[WORDS];
    for (int64_t col = 0; col < m->cols; col++)
        for (int64_t row = mirror ? col + skew : 0; row < m->rows; row++) {
            if (next_words(&at, word, false) == 0)
                ck_abort_msg("the array ends early");
            put(m, row, col, mirror);
        }
    ck_assert_int_eq(next_words(&at, word, false), 0);
}

void slow_matrix_read(const char *path, slow_matrix *matrix)
{
    size_t size;
    char *text = slow_bytes(path, &size), *at = text, *banner[WORDS], *sizes[WORDS];
    *matrix = (slow_matrix){.cols = 1};
    take_member(text, size);
    ck_assert_int_ge(next_words(&at, banner, true), 5);
    for (int i = 0; i < 5; i++)
        for (char *c = banner[i]; *c != '\0'; c++)
            *c = (char)tolower((unsigned char)*c);
    bool vector = strcmp(banner[1], "vector") == 0, array = strcmp(banner[2], "array") == 0;
    bool mirror = strcmp(banner[4], "general") != 0, skew = strncmp(banner[4], "skew", 4) == 0;
    int numbers = next_words(&at, sizes, false);
    ck_assert_int_eq(numbers, 3 - vector - array);
    matrix->rows = whole(sizes[0]);
    if (!vector)
        matrix->cols = whole(sizes[1]);
    if (array)
        read_array(matrix, at, mirror, skew);
    else
        read_coordinates(matrix, at, vector, mirror);
    if (!array)
        ck_assert_int_eq(matrix->stored, whole(sizes[numbers - 1]));
    ns_free(text);
}
