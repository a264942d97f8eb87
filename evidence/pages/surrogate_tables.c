/* surrogate_tables.c -- tables of docs/evidence/surrogates.md and docs/evidence/accuracy.md; see surrogate_tables.sh
 *
 *   <!-- table: statistics GROUP/NAME -->   the real matrix, the surrogate, the deviation
 *   <!-- table: volumes GROUP/NAME -->      values sent by METIS k-way parts, measured and of the surrogate
 *   <!-- table: metis -->                   the means of these over all matrices, the surrogate against the measured
 *   <!-- table: beside NAME... -->         surrogates and real matrices, scaled by the mean of the lengths and the rows
 *   <!-- table: published -->               [NS] Tables 1 and 4
 *   <!-- table: cost -->                    seconds and megabytes
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- input: tables whose cells are separated by tabs ------------------------------------------------------------- */

enum { COLUMNS = 96, NAME = 128, TEXT = 64, NAMES = 32 };

typedef struct table {
    char *text, ***row; /* row[0] names the columns */
    size_t rows, columns;
} table;

/* params/catalogue/suitesparse.tsv and measured.tsv, evidence/pages/volumes.tsv and likeness.tsv. */
static table catalogue, known, volume, likeness;

static void stop(const char *what, const char *name)
{
    fprintf(stderr, "surrogate_tables: %s %s\n", what, name);
    exit(1);
}

static char *read_whole(const char *path)
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

static table read_table(const char *path)
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

static const char *cell(const table *t, size_t row, size_t column)
{
    return t->row[row][column] != NULL ? t->row[row][column] : "";
}

static const char *cell_named(const table *t, size_t row, const char *column)
{
    for (size_t c = 0; row > 0 && c < t->columns; c++)
        if (strcmp(t->row[0][c], column) == 0)
            return cell(t, row, c);
    return "";
}

/* Do two cells form this "GROUP/NAME"? */
static bool is_of(const table *t, size_t row, size_t column, const char *name)
{
    const char *group = cell(t, row, column), *own = cell(t, row, column + 1);
    const size_t length = strlen(group);
    return strncmp(name, group, length) == 0 && name[length] == '/' && strcmp(name + length + 1, own) == 0;
}

/* ---- numbers, some of them not there ----------------------------------------------------------------------------- */

typedef struct number {
    bool given;
    double is;
} number;

static number number_of(const char *text)
{
    return (number){*text != '\0', strtod(text, NULL)};
}

/* Looked up by GROUP/NAME.  In the catalogue, column values equal to those of the rows are written as "=". */
static const char *real_text(const char *name, const char *what)
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

/* The row of what a scan counts; 0: there is none. */
static size_t made_row(const char *name)
{
    for (size_t r = likeness.rows - 1; r > 0; r--)
        if (strcmp(cell(&likeness, r, 0), name) == 0)
            return r;
    return 0;
}

static number made(const char *name, const char *what)
{
    return number_of(cell_named(&likeness, made_row(name), what));
}

/* "su", "sa" or "destinations" of [NS], as printed; "" where there is no value. */
static const char *published(const char *name, const char *what)
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

/* The "mean" or "most" values that METIS parts send, as measured by a paper. */
static number measured(const char *name, const char *parts, const char *which)
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

/* The same for our graph. */
static number sent(const char *name, const char *parts, const char *which)
{
    for (size_t r = volume.rows - 1; r > 0; r--)
        if (strcmp(cell(&volume, r, 0), name) == 0 && strcmp(cell(&volume, r, 1), parts) == 0)
            return number_of(cell(&volume, r, strcmp(which, "mean") == 0 ? 3 : 4));
    return (number){false, 0};
}

/* ---- numbers as text --------------------------------------------------------------------------------------------- */

static void print_thousands(double x)
{
    char text[400];
    snprintf(text, sizeof text, "%.0f", x);
    for (const char *c = text; *c != '\0'; c++) {
        putchar(*c);
        if (*c != '-' && c[1] != '\0' && strlen(c + 1) % 3 == 0)
            putchar(',');
    }
}

