/* tar.c -- find the matrix in a tar archive (ustar, GNU and pax headers)
 *
 * The public collections distribute NAME.tar.gz with NAME/NAME.mtx and companions: right-hand sides, node names,
 * coordinates. The matrix is the .mtx named like its folder, else the one named like the archive, else the only one.
 * Nothing is written; links are skipped, and so are names that would lead out of the folder in which the archive is
 * unpacked.
 */
#include "bytes/stream.h"
#include "core/memory.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST_NAME = 1024, LISTED = 6 };

typedef struct member {
    char name[LONGEST_NAME];
    int64_t size;
} member;

/* Candidates by priority; the first class that is not empty decides. */
enum claim { LIKE_FOLDER, LIKE_ARCHIVE, IS_MATRIX, CLAIMS };

typedef struct choice {
    long count[CLAIMS], first[CLAIMS];
    char names[CLAIMS][320];
} choice;

static uint64_t number(const unsigned char *field, size_t size)
{
    uint64_t value = 0;
    if ((field[0] & 0x80) != 0) { /* base 256, for sizes above 8 GiB */
        for (size_t i = 1; i < size; i++)
            value = value << 8 | field[i];
        return value;
    }
    for (size_t i = 0; i < size && field[i] != '\0'; i++)
        if (field[i] >= '0' && field[i] <= '7')
            value = value << 3 | (uint64_t)(field[i] - '0');
    return value;
}

bool ns_is_tar(const unsigned char block[NS_TAR_BLOCK])
{
    uint64_t sum = 0;
    for (size_t i = 0; i < NS_TAR_BLOCK; i++)
        sum += i >= 148 && i < 156 ? ' ' : block[i];
    return block[0] != '\0' && sum == number(block + 148, 8);
}

static ns_status truncated(const ns_stream *stream, ns_error *err)
{
    return ns_fail_at(err, NS_ERR_FILE, stream->path, 0, 0, "truncated tar archive");
}

static ns_status skip(ns_stream *stream, int64_t size, ns_error *err)
{
    unsigned char scratch[16 << 10];
    while (size > 0) {
        size_t got, wanted = size < (int64_t)sizeof scratch ? (size_t)size : sizeof scratch;
        NS_TRY(ns_stream_raw(stream, scratch, wanted, &got, err));
        if (got < wanted)
            return truncated(stream, err);
        size -= (int64_t)got;
    }
    return NS_OK;
}

static int64_t padded(int64_t size)
{
    return (size + NS_TAR_BLOCK - 1) / NS_TAR_BLOCK * NS_TAR_BLOCK;
}

/* pax records are "LENGTH KEY=VALUE\n". */
static void apply_pax(const char *text, member *m)
{
    for (const char *line = text; *line != '\0';) {
        const char *end = strchr(line, '\n'), *key = strchr(line, ' ');
        if (end == NULL || key == NULL || key > end)
            return;
        key++;
        if (strncmp(key, "path=", 5) == 0)
            snprintf(m->name, sizeof m->name, "%.*s", (int)(end - key - 5), key + 5);
        if (strncmp(key, "size=", 5) == 0) {
            m->size = 0;
            for (const char *c = key + 5; c < end && *c >= '0' && *c <= '9' && m->size < INT64_MAX / 100; c++)
                m->size = 10 * m->size + (*c - '0');
        }
        line = end + 1;
    }
}

/* Read headers up to the next ordinary file; *found is false at the end of the archive. */
static ns_status next_member(ns_stream *stream, member *m, bool *found, ns_error *err)
{
    unsigned char block[NS_TAR_BLOCK];
    char text[LONGEST_NAME];
    size_t got;
    *found = false;
    *m = (member){.size = -1};
    for (;;) {
        NS_TRY(ns_stream_raw(stream, block, sizeof block, &got, err));
        if (got == 0 || (got == sizeof block && block[0] == '\0'))
            return NS_OK;
        if (got < sizeof block)
            return truncated(stream, err);
        uint64_t size = number(block + 124, 12);
        if (!ns_is_tar(block) || size > INT64_MAX / 2)
            return ns_fail_at(err, NS_ERR_FILE, stream->path, 0, 0, "damaged tar archive: a header does not add up");
        if (block[156] == 'L' || block[156] == 'x') {
            const size_t wanted = size < sizeof text - 1 ? (size_t)size : sizeof text - 1;
            NS_TRY(ns_stream_raw(stream, text, wanted, &got, err));
            if (got < wanted)
                return truncated(stream, err);
            text[got] = '\0';
            NS_TRY(skip(stream, padded((int64_t)size) - (int64_t)got, err));
            if (block[156] == 'x')
                apply_pax(text, m);
            else
                memcpy(m->name, text, sizeof text);
        } else if (block[156] == '0' || block[156] == '\0' || block[156] == '7') {
            const bool split = memcmp(block + 257, "ustar\0", 6) == 0 && block[345] != '\0'; /* GNU has no prefix */
            if (m->name[0] == '\0')
                snprintf(m->name, sizeof m->name, "%.155s%s%.100s", split ? (const char *)block + 345 : "",
                         split ? "/" : "", (const char *)block);
            m->size = m->size < 0 ? (int64_t)size : m->size;
            *found = true;
            return NS_OK;
        } else {
            NS_TRY(skip(stream, padded((int64_t)size), err));
            *m = (member){.size = -1};
        }
    }
}

