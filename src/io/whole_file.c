/* whole_file.c -- files that appear whole or not at all: written to a temporary file in the same folder, then renamed
 *
 * A rename replaces anything that has the name, even a link or /dev/null: so links are followed first, and the data is
 * copied at the end into what is not a regular file.  The temporary file is new (O_EXCL), not a link (O_NOFOLLOW) and
 * named by 128 random bits, so that in a folder that others can write to nobody can create it beforehand.
 */
#define _GNU_SOURCE       /* fopencookie: stdio treats an interrupted write as a failure */
#define _XOPEN_SOURCE 700 /* S_ISVTX */
#include "io/whole_file.h"

#include "core/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the destination of a name
 *
 * Links are followed one by one, not by realpath: a link to a file that does not exist yet is kept as well, and
 * /dev/stdout means a descriptor of this process, not the file that is open there, whose other writers share its
 * position. */

/* The name within its folder, which may be ""; the folder is "." when path contains none. */
static const char *split_path(const char *path, char folder[NS_PLACE])
{
    const char *slash = strrchr(path, '/');
    if (slash == NULL)
        snprintf(folder, NS_PLACE, ".");
    else
        snprintf(folder, NS_PLACE, "%.*s", (int)(slash - path) + 1, path);
    return slash != NULL ? slash + 1 : path;
}

/* N of /proc/self/fd/N and /dev/fd/N; -1 for any other name. */
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

