/* open.c -- open a matrix by path, stencil or name: a file, a stencil, the caller's places, embedded matrices,
 * surrogates
 *
 * A place is a folder with one of the layouts used by people and tools.  Plain folders hold NAME.mtx[.gz],
 * NAME.tar.gz, NAME.nsp or, unpacked, NAME/NAME.mtx.  Copies of the collection have GROUP/ in between; ssget
 * (SuiteSparse), ssget (Ginkgo) and ssgetpy have MM/GROUP/, and mat/GROUP/ and RB/GROUP/ for formats that are not read
 * here.  Names with "..", a "/" at an end or a second "/" are refused, so that no path leaves the folder.
 */
#include "matrix/open.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "bytes/bytes.h"
#include "collection/catalogue.h"
#include "core/context.h"
#include "core/embedded.h"
#include "core/memory.h"
#include "core/refuse.h"
#include "matrix/nsp/nsp.h"

enum { PATH_MOST = 4096, NAME_MOST = 128 };

typedef enum found_kind { NOTHING, A_FILE, STENCIL, IN_PLACE, EMBEDDED, SURROGATE } found_kind;

typedef struct lookup {
    const char *spec;
    const ns_matrix_place *place;
    size_t places;
    ns_matrix_step_fn *tell; /* or NULL: then the search ends at the first find */
    void *context;

    found_kind kind;         /* the first find */
    char path[PATH_MOST];    /* if IN_PLACE */
    ns_matrix_source source; /* if IN_PLACE: the source of its place */
    const ns_embedded *embedded;
    const ns_surrogate *surrogate;

    bool is_name;                           /* NAME or GROUP/NAME, safe to join to a folder */
    char group[NAME_MOST], name[NAME_MOST]; /* group "": not given */
    ns_catalogue *catalogue;                /* NULL until it is needed */
    const ns_catalogue_entry *match;        /* `matches` matrices with that name in the catalogue */
    size_t matches;
    char foreign[PATH_MOST]; /* the first file with that name that exists but is not read, or "" */
    const char *foreign_words;
    bool ambiguous; /* a place has files of several matrices with that name */
} lookup;

/* Open the catalogue, once, and find the matches of the name in it. */
static ns_status ask_catalogue(lookup *l, ns_error *err)
{
    if (l->catalogue == NULL) {
        NS_TRY(ns_catalogue_open(&l->catalogue, err));
        l->matches = ns_catalogue_matches(l->catalogue, l->spec, &l->match);
    }
    return NS_OK;
}

/* ---- a name in one folder ---------------------------------------------------------------------------------------- */

/* DIRECTORY/above/group/NAME... */
typedef struct folder {
    const char *directory, *above, *group; /* above, group: "" for none */
} folder;

/* Write the path of NAME with that ending; returns true if it is a regular file.  Opening anything else may block. */
static bool is_there(char path[PATH_MOST], const folder *f, const char *name, const char *ending)
{
    struct stat facts;
    const int length = snprintf(path, PATH_MOST, "%s/%s%s%s%s%s%s", f->directory, f->above,
                                *f->above != '\0' ? "/" : "", f->group, *f->group != '\0' ? "/" : "", name, ending);
    return length > 0 && length < PATH_MOST && stat(path, &facts) == 0 && S_ISREG(facts.st_mode);
}

static bool has_file(const folder *f, const char *name, char path[PATH_MOST])
{
    static const char *const endings[] = {".mtx", ".mtx.gz", ".tar.gz", ".nsp"};
    char inner[2 * NAME_MOST];
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (is_there(path, f, name, endings[i]))
            return true;
    snprintf(inner, sizeof inner, "%s/%s", name, name);
    for (size_t i = 0; i < 2; i++)
        if (is_there(path, f, inner, endings[i]))
            return true;
    path[0] = '\0';
    return false;
}

static bool has_foreign(const folder *f, const char *name, char path[PATH_MOST], const char **words)
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
        if (is_there(path, f, name, known[i].ending)) {
            *words = known[i].words;
            return true;
        }
    if (strcmp(f->above, "RB") == 0 && is_there(path, f, name, ".tar.gz")) {
        *words = "a Rutherford-Boeing archive, which is not read: take the Matrix Market one";
        return true;
    }
    path[0] = '\0';
    return false;
}

