/* scored.c -- where ways were scored without the machine's own exchanges, and what follows for another machine
 *
 *     P(wrong altogether) = (w0 p0 + sum of s_m over machines where it was) / (w0 + sum of s_m over all)
 *
 * over machines m on which the way was scored, p0 and w0 being NS_DOUBT_UNSCORED and its weight.  s_m is 1 for a
 * machine of the same kind, and is halved for each property that differs: GPUs or none; processes of a node, more than
 * twice or less than half as many; the network, whose start-up or time for a byte is more than twice or less than half.
 * A prediction was entirely wrong where the root of the mean square of ln(predicted / measured) is above 0.75, half way
 * between the errors of both laws of decision.h.  The rows are those of docs/evidence/accuracy.md ("left out"), where
 * `make docs` compares them with the exchanges; the rows of Daint are those of docs/evidence/ways.md.
 */
#include "price/choice.h"

#include <math.h>
#include <string.h>

typedef struct scored_machine {
    const char *name;
    int gpus;
    double processes, start_up_us, ns_per_byte; /* of a node; off node, of 8 B and of 4 MiB, from host memory */
} scored_machine;

enum { BLUEWATERS, DAINT, DANE, DELTAAI, DELTAAI_GPUS, LASSEN, SUMMIT, TIOGA, TUOLUMNE, TUOLUMNE_GPUS };

static const scored_machine machines[] = {
    [BLUEWATERS] = {"bluewaters", 0, 16, 2.27, 0.324},
    [DAINT] = {"daint", 0, 36, 1.10, 0.1015},
    [DANE] = {"dane", 0, 112, 1.14, 0.0524},
    [DELTAAI] = {"deltaAI", 0, 288, 4.66, 0.0430},
    [DELTAAI_GPUS] = {"deltaAI, GPUs", 4, 288, 4.66, 0.0430},
    [LASSEN] = {"lassen", 4, 40, 1.27, 0.0791},
    [SUMMIT] = {"summit", 6, 42, 1.49, 0.0906},
    [TIOGA] = {"tioga", 8, 64, 2.27, 0.0415},
    [TUOLUMNE] = {"tuolumne", 0, 64, 2.39, 0.0414},
    [TUOLUMNE_GPUS] = {"tuolumne, GPUs", 4, 64, 2.39, 0.0414},
};

/* A name that ends in a colon represents all ways by groups, or along grids. */
typedef struct score {
    const char *way;
    ns_transport transport;
    int machine;
    double error; /* root of the mean square of ln(predicted / measured) */
} score;

static const score scores[] = {
    {"standard", NS_VIA_HOST, BLUEWATERS, 0.25},
    {"standard", NS_VIA_HOST, DAINT, 0.19},
    {"standard", NS_VIA_HOST, DANE, 2.36},
    {"standard", NS_VIA_HOST, LASSEN, 0.39},
    {"standard", NS_VIA_HOST, SUMMIT, 0.21},
    {"standard", NS_VIA_HOST, TIOGA, 0.62},
    {"standard", NS_VIA_DEVICE, DELTAAI_GPUS, 1.40},
    {"standard", NS_VIA_DEVICE, LASSEN, 0.41},
    {"standard", NS_VIA_DEVICE, SUMMIT, 0.18},
    {"standard", NS_VIA_DEVICE, TIOGA, 0.99},
    {"standard", NS_VIA_DEVICE, TUOLUMNE_GPUS, 0.54},
    {"standard/pairwise", NS_VIA_HOST, DANE, 0.29},
    {"standard/pairwise", NS_VIA_DEVICE, DELTAAI_GPUS, 0.70},
    {"standard/pairwise", NS_VIA_DEVICE, TUOLUMNE_GPUS, 0.69},
    {"library", NS_VIA_HOST, DANE, 1.22},
    {"library", NS_VIA_HOST, DELTAAI, 0.65},
    {"library", NS_VIA_HOST, TUOLUMNE, 0.48},
    {"library", NS_VIA_DEVICE, DELTAAI_GPUS, 1.07},
    {"library", NS_VIA_DEVICE, TUOLUMNE_GPUS, 0.32},
    {"two-step", NS_VIA_HOST, DANE, 0.23},
    {"two-step", NS_VIA_HOST, DELTAAI, 0.54},
    {"two-step", NS_VIA_HOST, TUOLUMNE, 0.27},
    {"two-step:", NS_VIA_HOST, DANE, 0.48},
    {"two-step:", NS_VIA_HOST, DELTAAI, 0.60},
    {"two-step:", NS_VIA_HOST, TUOLUMNE, 0.32},
    {"three-step", NS_VIA_HOST, BLUEWATERS, 0.14},
    {"three-step", NS_VIA_HOST, LASSEN, 1.48},
    {"split-dd", NS_VIA_HOST, LASSEN, 1.28},
    {"staged:", NS_VIA_HOST, DAINT, 0.30},
};

