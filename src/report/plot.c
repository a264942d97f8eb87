/* plot.c -- charts rendered by gnuplot into the file that then takes the name */
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

typedef struct panels {
    const ns_chart *panel;
    size_t count, columns;
} panels;

static const char *ending_of(const char *path)
{
    static const char *const endings[] = {"svg", "png", "pdf", "gp"};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot != NULL && i < sizeof endings / sizeof *endings; i++)
        if (strcmp(dot + 1, endings[i]) == 0)
            return endings[i];
    return NULL;
}

extern char **environ;

/* gnuplot from one file to another: no shell that could read a name, no settings of this user's; its exit code, 127
 * where there is none. */
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

/* A picture without a byte is none, whatever gnuplot says. */
static int render(const panels *p, const char *ending, int picture)
{
    struct stat drawn;
    FILE *script = tmpfile();
    int code = -1;
    if (script == NULL)
        return -1;
    ns_plot_script(script, p->panel, p->count, p->columns, ending);
    if (fflush(script) == 0 && !ferror(script) && fseek(script, 0, SEEK_SET) == 0)
        code = run_gnuplot(fileno(script), picture);
    fclose(script);
    return code == 0 && (fstat(picture, &drawn) != 0 || drawn.st_size == 0) ? -1 : code;
}

/* The script, or the file for gnuplot to fill. */
static ns_status write_plot(const panels *p, const char *ending, const ns_whole_file *whole, ns_error *err)
{
    if (strcmp(ending, "gp") == 0) {
        ns_plot_script(whole->file, p->panel, p->count, p->columns, ending);
        return NS_OK;
    }
    const int code = render(p, ending, whole->handle);
    if (code == 127)
        return ns_fail_at(err, NS_ERR_FILE, whole->path, 0, 0,
                          "gnuplot is not installed; a plot ending in .gp needs none");
    return code == 0 ? NS_OK : ns_fail_at(err, NS_ERR_FILE, whole->path, 0, 0, "the plot could not be written");
}

ns_status ns_plot_panels(const ns_chart *panel, size_t count, size_t columns, const char *path, ns_error *err)
{
    const panels p = {panel, count, columns};
    const char *ending = ending_of(path);
    ns_whole_file whole;
    if (ending == NULL)
        return ns_fail_at(err, NS_ERR_NAME, path, 0, 0, "a plot ends in .svg, .png, .pdf or .gp (the gnuplot script)");
    NS_TRY(ns_whole_file_begin(path, NS_FOR_ALL, &whole, err));
    return ns_whole_file_end(&whole, write_plot(&p, ending, &whole, err), err);
}

ns_status ns_plot_write(const ns_chart *chart, const char *path, ns_error *err)
{
    return ns_plot_panels(chart, 1, 1, path, err);
}
