/* whole_file.c -- files that appear whole or not at all: written beside their place, then renamed
 *
 * A device, pipe or link keeps its place and is written into: a rename would put a file where /dev/null was.
 */
#define _XOPEN_SOURCE 700 /* lstat */

#include "report/whole_file.h"

#include <sys/stat.h>

ns_status ns_whole_file_begin(const char *path, ns_whole_file *whole, ns_error *err)
{
    struct stat place;
    whole->path = path;
    if (stat(path, &place) == 0 && S_ISDIR(place.st_mode))
        return ns_fail_at(err, NS_ERR_FILE, path, 0, 0, "is a folder");
    whole->in_place = lstat(path, &place) == 0 && !S_ISREG(place.st_mode);
    const char *ending = whole->in_place ? "" : ".new";
    if (snprintf(whole->beside, sizeof whole->beside, "%s%s", path, ending) >= (int)sizeof whole->beside)
        return ns_fail_at(err, NS_ERR_FILE, path, 0, 0, "the name is too long");
    whole->file = fopen(whole->beside, "wb");
    return whole->file != NULL ? NS_OK : ns_fail_at(err, NS_ERR_FILE, path, 0, 0, "cannot be created");
}

ns_status ns_whole_file_end(ns_whole_file *whole, ns_status status, ns_error *err)
{
    const int failed = ferror(whole->file);
    if ((fclose(whole->file) != 0 || failed) && status == NS_OK)
        status = ns_fail_at(err, NS_ERR_FILE, whole->path, 0, 0, "could not be written");
    if (whole->in_place)
        return status;
    if (status == NS_OK && rename(whole->beside, whole->path) != 0)
        status = ns_fail_at(err, NS_ERR_FILE, whole->path, 0, 0, "could not be written");
    if (status != NS_OK)
        remove(whole->beside);
    return status;
}
