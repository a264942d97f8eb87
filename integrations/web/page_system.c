/* page_system.c -- system calls of the program that emscripten's libc lacks */
#include <errno.h>
#include <spawn.h>
#include <sys/random.h>
#include <unistd.h>

ssize_t getrandom(void *buffer, size_t length, unsigned flags)
{
    (void)flags;
    return getentropy(buffer, length) == 0 ? (ssize_t)length : -1;
}

/* A page has no other programs: callers continue without them. */
int posix_spawnp(pid_t *restrict child, const char *restrict name, const posix_spawn_file_actions_t *files,
                 const posix_spawnattr_t *restrict attributes, char *const words[restrict],
                 char *const environment[restrict])
{
    (void)child, (void)name, (void)files, (void)attributes, (void)words, (void)environment;
    return ENOENT;
}
