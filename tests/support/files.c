/* files.c -- whole files as texts */
#include "files.h"

#include "core/memory.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *library_text(char *text)
{
    ck_assert_ptr_nonnull(text);
    char *copy = ns_malloc(strlen(text) + 1);
    ck_assert_ptr_nonnull(copy);
    strcpy(copy, text);
    free(text);
    return copy;
}

void *test_keep(void *memory)
{
    static void **kept;
    static size_t count;
    if ((count & (count + 1)) == 0) /* room for twice as many */
        kept = realloc(kept, 2 * (count + 1) * sizeof *kept);
    ck_assert_ptr_nonnull(kept);
    return kept[count++] = memory;
}

char *read_whole(const char *path)
{
    char *text = NULL, part[4096];
    size_t size, n;
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "%s cannot be opened", path);
    FILE *out = open_memstream(&text, &size);
    ck_assert_ptr_nonnull(out);
    while ((n = fread(part, 1, sizeof part, file)) > 0)
        ck_assert_uint_eq(fwrite(part, 1, n, out), n);
    ck_assert_int_eq(ferror(file), 0);
    ck_assert_int_eq(fclose(out), 0);
    fclose(file);
    return test_keep(library_text(text));
}

size_t times_in(const char *text, const char *words)
{
    size_t times = 0;
    for (const char *at = text; (at = strstr(at, words)) != NULL; at += strlen(words))
        times++;
    return times;
}
