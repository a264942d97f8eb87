/* text_file.c -- a whole file as text */
#include "io/text_file.h"

#include <string.h>

#include "core/memory.h"

ns_status ns_text_read(FILE *file, const char *path, size_t most, const char *what, char **to, ns_error *err)
{
    char *text = NULL;
    size_t size = 0, capacity = 0;
    do {
        if (size + 65536 > capacity) {
            capacity = 2 * capacity + 65537;
            const bool fits = size < most;
            char *grown = fits ? ns_realloc(text, capacity) : NULL;
            if (grown == NULL) {
                ns_free(text);
                return fits ? ns_no_memory(err) : ns_fail_at(err, NS_ERR_LIMIT, path, 0, 0, "too large for %s", what);
            }
            text = grown;
        }
        size += fread(text + size, 1, capacity - size - 1, file);
    } while (!feof(file) && !ferror(file));
    text[size] = '\0';
    const ns_status status =
        ferror(file)           ? ns_fail_at(err, NS_ERR_FILE, path, 0, 0, "cannot be read (is it a directory?)")
        : strlen(text) != size ? ns_fail_at(err, NS_ERR_SYNTAX, path, 0, 0, "holds zero bytes: not %s", what)
                               : NS_OK;
    if (status == NS_OK)
        *to = text;
    else
        ns_free(text);
    return status;
}