/* The file of a name that a folder has. */
typedef struct found_file {
    char path[PATH_MOST]; /* "" if none */
    const char *words;    /* why it is not read, or NULL */
    bool several;         /* files of several matrices with that name; path is then "" */
} found_file;

static ns_status look_in(lookup *l, const char *directory, found_file *find, ns_error *err)
{
    static const char *const foreign[] = {"", "mat", "RB"};
    char other[PATH_MOST];
    const ns_catalogue_entry *first;
    struct stat facts;
    size_t count = 0;
    find->path[0] = '\0';
    find->words = NULL;
    find->several = false;
    if (stat(directory, &facts) != 0) /* most of the tools' folders do not exist: skip them */
        return NS_OK;
    NS_TRY(ask_catalogue(l, err));
    /* Groups to search: the given one, or each that has a matrix with the name.  A file outside any group's folder may
     * belong to any group: this is unambiguous only if there is a single one. */
    const bool given = *l->group != '\0';
    const size_t groups = given ? 1 : l->matches;
    const bool bare = !given || (l->matches == 1 && ns_catalogue_matches(l->catalogue, l->name, &first) == 1);
    if (bare && has_file(&(folder){directory, "", ""}, l->name, find->path))
        return NS_OK;
    find->path[0] = '\0';
    for (size_t i = 0; i < groups; i++) {
        const char *group = given ? l->group : l->match[i].group;
        char *path = count == 0 ? find->path : other;
        count += has_file(&(folder){directory, "", group}, l->name, path) ||
                 has_file(&(folder){directory, "MM", group}, l->name, path);
    }
    find->several = count > 1;
    if (find->several)
        find->path[0] = '\0';
    if (count > 0 || (bare && has_foreign(&(folder){directory, "", ""}, l->name, find->path, &find->words)))
        return NS_OK;
    for (size_t i = 0; i < groups; i++)
        for (size_t k = 0; k < sizeof foreign / sizeof *foreign; k++) {
            const folder f = {directory, foreign[k], given ? l->group : l->match[i].group};
            if (has_foreign(&f, l->name, find->path, &find->words))
                return NS_OK;
        }
    return NS_OK;
}

/* ---- search order ------------------------------------------------------------------------------------------------ */

/* Record a find unless there is one already; returns true when the search may end. */
static bool settle(lookup *l, found_kind kind, ns_matrix_step *step)
{
    step->size = sizeof *step;
    step->used = kind != NOTHING && l->kind == NOTHING && !l->ambiguous;
    if (step->used)
        l->kind = kind;
    if (l->tell != NULL)
        l->tell(l->context, step);
    return l->tell == NULL && (l->kind != NOTHING || l->ambiguous);
}

/* Fill *l (spec, place, places, tell, context must be set, the rest zero).  The caller frees its catalogue, on failure
 * too. */