ns_status ns_destination_find(const char *path, ns_destination *place, ns_error *err)
{
    enum { LINKS_MOST = 40 };
    struct stat there, above;
    char folder[NS_PLACE], to[NS_PLACE], joined[2 * NS_PLACE];
    *place = (ns_destination){.kind = NS_PLACE_NEW};
    if (snprintf(place->path, sizeof place->path, "%s", path) >= NS_PLACE)
        return ns_fail_at(err, NS_ERR_FILE, path, 0, 0, "the name is too long");
    for (int links = 0;; links++) {
        place->descriptor = descriptor_of(place->path);
        if (place->descriptor >= 0 || lstat(place->path, &there) != 0 || !S_ISLNK(there.st_mode))
            break;
        /* The kernel's check for protected links (fs.protected_symlinks), which readlink bypasses. */
        const char *name = split_path(place->path, folder);
        if (stat(folder, &above) == 0 && (above.st_mode & (S_ISVTX | S_IWOTH)) == (S_ISVTX | S_IWOTH) &&
            there.st_uid != geteuid() && there.st_uid != above.st_uid)
            return ns_fail_at(err, NS_ERR_FILE, path, 0, 0, "is another user's link in a folder that all can write to");
        /* replace the path by the target of the link */
        const ssize_t length = readlink(place->path, to, sizeof to - 1);
        if (links == LINKS_MOST || length <= 0 || length >= (ssize_t)sizeof to - 1)
            return ns_fail_at(err, NS_ERR_FILE, path, 0, 0, "is a link that leads nowhere");
        to[length] = '\0';
        snprintf(joined, sizeof joined, "%.*s%s", *to != '/' ? (int)(name - place->path) : 0, place->path, to);
        if (snprintf(place->path, sizeof place->path, "%s", joined) >= NS_PLACE)
            return ns_fail_at(err, NS_ERR_FILE, path, 0, 0, "is a link that leads nowhere");
    }
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

size_t ns_write_all(int handle, const char *bytes, size_t size)
{
    size_t done = 0;
    while (done < size) {
        const ssize_t wrote = write(handle, bytes + done, size - done);
        if (wrote > 0)
            done += (size_t)wrote;
        else if (wrote == 0 || errno != EINTR)
            break;
    }
    return done;
}

bool ns_no_space(int fault)
{
    return fault == ENOSPC || fault == EDQUOT || fault == EFBIG;
}

static ns_status fail(const ns_whole_file *whole, int fault, ns_error *err)
{
    return ns_fail_at(err, NS_ERR_FILE, whole->path, 0, 0, "could not be written%s",
                      ns_no_space(fault) ? ": no space left" : "");
}

/* ---- the stream ------------------------------------------------------------------------------------------------- */

static ssize_t put(void *whole_, const char *bytes, size_t size)
{
    ns_whole_file *whole = whole_;
    if (ns_write_all(whole->handle, bytes, size) == size)
        return (ssize_t)size;
    whole->fault = whole->fault != 0 ? whole->fault : errno;
    return 0;
}

static int seek(void *whole, off64_t *to, int from)
{
    const off_t at = lseek(((ns_whole_file *)whole)->handle, (off_t)*to, from);
    *to = at;
    return at < 0 ? -1 : 0;
}

/* ---- beginning -------------------------------------------------------------------------------------------------- */

static const char prefix[] = ".nsmodel-";
enum { RANDOM = 16 }; /* bytes, each written as two hexadecimal digits of the name */

static int open_at(int folder, const char *name, int flags, mode_t mode)
{
    int handle;
    do
        handle = openat(folder, name, flags | O_CLOEXEC | O_NOCTTY, mode);
    while (handle < 0 && errno == EINTR);
    return handle;
}

/* A new file gets mode; one that replaces another is readable by its owner only until it gets the mode of the other. */
static bool open_beside(ns_whole_file *whole, mode_t mode)
{
    enum { TRIES = 16 };
    for (int i = 0; i < TRIES && whole->handle < 0; i++) {
        unsigned char random[RANDOM];
        const size_t room = sizeof whole->beside;
        size_t used = (size_t)snprintf(whole->beside, room, prefix);
        ssize_t got;
        do
            got = getrandom(random, sizeof random, 0);
        while (got < 0 && errno == EINTR);
        if (got != (ssize_t)sizeof random)
            break;
        for (size_t k = 0; k < sizeof random; k++)
            used += (size_t)snprintf(whole->beside + used, room - used, "%02x", random[k]);
        whole->handle = open_at(whole->folder, whole->beside, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW,
                                whole->replaces ? NS_FOR_OWNER : mode);
        if (whole->handle < 0 && errno != EEXIST)
            break;
    }
    if (whole->handle < 0)
        whole->beside[0] = '\0';
    return whole->handle >= 0;
}

static ns_status open_direct(ns_whole_file *whole, const ns_destination *place, ns_error *err)
{
    struct stat there;
    whole->direct = place->descriptor >= 0 ? fcntl(place->descriptor, F_DUPFD_CLOEXEC, 0)
                                           : open_at(AT_FDCWD, place->path, O_WRONLY, 0);
    if (whole->direct < 0)
        return ns_fail_at(err, NS_ERR_FILE, whole->path, 0, 0, "cannot be opened for writing");
    if (place->descriptor < 0 && (fstat(whole->direct, &there) != 0 || S_ISREG(there.st_mode)))
        return ns_fail_at(err, NS_ERR_FILE, whole->path, 0, 0, "changed while it was opened");
    FILE *nameless = tmpfile(); /* for output to a device or a pipe */
    if (nameless != NULL) {
        whole->handle = fcntl(fileno(nameless), F_DUPFD_CLOEXEC, 0);
        fclose(nameless);
    }
    return whole->handle >= 0 ? NS_OK : ns_fail_at(err, NS_ERR_FILE, whole->path, 0, 0, "no room for a temporary file");
}

static ns_status open_file(ns_whole_file *whole, const ns_destination *place, mode_t mode, ns_error *err)
{
    char folder[NS_PLACE];
    const char *name = split_path(place->path, folder);
    whole->folder = *name != '\0' ? open_at(AT_FDCWD, folder, O_RDONLY | O_DIRECTORY, 0) : -1;
    if (whole->folder < 0 && errno == EACCES) /* a folder that can be written to but not read */
        whole->folder = open_at(AT_FDCWD, folder, O_PATH | O_DIRECTORY, 0);
    whole->mode = place->mode & 0777;
    whole->replaces = place->kind == NS_PLACE_FILE;
    if (whole->folder < 0 || snprintf(whole->name, sizeof whole->name, "%s", name) >= (int)sizeof whole->name ||
        !open_beside(whole, mode))
        return ns_fail_at(err, NS_ERR_FILE, whole->path, 0, 0, "cannot be created");
    return NS_OK;
}

static void close_all(ns_whole_file *whole)
{
    const int handles[] = {whole->handle, whole->direct, whole->folder};
    if (whole->beside[0] != '\0')
        (void)unlinkat(whole->folder, whole->beside, 0);
    for (size_t i = 0; i < sizeof handles / sizeof *handles; i++)
        if (handles[i] >= 0)
            (void)close(handles[i]); /* the data is already on the disk; do not retry after an interruption */
}

ns_status ns_whole_file_begin(const char *path, mode_t mode, ns_whole_file *whole, ns_error *err)
{
    ns_destination place;
    *whole = (ns_whole_file){.path = path, .handle = -1, .direct = -1, .folder = -1};
    NS_TRY(ns_destination_find(path, &place, err));
    ns_status status =
        place.kind == NS_PLACE_DIRECT ? open_direct(whole, &place, err) : open_file(whole, &place, mode, err);
    if (status == NS_OK) {
        whole->file = fopencookie(whole, "wb", (cookie_io_functions_t){.write = put, .seek = seek});
        status = whole->file != NULL ? NS_OK : ns_fail(err, NS_ERR_MEMORY, "out of memory");
    }
    if (status != NS_OK)
        close_all(whole);
    return status;
}

ns_status ns_whole_file_check(const char *path, ns_error *err)
{
    ns_destination place;
    ns_whole_file whole;
    NS_TRY(ns_destination_find(path, &place, err));
    if (place.kind == NS_PLACE_DIRECT)
        return (place.descriptor >= 0 ? fcntl(place.descriptor, F_GETFD) : access(place.path, W_OK)) >= 0
                   ? NS_OK
                   : ns_fail_at(err, NS_ERR_FILE, path, 0, 0, "cannot be opened for writing");
    NS_TRY(ns_whole_file_begin(path, NS_FOR_OWNER, &whole, err));
    fclose(whole.file);
    close_all(&whole);
    return NS_OK;
}

/* ---- the end ---------------------------------------------------------------------------------------------------- */

/* Some file systems do not support it: the data is then as safe as they make it.  The same holds for a folder that may
 * not be read. */
bool ns_sync_to_disk(int handle)
{
    int code;
    do
        code = fsync(handle);
    while (code != 0 && errno == EINTR);
    return code == 0 || errno == EINVAL || errno == ENOTSUP || errno == EBADF;
}

static bool rename_at(int folder, const char *from, const char *to)
{
    int code;
    do
        code = renameat(folder, from, folder, to);
    while (code != 0 && errno == EINTR);
    return code == 0;
}

static bool put_in_place(ns_whole_file *whole)
{
    if (whole->replaces) {
        /* owner, group and mode of the replaced file, as far as this user may set them: a group that cannot be set gets
         * no rights */
        struct stat old, own;
        mode_t mode = whole->mode;
        if (fstatat(whole->folder, whole->name, &old, AT_SYMLINK_NOFOLLOW) == 0 && fstat(whole->handle, &own) == 0 &&
            (old.st_uid != own.st_uid || old.st_gid != own.st_gid) &&
            fchown(whole->handle, old.st_uid, old.st_gid) != 0 && fchown(whole->handle, (uid_t)-1, old.st_gid) != 0)
            mode &= (mode_t)(0707 | (mode & 07) << 3);
        if (fchmod(whole->handle, mode) != 0)
            return false;
    }
    if (!ns_sync_to_disk(whole->handle) || !rename_at(whole->folder, whole->beside, whole->name))
        return false;
    whole->beside[0] = '\0';
    return ns_sync_to_disk(whole->folder);
}

static bool copy_direct(const ns_whole_file *whole)
{
    char piece[1 << 14];
    ssize_t got = lseek(whole->handle, 0, SEEK_SET) == 0 ? 1 : -1;
    while (got > 0) {
        got = read(whole->handle, piece, sizeof piece);
        if (got < 0 && errno == EINTR)
            got = 1;
        else if (got > 0 && ns_write_all(whole->direct, piece, (size_t)got) < (size_t)got)
            return false;
    }
    return got == 0;
}

ns_status ns_whole_file_end(ns_whole_file *whole, ns_status status, ns_error *err)
{
    const bool failed = ferror(whole->file) != 0;
    if ((fclose(whole->file) != 0 || failed) && status == NS_OK)
        status = fail(whole, whole->fault, err);
    if (status == NS_OK && !(whole->direct >= 0 ? copy_direct(whole) : put_in_place(whole)))
        status = fail(whole, errno, err);
    close_all(whole);
    return status;
}

/* A temporary file is open for as long as it has its name, so the list of open files contains all of them, and this
 * library needs no table of its own.  Uses only async-signal-safe functions. */
void ns_whole_file_abandon(void)
{
    enum { HANDLES = 1024 };
    for (unsigned handle = 0; handle < HANDLES; handle++) {
        char entry[] = "/proc/self/fd/0000", path[NS_PLACE];
        unsigned rest = handle;
        char *digit = entry + sizeof "/proc/self/fd/" - 1;
        digit += (handle > 9) + (handle > 99) + (handle > 999);
        for (digit[1] = '\0'; *digit != '/'; rest /= 10)
            *digit-- = (char)('0' + rest % 10);
        const ssize_t length = readlink(entry, path, sizeof path - 1);
        if (length <= 0)
            continue;
        path[length] = '\0';
        const char *name = strrchr(path, '/');
        if (name != NULL && strncmp(name + 1, prefix, sizeof prefix - 1) == 0 &&
            strlen(name + 1) == sizeof prefix - 1 + 2 * RANDOM)
            (void)unlinkat(AT_FDCWD, path, 0);
    }
}

ns_status ns_whole_file_rename(const char *from, const char *path, ns_error *err)
{
    char folder[NS_PLACE];
    const char *old = split_path(from, folder), *name = split_path(path, folder);
    const int handle = open_at(AT_FDCWD, folder, O_RDONLY | O_DIRECTORY, 0);
    const bool done = handle >= 0 && rename_at(handle, old, name) && ns_sync_to_disk(handle);
    if (handle >= 0)
        (void)close(handle);
    return done ? NS_OK : ns_fail_at(err, NS_ERR_FILE, path, 0, 0, "cannot be created");
}

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