/* "/etc/a.mtx", "../a.mtx", "a/../../a.mtx" */
static bool leads_out(const char *name)
{
    for (const char *at = name; at != NULL; at = strchr(at, '/') != NULL ? strchr(at, '/') + 1 : NULL)
        if (at[0] == '.' && at[1] == '.' && (at[2] == '/' || at[2] == '\0'))
            return true;
    return name[0] == '/';
}

/* True when the member is certain: NAME/NAME.mtx in NAME.tar.gz. */
static bool consider(choice *c, const char *archive, const char *name, long ordinal)
{
    char stem[LONGEST_NAME];
    size_t length = strlen(name);
    if (length < 4 || memcmp(name + length - 4, ".mtx", 4) != 0 || leads_out(name))
        return false;
    ns_path_stem(name, stem, sizeof stem);
    const char *slash = strrchr(name, '/'), *above = name; /* the folder's own name */
    for (const char *at = name; slash != NULL && at < slash; at++)
        above = *at == '/' ? at + 1 : above;
    const size_t own = strlen(stem);
    const bool claims[CLAIMS] = {
        [LIKE_FOLDER] = slash != NULL && (size_t)(slash - above) == own && memcmp(above, stem, own) == 0,
        [LIKE_ARCHIVE] = strcmp(stem, archive) == 0,
        [IS_MATRIX] = true,
    };
    for (int kind = 0; kind < CLAIMS; kind++) {
        if (claims[kind] && c->count[kind]++ == 0)
            c->first[kind] = ordinal;
        const size_t used = strlen(c->names[kind]);
        if (claims[kind] && c->count[kind] <= LISTED)
            snprintf(c->names[kind] + used, sizeof c->names[kind] - used, "%s\"%s\"", used > 0 ? ", " : "", name);
    }
    return claims[LIKE_FOLDER] && claims[LIKE_ARCHIVE];
}

/* Read the archive until the member is certain, or to its end; then restart and stop at the chosen one. */
static ns_status choose(ns_stream *stream, long *chosen, bool *standing_there, member *m, ns_error *err)
{
    char archive[LONGEST_NAME];
    choice c = {.count = {0}};
    bool found = true;
    ns_path_stem(stream->path, archive, sizeof archive);
    *standing_there = false;
    for (long ordinal = 0;; ordinal++) {
        NS_TRY(next_member(stream, m, &found, err));
        if (!found) {
            for (int kind = 0; kind < CLAIMS; kind++) {
                if (c.count[kind] == 1) {
                    *chosen = c.first[kind];
                    return NS_OK;
                }
                if (c.count[kind] > 1)
                    return ns_fail_at(err, NS_ERR_NAME, stream->path, 0, 0,
                                      "%ld matrices in the archive, wanted one: %s%s", c.count[kind], c.names[kind],
                                      c.count[kind] > LISTED ? ", ..." : "");
            }
            return ns_fail_at(err, NS_ERR_DATA, stream->path, 0, 0, "no .mtx file in the archive");
        }
        *chosen = ordinal;
        *standing_there = consider(&c, archive, m->name, ordinal);
        if (*standing_there)
            return NS_OK;
        NS_TRY(skip(stream, padded(m->size), err));
    }
}

ns_status ns_tar_find(ns_stream *stream, long *member_wanted, ns_error *err)
{
    member m;
    bool found = false;
    long wanted = *member_wanted;
    if (wanted < 0) {
        NS_TRY(choose(stream, &wanted, &found, &m, err));
        if (!found) { /* restart at the first byte */
            ns_bytes *again;
            NS_TRY(ns_bytes_open(stream->path, &again, err));
            ns_bytes_close(stream->bytes);
            stream->bytes = again;
            stream->head_at = 0;
            NS_TRY(ns_bytes_read(again, stream->head, sizeof stream->head, &stream->head_end, err));
        }
    }
    for (long ordinal = 0; !found; ordinal++) {
        NS_TRY(next_member(stream, &m, &found, err));
        if (!found)
            return ns_fail_at(err, NS_ERR_FILE, stream->path, 0, 0, "the archive has changed since it was opened");
        found = ordinal == wanted;
        if (!found)
            NS_TRY(skip(stream, padded(m.size), err));
    }
    char *name = ns_malloc(strlen(m.name) + 1);
    if (name == NULL)
        return ns_fail_at(err, NS_ERR_MEMORY, stream->path, 0, 0, "not enough memory to open");
    ns_free(stream->member);
    stream->member = strcpy(name, m.name);
    stream->left = m.size;
    stream->padding = padded(m.size) - m.size;
    *member_wanted = wanted;
    return NS_OK;
}

/* Of two members with one name, unpacking would keep the last and reading takes the first: neither is certainly
 * right. */
ns_status ns_tar_rest(ns_stream *stream, ns_error *err)
{
    member m;
    bool found = true;
    int64_t size = stream->padding;
    while (found) {
        NS_TRY(skip(stream, size, err));
        NS_TRY(next_member(stream, &m, &found, err));
        if (found && strcmp(m.name, stream->member) == 0)
            return ns_fail_at(err, NS_ERR_NAME, stream->path, 0, 0, "two members of the archive are called \"%.200s\"",
                              m.name);
        size = found ? padded(m.size) : 0;
    }
    return NS_OK;
}
