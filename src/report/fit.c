/* fit.c -- which columns of a table a screen has room for
 *
 * By their ranks, and of equals from the left, what fits; a column of words, but for the first, which names the row, is
 * cut to no less than LEAST.  What room is left then goes to the cut columns, the leftmost first.
 */
#include "report/fit.h"

enum { GAP = 2, LEAST = 24 };

static size_t least_of(const ns_column_look *look, size_t i)
{
    return i > 0 && !look[i].number && look[i].width > LEAST ? LEAST : look[i].width;
}

void ns_fit_columns(ns_column_look *look, size_t count, size_t columns)
{
    size_t used = 0;
    int last = 0;
    for (size_t i = 0; i < count; i++)
        last = look[i].rank > last ? look[i].rank : last;
    for (int rank = 0; rank <= last; rank++)
        for (size_t i = 0; i < count && columns > 0; i++) {
            const size_t least = least_of(look, i);
            if (look[i].below || look[i].rank != rank)
                continue;
            look[i].hidden = used > 0 && used + least > columns;
            used += look[i].hidden ? 0 : least + GAP;
        }
    size_t spare = columns + GAP > used ? columns + GAP - used : 0;
    for (size_t i = 0; i < count && columns > 0; i++) {
        const size_t least = least_of(look, i), more = look[i].width - least;
        if (look[i].below || look[i].hidden)
            continue;
        look[i].width = least + (more < spare ? more : spare);
        spare -= look[i].width - least;
    }
}
