/* test_golden.c -- every command prints what it printed before: tests/golden, written anew by `make golden`
 *
 * This proves that a change kept the output, not that the output is right; that is for the other tests.
 * Of an array of objects in JSON, one of each set of keys is kept, and the last; the others are counted.  What holds
 * plain values only stands on one line.  Tables for people are kept whole.
 */
#include "api/library.h"
#include "core/memory.h"
#include "support/cli.h"
#include "support/files.h"
#include "support/test.h"

enum { COMMANDS = 120, LINE = 300, SHAPES = 16, WIDE = 240 };

static const char folder[] = "tests/golden";
static char command[COMMANDS][LINE];

static int read_commands(void)
{
    char path[64], line[LINE];
    int count = 0;
    snprintf(path, sizeof path, "%s/commands.txt", folder);
    FILE *file = fopen(path, "r");
    ck_assert_msg(file != NULL, "%s is not there", path);
    while (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '#' || line[0] == '\0')
            continue;
        ck_assert_int_lt(count, COMMANDS);
        strcpy(command[count++], line);
    }
    fclose(file);
    return count;
}

/* The file of a command is named after its words, so that a new one does not move the others. */
static const char *name_of(const char *line)
{
    static char path[160];
    int used = snprintf(path, sizeof path, "%s/", folder);
    for (bool gap = false; *line != '\0' && used < 110; line++) {
        const bool plain = strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", *line) != NULL;
        if (plain && gap)
            path[used++] = '-';
        if (plain)
            path[used++] = *line;
        gap = !plain;
    }
    strcpy(path + used, ".txt");
    return path;
}

static size_t indent_of(const char *line)
{
    return strspn(line, " ");
}

/* Past the value that begins at `line`: to the line that closes it at the same depth. */
static const char *past_value(const char *line)
{
    const size_t depth = indent_of(line);
    const char *end = strchr(line, '\n');
    if (end[-1] == '{' || end[-1] == '[')
        do
            end = strchr(line = end + 1, '\n');
        while (indent_of(line) > depth);
    return end + 1;
}

/* Whether the objects at `a` and `b` have the same keys, in order. */
static bool same_keys(const char *a, const char *b)
{
    const size_t depth = indent_of(a);
    a = strchr(a, '\n') + 1;
    b = strchr(b, '\n') + 1;
    for (; indent_of(a) > depth && indent_of(b) > depth; a = past_value(a), b = past_value(b)) {
        const size_t length = strcspn(a, ":\n");
        if (length != strcspn(b, ":\n") || strncmp(a, b, length) != 0)
            return false;
    }
    return indent_of(a) == depth && indent_of(b) == depth;
}

static bool is_new(const char *const *shown, int count, const char *object)
{
    for (int i = 0; i < count; i++)
        if (same_keys(shown[i], object))
            return false;
    return count < SHAPES;
}

/* Print an object or a list of plain values that begins at `text` and ends at `end` on one line, if it has the room. */
static bool print_joined(FILE *out, const char *text, const char *end)
{
    char line[WIDE + 1];
    size_t used = indent_of(text);
    memset(line, ' ', used);
    for (const char *at = text, *next; at < end; at = next) {
        const size_t length = strcspn(at += indent_of(at), "\n");
        next = at + length + 1;
        const bool opens = at[length - 1] == '{' || at[length - 1] == '[', first = at == text + indent_of(text);
        if (opens != first || used + length + 1 > WIDE)
            return false;
        memcpy(line + used, at, length);
        used += length;
        if (!opens && next < end && next[indent_of(next)] != '}' && next[indent_of(next)] != ']')
            line[used++] = ' ';
    }
    fprintf(out, "%.*s\n", (int)used, line);
    return true;
}

