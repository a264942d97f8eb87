/* places.c -- fake places to look for matrices in, and archives to lay there */
#include "support/places.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

#include "support/shell.h"

char places_root[512];

void places_open(void)
{
    snprintf(places_root, sizeof places_root, "%s", scratch_open());
}

static size_t matrix_text(char *text, size_t size, int n)
{
    return (size_t)snprintf(text, size, "%%%%MatrixMarket matrix coordinate pattern general\n%d %d 1\n%d 1\n", n, n, n);
}

const char *places_path(const char *relative)
{
    static char path[PATHS];
    snprintf(path, sizeof path, "%s/%s", places_root, relative);
    for (char *slash = strchr(path + strlen(places_root) + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0777);
        *slash = '/';
    }
    return path;
}

void places_put(const char *relative, const void *bytes, size_t size, bool packed)
{
    const char *path = places_path(relative);
    gzFile file = gzopen(path, packed ? "wb1" : "wbT"); /* T: as it is */
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(gzwrite(file, bytes, (unsigned)size), (int)size);
    ck_assert_int_eq(gzclose(file), Z_OK);
}

void archive_member(archive *a, const char *name, const char *link, const char *data, size_t size, char kind)
{
    unsigned char *h = a->bytes + a->size;
    unsigned sum = 0;
    memset(h, 0, BLOCK + (size + BLOCK - 1) / BLOCK * BLOCK);
    snprintf((char *)h, 100, "%s", name);
    snprintf((char *)h + 100, 8, "0000644");
    snprintf((char *)h + 124, 12, "%011zo", size);
    snprintf((char *)h + 157, 100, "%s", link);
    memset(h + 148, ' ', 8);
    h[156] = (unsigned char)kind;
    memcpy(h + 257, "ustar\00000", 8);
    for (int i = 0; i < BLOCK; i++)
        sum += h[i];
    snprintf((char *)h + 148, 8, "%06o", sum);
    if (size > 0)
        memcpy(h + BLOCK, data, size);
    a->size += BLOCK + (size + BLOCK - 1) / BLOCK * BLOCK;
}

void archive_matrix(archive *a, const char *name, int n)
{
    char text[128];
    size_t size = matrix_text(text, sizeof text, n);
    archive_member(a, name, "", text, size, '0');
}

void archive_finish(archive *a)
{
    memset(a->bytes + a->size, 0, 2 * BLOCK);
    a->size += 2 * BLOCK;
}

void places_good(const char *relative, int n)
{
    static archive a;
    char text[128], inside[200];
    const char *stem = strrchr(relative, '/') + 1, *dot = strchr(stem, '.');
    size_t size = matrix_text(text, sizeof text, n);
    if (strcmp(dot, ".nsp") == 0) {
        char mtx[300];
        ns_matrix *matrix;
        snprintf(mtx, sizeof mtx, "work/%.*s.mtx", (int)(dot - stem), stem);
        places_put(mtx, text, size, false);
        ck_assert_int_eq(ns_matrix_open(places_path(mtx), &matrix, NULL), NS_OK);
        ck_assert_int_eq(ns_matrix_save(matrix, places_path(relative), 0, NULL), NS_OK);
        ns_matrix_free(matrix);
    } else if (strcmp(dot, ".tar.gz") == 0) {
        a.size = 0;
        snprintf(inside, sizeof inside, "%.*s/%.*s.mtx", (int)(dot - stem), stem, (int)(dot - stem), stem);
        archive_matrix(&a, inside, n);
        archive_finish(&a);
        places_put(relative, a.bytes, a.size, true);
    } else {
        places_put(relative, text, size, strcmp(dot, ".mtx.gz") == 0);
    }
}

ns_matrix_place *places_fake(void)
{
    static char folder[3][PATHS];
    static ns_matrix_place place[3];
    static const char *const names[] = {"p", "q", "c"};
    for (int i = 0; i < 3; i++) {
        snprintf(folder[i], PATHS, "%s/%s", places_root, names[i]);
        place[i] = (ns_matrix_place){i < 2 ? "path" : "cache", folder[i], i < 2 ? NS_FROM_FILE : NS_FROM_CACHE};
    }
    return place;
}
