/* embed.c -- data files as one C table, so that a moved program needs no data path (build tool)
 *
 *     embed TABLE FILE... > table.c
 *
 * Tables (.tsv) are deflated; the library inflates one into memory of the caller's when it is asked for.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

typedef struct content {
    unsigned char *bytes;
    size_t size, raw; /* raw: bytes before deflating; 0 when they are as in the file */
} content;

static bool is_table(const char *path)
{
    size_t length = strlen(path);
    return length > 4 && strcmp(path + length - 4, ".tsv") == 0;
}

static bool read_file(const char *path, content *c)
{
    FILE *file = fopen(path, "rb");
    size_t room = 0, got = 1;
    while (file != NULL && got > 0) {
        if (c->size == room) {
            room = 2 * room + 65536;
            c->bytes = realloc(c->bytes, room);
            if (c->bytes == NULL)
                break;
        }
        got = fread(c->bytes + c->size, 1, room - c->size, file);
        c->size += got;
    }
    bool whole = file != NULL && c->bytes != NULL && ferror(file) == 0;
    if (!whole)
        perror(path);
    if (file != NULL)
        fclose(file);
    return whole;
}

static bool deflate_whole(content *c)
{
    uLongf size = compressBound((uLong)c->size);
    unsigned char *packed = malloc(size);
    if (packed == NULL || compress2(packed, &size, c->bytes, (uLong)c->size, 9) != Z_OK)
        return false;
    free(c->bytes);
    *c = (content){packed, size, c->size};
    return true;
}

static bool embed(const char *path, int number, content *c)
{
    if (!read_file(path, c) || (is_table(path) && !deflate_whole(c)))
        return false;
    printf("static const unsigned char data_%d[] = {", number);
    for (size_t i = 0; i < c->size; i++)
        printf("%s%d,", i % 32 == 0 ? "\n" : "", c->bytes[i]);
    printf("0};\n");
    free(c->bytes);
    return true;
}

int main(int argc, char **argv)
{
    content *contents = calloc((size_t)argc, sizeof *contents);
    if (contents == NULL || argc < 2)
        return 1;
    printf("#include \"core/embedded.h\"\n");
    for (int i = 2; i < argc; i++)
        if (!embed(argv[i], i, &contents[i]))
            return 1;
    printf("extern const ns_embedded %s[];\nconst ns_embedded %s[] = {\n", argv[1], argv[1]);
    for (int i = 2; i < argc; i++)
        printf("    {\"%s\", data_%d, sizeof data_%d - 1, %zu},\n", argv[i], i, i, contents[i].raw);
    printf("    {0, 0, 0, 0}};\n");
    free(contents);
    return fflush(stdout) != 0;
}
