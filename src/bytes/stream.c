/* stream.c -- the text of a matrix file: plain, gzip, or the right member of a tar archive */
#include "bytes/stream.h"

#include "core/memory.h"

#include <string.h>

void ns_path_stem(const char *path, char *stem, size_t size)
{
    static const char *const endings[] = {".gz", ".tgz", ".tar", ".mtx", ".mm"};
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const size_t ending = strlen(endings[i]);
        size_t same = 0;
        while (length > ending && same < ending && ns_lower(name[length - ending + same]) == endings[i][same])
            same++;
        length -= same == ending ? ending : 0;
    }
    if (length >= size)
        length = size - 1;
    memcpy(stem, name, length);
    stem[length] = '\0';
}

ns_status ns_stream_raw(ns_stream *stream, void *buffer, size_t size, size_t *got, ns_error *err)
{
    size_t ahead = stream->head_end - stream->head_at, more = 0;
    if (ahead > size)
        ahead = size;
    memcpy(buffer, stream->head + stream->head_at, ahead);
    stream->head_at += ahead;
    ns_status status = NS_OK;
    if (ahead < size)
        status = ns_bytes_read(stream->bytes, (unsigned char *)buffer + ahead, size - ahead, &more, err);
    *got = ahead + more;
    return status;
}

ns_status ns_stream_open(const char *path, long *member, ns_stream *stream, ns_error *err)
{
    ns_stream s = {.path = ns_malloc(strlen(path) + 1)};
    if (s.path == NULL)
        return ns_fail_at(err, NS_ERR_MEMORY, path, 0, 0, "not enough memory to open");
    strcpy(s.path, path);
    ns_status status = ns_bytes_open(path, &s.bytes, err);
    if (status == NS_OK)
        status = ns_bytes_read(s.bytes, s.head, sizeof s.head, &s.head_end, err);
    s.tar = status == NS_OK && s.head_end == sizeof s.head && ns_is_tar(s.head);
    if (s.tar)
        status = ns_tar_find(&s, member, err);
    if (status == NS_OK)
        *stream = s;
    else
        ns_stream_close(&s);
    return status;
}

ns_status ns_stream_read(ns_stream *stream, void *buffer, size_t size, size_t *got, ns_error *err)
{
    if (!stream->tar)
        return ns_stream_raw(stream, buffer, size, got, err);
    unsigned char scratch[32 << 10];
    size_t rest, wanted = (int64_t)size < stream->left ? size : (size_t)stream->left;
    NS_TRY(ns_stream_raw(stream, buffer, wanted, got, err));
    stream->left -= (int64_t)*got;
    if (*got < wanted)
        return ns_fail_at(err, NS_ERR_FILE, stream->path, 0, 0, "truncated tar archive: the matrix inside is cut off");
    if (stream->left > 0 || wanted == size || stream->walked)
        return NS_OK;
    stream->walked = true;
    NS_TRY(ns_tar_rest(stream, err));
    do
        NS_TRY(ns_stream_raw(stream, scratch, sizeof scratch, &rest, err));
    while (rest == sizeof scratch);
    return NS_OK;
}

void ns_stream_close(ns_stream *stream)
{
    ns_bytes_close(stream->bytes);
    ns_free(stream->path);
    ns_free(stream->member);
    *stream = (ns_stream){.bytes = NULL};
}
