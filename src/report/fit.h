/* fit.h -- which columns of a table a screen has room for */
#ifndef NS_REPORT_FIT_H
#define NS_REPORT_FIT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct ns_column_look {
    char heading[256];
    size_t width;
    bool number; /* set to the right */
    int rank;    /* of those that there is no room for, the greatest goes first, and of equals the last */
    bool below;  /* each cell is a line below its row */
    bool hidden; /* there is no room for it */
} ns_column_look;

/* Hide and cut columns, with gaps of two blanks, until they fit; columns 0: no limit.  The first is always shown. */
void ns_fit_columns(ns_column_look *look, size_t count, size_t columns);

#endif
