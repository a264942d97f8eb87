/* whole_file.c -- files that appear whole or not at all: written beside their place, then renamed
 *
 * A renaming puts a file in the place of whatever was there, a link or /dev/null too: so links are followed first, and
 * devices and pipes are never renamed over.
 */
#define _XOPEN_SOURCE 700 /* realpath */

#include "io/whole_file.h"

#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>

/* Where path leads; path itself where nothing is yet. */
static bool follow_links(const char *path, char place[4096])
{
    char *real = realpath(path, NULL);
    const bool fits = snprintf(place, 4096, "%s", real != NULL ? real : path) < 4096;
    free(real);
    return fits;
}

static ns_status open_beside(ns_whole_file *whole, ns_error *err)
{
    if (!follow_links(whole->path, whole->place) ||
        snprintf(whole->beside, sizeof whole->beside, "%s.new", whole->place) >= (int)sizeof whole->beside)
        return ns_fail_at(err, NS_ERR_FILE, whole->path, 0, 0, "the name is too long");
    whole->file = fopen(whole->beside, "wb");
    return whole->file != NULL ? NS_OK : ns_fail_at(err, NS_ERR_FILE, whole->path, 0, 0, "cannot be created");
}

ns_status ns_whole_file_begin(const char *path, ns_whole_file *whole, ns_error *err)
{
    struct stat there;
    whole->path = path;
    if (stat(path, &there) == 0 && S_ISDIR(there.st_mode))
        return ns_fail_at(err, NS_ERR_FILE, path, 0, 0, "is a folder");
    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode))
        return ns_fail_at(err, NS_ERR_FILE, path, 0, 0, "is a device or a pipe, wanted a file");
    return open_beside(whole, err);
}

ns_status ns_whole_output_begin(const char *path, ns_whole_file *whole, ns_error *err)
{
    struct stat there;
    if (stat(path, &there) != 0 || S_ISREG(there.st_mode) || S_ISDIR(there.st_mode))
        return ns_whole_file_begin(path, whole, err);
    *whole = (ns_whole_file){.path = path, .file = fopen(path, "wb")};
    return whole->file != NULL ? NS_OK : ns_fail_at(err, NS_ERR_FILE, path, 0, 0, "cannot be opened for writing");
}

ns_status ns_whole_file_end(ns_whole_file *whole, ns_status status, ns_error *err)
{
    const bool failed = ferror(whole->file) != 0, direct = whole->beside[0] == '\0';
    if ((fclose(whole->file) != 0 || failed) && status == NS_OK)
        status = ns_fail_at(err, NS_ERR_FILE, whole->path, 0, 0, "could not be written");
    if (status == NS_OK && !direct && rename(whole->beside, whole->place) != 0)
        status = ns_fail_at(err, NS_ERR_FILE, whole->path, 0, 0, "could not be written");
    if (status != NS_OK && !direct)
        remove(whole->beside);
    return status;
}
