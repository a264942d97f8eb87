/* unit_hint.c -- why a unit is refused, and what was probably meant */
#include <stdio.h>
#include <string.h>

#include "core/span.h"

/* What people write for a base unit, and what it is here; upper and lower case count, as in "bps" and "Bps". */
static const struct alias {
    const char *written, *meant;
} aliases[] = {
    {"sec", "s"},        {"secs", "s"},   {"second", "s"},     {"seconds", "s"},    {"byte", "B"},
    {"bytes", "B"},      {"Byte", "B"},   {"Bytes", "B"},      {"bits", "bit"},     {"bps", "bit/s"},
    {"bits/s", "bit/s"}, {"Bps", "B/s"},  {"flops", "flop/s"}, {"FLOPS", "flop/s"}, {"Flops", "flop/s"},
    {"FLOPs", "flop"},   {"hertz", "Hz"}, {"percent", "%"},
};

static bool equal(ns_span atom, const char *word)
{
    return strlen(word) == ns_span_length(atom) && memcmp(atom.begin, word, strlen(word)) == 0;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Of ASCII letters: strncasecmp would ask the locale. */
static bool equal_ignoring_case(ns_span atom, const char *word)
{
    const char *c = atom.begin;
    for (; c != atom.end && *word != '\0' && lower(*c) == lower(*word); c++)
        word++;
    return c == atom.end && *word == '\0';
}

/* "b", "Kb", "gb": a prefix, or nothing, before a bare b */
static bool is_bare_b(ns_span atom)
{
    if (atom.begin == atom.end || atom.end[-1] != 'b')
        return false;
    atom.end--;
    for (const ns_prefix *prefix = ns_prefixes; prefix->name != NULL; prefix++)
        if (equal_ignoring_case(atom, prefix->name))
            return true;
    return false;
}

static bool find_alias(ns_span atom, char *meant, size_t size)
{
    for (const ns_prefix *prefix = ns_prefixes; prefix->name != NULL; prefix++)
        for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++) {
            char word[32];
            snprintf(word, sizeof word, "%s%s", prefix->name, aliases[i].written);
            if (equal(atom, word)) {
                snprintf(meant, size, "\"%s%s\"", prefix->name, aliases[i].meant);
                return true;
            }
        }
    return false;
}

/* Every right spelling that differs in case only: "MS" gives "ms". */
static bool find_case(ns_span atom, char *meant, size_t size)
{
    size_t at = 0;
    for (const ns_base_unit *base = ns_base_units; base->name != NULL; base++)
        for (const ns_prefix *prefix = ns_prefixes; prefix->name != NULL; prefix++) {
            char word[32];
            snprintf(word, sizeof word, "%s%s", prefix->name, base->name);
            if ((prefix->kind & base->kinds) != 0 && equal_ignoring_case(atom, word) && at < size)
                at += (size_t)snprintf(meant + at, size - at, "%s\"%s\"", at > 0 ? " or " : "", word);
        }
    return at > 0;
}

/* "K" before a unit that takes both k and Ki; "mB" and the like. */
static bool find_prefix_fault(ns_span atom, char *text, size_t size)
{
    for (const ns_base_unit *base = ns_base_units; base->name != NULL; base++) {
        size_t tail = strlen(base->name);
        if ((base->kinds & NS_PREFIX_BINARY) == 0 || ns_span_length(atom) <= tail ||
            memcmp(base->name, atom.end - tail, tail) != 0)
            continue;
        ns_span head = {atom.origin, atom.begin, atom.end - tail};
        if (equal(head, "K")) {
            snprintf(text, size, "write k%s (1000) or Ki%s (1024)", base->name, base->name);
            return true;
        }
        for (const ns_prefix *prefix = ns_prefixes; prefix->name != NULL; prefix++)
            if (prefix->kind == NS_PREFIX_SMALL && equal(head, prefix->name)) {
                snprintf(text, size, "a fraction of a %s, wants a prefix such as M or Mi", base->name);
                return true;
            }
    }
    return false;
}

ns_status ns_unit_refuse(ns_span whole, ns_span atom, ns_error *err)
{
    const int quote = ns_span_quote(whole), part = ns_span_quote(atom);
    char meant[128];
    if (atom.begin == atom.end)
        return ns_span_fail(atom, NS_ERR_UNIT, err, "unit \"%.*s\" lacks a part", quote, whole.begin);
    if (is_bare_b(atom))
        return ns_span_fail(atom, NS_ERR_UNIT, err, "b is ambiguous in \"%.*s\": write B for bytes or bit", quote,
                            whole.begin);
    if (find_prefix_fault(atom, meant, sizeof meant))
        return ns_span_fail(atom, NS_ERR_UNIT, err, "unknown unit \"%.*s\", %s", part, atom.begin, meant);
    if (find_alias(atom, meant, sizeof meant) || find_case(atom, meant, sizeof meant))
        return ns_span_fail(atom, NS_ERR_UNIT, err, "unknown unit \"%.*s\", write %s", part, atom.begin, meant);
    return ns_span_fail(atom, NS_ERR_UNIT, err, "unknown unit \"%.*s\", wants one like \"us\", \"KiB\" or \"GB/s\"",
                        part, atom.begin);
}
