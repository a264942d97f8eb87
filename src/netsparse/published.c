/* published.c -- Tables 1 and 4 of [NS]: five matrices on 128 nodes in racks of 16, to set beside a trace's counts */

#include "netsparse/netsparse.h"

#include <string.h>

static const ns_published_view published[] = {
    {"arabic-2005", 1947, 27, 2.51}, {"europe_osm", 582, 0.02, 7.43}, {"Queen_4147", 74, 25, 1.00},
    {"stokes", 32, 3.6, 1.85},       {"uk-2002", 966, 4.5, 5.61},
};

const ns_published_view *ns_trace_published(const ns_trace *trace, const char *name)
{
    const char *slash = strrchr(name, '/'), *stem = slash != NULL ? slash + 1 : name;
    if (trace->nodes != 128 || trace->rack != 16)
        return NULL;
    for (size_t i = 0; i < sizeof published / sizeof *published; i++)
        if (strcmp(published[i].name, stem) == 0)
            return &published[i];
    return NULL;
}

double ns_relative_deviation(double computed, double published_value)
{
    return computed < 0 || published_value == 0 ? 0 : computed / published_value - 1;
}
