/* draw.c -- where a plot goes, and how wide the terminal is */
#define _DEFAULT_SOURCE /* struct winsize */
#include "cli/show/draw.h"

#include "report/columns.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { NARROWEST = 40, WIDEST = 300, ROWS = 18, PANEL_ROWS = 14 };

static int bounded(long width)
{
    return width < NARROWEST ? NARROWEST : width > WIDEST ? WIDEST : (int)width;
}

/* Columns of the terminal: COLUMNS, else what the terminal says, else 80. */
static int ns_terminal_width(void)
{
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    char *end;
    const long given = columns != NULL ? strtol(columns, &end, 10) : 0;
    if (given > 0 && *end == '\0')
        return bounded(given);
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return bounded(size.ws_col);
    return 80;
}

/* Braille is for a terminal that takes UTF-8; the first of these that is set decides, as in setlocale. */
static bool speaks_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    if (!isatty(STDOUT_FILENO))
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (value != NULL && *value != '\0')
            return strstr(value, "UTF-8") != NULL || strstr(value, "utf8") != NULL || strstr(value, "UTF8") != NULL;
    }
    return false;
}

static void add_line(void *context, const char *line)
{
    ns_note(context, "%s", line);
}

ns_status ns_draw(const char *path, const ns_chart *panel, size_t panels, size_t columns, ns_value *result,
                  ns_error *err)
{
    if (path == NULL)
        return NS_OK;
    if (*path != '\0')
        return ns_plot_panels(panel, panels, columns, path, err);
    const int width = ns_terminal_width();
    const bool braille = speaks_utf8();
    for (size_t i = 0; i < panels; i++) {
        NS_TRY(ns_plot_text(&panel[i], width, panels > 1 ? PANEL_ROWS : ROWS, braille, add_line, result, err));
        if (panel[i].below != NULL)
            NS_TRY(ns_plot_text(panel[i].below, width, PANEL_ROWS / 2, braille, add_line, result, err));
        if (i + 1 < panels)
            add_line(result, "");
    }
    return NS_OK;
}
