/* mutate.c -- single faults in C sources: lists them, applies one of them, samples lines
 *
 *     mutate list FILE...                        one per line: file, line, offset, length, replacement, a sum of
 *                                                the line's text and of the place in it
 *     mutate apply FILE OFFSET LENGTH INSTEAD    the file with that fault
 *     mutate sample SEED COUNT                   COUNT lines of standard input in an order that SEED gives; 0: all.
 *                                                The order depends on what a fault is, not on its line number: a
 *                                                change of the sources does not change the sample of all other lines
 *
 * Operators are replaced by similar ones, conditions are negated, numbers are increased by one, signs are removed.
 * Only tokens of code are changed: no comment, no string, no preprocessor line, nor the size of a text's buffer.  The
 * style of the sources distinguishes a product from a pointer: a product has blanks on both sides.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *from, *to;
} flips[] = {
    /* longest first */
    {"&&", "||"}, {"||", "&&"}, {"==", "!="}, {"!=", "=="}, {"<=", "<"},  {">=", ">"},  {"+=", "-="}, {"-=", "+="},
    {"*=", "/="}, {"/=", "*="}, {"++", "--"}, {"--", "++"}, {"<<", ">>"}, {">>", "<<"}, {"->", NULL}, {"<", "<="},
    {">", ">="},  {"+", "-"},   {"-", "+"},   {"*", "/"},   {"/", "*"},   {"%", "*"},   {"!", " "},
};
static const struct {
    const char *from, *to;
} words[] = {{"true", "false"}, {"false", "true"},   {"fmin", "fmax"},   {"fmax", "fmin"},   {"floor", "ceil"},
             {"ceil", "floor"}, {"break", "continue"}};

static char *slurp(const char *path)
{
    FILE *file = fopen(path, "rb");
    long size;
    char *text = NULL;
    if (file != NULL && fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) >= 0 && fseek(file, 0, SEEK_SET) == 0) {
        text = malloc((size_t)size + 1);
        if (text != NULL)
            text[fread(text, 1, (size_t)size, file)] = '\0';
    }
    if (file != NULL)
        fclose(file);
    if (text == NULL) {
        fprintf(stderr, "mutate: cannot read %s\n", path);
        exit(1);
    }
    return text;
}

/* Replace comments, strings and preprocessor lines by blanks, in place; line numbers do not change. */
static void blank(char *text)
{
    for (char *c = text; *c != '\0';) {
        char *end = c + 1;
        if (c[0] == '/' && c[1] == '*') {
            end = strstr(c + 2, "*/");
            end = end != NULL ? end + 2 : c + strlen(c);
        } else if (*c == '"' || *c == '\'') {
            while (*end != '\0' && *end != *c)
                end += *end == '\\' && end[1] != '\0' ? 2 : 1;
            end += *end != '\0';
        } else if (*c == '#' && (c == text || c[-1] == '\n')) {
            while (*end != '\0' && (*end != '\n' || end[-1] == '\\'))
                end++;
        } else {
            c++;
            continue;
        }
        for (; c < end; c++)
            if (*c != '\n')
                *c = ' ';
    }
}

typedef struct source {
    const char *path, *text;
    char *code; /* the same text with blanks for what is not code */
} source;

/* FNV-1a */
static uint64_t mix(uint64_t sum, unsigned char byte)
{
    return (sum ^ byte) * UINT64_C(1099511628211);
}

/* A hash of the line that contains a byte, and of the place in it: the fault counts as a different one when its line
 * has changed. */
static unsigned long long line_sum(const char *text, size_t at)
{
    uint64_t sum = UINT64_C(14695981039346656037);
    size_t column = 0;
    for (; at > 0 && text[at - 1] != '\n'; column++)
        at--;
    for (; text[at] != '\0' && text[at] != '\n'; at++)
        sum = mix(sum, (unsigned char)text[at]);
    return mix(sum, (unsigned char)column);
}

static void tell(const source *s, const char *at, size_t length, const char *instead)
{
    long line = 1;
    const size_t offset = (size_t)(at - s->code);
    for (size_t i = 0; i < offset; i++)
        line += s->text[i] == '\n';
    printf("%s\t%ld\t%zu\t%zu\t", s->path, line, offset, length);
    for (const char *c = instead; *c != '\0'; c++)
        putchar(*c == '\n' || *c == '\t' ? ' ' : *c);
    printf("\t%016llx\n", line_sum(s->text, offset));
}

/* Does a value precede the operator? */
static bool is_binary(const source *s, const char *at)
{
    while (at > s->code && isspace((unsigned char)at[-1]))
        at--;
    if (at == s->code || (at - s->code > 6 && strncmp(at - 6, "return", 6) == 0))
        return false;
    return isalnum((unsigned char)at[-1]) || strchr("_)]", at[-1]) != NULL;
}

static size_t flip(const source *s, const char *c)
{
    for (size_t i = 0; i < sizeof flips / sizeof *flips; i++) {
        const size_t length = strlen(flips[i].from);
        if (strncmp(c, flips[i].from, length) != 0)
            continue;
        const bool sign = length == 1 && strchr("+-", *c) != NULL && !is_binary(s, c);
        const bool pointer = *c == '*' && c[1] != ' ' && c[1] != '=';
        const bool cast = *c == '!' || length > 1 || (isspace((unsigned char)c[-1]) && isspace((unsigned char)c[1]));
        if (sign)
            tell(s, c, 1, " ");
        else if (flips[i].to != NULL && !pointer && cast)
            tell(s, c, length, flips[i].to);
        return length;
    }
    return 1;
}

