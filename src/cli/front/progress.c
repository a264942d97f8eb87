/* progress.c -- a line such as "reading audikw_1  [#####-------]  41%  83.1 Mentries/s  2 s left" */
#define _DEFAULT_SOURCE /* TIOCGWINSZ */

#include "cli/front/progress.h"

#include <math.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include <nsmodel/quantity.h>

static const double patience = 1, pause_s = 0.1,
                    window_s = 3; /* seconds: before the first line, between two lines, window of a rate */
enum { LINE = 512, NARROWEST = 20, WIDEST = 100, BAR_LEAST = 8, BAR_MOST = 30 };

/* With a decimal prefix: "1.5 GB", "83.1 Mentries"; a unit that begins with a blank gets none: "12 nodes". */
static void put_amount(double amount, const char *unit, char *text, size_t size)
{
    static const char *const prefix[] = {"", "k", "M", "G", "T"};
    size_t i = 0;
    if (*unit == ' ') {
        snprintf(text, size, "%.*f%s", amount < 10 ? 1 : 0, amount, unit);
        return;
    }
    while (amount >= 999.5 && i + 1 < sizeof prefix / sizeof *prefix) {
        amount /= 1000;
        i++;
    }
    snprintf(text, size, "%.3g %s%s", amount, prefix[i], unit);
}

static void draw(ns_progress *p, const char *unit, double done, double total, double time)
{
    char amount[40], speed[40], numbers[160], line[LINE];
    const double of = total > 0 && done > total ? done : total; /* an estimated total may be too small */
    /* The rate since the mark before the last one: over one to two windows, so that a stall shows and a short pause
     * does not. */
    if (time - p->mark_time >= window_s) {
        p->before_time = p->mark_time;
        p->before = p->mark;
        p->mark_time = time;
        p->mark = done;
    }
    const double per_second = time > p->before_time ? (done - p->before) / (time - p->before_time) : 0;
    put_amount(done, unit, amount, sizeof amount);
    put_amount(per_second, unit, speed, sizeof speed);
    if (of <= 0)
        snprintf(numbers, sizeof numbers, "%s  %s/s", amount, speed);
    else {
        size_t used = (size_t)snprintf(numbers, sizeof numbers, "%3.0f%%  %s/s", floor(100 * done / of), speed);
        char *to = numbers + used;
        const size_t room = sizeof numbers - used;
        /* "12 s", "3 min 20 s", "2 h 5 min" */
        const double left = per_second > 0 ? ceil((of - done) / per_second) : -1;
        if (left >= 3600)
            snprintf(to, room, "  %.0f h %.0f min left", floor(left / 3600), floor(fmod(left, 3600) / 60));
        else if (left >= 60)
            snprintf(to, room, "  %.0f min %.0f s left", floor(left / 60), fmod(left, 60));
        else if (per_second > 0)
            snprintf(to, room, "  %.0f s left", left);
    }
    struct winsize size = {0}; /* a terminal may leave it unset */
    int wide = ioctl(fileno(p->err), TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col - 1 : 79;
    wide = wide < NARROWEST ? NARROWEST : wide > WIDEST ? WIDEST : wide;
    const double share = of > 0 ? done / of : -1;
    const int room = wide - (int)strlen(p->what) - (int)strlen(numbers) - 6; /* two gaps of two, two brackets */
    const int bar = share < 0 || room < BAR_LEAST ? 0 : room < BAR_MOST ? room : BAR_MOST, full = (int)(share * bar);
    int used = snprintf(line, LINE, "%s  ", p->what);
    if (bar > 0) {
        line[used++] = '[';
        for (int i = 0; i < bar; i++)
            line[used++] = i < full ? '#' : '-';
        used += snprintf(line + used, (size_t)(LINE - used), "]  ");
    }
    snprintf(line + used, (size_t)(LINE - used), "%s", numbers);
    line[wide] = '\0';
    const int length = (int)strlen(line);
    fprintf(p->err, "\r%s%*s", line, p->width > length ? p->width - length : 0, "");
    fflush(p->err);
    p->width = p->width > length ? p->width : length;
    p->drawn = time;
}

void ns_progress_show(ns_progress *p, const char *what, const char *unit, double done, double total)
{
    if (p == NULL || p->err == NULL || !isatty(fileno(p->err)))
        return;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const double time = p->clock != NULL ? p->clock() : (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    if (done < p->last || strncmp(p->what, what, sizeof p->what - 1) != 0) {
        ns_progress_clear(p);
        snprintf(p->what, sizeof p->what, "%s", what);
        p->began = p->mark_time = p->before_time = time;
        p->drawn = -INFINITY;
        p->first = p->mark = p->before = done;
    }
    p->last = done;
    if (time - p->began >= patience && time - p->drawn >= pause_s)
        draw(p, unit, done, total, time);
}

void ns_progress_clear(ns_progress *p)
{
    if (p == NULL || p->what[0] == '\0')
        return;
    if (p->width > 0) {
        fprintf(p->err, "\r%*s\r", p->width, "");
        fflush(p->err);
    }
    p->what[0] = '\0';
    p->last = 0;
    p->width = 0;
}

void ns_progress_tell(void *job, double done, double total)
{
    const ns_progress_job *j = job;
    ns_progress_show(j->progress, j->what, j->unit, done, total);
}

static void watch(void *context, const ns_matrix *matrix, int64_t entries, int64_t expected)
{
    char what[80];
    snprintf(what, sizeof what, "reading %.60s", ns_matrix_describe(matrix)->name);
    ns_progress_show(context, what, "entries", (double)entries, expected > 0 ? (double)expected : 0);
}

void ns_progress_watch(ns_progress *p, ns_matrix *matrix)
{
    if (p != NULL && p->err != NULL && isatty(fileno(p->err)))
        ns_matrix_watch(matrix, watch, p);
}
