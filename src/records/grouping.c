/* grouping.c -- exchanges that belong together are left out together */
#include "core/memory.h"
#include "records/calibrate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY = 300 };

typedef struct keyed {
    size_t scored;
    char text[KEY];
} keyed;

const ns_strategy *ns_scored_strategy(const ns_records *records, const ns_scored *s)
{
    const ns_strategy *strategy;
    ns_transport transport;
    return ns_record_way(records, s->rows[0], &strategy, &transport, NULL) == NS_OK ? strategy : NULL;
}

ns_memory ns_scored_memory(const ns_records *records, const ns_scored *s)
{
    const ns_strategy *strategy;
    ns_transport transport;
    const ns_status status = ns_record_way(records, s->rows[0], &strategy, &transport, NULL);
    return status == NS_OK && transport == NS_VIA_DEVICE ? NS_DEVICE : NS_HOST;
}

static int by_text(const void *a, const void *b)
{
    const keyed *x = a, *y = b;
    const int order = strcmp(x->text, y->text);
    return order != 0 ? order : (x->scored > y->scored) - (x->scored < y->scored);
}

static void write_key(const ns_records *records, const ns_scored *s, bool by_level, char *text)
{
    if (by_level)
        snprintf(text, KEY, "%.80s", ns_record_text(records, s->rows[0], "level"));
    else
        snprintf(text, KEY, "%.200s|%.40s", ns_record_text(records, s->rows[0], "file"),
                 ns_record_text(records, s->rows[0], "processes"));
}

/* Number the groups in the order of their keys. */
static void number(const ns_records *records, const ns_scored *list, size_t count, keyed *key, ns_grouping *g)
{
    int groups = 0;
    bool seen[NS_MEMORIES] = {false, false};
    memset(g->of_memory, 0, sizeof g->of_memory);
    for (size_t i = 0; i < count; i++) {
        key[i].scored = i;
        write_key(records, &list[i], g->by_level, key[i].text);
    }
    qsort(key, count, sizeof *key, by_text);
    for (size_t i = 0; i < count; i++) {
        const ns_memory m = ns_scored_memory(records, &list[key[i].scored]);
        if (i > 0 && strcmp(key[i].text, key[i - 1].text) != 0) {
            groups++;
            memset(seen, 0, sizeof seen);
        }
        g->of_memory[m] += !seen[m];
        seen[m] = true;
        g->of[key[i].scored] = groups % NS_FOLDS;
    }
    g->folds = count == 0 ? 0 : groups + 1 < NS_FOLDS ? groups + 1 : NS_FOLDS;
}

static bool is_thin(const ns_grouping *g)
{
    for (int m = 0; m < NS_MEMORIES; m++)
        if (g->of_memory[m] > 0 && g->of_memory[m] < NS_CALIBRATION_GROUPS)
            return true;
    return false;
}

ns_status ns_grouping_make(const ns_records *records, const ns_scored *list, size_t count, ns_grouping *grouping,
                           ns_error *err)
{
    ns_grouping g = {.of = ns_malloc(ns_size_mul(ns_size_add(count, 1), sizeof *g.of))};
    keyed *key = ns_malloc(ns_size_mul(ns_size_add(count, 1), sizeof *key));
    if (g.of == NULL || key == NULL) {
        ns_free(g.of);
        ns_free(key);
        return ns_no_memory(err);
    }
    number(records, list, count, key, &g);
    if (is_thin(&g)) {
        g.by_level = true;
        number(records, list, count, key, &g);
        g.by_level = !is_thin(&g);
        if (!g.by_level) /* no better */
            number(records, list, count, key, &g);
    }
    ns_free(key);
    *grouping = g;
    return NS_OK;
}

ns_status ns_calibration_groups(const ns_records *records, ns_row_filter filter, const void *context,
                                size_t groups[NS_MEMORIES], ns_error *err)
{
    ns_scored *list;
    ns_grouping g;
    size_t count;
    NS_TRY(ns_scored_make(records, filter, context, &list, &count, err));
    const ns_status status = ns_grouping_make(records, list, count, &g, err);
    ns_free(list);
    NS_TRY(status);
    memcpy(groups, g.of_memory, sizeof g.of_memory);
    ns_free(g.of);
    return NS_OK;
}
