/* columns.h -- the fields of a struct as named values: one list of columns makes table, wide table, CSV and JSON
 *
 *     static const ns_table_column columns[] = {
 *         {"way", NS_COL(struct row, way)},
 *         {"estimate_s", NS_COL(struct row, seconds), .unit = "s", .heading = "time", .digits = 3},
 *         {"bytes", NS_COL(struct row, bytes), .unit = "B", .shows = NS_IN_DATA},
 *         {NULL}};
 *     ns_put_table(result, "rows", columns, row, rows, sizeof *row);
 *
 * A number that is not finite and a text that is NULL are null.
 */
#ifndef NS_REPORT_COLUMNS_H
#define NS_REPORT_COLUMNS_H

#include "core/value.h"

#include <stddef.h>

/* Where a value is shown; tables are narrow or wide, data is CSV and JSON.  Flags are combined by addition. */
enum {
    NS_EVERYWHERE = 0,
    NS_IN_JSON = NS_V_JSON_ONLY,
    NS_IN_DATA = NS_V_NO_TABLE,
    NS_IN_CSV = NS_V_NO_TABLE | NS_V_NO_JSON,
    NS_IN_TABLE = NS_V_NO_JSON | NS_V_NO_CSV,
    NS_IN_NARROW = NS_V_NARROW,
    NS_IN_WIDE = NS_V_WIDE, /* and in data */
    NS_NOT_IN_CSV = NS_V_NO_CSV,
    NS_NOT_IN_JSON = NS_V_NO_JSON,
    NS_BELOW = NS_V_BELOW, /* in tables as a line below the row */
    NS_COMMAND = NS_V_COMMAND,
    NS_HEADING = NS_V_HEADING, /* in tables as a line above the group of rows */
    NS_MINOR = NS_V_MINOR,     /* dropped before others where a table is too wide */
    NS_LEAST = NS_V_LEAST,     /* dropped before those */
    NS_IF_ANY = 1 << 24,       /* in tables only where a row has a value that is not null or "" */
    NS_WITH_LAST = 1 << 27,    /* shown where the column before it is, with NS_IF_ANY */
    NS_OPTIONAL = 1 << 25,     /* left out where it is null */
    NS_HEADED = 1 << 28,       /* wide tables use the heading, too */
    NS_NEGATIVE_NULL = 1 << 26 /* a number below 0 means null */
};

typedef enum ns_col_type {
    NS_COL_NUMBER,
    NS_COL_INT,
    NS_COL_LONG,
    NS_COL_LONG_LONG,
    NS_COL_UNSIGNED_LONG,
    NS_COL_UNSIGNED_LONG_LONG,
    NS_COL_BOOL,
    NS_COL_TEXT,  /* const char * */
    NS_COL_CHARS, /* char[] */
    NS_COL_PAIR   /* double[2] */
} ns_col_type;

enum { NS_COL_ROOM = 256 };

typedef struct ns_table_column {
    const char *key;
    ns_col_type type;
    size_t offset;
    const char *unit; /* SI: "s", "B/s"; NULL for a count.  "%": a share, shown in per cent and in tables only */
    size_t dim;       /* 1 + offset of the number's ns_dim, where it differs between rows: NS_COL_DIM */
    unsigned shows;
    const char *heading;                   /* in narrow tables, for people; the key is used in wide tables and data */
    int digits;                            /* in narrow tables; 0: as many as tables show by default */
    const char *const *words;              /* an integer is an index into these */
    const struct ns_table_column *columns; /* an object: the struct at offset, with these columns */
    /* In place of a field: */
    const char *(*text)(const void *row, char room[NS_COL_ROOM]);
    double (*number)(const void *row);
} ns_table_column;

#define NS_COL(struct_, field_)                                                                                        \
    .type = _Generic(&((struct_ *)0)->field_,                                                                          \
        double *: NS_COL_NUMBER, const double *: NS_COL_NUMBER,                                                        \
        int *: NS_COL_INT, unsigned *: NS_COL_INT,                                                                     \
        long *: NS_COL_LONG, long long *: NS_COL_LONG_LONG,                                                            \
        unsigned long *: NS_COL_UNSIGNED_LONG, unsigned long long *: NS_COL_UNSIGNED_LONG_LONG,                        \
        bool *: NS_COL_BOOL,                                                                                           \
        const char **: NS_COL_TEXT, char **: NS_COL_TEXT,                                                              \
        double (*)[2]: NS_COL_PAIR,                                                                                    \
        default: NS_COL_CHARS),                                                                                        \
    .offset = offsetof(struct_, field_)
#define NS_COL_DIM(struct_, field_) .dim = 1 + offsetof(struct_, field_)

/* Add the columns of one struct as members of an object. */
void ns_put_columns(ns_value *object, const ns_table_column *columns, const void *row);
/* Add a row to a list; returns it, so that values without a column can be added. */
ns_value *ns_put_row(ns_value *list, const ns_table_column *columns, const void *row);
/* A list of rows, `stride` bytes apart, which is the table of the answer; returns the list. */
ns_value *ns_put_table(ns_value *parent, const char *key, const ns_table_column *columns, const void *rows,
                       size_t count, size_t stride);

/* A list that is the table of the answer, an object, a text, with the flags of where it is shown. */
ns_value *ns_put_rows(ns_value *parent, const char *key, unsigned shows);
ns_value *ns_put_object(ns_value *parent, const char *key, unsigned shows);
ns_value *ns_put_list(ns_value *parent, const char *key, unsigned shows);
ns_value *ns_put_text(ns_value *parent, const char *key, unsigned shows, const char *text); /* NULL: null */
ns_value *ns_put_textf(ns_value *parent, const char *key, unsigned shows, const char *format, ...) NS_PRINTF(4, 5);
ns_value *ns_put_count(ns_value *parent, const char *key, unsigned shows, double count); /* NAN: null */
ns_value *ns_put_number(ns_value *parent, const char *key, unsigned shows, double number, ns_dim dim);
ns_value *ns_put_bool(ns_value *parent, const char *key, unsigned shows, bool truth);
/* An empty list is shown in JSON only. */
void ns_rows_if_any(ns_value *list);
/* Mark the best row. */
ns_value *ns_row_mark(ns_value *row, bool best);

/* "nsmodel/place/1", the first member in JSON. */
void ns_put_schema(ns_value *result, const char *schema);
/* A line above the tables, which data may also contain under its key. */
#define ns_sentence(result, key, shows, ...) (void)ns_put_textf((result), (key), NS_V_NOTE | (shows), __VA_ARGS__)
/* A line for people only; and one that can be pasted into a shell, wherever it is broken. */
#define ns_note(result, ...) ns_sentence((result), "note", NS_IN_TABLE, __VA_ARGS__)
#define ns_note_command(result, ...) ns_sentence((result), "note", NS_V_COMMAND | NS_IN_TABLE, __VA_ARGS__)
/* Show notes from this value of the answer on in wide tables only. */
void ns_notes_to_wide(ns_value *from);

#endif
