/* plot.c -- charts rendered by gnuplot into a temporary file, which is then renamed */
#include "report/plot.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/without.h"
#include "io/whole_file.h"

extern char **environ;

/* Run gnuplot from one file to another: without a shell that could interpret a name, without the user's settings;
 * returns its exit code, 127 where it is not installed. */
static int run_gnuplot(int script, int picture)
{
    static char name[] = "gnuplot", defaults[] = "-d";
    char *const words[] = {name, defaults, NULL};
    posix_spawn_file_actions_t files;
    pid_t child;
    int status = -1;
    if (ns_without(getenv(NS_WITHOUT), name))
        return 127;
    if (posix_spawn_file_actions_init(&files) != 0)
        return -1;
    int code = posix_spawn_file_actions_adddup2(&files, script, STDIN_FILENO) |
               posix_spawn_file_actions_adddup2(&files, picture, STDOUT_FILENO) |
               posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (code == 0 && (code = posix_spawnp(&child, name, &files, NULL, words, environ)) == 0)
        while (waitpid(child, &status, 0) < 0 && errno == EINTR)
            continue;
    posix_spawn_file_actions_destroy(&files);
    return code == ENOENT || code == EACCES ? 127 : code == 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

ns_status ns_plot_panels(const ns_chart *panel, size_t count, size_t columns, const char *path, ns_error *err)
{
    static const char *const endings[] = {"svg", "png", "pdf", "gp"};
    const char *dot = strrchr(path, '.'), *ending = NULL;
    ns_whole_file whole;
    for (size_t i = 0; dot != NULL && i < sizeof endings / sizeof *endings && ending == NULL; i++)
        ending = strcmp(dot + 1, endings[i]) == 0 ? endings[i] : NULL;
    if (ending == NULL)
        return ns_fail_at(err, NS_ERR_NAME, path, 0, 0, "a plot ends in .svg, .png, .pdf or .gp (the gnuplot script)");
    NS_TRY(ns_whole_file_begin(path, NS_FOR_ALL, &whole, err));
    if (strcmp(ending, "gp") == 0) {
        ns_plot_script(whole.file, panel, count, columns, ending);
        return ns_whole_file_end(&whole, NS_OK, err);
    }
    struct stat drawn;
    FILE *script = tmpfile();
    int code = -1;
    if (script != NULL) {
        ns_plot_script(script, panel, count, columns, ending);
        if (fflush(script) == 0 && !ferror(script) && fseek(script, 0, SEEK_SET) == 0)
            code = run_gnuplot(fileno(script), whole.handle);
        fclose(script);
    }
    ns_status status = NS_OK;
    if (code == 127)
        status =
            ns_fail_at(err, NS_ERR_FILE, whole.path, 0, 0, "gnuplot is not installed; a plot ending in .gp needs none");
    else if (code != 0 || fstat(whole.handle, &drawn) != 0 || drawn.st_size == 0) /* whatever gnuplot returns */
        status = ns_fail_at(err, NS_ERR_FILE, whole.path, 0, 0, "the plot could not be written");
    return ns_whole_file_end(&whole, status, err);
}

ns_status ns_plot_write(const ns_chart *chart, const char *path, ns_error *err)
{
    return ns_plot_panels(chart, 1, 1, path, err);
}
