/* plot.c -- charts rendered by gnuplot, beside the file first, then renamed */
#include "report/plot.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

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

/* Feed gnuplot; true when it rendered. */
static bool render(const panels *p, const char *ending, const char *path, bool *found)
{
    void (*before)(int) = signal(SIGPIPE, SIG_IGN); /* a gnuplot that dies early must not take us along */
    FILE *pipe = popen("gnuplot 2>/dev/null", "w");
    int status = -1;
    if (pipe != NULL) {
        ns_plot_script(pipe, p->panel, p->count, p->columns, ending, path);
        status = pclose(pipe);
    }
    signal(SIGPIPE, before);
    *found = status != -1 && !(WIFEXITED(status) && WEXITSTATUS(status) == 127);
    return status == 0;
}

/* The script, or the file for gnuplot to fill. */
static ns_status write_plot(const panels *p, const char *ending, const ns_whole_file *whole, ns_error *err)
{
    bool found = true;
    if (strcmp(ending, "gp") == 0) {
        ns_plot_script(whole->file, p->panel, p->count, p->columns, ending, whole->path);
        return NS_OK;
    }
    if (render(p, ending, whole->beside, &found))
        return NS_OK;
    return found ? ns_fail_at(err, NS_ERR_FILE, whole->path, 0, 0, "the plot could not be written")
                 : ns_fail_at(err, NS_ERR_FILE, whole->path, 0, 0,
                              "gnuplot is not installed; a plot ending in .gp needs none");
}

ns_status ns_plot_panels(const ns_chart *panel, size_t count, size_t columns, const char *path, ns_error *err)
{
    const panels p = {panel, count, columns};
    const char *ending = ending_of(path);
    ns_whole_file whole;
    if (ending == NULL)
        return ns_fail_at(err, NS_ERR_NAME, path, 0, 0, "a plot ends in .svg, .png, .pdf or .gp (the gnuplot script)");
    NS_TRY(ns_whole_file_begin(path, &whole, err));
    return ns_whole_file_end(&whole, write_plot(&p, ending, &whole, err), err);
}

ns_status ns_plot_write(const ns_chart *chart, const char *path, ns_error *err)
{
    return ns_plot_panels(chart, 1, 1, path, err);
}
