/* paper_scenario.h -- a scenario of a paper: the hosts' own way compared with ways in hardware */
#ifndef NS_CLI_SHOW_PAPER_SCENARIO_H
#define NS_CLI_SHOW_PAPER_SCENARIO_H

#include "cli/inputs/inputs.h"
#include "cli/show/draw.h"

/* One way: an output of a model with some inputs given. */
typedef struct ns_scenario_way {
    const char *name, *model;
    const char *given; /* "mode=fpspin dma=0ns", or NULL */
    const char *output;
    const char *fallback; /* shipped machine from which missing model constants are borrowed, or NULL */
    const char *defaults; /* inputs of this way that apply unless they are given, or NULL */
} ns_scenario_way;

enum { NS_SCENARIO_WAYS = 6 };
typedef struct ns_paper_scenario {
    const char *name, *title;
    const char *over;                      /* "s=8B:1MiB:x8": the varied input, where --over is not given */
    const char *defaults;                  /* inputs that apply unless they are given: "hosts=128", or NULL */
    const char *machine;                   /* where --machine is not given; NULL: the option's default */
    bool more;                             /* a larger value is better: a speedup, a rate */
    ns_scenario_way way[NS_SCENARIO_WAYS]; /* the first one is without the hardware; closed by one without a name */
} ns_paper_scenario;

/* The request of such a command begins with this struct. */
typedef struct ns_scenario_request {
    const char *over, *machine, *plot;
} ns_scenario_request;

#define NS_OPTIONS_SCENARIO(machine_)                                                                                  \
    {"over", 0, "NAME=LIST", NULL, "the input to vary: s=8B:1MiB:x4, hosts=2,16,128",                                  \
     NS_OPT(ns_scenario_request, over)},                                                                               \
        {"machine", 0, "NAME|FILE", machine_, "where what is not given comes from",                                    \
         NS_OPT(ns_scenario_request, machine)},                                                                        \
        NS_OPTION_SET, NS_OPTION_PLOT_OF(ns_scenario_request), {NULL}

/* [SCENARIO] NAME=VALUE...: a row for each value of the varied input, and a sentence.  The list is closed by a scenario
 * without a name; the first is used when none is named. */
ns_status ns_paper_scenario_answer(const ns_paper_scenario *scenarios, const ns_args *args,
                                   const ns_scenario_request *request, ns_value *result, ns_command_context *context,
                                   ns_error *err);

#endif
