/* closest.c -- the name that a mistyped one was probably meant to be
 *
 * Optimal string alignment: the fewest insertions, deletions, substitutions and swaps of neighbours, no part edited
 * twice. Upper and lower case are the same letter.
 */
#include <nsmodel/quantity.h>

#include <string.h>

enum { LONGEST = 63 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* d(i, j) = min(d(i-1, j) + 1, d(i, j-1) + 1, d(i-1, j-1) + [a_i /= b_j], d(i-2, j-2) + 1 when swapped) */
static size_t distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t row[3][LONGEST + 1];
    size_t *two_ago = row[0], *ago = row[1], *now = row[2];
    for (size_t j = 0; j <= b_length; j++)
        ago[j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        now[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            char x = lower(a[i - 1]), y = lower(b[j - 1]);
            now[j] = least(least(ago[j], now[j - 1]) + 1, ago[j - 1] + (x != y));
            if (i > 1 && j > 1 && x == lower(b[j - 2]) && lower(a[i - 2]) == y)
                now[j] = least(now[j], two_ago[j - 2] + 1);
        }
        size_t *spare = two_ago;
        two_ago = ago;
        ago = now;
        now = spare;
    }
    return ago[b_length];
}

const char *ns_closest(const char *name, const char *const *names, size_t count)
{
    const char *best = NULL;
    size_t best_distance = LONGEST, length = strlen(name);
    for (size_t i = 0; i < count && length <= LONGEST; i++) {
        size_t other = strlen(names[i]);
        if (other > LONGEST)
            continue;
        size_t longer = length > other ? length : other;
        size_t wrong = distance(name, length, names[i], other);
        size_t allowed = longer < 6 ? 1 : longer / 3;
        /* wrong < longer: some letter has to be right */
        if (wrong <= allowed && wrong < best_distance && (wrong < longer || wrong == 0)) {
            best = names[i];
            best_distance = wrong;
        }
    }
    return best;
}
