/* replay.h -- evaluate plans on exchanges that were measured in several ways
 *
 * A file of cases is {"set": [{"x": [log2 of bytes, messages, processes], "inc": way, "t": {way: seconds}, "p": {way:
 * predicted seconds}}]}.  In a replay a rule chooses the way of each call; the call takes the way's measured time, and
 * the rule receives that time with noise: lognormal with 5, 10 or 20 %, one call in a hundred takes 3 to 10 times as
 * long, and all ways drift together by 10 % with a period of 50 to 2,000 calls.
 */
#ifndef NS_PLAN_REPLAY_H
#define NS_PLAN_REPLAY_H

#include <nsmodel/plan.h>
#include <nsmodel/value.h>

typedef struct ns_replay_case {
    double x[3];
    int ways, incumbent;
    const char *name[NS_PLAN_WAYS];
    double time_s[NS_PLAN_WAYS];
    ns_plan_way way[NS_PLAN_WAYS]; /* predictions, and similar ways; without doubt */
} ns_replay_case;

typedef struct ns_replay_set {
    const char *name;
    int cases;
    ns_replay_case *at;
} ns_replay_set;

typedef struct ns_replay_file {
    ns_value *root; /* owns the names */
    size_t sets;
    ns_replay_set *set;
} ns_replay_file;

/* Errors include file, line and column. */
ns_status ns_replay_read(const char *path, ns_replay_file *file, ns_error *err);
void ns_replay_free(ns_replay_file *file);

/* The rules: the planner; always the least predicted way (the incumbent without predictions); always the incumbent;
 * each way once in the file's order, then the fastest; the planner with 20 exchanges in random order that pass wisdom
 * to later ones, evaluated from the sixth on; and the same without wisdom. */
typedef enum ns_replay_rule {
    NS_REPLAY_PLANNER,
    NS_REPLAY_MODEL,
    NS_REPLAY_INCUMBENT,
    NS_REPLAY_ALL_ONCE,
    NS_REPLAY_WISDOM,
    NS_REPLAY_NO_WISDOM,
    NS_REPLAY_RULES
} ns_replay_rule;
extern const char *const ns_replay_rule_names[NS_REPLAY_RULES];

typedef struct ns_replay_options {
    const int32_t *calls; /* ascending */
    int lengths;
    double kappa;       /* doubt of the predictions: pi / (sqrt(6) kappa) */
    bool foreign;       /* no exchange of this machine was measured before */
    bool known;         /* the plan knows the number of calls */
    double agreement_s; /* for two processes; times log2 of the processes.  0: agreements are free for the plan */
    double cold;        /* factor by which a way's first call is slower */
    uint64_t seed;
    int repeats; /* replays of each case */
} ns_replay_options;

enum { NS_REPLAY_LENGTHS = 32 };

typedef struct ns_replay_cell {
    double mean, q95, se; /* excess over the case's fastest way, per cent; se: standard error over cases */
    double agreements;    /* mean number */
    double agreed;        /* mean excess including the cost of the agreements */
    double broken; /* share of replays, per cent, that exceed the better of incumbent and model by more than 2 % of
                      their time plus one trial of each tried way */
} ns_replay_cell;

/* One cell per number of calls. */
ns_status ns_replay(const ns_replay_set *set, ns_replay_rule rule, const ns_replay_options *options,
                    ns_replay_cell *cells, ns_error *err);

#endif
