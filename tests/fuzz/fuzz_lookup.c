/* fuzz_lookup.c -- any bytes under a name that is looked for, and any name
 *
 * Input: which file of `lookup_files` holds the bytes | which name of `lookup_specs` is asked for; 0: the first line;
 * from 128 on the file itself by its path, which needs no catalogue and is a hundred times as fast | the bytes.
 *
 * About 40 executions a second of processor time, not 1,000: a name is looked for in the catalogue of 2,904
 * matrices, which each call unpacks, since the library keeps nothing between calls.
 */
#include "fuzz.h"

#include <sys/stat.h>

static const char *const lookup_files[] = {"Serena.mtx",
                                           "Serena.mtx.gz",
                                           "Serena.tar.gz",
                                           "Serena.nsp",
                                           "Serena/Serena.mtx",
                                           "Janna/Serena.mtx",
                                           "MM/Janna/Serena.tar.gz",
                                           "Janna/Serena.tar.gz",
                                           "MM/Janna/Serena.mtx.gz",
                                           "mat/Janna/Serena.mat",
                                           "Serena.graph",
                                           "Nasa/pwt.mtx"};
static const char *const lookup_specs[] = {"", "Serena", "Janna/Serena", "pwt", "Nasa/pwt", "Nobody/Serena"};
enum {
    LOOKUP_FILES = sizeof lookup_files / sizeof *lookup_files,
    LOOKUP_SPECS = sizeof lookup_specs / sizeof *lookup_specs
};

static const char *lookup_root(void)
{
    static const char *const folders[] = {"Serena", "Janna", "MM", "MM/Janna", "mat", "mat/Janna", "Nasa"};
    static bool made;
    char path[160];
    for (size_t i = 0; !made && i < sizeof folders / sizeof *folders; i++) {
        snprintf(path, sizeof path, "%s/%s", fuzz_folder(), folders[i]);
        REQUIRE(mkdir(path, 0700) == 0);
    }
    made = true;
    return fuzz_folder();
}

static void lookup_step(void *context, const ns_matrix_step *step)
{
    int *used = context;
    *used += step->used;
    REQUIRE(step->place != NULL && step->looked_for != NULL && (!step->used || step->found != NULL));
}

static ns_status lookup_receive(void *context, const ns_entry *entries, size_t count, ns_error *err)
{
    const ns_matrix_info *info = context;
    (void)err;
    for (size_t i = 0; i < count; i++)
        REQUIRE(entries[i].row >= 0 && entries[i].row < info->rows && entries[i].col >= 0 &&
                entries[i].col < info->cols);
    return NS_OK;
}

static void lookup_scan(ns_matrix *matrix)
{
    ns_error err = {0};
    ns_status status = ns_matrix_scan(matrix, lookup_receive, (void *)(uintptr_t)ns_matrix_describe(matrix), &err);
    fuzz_check_error(status, &err);
}

static void lookup_path(const char *path)
{
    ns_matrix *matrix;
    ns_error err = {0};
    ns_status status = ns_matrix_open(path, &matrix, &err);
    fuzz_check_error(status, &err);
    if (status != NS_OK)
        return;
    lookup_scan(matrix);
    ns_matrix_free(matrix);
}

/* At most one place is used, the one that is opened.  What lies there is never passed over for a surrogate. */
static void lookup_ask(const char *spec, bool laid)
{
    const ns_matrix_place place = {"cache", lookup_root(), NS_FROM_CACHE};
    ns_matrix *matrix;
    ns_error err = {0}, told = {0};
    int used = 0;
    ns_status where = ns_matrix_where(spec, &place, 1, lookup_step, &used, &told);
    fuzz_check_error(where, &told);
    ns_status status = ns_matrix_open_in(spec, &place, 1, &matrix, &err);
    fuzz_check_error(status, &err);
    REQUIRE(used <= 1 && (status != NS_OK || ns_matrix_describe(matrix)->source == NS_GENERATED || used == 1));
    if (status != NS_OK)
        return;
    const ns_matrix_info *info = ns_matrix_describe(matrix);
    REQUIRE(!laid || info->source == NS_FROM_CACHE || info->rows != 1391349);
    if (info->source == NS_FROM_CACHE)
        lookup_scan(matrix);
    ns_matrix_free(matrix);
}

FUZZ(lookup)
{
    char path[160], line[256] = "";
    if (size < 2)
        return;
    const size_t which = data[0] % LOOKUP_FILES, spec = data[1] < 128 ? data[1] % LOOKUP_SPECS : 1;
    const uint8_t *bytes = data + 2, *end = memchr(bytes, '\n', size - 2);
    size_t length = size - 2;
    if (spec == 0 && end != NULL && end - bytes < (long)sizeof line &&
        memchr(bytes, '\0', (size_t)(end - bytes)) == NULL) {
        memcpy(line, bytes, (size_t)(end - bytes));
        length -= (size_t)(end - bytes) + 1;
        bytes = end + 1;
    }
    if (line[0] == '/' || strncmp(line, "stencil", 7) == 0) /* any file of the machine; any size of stencil */
        return;
    snprintf(path, sizeof path, "%s/%s", lookup_root(), lookup_files[which]);
    FILE *file = fopen(path, "wb");
    REQUIRE(file != NULL && fwrite(bytes, 1, length, file) == length && fclose(file) == 0);
    if (data[1] >= 128)
        lookup_path(path);
    else
        lookup_ask(spec == 0 ? line : lookup_specs[spec], which < 9 && (spec == 1 || spec == 2));
    REQUIRE(remove(path) == 0);
}