/* Print the lines from `text` to `end`; of each array of objects one of each set of keys, and the last. */
static void print_shortened(FILE *out, const char *text, const char *end)
{
    for (const char *next; text < end; text = next) {
        next = past_value(text);
        if (print_joined(out, text, next))
            continue;
        next = strchr(text, '\n') + 1;
        fwrite(text, 1, (size_t)(next - text), out);
        if (next[-2] != '[' || next[indent_of(next)] != '{')
            continue;
        const size_t depth = indent_of(next);
        const char *shown[SHAPES], *after;
        int count = 0, others = 0;
        for (; indent_of(next) == depth; next = after) {
            const bool new = is_new(shown, count, next);
            after = past_value(next);
            if (!new &&indent_of(after) == depth) {
                others++;
                continue;
            }
            if (others > 0)
                fprintf(out, "%*s... %d more\n", (int)depth, "", others);
            others = 0;
            print_shortened(out, next, after);
            if (new)
                shown[count++] = next;
        }
    }
}

static char *answer_of(const char *line)
{
    char *text;
    size_t size;
    cli_result r = cli(line);
    FILE *out = open_memstream(&text, &size);
    ck_assert_ptr_nonnull(out);
    fprintf(out, "$ nsmodel %s\n", line);
    if (r.out[0] == '{')
        print_shortened(out, r.out, r.out + strlen(r.out));
    else
        fputs(r.out, out);
    fprintf(out, "%s[exit %d]\n", r.err, r.code);
    fclose(out);
    return test_keep(library_text(text));
}

/* The first line that differs, from both. */
static void show_difference(const char *path, const char *was, const char *is)
{
    int line = 1;
    size_t start = 0, at = 0;
    for (; was[at] != '\0' && was[at] == is[at]; at++)
        if (was[at] == '\n')
            line++, start = at + 1;
    const size_t from = at - start > 100 ? at - 100 : start; /* JSON has long lines */
    ck_abort_msg("%s:%d: was \"%.*s\", is \"%.*s\"", path, line, (int)strcspn(was + at, "\n") % 300 + (int)(at - from),
                 was + from, (int)strcspn(is + at, "\n") % 300 + (int)(at - from), is + from);
}

static void write_whole(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    ck_assert_int_eq(fclose(file), 0);
}

/* Compare with what is kept in `path`, or write that anew. */
static void compare_kept(const char *path, const char *is)
{
    if (getenv("NS_GOLDEN_WRITE") != NULL) {
        write_whole(path, is);
        return;
    }
    ck_assert_msg(access(path, R_OK) == 0, "%s is not there; `make golden` writes it", path);
    char *was = read_whole(path);
    if (strcmp(was, is) != 0)
        show_difference(path, was, is);
}

TEST_EACH(output_is_as_before, COMMANDS)
{
    const int count = read_commands();
    ck_assert_int_lt(_i, COMMANDS);
    if (_i >= count)
        return;
    char *is = answer_of(command[_i]);
    compare_kept(name_of(command[_i]), is);
}

static void print_fields(FILE *out, const ns_model *model, const char *what, const ns_field *field)
{
    fprintf(out, "%s %s:", model->name, what);
    for (; field->kind != NS_FIELD_END; field++) {
        fprintf(out, " %s", field->name);
        if (field->kind == NS_FIELD_WORD)
            for (const char *const *w = field->words; *w != NULL; w++)
                fprintf(out, "|%s", *w);
        else
            fprintf(out, "[%s]", field->unit);
        if (field->from != NULL)
            fprintf(out, "<%s", field->from);
        else if (field->has_default)
            fprintf(out, "=%g", field->neutral);
    }
    fputs("\n", out);
}

/* Names, units, paths and defaults of all models. */
TEST(fields_are_as_before)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    ck_assert_ptr_nonnull(out);
    for (const ns_model *const *m = ns_models(); *m != NULL; m++) {
        print_fields(out, *m, "takes", (*m)->inputs);
        print_fields(out, *m, "gives", (*m)->outputs);
    }
    fclose(out);
    text = library_text(text);
    compare_kept("tests/golden/fields.txt", text);
    ns_free(text);
}
