/* scan.c -- numbers and words of a line, independent of the locale */
#include "log.h"

#include <math.h>
#include <string.h>

static bool digit(char c)
{
    return c >= '0' && c <= '9';
}

const char *ns_scan_blanks(const char *text)
{
    while (*text == ' ' || *text == '\t')
        text++;
    return text;
}

bool ns_scan_end(const char *text)
{
    return *ns_scan_blanks(text) == '\0';
}

/* Up to 15 digits and a power of ten up to 22 are exact as doubles, so that one division rounds once; other numbers,
 * which benchmarks do not print, take the slow path. */
bool ns_scan_number(const char **cursor, double *value)
{
    static const double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                  1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const char *at = *cursor;
    double whole = 0; /* the digits as a whole number, and its decimal exponent */
    int digits = 0, ten = 0;
    bool point = false;
    if (*at == '-' || *at == '+')
        at++;
    if (strncmp(at, "nan", 3) == 0 || strncmp(at, "NaN", 3) == 0 || strncmp(at, "inf", 3) == 0) {
        *value = *at != 'i' ? (double)NAN : **cursor == '-' ? -(double)INFINITY : (double)INFINITY;
        *cursor = at + 3;
        return true;
    }
    if (!digit(*at) && !(*at == '.' && digit(at[1])))
        return false;
    for (; digit(*at) || (*at == '.' && !point); at++) {
        if (*at == '.') {
            point = true;
            continue;
        }
        whole = 10 * whole + (*at - '0');
        digits += whole > 0;
        ten -= point;
    }
    if ((*at == 'e' || *at == 'E') && (digit(at[1]) || ((at[1] == '-' || at[1] == '+') && digit(at[2])))) {
        int power = 0, sign = at[1] == '-' ? -1 : 1;
        for (at += digit(at[1]) ? 1 : 2; digit(*at); at++)
            power = power < 10000 ? 10 * power + (*at - '0') : power;
        ten += sign * power;
    }
    if (digits > 15 || ten > 22 || ten < -22) {
        char *end;
        *value = ns_strtod(*cursor, &end);
        *cursor = end;
        return true;
    }
    whole = ten < 0 ? whole / tens[-ten] : whole * tens[ten];
    *value = **cursor == '-' ? -whole : whole;
    *cursor = at;
    return true;
}

bool ns_scan_integer(const char **cursor, int *value)
{
    const char *at = *cursor;
    long long number = 0;
    if (!digit(*at))
        return false;
    for (; digit(*at); at++) {
        number = 10 * number + (*at - '0');
        if (number > 2147483647)
            return false;
    }
    *value = (int)number;
    *cursor = at;
    return true;
}

const char *ns_scan_match(const char *text, const char *pattern, int *value)
{
    for (; *pattern != '\0'; pattern++) {
        if (*pattern == '%') {
            if (!ns_scan_integer(&text, value++))
                return NULL;
        } else if (*text++ != *pattern) {
            return NULL;
        }
    }
    return text;
}

const char *ns_scan_label(const char *text)
{
    static const char *const labels[] = {"%: ", "[%,%]<stdout>:", "[%,%]<stdout> "};
    int number[2];
    const char *start = ns_scan_blanks(text);
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
        const char *after = ns_scan_match(start, labels[i], number);
        if (after != NULL)
            return after;
    }
    return text;
}

bool ns_scan_line(const char *text, size_t size, const char *prefix)
{
    size_t length = strlen(prefix), at = 0;
    while (at < size) {
        const char *line = ns_scan_label(text + at);
        const char *end = memchr(text + at, '\n', size - at);
        if ((size_t)(line - text) + length <= size && strncmp(line, prefix, length) == 0)
            return true;
        if (end == NULL)
            return false;
        at = (size_t)(end - text) + 1;
    }
    return false;
}

bool ns_scan_size(const char **cursor, double *bytes)
{
    const char *at = *cursor;
    while (digit(*at))
        at++;
    return at > *cursor && *at != '.' && ns_scan_number(cursor, bytes);
}

int ns_scan_numbers(const char **cursor, double *number, int most, int *decimals)
{
    int count = 0;
    *cursor = ns_scan_blanks(*cursor);
    for (const char *from = *cursor; count < most && ns_scan_number(cursor, &number[count]); from = *cursor) {
        if (strchr(" \t\r", **cursor) == NULL) /* strchr matches the terminator, too */
            return -1;
        const char *point = *cursor;
        while (point > from && digit(point[-1]))
            point--;
        *decimals = point > from && point[-1] == '.' ? (int)(*cursor - point) : -1;
        *cursor = ns_scan_blanks(*cursor);
        count++;
    }
    return count;
}
