/* matrix_get.c -- download a matrix of the collection into the cache, and check that it is the requested one */
#define _XOPEN_SOURCE 700

#include <string.h>
#include <unistd.h>

#include "cli/front/progress.h"
#include "cli/show/matrix.h"
#include "core/memory.h"
#include "fetch/fetch.h"
#include "io/whole_file.h"
#include "report/columns.h"

enum { PATH = 4096 };

typedef struct get {
    const ns_args *args;
    const ns_matrix_request *asked;
    const ns_catalogue_entry *entry;
    char name[128];                                           /* GROUP/NAME */
    char url[PATH], folder[PATH], path[PATH], part[PATH + 8]; /* path: the final place of the file */
    bool shared;       /* kept in a folder chosen by the user, not in the cache */
    const char *doing; /* the text of the progress line */
    ns_fetch_result came;
} get;

/* ---- is it already there? ---------------------------------------------------------------------------------------- */

static void note_real_file(void *path, const ns_matrix_step *step)
{
    static const char *const stand_ins[] = {"file", "stencil", "embedded", "surrogate"};
    bool real = step->used;
    for (size_t i = 0; i < sizeof stand_ins / sizeof *stand_ins; i++)
        real = real && strcmp(step->place, stand_ins[i]) != 0;
    if (real)
        snprintf(path, PATH, "%s", step->found);
}

/* ---- fetching and checking --------------------------------------------------------------------------------------- */

static void tell(void *get_, int64_t done, int64_t total)
{
    const get *g = get_;
    char what[80];
    snprintf(what, sizeof what, "%s %.60s", g->doing, g->entry->name);
    ns_progress_show(g->args->progress, what, "B", (double)done, (double)total);
}

static ns_status count(void *entries, const ns_entry *entry, size_t number, ns_error *err)
{
    (void)entry;
    (void)err;
    *(int64_t *)entries += (int64_t)number;
    return NS_OK;
}

static ns_status check(get *g, ns_error *err)
{
    g->doing = "checking";
    NS_TRY(ns_fetch_check(g->part, tell, g, err));
    /* rows, columns and entries have to equal the catalogue's */
    ns_matrix *matrix;
    const ns_catalogue_entry *e = g->entry;
    int64_t entries = 0;
    NS_TRY(ns_matrix_open(g->part, &matrix, err));
    const ns_matrix_info *info = ns_matrix_describe(matrix);
    ns_progress_watch(g->args->progress, matrix);
    ns_matrix_limit(matrix, e->rows + 2 * e->stored); /* a symmetric file's header counts half */
    ns_status status =
        info->rows == e->rows && info->cols == e->cols ? ns_matrix_scan(matrix, count, &entries, err) : NS_OK;
    if (status == NS_OK && (info->rows != e->rows || info->cols != e->cols))
        status = ns_fail(err, NS_ERR_DATA, "%s: not %s: %lld x %lld, the catalogue has %lld x %lld", g->url, g->name,
                         (long long)info->rows, (long long)info->cols, (long long)e->rows, (long long)e->cols);
    else if (status == NS_OK && entries != e->stored)
        status = ns_fail(err, NS_ERR_DATA, "%s: not %s: %lld entries, the catalogue has %lld", g->url, g->name,
                         (long long)entries, (long long)e->stored);
    ns_matrix_free(matrix);
    return status;
}

static ns_status transfer(get *g, ns_error *err)
{
    g->doing = "fetching";
    /* A packed entry takes about 10 B; an archive may also contain vectors and names of rows. */
    enum { ALWAYS = 64 << 20, EACH = 128 };
    const ns_fetch_request request = {.url = g->url,
                                      .part = g->part,
                                      .shared = g->shared,
                                      .most = ALWAYS + EACH * (g->entry->stored + g->entry->rows + g->entry->cols),
                                      .tell = tell,
                                      .context = g};
    return ns_fetch_file(&request, &g->came, err);
}

/* ---- the answer -------------------------------------------------------------------------------------------------- */

static void report(const get *g, const char *path, const char *how, ns_value *result)
{
    ns_put_schema(result, "nsmodel/matrix-get/1");
    ns_value_text(result, "name", g->name);
    ns_value_text(result, "status", how);
    ns_value_text(result, "path", path);
    ns_value_text(result, "url", g->url);
    if (g->came.bytes > 0) {
        ns_value_number(result, "bytes", (double)g->came.bytes, NS_BYTE);
        ns_value_number(result, "resumed_from", (double)g->came.resumed, NS_BYTE);
        ns_value_count(result, "cuts", g->came.cuts);
    }
    ns_value_count(result, "rows", (double)g->entry->rows);
    ns_value_count(result, "cols", (double)g->entry->cols);
    ns_value_count(result, "entries", (double)g->entry->stored);
    ns_value_text(result, "collection", NS_COLLECTION);
}

