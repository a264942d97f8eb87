/* whole_file.h -- files that appear whole or not at all: the one way in which a file is written; and whole files read
 *
 * What is written stands under a name that nobody can guess, in the folder of the file, until it is complete and on the
 * disk; then it takes the file's name and, where there was one, its mode.  A link stays, and the file that it leads to
 * is replaced.  Into a device, a pipe or an open descriptor (/dev/stdout) goes the same once it is complete: they are
 * never replaced.
 */
#ifndef NS_IO_WHOLE_FILE_H
#define NS_IO_WHOLE_FILE_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/types.h>

#include <nsmodel/status.h>

enum { NS_FOR_ALL = 0666, NS_FOR_OWNER = 0600 }; /* modes of new files, less the umask */

/* Between begin and end it stays where it is. */
typedef struct ns_whole_file {
    const char *path; /* as asked for */
    FILE *file;       /* to be written to; it can be sought in */
    int handle;       /* the same; who writes here flushes file before */
    int direct;       /* the device, pipe or descriptor; -1: a file is put in its place */
    int folder;
    char name[256];  /* within the folder, behind all links */
    char beside[48]; /* the name until then, "" when it is gone */
    mode_t mode;     /* of the file that is replaced */
    bool replaces;
    int fault; /* errno of the first write that failed, or 0 */
} ns_whole_file;

/* mode: of a file that was not there. */
ns_status ns_whole_file_begin(const char *path, mode_t mode, ns_whole_file *whole, ns_error *err);

/* Put the file in its place; or, when the status of what was written is a failure, remove it and pass that on. */
ns_status ns_whole_file_end(ns_whole_file *whole, ns_status status, ns_error *err);

/* Could it begin?  Nothing is left behind, and no pipe is opened. */
ns_status ns_whole_file_check(const char *path, ns_error *err);

/* Give a file that is complete, on the disk and in the same folder its name. */
ns_status ns_whole_file_rename(const char *from, const char *path, ns_error *err);

/* Remove the unfinished files of this process: for the handler of a signal that ends a program. */
void ns_whole_file_abandon(void);

/* Write all bytes, whatever interrupts; how many were written: when not all, errno says why. */
size_t ns_write_all(int handle, const char *bytes, size_t size);

/* Is this errno of a writing that found no room? */
bool ns_no_space(int fault);

/* fsync, whatever interrupts; true as well where the file system knows no such thing. */
bool ns_sync_to_disk(int handle);

/* ---- where a name leads that is to be written: a file, new or there, or something to write into as it is --------- */

enum { NS_PLACE = 4096 };

typedef enum ns_destination_kind { NS_PLACE_NEW, NS_PLACE_FILE, NS_PLACE_DIRECT } ns_destination_kind;

typedef struct ns_destination {
    char path[NS_PLACE]; /* behind all links that the name's last word is */
    ns_destination_kind kind;
    mode_t mode;    /* of NS_PLACE_FILE */
    int descriptor; /* of this process that the name stands for, else -1 */
} ns_destination;

/* A folder is refused; so is a link that another user laid in a folder that all can write to. */
ns_status ns_destination_find(const char *path, ns_destination *place, ns_error *err);

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* The rest of an open file, closed by '\0'.  More than `most` bytes are "too large for WHAT", zero bytes "not WHAT".
 * *text: free it. */
ns_status ns_text_read(FILE *file, const char *path, size_t most, const char *what, char **text, ns_error *err);

#endif
