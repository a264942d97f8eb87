/* links.c -- where a name leads that is to be written
 *
 * Links are followed one by one, not by realpath: a link to what is not there yet is kept as well, and /dev/stdout
 * leads to a descriptor of this process and not to the file that happens to be open there, whose other writers share
 * its position.
 */
#define _XOPEN_SOURCE 700 /* S_ISVTX */

#include "io/links.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

const char *ns_place_split(const char *path, char folder[NS_PLACE])
{
    const char *slash = strrchr(path, '/');
    if (slash == NULL)
        snprintf(folder, NS_PLACE, ".");
    else
        snprintf(folder, NS_PLACE, "%.*s", (int)(slash - path) + 1, path);
    return slash != NULL ? slash + 1 : path;
}

/* N of /proc/self/fd/N and /dev/fd/N; -1 of any other name. */
static int descriptor_of(const char *path)
{
    static const char *const folders[] = {"/proc/self/fd/", "/dev/fd/"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        const size_t length = strlen(folders[i]);
        const char *digit = path + length;
        int number = 0;
        if (strncmp(path, folders[i], length) != 0 || *digit == '\0' || strlen(digit) > 6)
            continue;
        while (*digit >= '0' && *digit <= '9')
            number = 10 * number + (*digit++ - '0');
        if (*digit == '\0')
            return number;
    }
    return -1;
}

/* As the kernel does where it protects links (fs.protected_symlinks), which readlink goes round. */
static bool is_trap(const char *path, const struct stat *link)
{
    char folder[NS_PLACE];
    struct stat above;
    (void)ns_place_split(path, folder);
    return stat(folder, &above) == 0 && (above.st_mode & (S_ISVTX | S_IWOTH)) == (S_ISVTX | S_IWOTH) &&
           link->st_uid != geteuid() && link->st_uid != above.st_uid;
}

/* The name that the link at path holds, put in path's place. */
static bool follow(char path[NS_PLACE])
{
    char to[NS_PLACE], joined[2 * NS_PLACE];
    const ssize_t length = readlink(path, to, sizeof to - 1);
    if (length <= 0 || length >= (ssize_t)sizeof to - 1)
        return false;
    to[length] = '\0';
    const char *slash = strrchr(path, '/');
    const int above = *to != '/' && slash != NULL ? (int)(slash - path) + 1 : 0;
    snprintf(joined, sizeof joined, "%.*s%s", above, path, to);
    return snprintf(path, NS_PLACE, "%s", joined) < NS_PLACE;
}

static ns_status follow_all(const char *path, ns_place *place, ns_error *err)
{
    enum { MOST = 40 };
    struct stat there;
    for (int links = 0; links <= MOST; links++) {
        place->descriptor = descriptor_of(place->path);
        if (place->descriptor >= 0 || lstat(place->path, &there) != 0 || !S_ISLNK(there.st_mode))
            return NS_OK;
        if (is_trap(place->path, &there))
            return ns_fail_at(err, NS_ERR_FILE, path, 0, 0, "is another user's link in a folder that all can write to");
        if (!follow(place->path))
            break;
    }
    return ns_fail_at(err, NS_ERR_FILE, path, 0, 0, "is a link that leads nowhere");
}

ns_status ns_place_find(const char *path, ns_place *place, ns_error *err)
{
    struct stat there;
    *place = (ns_place){.kind = NS_PLACE_NEW};
    if (snprintf(place->path, sizeof place->path, "%s", path) >= NS_PLACE)
        return ns_fail_at(err, NS_ERR_FILE, path, 0, 0, "the name is too long");
    NS_TRY(follow_all(path, place, err));
    if (place->descriptor >= 0)
        place->kind = NS_PLACE_DIRECT;
    else if (stat(place->path, &there) == 0) {
        if (S_ISDIR(there.st_mode))
            return ns_fail_at(err, NS_ERR_FILE, path, 0, 0, "is a folder");
        place->kind = S_ISREG(there.st_mode) ? NS_PLACE_FILE : NS_PLACE_DIRECT;
        place->mode = there.st_mode;
    }
    return NS_OK;
}