/* About three significant digits; integers of any size in full. */
static void print_short(number x)
{
    if (!x.given)
        putchar('-');
    else if (x.is == trunc(x.is) || fabs(x.is) >= 1000)
        print_thousands(x.is);
    else
        printf("%.3g", x.is);
}

/* " +1.2 % |" */
static void print_deviation(number is, number from)
{
    const double d = 100 * (is.is / from.is - 1);
    if (is.given && from.given && is.is == from.is)
        fputs(" 0 |", stdout);
    else if (!is.given || !from.given || from.is == 0)
        fputs(" - |", stdout);
    else
        printf(fabs(d) < 0.095 ? " %+.2g %% |" : " %+.1f %% |", d);
}

/* " 12,345 s |" */
static void print_cell(number x, const char *unit)
{
    putchar(' ');
    print_short(x);
    printf("%s |", unit);
}

/* " real | surrogate | deviation |" */
static void print_both(number real, number is)
{
    print_cell(real, "");
    print_cell(is, "");
    print_deviation(is, real);
}

static void print_line(const char *title, number real, number is)
{
    printf("| %s |", title);
    print_both(real, is);
    putchar('\n');
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

static void print_lengths(const char *name, const char *which, const char *word)
{
    static const struct {
        const char *title, *what;
    } rows[] = {{" length: shortest", "min"}, {"first quartile", "q1"}, {"median", "median"},
                {"third quartile", "q3"},     {"longest", "max"},       {"variance", "variance"},
                {"skewness", "skewness"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char what[TEXT], title[TEXT];
        snprintf(what, sizeof what, "%s_%s", which, rows[i].what);
        snprintf(title, sizeof title, "%s%s", i == 0 ? word : "", rows[i].title);
        print_line(title, number_of(real_text(name, what)), made(name, what));
    }
}

static void print_statistics(const char *name)
{
    static const struct {
        const char *title, *real, *made;
    } rows[] = {{"rows, columns", "rows", "rows"},
                {"entries (expanded)", "stored_entries", "entries"},
                {"on the diagonal", "nnz_diagonal", "diagonal"},
                {"bandwidth, lower", "lower_bandwidth", "lower"},
                {"bandwidth, upper", "upper_bandwidth", "upper"},
                {"entries with their mirror image", "pattern_symmetry", "symmetry"}},
      tables[] = {{"[NS] Table 1, SU redundant per useful, 128 nodes", "su", "su_128"},
                  {"[NS] Table 1, SA", "sa", "sa_128"},
                  {"[NS] Table 4, destinations of 64 requests", "destinations", "destinations_128"}};
    puts("| statistic | real | surrogate | deviation |\n|---|---:|---:|---:|");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        print_line(rows[i].title, number_of(real_text(name, rows[i].real)), made(name, rows[i].made));
    print_lengths(name, "row", "row");
    if (strcmp(real_text(name, "structure"), "symmetric") != 0)
        print_lengths(name, "col", "column");
    for (size_t i = 0; i < sizeof tables / sizeof *tables && *published(name, "su") != '\0'; i++)
        print_line(tables[i].title, number_of(published(name, tables[i].real)), made(name, tables[i].made));
}

static void print_volumes(const char *name)
{
    puts("| parts | most measured | surrogate | | mean measured | surrogate | |\n|---:|---:|---:|---:|---:|---:|---:|");
    for (size_t r = 1; r < volume.rows; r++) {
        const char *parts = cell(&volume, r, 1);
        if (strcmp(cell(&volume, r, 0), name) != 0)
            continue;
        printf("| %s |", parts);
        print_both(measured(name, parts, "most"), sent(name, parts, "most"));
        print_both(measured(name, parts, "mean"), sent(name, parts, "mean"));
        putchar('\n');
    }
}

static const char *without_group(const char *name)
{
    const char *slash = strchr(name, '/');
    return slash != NULL ? slash + 1 : name;
}

static void print_metis(void)
{
    static const char *const parts[] = {"2", "4", "8", "64"};
    puts("| matrix | 2 parts | 4 parts | 8 parts | 64 parts |\n|---|---:|---:|---:|---:|");
    for (size_t r = 1; r < volume.rows; r++) {
        const char *name = cell(&volume, r, 0);
        bool first = true;
        for (size_t before = 1; before < r; before++)
            first = first && strcmp(cell(&volume, before, 0), name) != 0;
        if (!first)
            continue;
        printf("| %s |", without_group(name));
        for (size_t p = 0; p < sizeof parts / sizeof *parts; p++)
            print_deviation(sent(name, parts[p], "mean"), measured(name, parts[p], "mean"));
        putchar('\n');
    }
}

/* The scale of a quantity in a column of "beside": by the mean length of a row, by the rows, by the parts. */
typedef enum scale { AS_IS, MEAN, BY_MEAN, SPREAD, BANDWIDTH, BY_PARTS, BY_ROWS, IMBALANCE } scale;

static number given(double value)
{
    return (number){true, value};
}

static number scaled(const char *name, scale how, const char *what, int parts)
{
    char column[TEXT];
    const double rows = made(name, "rows").is, mean = made(name, "entries").is / rows;
    snprintf(column, sizeof column, parts > 0 ? "%s_%d" : "%s", what, parts);
    const number x = made(name, column);
    switch (how) {
    case AS_IS: return x;
    case MEAN: return given(mean);
    case BY_MEAN: return given(x.is / mean);
    case SPREAD: return given(sqrt(x.is) / mean);
    case BANDWIDTH: return given(fmax(made(name, "lower").is, made(name, "upper").is) / rows);
    case BY_PARTS: return given(x.is / parts);
    case BY_ROWS: return given(x.is / rows);
    case IMBALANCE: snprintf(column, sizeof column, "unique_%d", parts);
        return given(x.is / (made(name, column).is / parts));
    }
    return x;
}

typedef struct beside_row {
    const char *title, *what;
    scale how;
} beside_row;

static const beside_row beside_rows[] = {
    {"rows", "rows", AS_IS},
    {"entries a row", "", MEAN},
    {"shortest row / mean", "row_min", BY_MEAN},
    {"first quartile / mean", "row_q1", BY_MEAN},
    {"median / mean", "row_median", BY_MEAN},
    {"third quartile / mean", "row_q3", BY_MEAN},
    {"longest / mean", "row_max", BY_MEAN},
    {"standard deviation / mean", "row_variance", SPREAD},
    {"longest column / mean", "col_max", BY_MEAN},
    {"bandwidth / rows", "", BANDWIDTH},
    {"entries with their mirror image", "symmetry", AS_IS},
};
static const beside_row beside_parts[] = {
    {"neighbours of a part, mean", "messages", BY_PARTS},
    {"most", "neighbours", AS_IS},
    {"columns needed, all parts / rows", "unique", BY_ROWS},
    {"most of a part / mean", "unique_max", IMBALANCE},
    {"requests redundant per useful (SA)", "sa", AS_IS},
    {"destinations of 64 requests", "destinations", AS_IS},
    {"needed by others of the rack too", "rack_shared", AS_IS},
};

static void print_beside_row(const beside_row *row, char name[][NAME], int count, int parts)
{
    fputs("| ", stdout);
    if (parts > 0 && row == beside_parts)
        printf("%d parts: ", parts);
    printf("%s |", row->title);
    for (int i = 0; i < count; i++)
        print_cell(scaled(name[i], row->how, row->what, parts), "");
    putchar('\n');
}

static bool is_surrogate(size_t row)
{
    return strcmp(cell_named(&likeness, row, "source"), "surrogate") == 0;
}

static void print_beside(const char *words)
{
    char name[NAMES][NAME];
    int count = 0, length = 0;
    for (; count < NAMES && sscanf(words, "%127s%n", name[count], &length) == 1; count++)
        words += length;
    fputs("| |", stdout);
    for (int i = 0; i < count; i++) {
        const char *slash = strrchr(name[i], '/'), *title = slash != NULL ? slash + 1 : name[i];
        printf(is_surrogate(made_row(name[i])) ? " %s |" : " **%s** |", title);
    }
    fputs("\n|---|", stdout);
    for (int i = 0; i < count; i++)
        fputs("---:|", stdout);
    putchar('\n');
    for (size_t r = 0; r < sizeof beside_rows / sizeof *beside_rows; r++)
        print_beside_row(&beside_rows[r], name, count, 0);
    for (int parts = 16; parts <= 128; parts *= 8)
        for (size_t r = 0; r < sizeof beside_parts / sizeof *beside_parts; r++)
            print_beside_row(&beside_parts[r], name, count, parts);
}

static void print_published(void)
{
    static const char *const what[][2] = {{"su", "su_128"}, {"sa", "sa_128"}, {"destinations", "destinations_128"}};
    puts("| matrix | Table 1, SU | surrogate | | Table 1, SA | surrogate | | Table 4 | surrogate | |\n"
         "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    for (size_t r = 1; r < likeness.rows; r++) {
        const char *name = cell(&likeness, r, 0);
        if (!is_surrogate(r) || *published(name, "su") == '\0')
            continue;
        printf("| %s |", without_group(name));
        for (size_t i = 0; i < 3; i++) {
            const char *printed = published(name, what[i][0]);
            const number is = made(name, what[i][1]);
            printf(" %s |", printed);
            print_cell(is, "");
            print_deviation(is, number_of(printed));
        }
        putchar('\n');
    }
}

static void print_cost(void)
{
    static const struct {
        const char *what, *unit;
    } rows[] = {{"scan_s", " s"}, {"scan_MB", " MB"}, {"count_s", " s"}, {"count_MB", " MB"}};
    puts("| surrogate | entries | one scan | its memory | counts on 128 nodes | their memory |\n"
         "|---|---:|---:|---:|---:|---:|");
    for (size_t r = 1; r < likeness.rows; r++) {
        const char *name = cell(&likeness, r, 0);
        if (!is_surrogate(r))
            continue;
        printf("| %s | ", without_group(name));
        print_thousands(made(name, "entries").is);
        fputs(" |", stdout);
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
            print_cell(made(name, rows[i].what), rows[i].unit);
        putchar('\n');
    }
}

static void print_table(const char *words)
{
    if (strncmp(words, "statistics ", 11) == 0)
        print_statistics(words + 11);
    else if (strncmp(words, "volumes ", 8) == 0)
        print_volumes(words + 8);
    else if (strncmp(words, "beside ", 7) == 0)
        print_beside(words + 7);
    else if (strcmp(words, "metis") == 0)
        print_metis();
    else if (strcmp(words, "published") == 0)
        print_published();
    else if (strcmp(words, "cost") == 0)
        print_cost();
    else
        stop("unknown table:", words);
}

/* ---- the page ---------------------------------------------------------------------------------------------------- */

static void print_page(const char *path)
{
    static const char head[] = "<!-- table: ", tail[] = " -->";
    bool made_here = false;
    char *text = read_whole(path);
    for (char *line = text; *line != '\0';) {
        char *end = line + strcspn(line, "\n"), *next = end + (*end != '\0');
        *end = '\0';
        const size_t length = strlen(line);
        const bool begins = length >= sizeof head + sizeof tail - 2 && strncmp(line, head, sizeof head - 1) == 0 &&
                            strcmp(end - (sizeof tail - 1), tail) == 0;
        made_here = made_here && strcmp(line, "<!-- end -->") != 0;
        if (!made_here)
            puts(line);
        if (begins) {
            end[-(int)(sizeof tail - 1)] = '\0';
            putchar('\n');
            print_table(line + sizeof head - 1);
            putchar('\n');
            made_here = true;
        }
        line = next;
    }
    free(text);
}

int main(int argc, char **argv)
{
    table *const read[] = {&catalogue, &known, &volume, &likeness};
    if (argc != 6)
        stop("wanted", "CATALOGUE.tsv MEASURED.tsv VOLUMES.tsv LIKENESS.tsv PAGE.md");
    for (int i = 0; i < 4; i++)
        *read[i] = read_table(argv[i + 1]);
    print_page(argv[5]);
    return fflush(stdout) == 0 ? 0 : 1;
}