static ns_status look_up(lookup *l, ns_error *err)
{
    const char *spec = l->spec;
    ns_matrix_step step;
    struct stat facts;
    bool there = stat(spec, &facts) == 0;
    if (!there && errno != ENOENT && errno != ENOTDIR && errno != ENAMETOOLONG)
        return ns_file_fail(err, spec, "open", errno);
    there = there && !S_ISDIR(facts.st_mode);
    /* "stencil9:..." and "stencil9" are treated as stencils, valid or not */
    const char *after = strncmp(spec, "stencil", 7) == 0 ? spec + 7 + strspn(spec + 7, "0123456789") : spec;
    const bool stencil = after > spec && (*after == ':' || (*after == '\0' && after > spec + 7));
    const bool found = there || stencil;
    step = (ns_matrix_step){
        .place = stencil && !there ? "stencil" : "file", .looked_for = spec, .found = found ? spec : NULL};
    const bool done = settle(l, there ? A_FILE : stencil ? STENCIL : NOTHING, &step);

    /* NAME or GROUP/NAME; no part begins with a dot */
    const char *slash = strchr(spec, '/'), *name = slash != NULL ? slash + 1 : spec;
    const size_t group = slash != NULL ? (size_t)(slash - spec) : 0, length = strlen(name);
    l->is_name = !stencil && strchr(name, '/') == NULL && length > 0 && length < NAME_MOST && name[0] != '.' &&
                 (slash == NULL || (group > 0 && group < NAME_MOST && spec[0] != '.'));
    if (l->is_name) {
        memcpy(l->group, spec, group);
        memcpy(l->name, name, length + 1);
    }
    if (done || !l->is_name)
        return NS_OK;

    for (const ns_matrix_place *place = l->place; place < l->place + l->places; place++) {
        found_file find;
        NS_TRY(look_in(l, place->directory, &find, err));
        const bool has = find.path[0] != '\0', readable = has && find.words == NULL;
        l->ambiguous |= find.several && l->kind == NOTHING;
        step = (ns_matrix_step){.place = place->label,
                                .looked_for = place->directory,
                                .found = has ? find.path : NULL,
                                .note = find.several ? "files of several groups: say GROUP/NAME" : find.words};
        const bool enough = settle(l, readable ? IN_PLACE : NOTHING, &step);
        if (step.used) {
            memcpy(l->path, find.path, sizeof find.path);
            l->source = place->source;
        }
        if (find.several)
            ns_tell_host(NS_LOG_WARNING, "%s has files of several groups for %s, and none is taken: say GROUP/NAME",
                         place->directory, spec);
        if (has && !readable) {
            ns_tell_host(NS_LOG_WARNING, "%s is skipped: %s", find.path, find.words);
            if (l->foreign[0] == '\0') {
                memcpy(l->foreign, find.path, sizeof find.path);
                l->foreign_words = find.words;
            }
        }
        if (enough)
            return NS_OK;
    }

    char path[NAME_MOST + 32];
    snprintf(path, sizeof path, "params/matrices/%s.nsp", l->name);
    l->embedded = ns_embedded_find(path);
    if (l->embedded != NULL && *l->group != '\0') {
        NS_TRY(ask_catalogue(l, err));
        l->embedded = l->matches > 0 ? l->embedded : NULL;
    }
    step = (ns_matrix_step){
        .place = "embedded", .looked_for = spec, .found = l->embedded != NULL ? l->embedded->path : NULL};
    if (settle(l, l->embedded != NULL ? EMBEDDED : NOTHING, &step))
        return NS_OK;

    char full[2 * NAME_MOST + 2] = "";
    NS_TRY(ns_surrogate_find(spec, &l->surrogate, err));
    if (l->surrogate != NULL)
        snprintf(full, sizeof full, "%s/%s", l->surrogate->group, l->surrogate->name);
    step = (ns_matrix_step){.place = "surrogate",
                            .looked_for = spec,
                            .found = l->surrogate != NULL ? full : NULL,
                            .note = l->surrogate != NULL ? "generated, not the real matrix" : NULL};
    settle(l, l->surrogate != NULL ? SURROGATE : NOTHING, &step);
    return NS_OK;
}

ns_status ns_matrix_where(const char *spec, const ns_matrix_place *place, size_t places, ns_matrix_step_fn *tell,
                          void *context, ns_error *err)
{
    ns_error_clear(err);
    lookup l = {.spec = spec, .place = place, .places = places, .tell = tell, .context = context};
    ns_status status = look_up(&l, err);
    ns_catalogue_free(l.catalogue);
    return status;
}

/* ---- nothing found ----------------------------------------------------------------------------------------------- */

/* After a search with the result NOTHING: report what was searched, and suggest similar names. */
static ns_status say_nothing_found(lookup *l, ns_error *err)
{
    const char *spec = l->spec;
    const ns_catalogue_entry *e;
    char closest[NAME_MOST];
    static const char *const endings[] = {".mtx", ".gz", ".tgz", ".tar", ".mm", ".nsp"};
    bool path = !l->is_name;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const size_t length = strlen(spec), n = strlen(endings[i]);
        path = path || (length > n && strcmp(spec + length - n, endings[i]) == 0);
    }
    if (*spec != '\0' && path)
        return NS_OK; /* opening it reports the error */
    NS_TRY(ask_catalogue(l, err));
    if (l->matches == 1 && l->foreign[0] != '\0')
        return ns_fail_at(err, NS_ERR_FILE, l->foreign, 0, 0, "%s", l->foreign_words);
    if (l->matches == 1) {
        char full[128];
        e = l->match;
        snprintf(full, sizeof full, "%s/%s", e->group, e->name);
        return ns_fail_for(err, NS_ERR_FILE, NS_REMEDY_MATRIX, full,
                           "%s (%lld x %lld, %lld entries) is in the catalogue, but no file of it was found, and there "
                           "is no surrogate",
                           full, (long long)e->rows, (long long)e->cols, (long long)e->stored);
    }
    if (l->matches > 1)
        return ns_catalogue_find(l->catalogue, spec, &e, err); /* which lists them */
    if (*l->group != '\0' && ns_catalogue_matches(l->catalogue, l->name, &e) > 0)
        return ns_fail(err, NS_ERR_NAME, "no matrix \"%.200s\": no such file or name, did you mean \"%s/%s\"?", spec,
                       e->group, e->name);
    if (ns_catalogue_closest(l->catalogue, spec, closest, sizeof closest))
        return ns_fail(err, NS_ERR_NAME, "no matrix \"%.200s\": no such file or name, did you mean \"%s\"?", spec,
                       closest);
    if (strchr(spec, '/') != NULL)
        return NS_OK;
    return ns_fail(err, NS_ERR_NAME,
                   "no matrix \"%.200s\": wanted a file, a stencil (\"stencil9:3200x3200\") or a name (\"audikw_1\")",
                   spec);
}

