/* page_system.c -- what emscripten's libc lacks of the calls that the program makes */
#include <errno.h>
#include <spawn.h>
#include <sys/random.h>
#include <unistd.h>

ssize_t getrandom(void *buffer, size_t length, unsigned flags)
{
    (void)flags;
    return getentropy(buffer, length) == 0 ? (ssize_t)length : -1;
}

/* A page has no other programs: whoever asks for one goes on without. */
int posix_spawnp(pid_t *restrict child, const char *restrict name, const posix_spawn_file_actions_t *files,
                 const posix_spawnattr_t *restrict attributes, char *const words[restrict],
                 char *const environment[restrict])
{
    (void)child, (void)name, (void)files, (void)attributes, (void)words, (void)environment;
    return ENOENT;
}