/* The size of a text, `char name[100]`: its content is cut to that size anyway, so that one byte more has no visible
 * effect. */
static bool is_room(const source *s, const char *c)
{
    const char *at = c;
    if (at == s->code || *--at != '[')
        return false;
    while (at > s->code && (isalnum((unsigned char)at[-1]) || strchr("_[] ,*", at[-1]) != NULL))
        at--;
    while (*at == ' ')
        at++;
    return strncmp(at, "char ", 5) == 0 || strncmp(at, "static char ", 12) == 0;
}

/* A number plus one; 1 becomes 0. */
static size_t number(const source *s, const char *c)
{
    size_t length = 0;
    char instead[80];
    while (isalnum((unsigned char)c[length]) || c[length] == '.' ||
           (length > 0 && strchr("eE", c[length - 1]) != NULL && (c[length] == '-' || c[length] == '+')))
        length++;
    if (is_room(s, c))
        return length;
    if (length < 40 && length == 1 && *c == '1')
        tell(s, c, length, "0");
    else if (length < 40) {
        snprintf(instead, sizeof instead, "(%.*s + 1)", (int)length, c);
        tell(s, c, length, strcmp(instead, "(0 + 1)") == 0 ? "1" : instead);
    }
    return length;
}

static void negate(const source *s, const char *open)
{
    const char *end = open + 1;
    for (int depth = 1; *end != '\0' && depth > 0; end++)
        depth += (*end == '(') - (*end == ')');
    const size_t length = (size_t)(end - open), offset = (size_t)(open - s->code);
    char *instead = malloc(length + 8);
    if (instead != NULL) {
        sprintf(instead, "(!%.*s)", (int)length, s->text + offset);
        tell(s, open, length, instead);
    }
    free(instead);
}

static size_t word(const source *s, const char *c)
{
    size_t length = 0;
    while (isalnum((unsigned char)c[length]) || c[length] == '_')
        length++;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i].from) == length && strncmp(c, words[i].from, length) == 0)
            tell(s, c, length, words[i].to);
    if (length == 2 && strncmp(c, "if (", 4) == 0)
        negate(s, c + 3);
    return length;
}

static void list(const char *path)
{
    char *text = slurp(path);
    source s = {path, text, malloc(strlen(text) + 1)};
    if (s.code == NULL)
        exit(1);
    strcpy(s.code, text);
    blank(s.code);
    for (const char *c = s.code; *c != '\0';)
        if (isdigit((unsigned char)*c))
            c += number(&s, c);
        else if (isalpha((unsigned char)*c) || *c == '_')
            c += word(&s, c);
        else
            c += isspace((unsigned char)*c) ? 1 : flip(&s, c);
    free(s.code);
    free(text);
}

static void apply(const char *path, size_t offset, size_t length, const char *instead)
{
    char *text = slurp(path);
    if (offset + length > strlen(text)) {
        fprintf(stderr, "mutate: %s has no byte %zu\n", path, offset + length);
        exit(1);
    }
    fwrite(text, 1, offset, stdout);
    fputs(instead, stdout);
    fputs(text + offset + length, stdout);
    free(text);
}

/* The last step of splitmix64 */
static uint64_t scatter(uint64_t z)
{
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

typedef struct fault {
    uint64_t place; /* position in the order of the sample */
    char *line;
} fault;

/* A hash of the seed and of a line without its second and third field, which give its position. */
static uint64_t place_of(const char *line, uint64_t seed)
{
    uint64_t sum = UINT64_C(14695981039346656037) ^ scatter(seed);
    for (int field = 1; *line != '\0'; line++) {
        field += *line == '\t';
        if (field != 2 && field != 3)
            sum = mix(sum, (unsigned char)*line);
    }
    return scatter(sum);
}

static int by_place(const void *x, const void *y)
{
    const fault *a = x, *b = y;
    return (a->place > b->place) - (a->place < b->place);
}

static void sample(uint64_t seed, size_t wanted)
{
    static fault faults[1 << 20];
    static char line[1 << 16];
    size_t count = 0;
    while (count < sizeof faults / sizeof *faults && fgets(line, sizeof line, stdin) != NULL) {
        fault *f = &faults[count];
        f->place = place_of(line, seed);
        /* the same line again in a file is a separate fault */
        for (size_t i = 0; i < count; i++)
            if (faults[i].place == f->place)
                f->place = scatter(f->place + 1);
        if ((f->line = malloc(strlen(line) + 1)) != NULL)
            strcpy(faults[count++].line, line);
    }
    qsort(faults, count, sizeof *faults, by_place);
    for (size_t i = 0; i < count; i++) {
        if (wanted == 0 || i < wanted)
            fputs(faults[i].line, stdout);
        free(faults[i].line);
    }
}

int main(int argc, char **argv)
{
    if (argc > 2 && strcmp(argv[1], "list") == 0)
        for (int i = 2; i < argc; i++)
            list(argv[i]);
    else if (argc == 6 && strcmp(argv[1], "apply") == 0)
        apply(argv[2], strtoul(argv[3], NULL, 10), strtoul(argv[4], NULL, 10), argv[5]);
    else if (argc == 4 && strcmp(argv[1], "sample") == 0)
        sample(strtoull(argv[2], NULL, 10), strtoul(argv[3], NULL, 10));
    else {
        fputs("usage: mutate list FILE... | apply FILE OFFSET LENGTH INSTEAD | sample SEED COUNT\n", stderr);
        return 2;
    }
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
