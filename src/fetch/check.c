/* check.c -- is a gzip file whole?  zlib compares CRC-32 and length of every member with what it unpacked */
#include "core/memory.h"
#include "fetch/fetch.h"

#include <string.h>
#include <sys/stat.h>

#include <zlib.h>

static ns_status read_all(gzFile file, const char *path, int64_t size, ns_fetch_fn *tell, void *context, ns_error *err)
{
    enum { PIECE = 1 << 18 };
    char *piece = ns_malloc(PIECE);
    int got = piece != NULL ? 1 : 0, code;
    while (got > 0) {
        got = gzread(file, piece, PIECE);
        if (tell != NULL)
            tell(context, (int64_t)gzoffset(file), size);
    }
    const char *words = gzerror(file, &code);
    const size_t length = strlen(path);
    if (strncmp(words, path, length) == 0 && words[length] == ':')
        words += length + 2;
    ns_free(piece);
    if (piece == NULL)
        return ns_no_memory(err);
    return got == 0 && code == Z_OK ? NS_OK : ns_fail_at(err, NS_ERR_DATA, path, 0, 0, "damaged gzip data: %s", words);
}

ns_status ns_fetch_check(const char *path, ns_fetch_fn *tell, void *context, ns_error *err)
{
    struct stat facts;
    gzFile file = gzopen(path, "rb");
    if (file == NULL)
        return ns_fail_at(err, NS_ERR_FILE, path, 0, 0, "cannot be opened");
    ns_status status = read_all(file, path, stat(path, &facts) == 0 ? (int64_t)facts.st_size : 0, tell, context, err);
    gzclose(file);
    return status;
}
