/* shared.c -- where the data folder is, and scratch files */
#define _XOPEN_SOURCE 700 /* P_tmpdir */

#include "shared.h"
#include "needs.h"

#include "core/without.h"

#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

const char *shared_dir(void)
{
    static const char *const beside = "../shared";
    struct stat facts;
    const char *named = getenv("NSMODEL_SHARED");
    if (ns_without(getenv(NS_WITHOUT), "shared"))
        return NULL;
    if (named == NULL || *named == '\0')
        named = beside;
    return stat(named, &facts) == 0 && S_ISDIR(facts.st_mode) ? named : NULL;
}

bool shared_path(const char *test, const char *relative, char *path, size_t size)
{
    struct stat facts;
    const char *dir = shared_dir();
    if (dir != NULL)
        snprintf(path, size, "%s/%s", dir, relative);
    if (dir != NULL && stat(path, &facts) == 0)
        return true;
    if (dir == NULL)
        skipped(test, "needs shared");
    else
        skipped(test, "needs shared, %s", relative);
    return false;
}

bool shared_matrices(const char *tests)
{
    char path[4096];
    return shared_path(tests, "data/matrices", path, sizeof path);
}

static char folder[128];
static pid_t owner; /* the test's process, where the folder was made */

int shared_walk(const char *below, void (*visit)(const char *path))
{
    char path[1024];
    struct stat facts;
    int files = 0;
    DIR *dir = opendir(below);
    ck_assert_msg(dir != NULL, "%s", below);
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        snprintf(path, sizeof path, "%s/%s", below, entry->d_name);
        if (entry->d_name[0] == '.' || stat(path, &facts) != 0)
            continue;
        if (S_ISDIR(facts.st_mode))
            files += shared_walk(path, visit);
        else if (S_ISREG(facts.st_mode)) {
            files++;
            visit(path);
        }
    }
    closedir(dir);
    return files;
}

static void remove_file(const char *path)
{
    (void)remove(path);
}

static void remove_folder(void)
{
    if (getpid() != owner)
        return;
    shared_walk(folder, remove_file);
    (void)rmdir(folder);
}

static const char *scratch_path(const char *name)
{
    static char paths[16][256];
    static int next;
    if (owner != getpid()) {
        const char *named = getenv("TMPDIR");
        snprintf(folder, sizeof folder, "%.100s/nsmodel-test-XXXXXX",
                 named != NULL && *named != '\0' ? named : P_tmpdir);
        ck_assert_ptr_nonnull(mkdtemp(folder));
        owner = getpid();
        atexit(remove_folder);
    }
    char *path = paths[next++ % 16];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

const char *scratch_file(const char *name, const void *bytes, size_t size)
{
    const char *path = scratch_path(name);
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes, 1, size, file), size);
    ck_assert_int_eq(fclose(file), 0);
    return path;
}

const char *scratch_gzip(const char *name, const void *bytes, size_t size)
{
    const char *path = scratch_path(name);
    gzFile file = gzopen(path, "wb1");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(gzwrite(file, bytes, (unsigned)size), (int)size);
    ck_assert_int_eq(gzclose(file), Z_OK);
    return path;
}