static bool is_way(const char *word, size_t length, const ns_strategy *strategy)
{
    return strncmp(word, strategy->name, length) == 0 && (word[length - 1] == ':' || strategy->name[length] == '\0');
}

static bool is_of(const score *s, ns_way_of way)
{
    return s->transport == way.transport && is_way(s->way, strlen(s->way), way.strategy);
}

const char *ns_scored_on(ns_way_of way, size_t index)
{
    for (size_t i = 0; i < sizeof scores / sizeof *scores; i++)
        if (is_of(&scores[i], way) && index-- == 0)
            return machines[scores[i].machine].name;
    return NULL;
}

/* ---- what follows for a machine ---------------------------------------------------------------------------------- */

static double differs(double a, double b)
{
    return a > 2 * b || b > 2 * a ? 0.5 : 1;
}

/* s_m; a machine without messages between nodes counts as having a different network from all others. */
static double likeness(const ns_machine *machine, const scored_machine *m)
{
    const double small = 8, large = 1 << 22; /* B */
    const ns_line *first = ns_machine_line(machine, NS_HOST, NS_OFF_NODE, small, NULL),
                  *last = ns_machine_line(machine, NS_HOST, NS_OFF_NODE, large, NULL);
    double s = (machine->gpus > 0) == (m->gpus > 0) ? 1 : 0.5;
    s *= differs(machine->host_processes, m->processes);
    if (first == NULL || last == NULL)
        return s / 2;
    const double start_up = 1e6 * (first->alpha + first->beta * small), byte = 1e9 * last->beta;
    return s * fmin(differs(start_up, m->start_up_us), differs(byte, m->ns_per_byte));
}

bool ns_way_is_told(const ns_machine *machine, ns_way_of way)
{
    const ns_memory memory = ns_transport_memory(way.transport);
    const ns_residual *winners = &machine->residual[memory];
    if ((machine->ways[NS_HOST] == NULL && machine->ways[NS_DEVICE] == NULL) ||
        (way.strategy->rule == NULL && way.strategy->emit == NULL)) /* or the way is not one of an exchange */
        return true;
    for (size_t i = 0; i < winners->ratios; i++)
        if (strcmp(winners->ratio[i].way, way.strategy->name) == 0)
            return true;
    for (const char *word = machine->ways[memory]; word != NULL && *word != '\0'; word += strspn(word, " ")) {
        const size_t length = strcspn(word, " ");
        if (is_way(word, length, way.strategy))
            return true;
        word += length;
    }
    return false;
}

double ns_way_doubt(const ns_belief *belief, const ns_machine *machine, ns_way_of way)
{
    const double wrong_above = 0.75;
    const bool unknown = way.strategy->forms != NULL && way.strategy->forms[1] != NULL; /* one of several algorithms */
    double weight = NS_DOUBT_UNSCORED_WEIGHT, wrong = NS_DOUBT_UNSCORED * NS_DOUBT_UNSCORED_WEIGHT;
    if (way.transport >= NS_TRANSPORTS || (way.strategy->rule == NULL && way.strategy->emit == NULL))
        return belief->doubt; /* what a network does on its own: an allreduce */
    if (!(belief->doubt > 0) && ns_way_is_told(machine, way))
        return unknown ? NS_DOUBT_DEFAULT : 0;
    for (size_t i = 0; i < sizeof scores / sizeof *scores; i++) {
        if (!is_of(&scores[i], way))
            continue;
        const double s = likeness(machine, &machines[scores[i].machine]);
        weight += s;
        wrong += scores[i].error > wrong_above ? s : 0;
    }
    return fmax(wrong / weight, unknown ? NS_DOUBT_DEFAULT : 0);
}
