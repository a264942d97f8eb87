/* whole_file.h -- files that appear whole or not at all: the only way in which files are written; and reading of whole
 * files
 *
 * The data is written under an unpredictable name, in the folder of the file, until it is complete and on the disk;
 * then it gets the file's name and, where a file is replaced, its mode.  A link is kept, and the file that it leads to
 * is replaced.  A device, a pipe or an open descriptor (/dev/stdout) is never replaced: the data is written to it once
 * it is complete.
 */
#ifndef NS_IO_WHOLE_FILE_H
#define NS_IO_WHOLE_FILE_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/types.h>

#include <nsmodel/status.h>

enum { NS_FOR_ALL = 0666, NS_FOR_OWNER = 0600 }; /* modes of new files, less the umask */

/* Must not be moved between begin and end. */
typedef struct ns_whole_file {
    const char *path; /* as given */
    FILE *file;       /* for writing; it is seekable */
    int handle;       /* its descriptor; flush file before writing here */
    int direct;       /* the device, pipe or descriptor; -1: a file is replaced */
    int folder;
    char name[256];  /* within the folder, after following all links */
    char beside[48]; /* the temporary name, "" when it is gone */
    mode_t mode;     /* of the file that is replaced */
    bool replaces;
    int fault; /* errno of the first write that failed, or 0 */
} ns_whole_file;

/* mode: for a file that did not exist. */
ns_status ns_whole_file_begin(const char *path, mode_t mode, ns_whole_file *whole, ns_error *err);

/* Rename the file to its final name; or, when the status is a failure, remove it and return that status. */
ns_status ns_whole_file_end(ns_whole_file *whole, ns_status status, ns_error *err);

/* Would begin succeed?  Leaves nothing behind, and opens no pipe. */
ns_status ns_whole_file_check(const char *path, ns_error *err);

/* Rename a file that is complete, on the disk and in the same folder. */
ns_status ns_whole_file_rename(const char *from, const char *path, ns_error *err);

/* Remove the unfinished files of this process: for the handler of a signal that ends a program. */
void ns_whole_file_abandon(void);

/* Write all bytes, retrying after interruptions; returns how many were written: when not all, errno has the reason. */
size_t ns_write_all(int handle, const char *bytes, size_t size);

/* Does this errno mean that there was no space to write to? */
bool ns_no_space(int fault);

/* fsync, retrying after interruptions; true also where the file system does not support it. */
bool ns_sync_to_disk(int handle);

/* ---- the destination of a name: a file, new or existing, or something written to but not replaced ---------------- */

enum { NS_PLACE = 4096 };

typedef enum ns_destination_kind { NS_PLACE_NEW, NS_PLACE_FILE, NS_PLACE_DIRECT } ns_destination_kind;

typedef struct ns_destination {
    char path[NS_PLACE]; /* the last part of the name is not a link */
    ns_destination_kind kind;
    mode_t mode;    /* of NS_PLACE_FILE */
    int descriptor; /* the descriptor of this process that the name means, else -1 */
} ns_destination;

/* A folder is an error; so is a link that another user created in a folder that everyone can write to. */
ns_status ns_destination_find(const char *path, ns_destination *place, ns_error *err);

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* The rest of an open file, closed by '\0'.  For more than `most` bytes the error is "too large for WHAT", for zero
 * bytes "not WHAT". *text: free it. */
ns_status ns_text_read(FILE *file, const char *path, size_t most, const char *what, char **text, ns_error *err);

#endif
