/* support.c -- memory, words, files and random numbers for the tests' oracle */
#include "core/memory.h"
#include "oracle.h"

#include <dirent.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void *oracle_alloc(int64_t count, size_t size)
{
    void *memory = ns_calloc(count > 0 ? (size_t)count : 1, size);
    if (memory == NULL) {
        fprintf(stderr, "oracle: out of memory\n");
        abort();
    }
    return memory;
}

bool oracle_say(char why[256], const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, 256, format, arguments);
    va_end(arguments);
    return false;
}

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

typedef struct list {
    char **file;
    size_t count, room;
} list;

static void append(list *files, char *file)
{
    if (files->count + 1 >= files->room) {
        files->room = 2 * files->room + 64;
        files->file = ns_realloc(files->file, files->room * sizeof *files->file);
        if (files->file == NULL)
            abort();
    }
    files->file[files->count++] = file;
    files->file[files->count] = NULL;
}

static void walk(const char *folder, list *files)
{
    DIR *directory = opendir(folder);
    if (directory == NULL)
        return;
    for (struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory)) {
        if (entry->d_name[0] == '.')
            continue;
        size_t size = strlen(folder) + strlen(entry->d_name) + 2;
        char *path = oracle_alloc((int64_t)size, 1);
        snprintf(path, size, "%s/%s", folder, entry->d_name);
        if (is_folder(path)) {
            walk(path, files);
            ns_free(path);
        } else {
            append(files, path);
        }
    }
    closedir(directory);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

char **oracle_walk(const char *folder)
{
    list files = {.file = oracle_alloc(1, sizeof(char *)), .count = 0, .room = 1};
    walk(folder, &files);
    qsort(files.file, files.count, sizeof *files.file, by_name);
    return files.file;
}

void oracle_walk_free(char **files)
{
    for (size_t i = 0; files[i] != NULL; i++)
        ns_free(files[i]);
    ns_free(files);
}

int64_t oracle_below(oracle_random *random, int64_t bound)
{
    uint64_t z = (random->state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    z ^= z >> 31;
    return (int64_t)(z % (uint64_t)bound);
}

bool oracle_equal(double expected, double got)
{
    return fabs(expected - got) <= 1e-12 * fabs(expected);
}