/* ---- opening what was found -------------------------------------------------------------------------------------- */

static ns_status open_file(const char *path, ns_matrix *matrix, ns_error *err)
{
    struct stat facts;
    const bool regular = stat(path, &facts) == 0 && S_ISREG(facts.st_mode);
    return regular && ns_is_nsp(path) ? ns_nsp_open(path, NULL, 0, matrix, err) : ns_market_open(path, matrix, err);
}

ns_status ns_matrix_open_in(const char *spec, const ns_matrix_place *place, size_t places, ns_matrix **matrix,
                            ns_error *err)
{
    ns_error_clear(err);
    lookup l = {.spec = spec, .place = place, .places = places};
    ns_matrix *opened = ns_calloc(1, sizeof *opened);
    if (opened == NULL)
        return ns_fail(err, NS_ERR_MEMORY, "not enough memory to open a matrix");
    ns_status status = look_up(&l, err);
    if (status == NS_OK && l.kind == NOTHING)
        status = say_nothing_found(&l, err);
    if (status == NS_OK && l.kind == SURROGATE)
        ns_tell_host(NS_LOG_NOTE, "no file of %s is found: a surrogate is generated, not the real matrix", spec);
    if (status == NS_OK)
        status = l.kind == A_FILE      ? open_file(spec, opened, err)
                 : l.kind == STENCIL   ? ns_stencil_open(spec, opened, err)
                 : l.kind == IN_PLACE  ? open_file(l.path, opened, err)
                 : l.kind == EMBEDDED  ? ns_nsp_open(l.embedded->path, l.embedded->data, l.embedded->size, opened, err)
                 : l.kind == SURROGATE ? ns_surrogate_open(spec, l.surrogate, opened, err)
                                       : ns_market_open(spec, opened, err); /* reports what is wrong with the path */

    /* A file whose size differs from the catalogue's entry of its name is read, but not identified with that matrix. */
    ns_matrix_info *info = &opened->info;
    if (status == NS_OK && l.kind == IN_PLACE) {
        if (l.source == NS_FROM_CACHE && info->source != NS_SURROGATE)
            info->source = NS_FROM_CACHE;
        status = ask_catalogue(&l, err);
    }
    if (status == NS_OK && l.kind == IN_PLACE && info->note == NULL && l.matches == 1 &&
        (info->rows != l.match->rows || info->cols != l.match->cols)) {
        enum { NOTE = 320 };
        const size_t length = strlen(info->name) + 1;
        char *strings = ns_malloc(length + NOTE);
        status = strings != NULL ? NS_OK : ns_no_memory(err);
        if (strings != NULL) {
            memcpy(strings, info->name, length);
            snprintf(strings + length, NOTE,
                     "file: %lld x %lld, not %.80s/%.80s of the collection, which is %lld x %lld",
                     (long long)info->rows, (long long)info->cols, l.match->group, l.match->name,
                     (long long)l.match->rows, (long long)l.match->cols);
            ns_free(opened->strings);
            opened->strings = strings;
            info->name = strings;
            info->note = strings + length;
            ns_tell_host(NS_LOG_WARNING, "%s: %s", info->name, info->note);
        }
    }
    ns_catalogue_free(l.catalogue);
    info->size = sizeof *info;
    if (status == NS_OK)
        *matrix = opened;
    else
        ns_matrix_free(opened);
    return status;
}

ns_status ns_matrix_open(const char *spec, ns_matrix **matrix, ns_error *err)
{
    ns_error_clear(err);
    return ns_matrix_open_in(spec, NULL, 0, matrix, err);
}
