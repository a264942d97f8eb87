/* fit_cases.c -- logs made for nsmodel fit, and what it has to make of them */
#include "fit_cases.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "files.h"
#include "fits.h"
#include "values.h"

enum { LINE = 2500, TEXT = 65536 };

static void add_series(const char *text, char *csv)
{
    char kind[30], direction[8] = "", locality[12] = "off-node", memory[8] = "host";
    int pairs, messages;
    double from, to, step, a, b, gamma = 0, delta = 0, latency = 0;
    size_t used = strlen(csv);
    ck_assert_msg(sscanf(text, "%29s %d %d %lf %lf %lf %lf %lf %lf %lf %lf %7s %11s %7s", kind, &pairs, &messages,
                         &from, &to, &step, &a, &b, &gamma, &delta, &latency, direction, locality, memory) >= 8,
                  "%s", text);
    for (double x = from; x <= to; x = x > 0 ? x * step : to + 1)
        used += (size_t)snprintf(csv + used, TEXT - used, "%.0f,%.12g,%s,%d,%d,%s,%s,%s,%s\n", x,
                                 latency + messages * (a + 1e-3 * b * x) +
                                     1e-3 * (gamma * messages * messages + delta * pairs * messages * x),
                                 kind, pairs, messages, direction[0] == '-' ? "" : direction,
                                 strcmp(kind, "copy") == 0 ? "device" : memory,
                                 strcmp(kind, "collective") == 0 ? "allreduce" : "", locality);
    ck_assert_uint_lt(used, TEXT);
}

/* Tables of osu_latency, one after the other: "A B [LINE]|A B [LINE]..." */
static void put_osu(const char *given, char *text, size_t size)
{
    for (const char *table = given; table != NULL; table = strchr(table, '|')) {
        double a, b;
        char line[200] = "";
        table += *table == '|';
        ck_assert_msg(sscanf(table, "%lf %lf %199[^|\n]", &a, &b, line) >= 2, "%s", given);
        size_t used = strlen(text);
        used += (size_t)snprintf(text + used, size - used, "%s%s# OSU MPI Latency Test v7.3\n# Size     Latency (us)\n",
                                 line, *line != '\0' ? "\n" : "");
        for (long bytes = 1; bytes <= 1 << 22; bytes *= 2)
            used += (size_t)snprintf(text + used, size - used, "%-10ld %20.2f\n", bytes, a + b * (double)bytes);
    }
}

/* So many pairs of windows that move so many MB/s together. */
static void put_rates(int pairs, double rate, char *text, size_t size)
{
    size_t used =
        (size_t)snprintf(text, size,
                         "# OSU MPI Multiple Bandwidth / Message Rate Test v5.8\n# [ pairs: %d ] [ window size: "
                         "64 ]\n# Size                  MB/s        Messages/s\n",
                         pairs);
    for (int bytes = 1; bytes <= 1 << 22; bytes *= 2)
        used += (size_t)snprintf(text + used, size - used, "%d %.6f %.6f\n", bytes, rate, rate * 1e6 / bytes);
}

/* What stands behind "@" or "%". */
static const char *write_file(const char *given)
{
    char name[60], kind[30], text[8192] = "";
    double factor;
    int from, sizes;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(given, " \n"), given);
    const char *rest = given + strlen(name);
    if (*rest == '\n')
        return cli_file(name, rest + 1);
    if (sscanf(rest, " plain %29s %lf", kind, &factor) == 2)
        return fits_log(name, kind, factor, 20);
    if (sscanf(rest, " line %lf %d %d", &factor, &from, &sizes) == 3) {
        size_t used = (size_t)snprintf(text, sizeof text, "bytes,us\n");
        for (int i = 0; i < sizes; i++)
            used += (size_t)snprintf(text + used, sizeof text - used, "%d,%.9g\n", from << i,
                                     factor * (1 + 1e-3 * (double)(from << i)));
    } else if (sscanf(rest, " rates %d %lf", &sizes, &factor) == 2) {
        put_rates(sizes, factor, text, sizeof text);
    } else {
        ck_assert_msg(strncmp(rest, " osu ", 5) == 0, "%s", given);
        put_osu(rest + 5, text, sizeof text);
    }
    return cli_file(name, text);
}

static void add_word(char *line, const char *word)
{
    ck_assert_uint_lt(strlen(line) + strlen(word) + 2, LINE);
    strcat(strcat(line, " "), word);
}

static void line_of(const fit_case *c, int number, char line[LINE])
{
    static char csv[TEXT];
    static const char head[] = "bytes,us,kind,pairs,messages,direction,memory,name,locality\n";
    const char *options = NULL;
    char name[40];
    strcpy(line, "fit");
    strcpy(csv, head);
    for (int i = 0; i < FIT_SERIES && c->of[i] != NULL; i++) {
        const char *of = c->of[i];
        if (*of == '-')
            options = of;
        else if (*of == '@')
            add_word(line, write_file(of + 1));
        else if (*of == '%')
            write_file(of + 1);
        else if (*of == '=')
            add_word(line, of + 1);
        else
            add_series(of, csv);
    }
    snprintf(name, sizeof name, "case-%d.csv", number);
    if (strcmp(csv, head) != 0)
        add_word(line, cli_file(name, csv));
    if (options != NULL)
        add_word(line, options);
}

