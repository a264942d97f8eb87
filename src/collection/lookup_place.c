/* lookup_place.c -- the file of a matrix in one folder, as people and tools lay them
 *
 * Plain folders hold NAME.mtx[.gz], NAME.tar.gz, NAME.nsp or, unpacked, NAME/NAME.mtx.  Copies of the collection have
 * GROUP/ in between; ssget (SuiteSparse), ssget (Ginkgo) and ssgetpy have MM/GROUP/, and mat/GROUP/ and RB/GROUP/ for
 * formats that are not read here.  Names come without "..", "/" at an end or a second "/", so that no path leaves the
 * folder.
 */
#include "collection/lookup.h"

#include <stdio.h>
#include <string.h>

#include "bytes/bytes.h"

/* DIRECTORY/above/group/NAME... */
typedef struct folder {
    const char *directory, *above, *group; /* above, group: "" for none */
} folder;

static bool join(char path[NS_LOOKUP_PATH], const folder *f, const char *name, const char *ending)
{
    int length = snprintf(path, NS_LOOKUP_PATH, "%s/%s%s%s%s%s%s", f->directory, f->above, *f->above != '\0' ? "/" : "",
                          f->group, *f->group != '\0' ? "/" : "", name, ending);
    return length > 0 && length < NS_LOOKUP_PATH;
}

static bool has_file(const folder *f, const char *name, char path[NS_LOOKUP_PATH])
{
    static const char *const endings[] = {".mtx", ".mtx.gz", ".tar.gz", ".nsp"};
    char inner[2 * NS_LOOKUP_NAME];
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (join(path, f, name, endings[i]) && ns_file_is_regular(path))
            return true;
    snprintf(inner, sizeof inner, "%s/%s", name, name);
    for (size_t i = 0; i < 2; i++)
        if (join(path, f, inner, endings[i]) && ns_file_is_regular(path))
            return true;
    path[0] = '\0';
    return false;
}

static bool has_foreign(const folder *f, const char *name, char path[NS_LOOKUP_PATH], const char **words)
{
    static const struct {
        const char *ending, *words;
    } known[] = {
        {".mat", "a MATLAB file, which is not read: save it as Matrix Market (mmwrite)"},
        {".rb", "a Rutherford-Boeing file, which is not read: take the Matrix Market one"},
        {".rua", "a Harwell-Boeing file, which is not read: take the Matrix Market one"},
        {".rsa", "a Harwell-Boeing file, which is not read: take the Matrix Market one"},
        {".mtx.bz2", "packed by bzip2, which is not read: unpack it with bunzip2"},
        {".tar.bz2", "packed by bzip2, which is not read: unpack it with bunzip2"},
        {".mtx.xz", "packed by xz, which is not read: unpack it with unxz"},
        {".mtx.zst", "packed by zstd, which is not read: unpack it with unzstd"},
        {".zip", "a zip archive, which is not read: unpack it first"},
        {".graph", "a METIS graph, which is not read: convert it to Matrix Market"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (join(path, f, name, known[i].ending) && ns_file_is_regular(path)) {
            *words = known[i].words;
            return true;
        }
    if (strcmp(f->above, "RB") == 0 && join(path, f, name, ".tar.gz") && ns_file_is_regular(path)) {
        *words = "a Rutherford-Boeing archive, which is not read: take the Matrix Market one";
        return true;
    }
    path[0] = '\0';
    return false;
}

/* Groups to look below: the one given, or each that has a matrix of the name. */
static size_t groups(const ns_lookup *l)
{
    return *l->group != '\0' ? 1 : l->matches;
}

static const char *group(const ns_lookup *l, size_t i)
{
    return *l->group != '\0' ? l->group : l->match[i].group;
}

/* A file outside any group's folder may be the one of any group: fine when there is only one. */
static bool may_be_bare(const ns_lookup *l)
{
    const ns_catalogue_entry *first;
    return *l->group == '\0' || (l->matches == 1 && ns_catalogue_matches(l->catalogue, l->name, &first) == 1);
}

static void look_for_foreign(const ns_lookup *l, const char *directory, ns_find *find)
{
    static const char *const above[] = {"", "mat", "RB"};
    if (may_be_bare(l) && has_foreign(&(folder){directory, "", ""}, l->name, find->path, &find->words))
        return;
    for (size_t i = 0; i < groups(l); i++)
        for (size_t k = 0; k < sizeof above / sizeof *above; k++)
            if (has_foreign(&(folder){directory, above[k], group(l, i)}, l->name, find->path, &find->words))
                return;
}

ns_status ns_lookup_folder(ns_lookup *lookup, const char *directory, ns_find *find, ns_error *err)
{
    char other[NS_LOOKUP_PATH];
    size_t count = 0;
    NS_TRY(ns_lookup_catalogue(lookup, err));
    *find = (ns_find){.words = NULL};
    if (may_be_bare(lookup) && has_file(&(folder){directory, "", ""}, lookup->name, find->path))
        return NS_OK;
    for (size_t i = 0; i < groups(lookup); i++) {
        char *path = count == 0 ? find->path : other;
        count += has_file(&(folder){directory, "", group(lookup, i)}, lookup->name, path) ||
                 has_file(&(folder){directory, "MM", group(lookup, i)}, lookup->name, path);
    }
    find->several = count > 1;
    if (find->several)
        find->path[0] = '\0';
    if (count == 0)
        look_for_foreign(lookup, directory, find);
    return NS_OK;
}