static ns_status get_entry(get *g, ns_value *result, ns_error *err)
{
    snprintf(g->name, sizeof g->name, "%s/%s", g->entry->group, g->entry->name);
    const char *base = g->asked->url;
    const size_t scheme = strncmp(base, "http://", 7) == 0 ? 7 : strncmp(base, "https://", 8) == 0 ? 8 : 0;
    size_t length = strlen(base);
    if (scheme == 0 || base[scheme] == '\0' || base[scheme] == '/')
        return ns_fail(err, NS_ERR_USAGE, "--url wants http://... or https://..., got \"%.200s\"", base);
    while (length > 0 && base[length - 1] == '/')
        length--;
    if (snprintf(g->url, sizeof g->url, "%.*s/MM/%s.tar.gz", (int)length, base, g->name) >= (int)sizeof g->url)
        return ns_fail(err, NS_ERR_USAGE, "--url is too long");
    /* the user's cache is the last of the places */
    ns_places places;
    const char *to = g->asked->to, *root = to;
    char present[PATH] = "";
    if (to != NULL && *to == '\0')
        return ns_fail(err, NS_ERR_USAGE, "--to wants a folder");
    g->shared = to != NULL;
    ns_status status = ns_places_open(&places, err);
    if (status == NS_OK && root == NULL && places.count > 0 && places.place[places.count - 1].source == NS_FROM_CACHE)
        root = places.place[places.count - 1].directory;
    if (status == NS_OK && root == NULL)
        status = ns_fail(err, NS_ERR_FILE,
                         "no cache to keep it in: neither XDG_CACHE_HOME nor HOME is set; say --to FOLDER");
    if (status == NS_OK &&
        (snprintf(g->folder, sizeof g->folder, "%s/%s", root, g->entry->group) >= (int)sizeof g->folder ||
         snprintf(g->path, sizeof g->path, "%s/%s.tar.gz", root, g->name) >= (int)sizeof g->path))
        status = ns_fail(err, NS_ERR_FILE, "the folder's name is too long");
    snprintf(g->part, sizeof g->part, "%s.part", g->path);
    if (status == NS_OK && !g->asked->again) {
        if (access(g->path, F_OK) == 0)
            memcpy(present, g->path, PATH);
        else if (to == NULL)
            status = ns_matrix_where(g->name, places.place, places.count, note_real_file, present, err);
    }
    ns_places_close(&places);
    NS_TRY(status);
    if (present[0] != '\0') {
        report(g, present, "present", result);
        return NS_OK;
    }
    /* A wrong file may consist of parts of two versions: if it was resumed, request the whole of it once more. */
    ns_error wrong = {0};
    NS_TRY(ns_fetch_folder(g->folder, g->shared, err));
    NS_TRY(transfer(g, err));
    status = check(g, &wrong);
    if (status != NS_OK && g->came.resumed > 0) {
        ns_fetch_forget(g->part);
        NS_TRY(transfer(g, err));
        wrong = (ns_error){0};
        status = check(g, &wrong);
    }
    if (status == NS_OK)
        NS_TRY(ns_whole_file_rename(g->part, g->path, err));
    ns_fetch_forget(g->part);
    if (status != NS_OK && err != NULL)
        *err = wrong;
    NS_TRY(status);
    report(g, g->path, g->came.resumed > 0 ? "resumed" : "fetched", result);
    return NS_OK;
}

ns_status ns_matrix_get(const ns_args *args, const ns_matrix_request *request, ns_value *result,
                        ns_command_context *context, ns_error *err)
{
    ns_catalogue *catalogue;
    (void)context;
    get *g = ns_calloc(1, sizeof *g);
    if (g == NULL)
        return ns_no_memory(err);
    g->args = args;
    g->asked = request;
    ns_status status = ns_catalogue_open(&catalogue, err);
    if (status == NS_OK) {
        status = ns_catalogue_find(catalogue, args->word[1], &g->entry, err);
        if (status == NS_OK)
            status = get_entry(g, result, err);
        ns_catalogue_free(catalogue);
    }
    ns_free(g);
    return status;
}