const char *fit_case_line(const fit_case *c)
{
    static char line[LINE];
    line_of(c, 0, line);
    return line;
}

/* A copy of the text with `with` in place of each `word`. */
static void replace(const char *text, const char *word, const char *with, char copy[LINE])
{
    *copy = '\0';
    for (const char *at; (at = strstr(text, word)) != NULL; text = at + strlen(word))
        ck_assert_int_lt(snprintf(copy + strlen(copy), LINE - strlen(copy), "%.*s%s", (int)(at - text), text, with),
                         LINE);
    ck_assert_uint_lt(strlen(copy) + strlen(text), LINE);
    strcat(copy, text);
}

static void check_path(const char *about, const ns_value *root, const char *wanted)
{
    char path[100];
    const size_t length = strcspn(wanted, "=:^");
    const char *end = wanted + length + 1;
    snprintf(path, sizeof path, "%.*s", (int)length, wanted);
    const ns_value *value = ns_value_at(root, path);
    ck_assert_msg(value != NULL, "%s: no %s", about, path);
    if (wanted[length] == ':' || wanted[length] == '^') {
        const char *text = text_at(root, path);
        ck_assert_msg(wanted[length] == ':' ? strcmp(text, end) == 0 : strncmp(text, end, strlen(end)) == 0,
                      "%s: %s is \"%s\", wanted \"%s\"", about, path, text, end);
        return;
    }
    /* a number, or an object that says where it comes from */
    const double got = value->kind == NS_OBJECT ? number_at(value, "value")
                       : value->kind == NS_BOOL ? value->truth
                                                : number_at(root, path);
    char *share;
    const double number = strtod(end, &share);
    ck_assert_msg(fabs(got - number) <= (*share == '~' ? strtod(share + 1, NULL) : 1e-6) * fabs(number),
                  "%s: %s is %.10g, wanted %s", about, path, got, end);
}

/* MACHINE, LINE and TMP/ are names of this case's. */
static void put_names(const char *text, const char *machine, const char *line, char filled[LINE])
{
    char one[LINE], two[LINE];
    replace(text, "MACHINE", machine, one);
    replace(one, "LINE", line, two);
    replace(two, "TMP/", cli_path(""), filled);
}

void fit_case_holds(const fit_case *c, int number)
{
    char given[LINE], line[LINE], command[LINE + 400], words[LINE], machine[300], name[40];
    const ns_value *root = NULL;
    cli_result ran = {0};
    bool written = false;
    snprintf(name, sizeof name, "case-%d.json", number);
    snprintf(machine, sizeof machine, "%s", cli_path(name));
    remove(machine);
    line_of(c, number, given);
    put_names(given, machine, "", line);
    if (strncmp(c->checks[0], "refused ", 8) == 0) {
        cli_refused((cli_refusal){line, c->checks[0][8] - '0', c->checks[0] + 10});
        ck_assert_int_ne(access(machine, F_OK), 0);
        return;
    }
    for (int i = 0; i < FIT_CHECKS && c->checks[i] != NULL; i++) {
        const char *wanted = c->checks[i], *mark = wanted + (*wanted == '1');
        put_names(wanted, machine, line, words);
        if (*mark == '>' && mark[1] == ' ') {
            if (!written && strstr(wanted, "MACHINE") != NULL) {
                snprintf(command, sizeof command, "%s -o %s", line, machine);
                ran = cli(command);
                ck_assert_msg(ran.code == 0, "%s: `%s`: %s", c->about, command, ran.err);
                written = true;
            }
            ns_value *answer = NULL;
            ran = cli(words + (mark - wanted) + 2);
            ck_assert_msg(ran.code == (*wanted == '1'), "%s: `%s` ends with %d: %s", c->about, words, ran.code,
                          ran.err);
            ck_assert(strstr(words, "--json") == NULL || ns_json_parse(ran.out, "answer", &answer, NULL) == NS_OK);
            root = test_keep(answer);
            continue;
        }
        if (ran.err == NULL && root == NULL)
            root = cli_json(line);
        if (*wanted == '>')
            ck_assert_msg((strstr(ran.out, words + 2) != NULL) == (wanted[1] == '+'), "%s: %s in %s", c->about, words,
                          ran.out);
        else if (*wanted == '+' || *wanted == '-')
            ck_assert_msg((ran.err == NULL ? warns(root, words + 1) : strstr(ran.err, words + 1) != NULL) ==
                              (*wanted == '+'),
                          "%s: %s%s%s", c->about, words, ran.err != NULL ? " in " : "", ran.err != NULL ? ran.err : "");
        else if (*wanted == '!') {
            const ns_value *value = ns_value_at(root, wanted + 1);
            ck_assert_msg(value == NULL || value->kind == NS_NULL, "%s: there is %s", c->about, wanted + 1);
        } else
            check_path(c->about, root, wanted);
    }
}
