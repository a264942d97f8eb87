/* without.c -- what NSMODEL_WITHOUT may name
 *
 * Libraries that the program loads (scotch, curl) and programs that it starts act as missing, each in the one place
 * that would use it.  What is chosen when it is compiled cannot be hidden by the program: that is an error.  Other
 * words are for the tests, which need more: `shared` is their data folder.
 */
#include "cli/front/without.h"

#include <stdlib.h>

#include "bytes/gunzip.h"
#include "core/refuse.h"
#include "core/without.h"
#include "matrix/market/market_plain.h"

static const char *const parts[] = {"scotch",  "curl",    "isal",     "avx2",   "gnuplot", "less",
                                    "man",     "mpi",     "chromium", "bash",   "zsh",     "valgrind",
                                    "fish",    "gpmetis", "groff",    "script", "cmake",   "abidiff",
                                    "xmllint", "python3", "c++",      "shared", "all"};
enum { PARTS = sizeof parts / sizeof *parts };

static ns_status compiled_in(const char *part, const char *option, ns_error *err)
{
    return ns_fail(err, NS_ERR_USAGE,
                   NS_WITHOUT " names %s, which this program was built to use; `make %s=no` builds one without", part,
                   option);
}

ns_status ns_without_check(ns_error *err)
{
    const char *list = getenv(NS_WITHOUT);
    char names[400];
    if (list == NULL || *list == '\0')
        return NS_OK;
    for (const char *word = list; word != NULL; word = strchr(word, ',') != NULL ? strchr(word, ',') + 1 : NULL) {
        const size_t length = strcspn(word, ",");
        int i = 0;
        while (i < PARTS && (strlen(parts[i]) != length || memcmp(parts[i], word, length) != 0))
            i++;
        if (i == PARTS)
            return ns_fail(err, NS_ERR_USAGE, NS_WITHOUT " names no part \"%.*s\"; there are %s",
                           (int)(length < 40 ? length : 40), word, ns_name_list(names, sizeof names, parts, PARTS));
    }
    if (ns_without(list, "isal") && ns_gunzip_has_fast())
        return compiled_in("isal", "ISAL", err);
    return ns_without(list, "avx2") && ns_market_has_plain() ? compiled_in("avx2", "AVX2", err) : NS_OK;
}
