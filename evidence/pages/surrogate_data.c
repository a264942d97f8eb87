/* surrogate_data.c -- what the tables of surrogates are made from: the catalogue, measured facts, likeness */
#include "surrogate_data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is read: tables whose cells stand between tabs --------------------------------------------------------- */

enum { COLUMNS = 96, TEXT = 64 };

table catalogue, known, volume, likeness;

void stop(const char *what, const char *name)
{
    fprintf(stderr, "surrogate_tables: %s %s\n", what, name);
    exit(1);
}

char *read_whole(const char *path)
{
    FILE *file = fopen(path, "rb");
    size_t size = 0, room = 1 << 16, got;
    char *text = malloc(room);
    if (file == NULL || text == NULL)
        stop("cannot read", path);
    while ((got = fread(text + size, 1, room - size - 1, file)) > 0) {
        size += got;
        if (room - size < 2 && (text = realloc(text, room *= 2)) == NULL)
            stop("no memory for", path);
    }
    text[size] = '\0';
    fclose(file);
    return text;
}

table read_table(const char *path)
{
    table t = {.text = read_whole(path)};
    size_t room = 0;
    for (char *line = t.text; *line != '\0';) {
        char *end = line + strcspn(line, "\n"), *next = end + (*end != '\0');
        if (t.rows == room && (t.row = realloc(t.row, (room = 2 * room + 64) * sizeof *t.row)) == NULL)
            stop("no memory for", path);
        char **cell = calloc(COLUMNS, sizeof *cell);
        if (cell == NULL)
            stop("no memory for", path);
        *end = '\0';
        size_t n = 0;
        for (char *at = line; at != NULL && n < COLUMNS; n++) {
            cell[n] = at;
            at = strchr(at, '\t');
            if (at != NULL)
                *at++ = '\0';
        }
        t.columns = t.rows == 0 ? n : t.columns;
        t.row[t.rows++] = cell;
        line = next;
    }
    return t;
}

const char *cell(const table *t, size_t row, size_t column)
{
    return t->row[row][column] != NULL ? t->row[row][column] : "";
}

const char *cell_named(const table *t, size_t row, const char *column)
{
    for (size_t c = 0; row > 0 && c < t->columns; c++)
        if (strcmp(t->row[0][c], column) == 0)
            return cell(t, row, c);
    return "";
}

/* Is it "GROUP/NAME" of two cells? */
static bool is_of(const table *t, size_t row, size_t column, const char *name)
{
    const char *group = cell(t, row, column), *own = cell(t, row, column + 1);
    const size_t length = strlen(group);
    return strncmp(name, group, length) == 0 && name[length] == '/' && strcmp(name + length + 1, own) == 0;
}

/* ---- numbers, some of them not there ----------------------------------------------------------------------------- */

number number_of(const char *text)
{
    return (number){*text != '\0', strtod(text, NULL)};
}

/* Of the catalogue: columns that are like the rows are written as "=". */
const char *real_text(const char *name, const char *what)
{
    char as_row[TEXT];
    for (size_t r = catalogue.rows - 1; r > 0; r--) {
        if (!is_of(&catalogue, r, 1, name))
            continue;
        if (strncmp(what, "col_", 4) != 0 || strcmp(cell_named(&catalogue, r, "col_min"), "=") != 0)
            return cell_named(&catalogue, r, what);
        snprintf(as_row, sizeof as_row, "row_%s", what + 4);
        return cell_named(&catalogue, r, as_row);
    }
    return "";
}

size_t made_row(const char *name)
{
    for (size_t r = likeness.rows - 1; r > 0; r--)
        if (strcmp(cell(&likeness, r, 0), name) == 0)
            return r;
    return 0;
}

number made(const char *name, const char *what)
{
    return number_of(cell_named(&likeness, made_row(name), what));
}

/* "su", "sa" or "destinations" of [NS], as printed; "" where there is none. */
const char *published(const char *name, const char *what)
{
    const char *found = "";
    for (size_t r = 1; r < known.rows; r++) {
        bool netsparse = false;
        for (size_t c = 0; c < COLUMNS && known.row[r][c] != NULL; c++)
            netsparse = netsparse || strstr(known.row[r][c], "NetSparse, Table") != NULL;
        if (!netsparse || !is_of(&known, r, 0, name))
            continue;
        const char *words = cell(&known, r, 2);
        const char *which = strstr(words, "unaware") != NULL ? "su"
                            : strstr(words, "aware") != NULL ? "sa"
                                                             : "destinations";
        if (strcmp(which, what) == 0)
            found = cell(&known, r, 3);
    }
    return found;
}

number measured(const char *name, const char *parts, const char *which)
{
    static const char head[] = "values sent per product";
    const size_t length = strlen(parts);
    number found = {false, 0};
    for (size_t r = 1; r < known.rows; r++) {
        const char *words = cell(&known, r, 2), *of = cell(&known, r, 5);
        if (strncmp(words, head, sizeof head - 1) == 0 && is_of(&known, r, 0, name) &&
            strncmp(of, parts, length) == 0 && (of[length] == ' ' || of[length] == '\0') &&
            strcmp(which, strstr(words, "most") != NULL ? "most" : "mean") == 0)
            found = number_of(cell(&known, r, 3));
    }
    return found;
}

number sent(const char *name, const char *parts, const char *which)
{
    for (size_t r = volume.rows - 1; r > 0; r--)
        if (strcmp(cell(&volume, r, 0), name) == 0 && strcmp(cell(&volume, r, 1), parts) == 0)
            return number_of(cell(&volume, r, strcmp(which, "mean") == 0 ? 3 : 4));
    return (number){false, 0};
}
