/* memory_limit.c -- how much memory this process may have (proc(5), cgroups(7)) */
#include "cli/inputs/memory_limit.h"

#include <mntent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { PATH = 1024, LINE = 16384 };

static FILE *open_below(const char *root, const char *path)
{
    char name[4 * PATH];
    return snprintf(name, sizeof name, "%s%s", root, path) < (int)sizeof name ? fopen(name, "r") : NULL;
}

/* The smallest limit of a group and its ancestors, as far up as the mount shows them; the mount's top is the group
 * `top`. A group outside of the mount, as in some containers, is not visible: then only the mount's top is read. */
static int64_t least_in(const char *root, const char *mount, const char *top, const char *group, const char *file)
{
    const size_t above = strcmp(top, "/") == 0 ? 0 : strlen(top);
    const bool within = strncmp(group, top, above) == 0 && (group[above] == '/' || group[above] == '\0') &&
                        strstr(group, "/..") == NULL;
    const char *path = within ? group + above : "";
    int64_t least = INT64_MAX;
    char name[3 * PATH];
    for (size_t length = strlen(path);;) {
        /* "max", or a missing file, means no limit */
        char text[64] = "", *end = text;
        const bool fits = snprintf(name, sizeof name, "%s%.*s/%s", mount, (int)length, path, file) < (int)sizeof name;
        FILE *limits = fits ? open_below(root, name) : NULL;
        const long long limit =
            limits != NULL && fgets(text, sizeof text, limits) != NULL ? strtoll(text, &end, 10) : 0;
        if (limits != NULL)
            fclose(limits);
        least = end > text && limit > 0 && limit < least ? (int64_t)limit : least;
        if (length == 0)
            return least;
        do
            length--;
        while (length > 0 && path[length] != '/');
    }
}

int64_t ns_memory_limit(const char *root)
{
    const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    char line[LINE], top[PATH], mount[PATH], type[32], options[256], group[PATH];
    struct rlimit space;
    int64_t least = pages > 0 && size > 0 ? (int64_t)pages * size : INT64_MAX;
    if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY && space.rlim_cur < (rlim_t)least)
        least = (int64_t)space.rlim_cur;
    FILE *mounts = open_below(root, "/proc/self/mountinfo");
    while (mounts != NULL && fgets(line, sizeof line, mounts) != NULL) {
        const char *after = strstr(line, " - ");
        if (after == NULL || sscanf(line, "%*s %*s %*s %1023s %1023s", top, mount) != 2 ||
            sscanf(after, " - %31s %*s %255s", type, options) != 2)
            continue;
        /* Version 2 has all controllers in one hierarchy. */
        const bool second = strcmp(type, "cgroup2") == 0;
        const struct mntent entry = {.mnt_opts = options};
        if (!second && (strcmp(type, "cgroup") != 0 || hasmntopt(&entry, "memory") == NULL))
            continue;
        /* The process's group in that hierarchy ("0::/a/b"), or in the one of version 1 that has memory
         * ("4:memory:/a/b"). */
        FILE *groups = open_below(root, "/proc/self/cgroup");
        bool found = false;
        while (groups != NULL && !found && fgets(line, sizeof line, groups) != NULL) {
            char *controllers = strchr(line, ':'), *path = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
            if (path == NULL)
                continue;
            *path++ = '\0';
            path[strcspn(path, "\n")] = '\0';
            found = (second ? strcmp(line, "0:") == 0
                            : hasmntopt(&(struct mntent){.mnt_opts = controllers + 1}, "memory") != NULL) &&
                    snprintf(group, sizeof group, "%s", path) < (int)sizeof group;
        }
        if (groups != NULL)
            fclose(groups);
        const int64_t limit = found ? least_in(root, mount, top, group, second ? "memory.max" : "memory.limit_in_bytes")
                                    : INT64_MAX;
        least = limit < least ? limit : least;
    }
    if (mounts != NULL)
        fclose(mounts);
    return least;
}
