/* links.h -- where a name leads that is to be written: a file, new or there, or something to write into as it is */
#ifndef NS_IO_LINKS_H
#define NS_IO_LINKS_H

#include <sys/stat.h>

#include <nsmodel/status.h>

enum { NS_PLACE = 4096 };

typedef enum ns_place_kind { NS_PLACE_NEW, NS_PLACE_FILE, NS_PLACE_DIRECT } ns_place_kind;

typedef struct ns_place {
    char path[NS_PLACE]; /* behind all links that the name's last word is */
    ns_place_kind kind;
    mode_t mode;         /* of NS_PLACE_FILE */
    int descriptor;      /* of this process that the name stands for, else -1 */
} ns_place;

/* A folder is refused; so is a link that another user laid in a folder that all can write to. */
ns_status ns_place_find(const char *path, ns_place *place, ns_error *err);

#endif
