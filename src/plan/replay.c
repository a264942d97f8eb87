/* replay.c -- evaluate plans on exchanges that were measured in several ways */
#include "plan/replay.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <nsmodel/json.h>

#include "core/context.h"
#include "core/memory.h"
#include "core/sort.h"
#include "core/value.h"
#include "io/whole_file.h"

const char *const ns_replay_rule_names[NS_REPLAY_RULES] = {"planner",  "model",  "incumbent",
                                                           "all-once", "wisdom", "no-wisdom"};

/* ---- cases ------------------------------------------------------------------------------------------------------- */

enum { FILE_MOST = 256 << 20 };

typedef struct reading {
    const char *text, *path;
    char at[400]; /* path of keys, for messages */
} reading;

static ns_status refuse(const reading *r, ns_error *err, const char *what)
{
    long line, column;
    ns_json_locate(r->text, r->at, &line, &column);
    return ns_fail_at(err, NS_ERR_DATA, r->path, line, column, "%s", what);
}

/* strategy[:g][/transport]: "groups16/no" is strategy groups of 16. */
typedef struct split_name {
    size_t strategy; /* length */
    long group;      /* 0: none */
    const char *transport;
} split_name;

static split_name split(const char *name)
{
    const size_t length = strcspn(name, "0123456789:/");
    const char *group = name + length + (name[length] == ':');
    return (split_name){length, strtol(group, NULL, 10), name + strcspn(name, "/")};
}

/* The way that a way without a prediction resembles: the same strategy with the next larger group, by the same
 * transport; the largest group resembles the strategy with whole nodes, which for "groups" is "two-step".  -1:
 * none. */
static int like(const ns_replay_case *c, int i)
{
    const split_name own = split(c->name[i]);
    int found = -1;
    long group = 0;
    for (int j = 0; j < c->ways && own.group > 0; j++) {
        const split_name other = split(c->name[j]);
        const bool same = own.strategy == other.strategy && strncmp(c->name[i], c->name[j], own.strategy) == 0;
        const bool whole = strncmp(c->name[i], "groups", own.strategy) == 0 && own.strategy == 6 &&
                           strncmp(c->name[j], "two-step", 8) == 0 && other.strategy == 8;
        if (strcmp(own.transport, other.transport) != 0 || !(same || whole))
            continue;
        if (same && other.group > own.group && (group == 0 || other.group < group)) {
            found = j;
            group = other.group;
        } else if (other.group == 0 && found < 0)
            found = j;
    }
    return found;
}

static ns_status read_case(reading *r, const ns_value *from, ns_replay_case *c, ns_error *err)
{
    const ns_value *x = ns_value_get(from, "x"), *times = ns_value_get(from, "t"), *p = ns_value_get(from, "p");
    const ns_value *incumbent = ns_value_get(from, "inc");
    int xs = 0;
    c->incumbent = -1;
    if (x == NULL || times == NULL || p == NULL || incumbent == NULL || incumbent->kind != NS_TEXT)
        return refuse(r, err, "a case wants \"x\", \"inc\", \"t\" and \"p\"");
    for (const ns_value *each = x->first; each != NULL; each = each->next) {
        if (xs == 3 || each->kind != NS_NUMBER)
            return refuse(r, err, "\"x\" wants three numbers: log2 of bytes, messages and processes");
        c->x[xs++] = each->number;
    }
    if (xs != 3)
        return refuse(r, err, "a case wants \"x\": log2 of bytes, messages and processes");
    for (const ns_value *t = times->first; t != NULL; t = t->next) {
        const int i = c->ways;
        if (i == NS_PLAN_WAYS)
            return refuse(r, err, "a case has at most 64 ways");
        if (t->kind != NS_NUMBER || !(t->number > 0))
            return refuse(r, err, "\"t\" wants times in seconds, greater than 0");
        const ns_value *predicted = ns_value_get(p, t->name);
        const double predicted_s = predicted != NULL && predicted->kind == NS_NUMBER ? predicted->number : 0;
        if (predicted != NULL && !(predicted_s > 0))
            return refuse(r, err, "\"p\" wants times in seconds, greater than 0");
        c->name[i] = t->name;
        c->time_s[i] = t->number;
        c->way[i] = (ns_plan_way){.predicted_s = predicted_s, .like = -1};
        if (strcmp(c->name[i], incumbent->text) == 0)
            c->incumbent = i;
        c->ways++;
    }
    if (c->ways == 0)
        return refuse(r, err, "a case wants \"t\": the seconds of each way");
    if (c->incumbent < 0)
        return refuse(r, err, "a case wants \"inc\": the way in use, one of \"t\"");
    for (int i = 0; i < c->ways; i++)
        if (c->way[i].predicted_s == 0)
            c->way[i].like = like(c, i);
    return NS_OK;
}

static int count_of(const ns_value *list)
{
    int count = 0;
    for (const ns_value *each = list->first; each != NULL; each = each->next)
        count++;
    return count;
}

static ns_status read_sets(reading *r, ns_replay_file *file, ns_error *err)
{
    NS_TRY(ns_json_parse(r->text, r->path, &file->root, err));
    const size_t sets = (size_t)count_of(file->root);
    if (file->root->kind != NS_OBJECT || sets == 0)
        return refuse(r, err, "a replay file wants sets of cases: {\"set\": [{\"x\": ...}]}");
    file->set = ns_calloc(sets, sizeof *file->set);
    if (file->set == NULL)
        return ns_no_memory(err);
    for (const ns_value *from = file->root->first; from != NULL; from = from->next) {
        ns_replay_set *set = &file->set[file->sets++];
        set->name = from->name;
        set->cases = count_of(from);
        snprintf(r->at, sizeof r->at, "%.300s", set->name);
        if (from->kind != NS_LIST || set->cases == 0)
            return refuse(r, err, "a set wants a list of cases");
        set->at = ns_calloc((size_t)set->cases, sizeof *set->at);
        if (set->at == NULL)
            return ns_no_memory(err);
        int i = 0;
        for (const ns_value *each = from->first; each != NULL; each = each->next, i++) {
            snprintf(r->at, sizeof r->at, "%.300s.%d", set->name, i);
            NS_TRY(read_case(r, each, &set->at[i], err));
        }
    }
    return NS_OK;
}

ns_status ns_replay_read(const char *path, ns_replay_file *file, ns_error *err)
{
    char *text;
    *file = (ns_replay_file){.sets = 0};
    FILE *from = fopen(path, "rb");
    if (from == NULL)
        return ns_fail_at(err, NS_ERR_FILE, path, 0, 0, "cannot be opened");
    ns_status status = ns_text_read(from, path, FILE_MOST, "a replay file", &text, err);
    fclose(from);
    NS_TRY(status);
    status = read_sets(&(reading){.text = text, .path = path}, file, err);
    ns_free(text);
    if (status != NS_OK)
        ns_replay_free(file);
    return status;
}

void ns_replay_free(ns_replay_file *file)
{
    for (size_t i = 0; i < file->sets; i++)
        ns_free(file->set[i].at);
    ns_free(file->set);
    ns_value_free(file->root);
    *file = (ns_replay_file){.sets = 0};
}

/* ---- noise ------------------------------------------------------------------------------------------------------- */

static const double pi = 3.14159265358979323846;

/* splitmix64: the same numbers on every platform. */
static double uniform(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return ((double)((z ^ (z >> 31)) >> 11) + 0.5) / 9007199254740992.0; /* 2^53 */
}

typedef struct weather {
    uint64_t state;
    double sigma, period, phase, cold;
    bool seen[NS_PLAN_WAYS];
} weather;

static weather weather_of(uint64_t seed, double cold)
{
    weather w = {.state = seed, .cold = cold};
    w.sigma = (double[]){0.05, 0.1, 0.2}[(int)(3 * uniform(&w.state))];
    w.period = 50 * pow(40, uniform(&w.state));
    w.phase = uniform(&w.state);
    return w;
}

/* The recorded time of a call: whole nanoseconds, as ranks record them, so that the last bits of a platform's
 * logarithms do not matter. */
static double told(weather *w, int way, double call, double time_s)
{
    const double a = uniform(&w->state), b = uniform(&w->state);
    const double normal = sqrt(-2 * log(a)) * cos(2 * pi * b);
    double t = time_s * exp(w->sigma * normal + 0.1 * sin(2 * pi * (call / w->period + w->phase)));
    if (uniform(&w->state) < 0.01)
        t *= 3 + 7 * uniform(&w->state);
    if (!w->seen[way]) {
        w->seen[way] = true;
        t *= w->cold;
    }
    return fmax(1, nearbyint(1e9 * t)) * 1e-9;
}

/* ---- one replay -------------------------------------------------------------------------------------------------- */

/* The state after each number of calls. */
typedef struct outcome {
    double excess[NS_REPLAY_LENGTHS], agreements[NS_REPLAY_LENGTHS];
    bool broken[NS_REPLAY_LENGTHS];
} outcome;

typedef struct course {
    const ns_replay_case *of;
    const int32_t *calls;
    int lengths, reached;
    double made, time_s, fastest, base; /* base: the better of incumbent and model */
    double agreements;
    bool tried[NS_PLAN_WAYS];
    outcome *to;
} course;

static int model_of(const ns_replay_case *c)
{
    int model = -1;
    for (int i = 0; i < c->ways; i++)
        if (c->way[i].predicted_s > 0 && (model < 0 || c->way[i].predicted_s < c->way[model].predicted_s))
            model = i;
    return model < 0 ? c->incumbent : model;
}

static course begin(const ns_replay_case *c, const int32_t *calls, int lengths, outcome *to)
{
    course k = {.of = c, .calls = calls, .lengths = lengths, .fastest = c->time_s[0], .to = to};
    for (int i = 0; i < c->ways; i++)
        k.fastest = fmin(k.fastest, c->time_s[i]);
    k.base = fmin(c->time_s[c->incumbent], c->time_s[model_of(c)]);
    return k;
}

/* Make `calls` calls of a way; false once the last length is reached. */
static bool go(course *k, int way, double calls)
{
    const double each = k->of->time_s[way];
    k->tried[way] = true;
    for (; k->reached < k->lengths && k->made + calls >= k->calls[k->reached]; k->reached++) {
        const double all = k->calls[k->reached], time_s = k->time_s + (all - k->made) * each;
        double allowed = 0.02 * time_s;
        for (int i = 0; i < k->of->ways; i++)
            if (k->tried[i])
                allowed += fmax(0, k->of->time_s[i] - k->base);
        k->to->excess[k->reached] = 100 * (time_s / (all * k->fastest) - 1);
        k->to->agreements[k->reached] = k->agreements;
        k->to->broken[k->reached] = time_s - all * k->base > allowed;
    }
    k->made += calls;
    k->time_s += calls * each;
    return k->reached < k->lengths;
}

static double agreement_s(const ns_replay_case *c, const ns_replay_options *o)
{
    return o->agreement_s * fmax(0, c->x[2]);
}

/* Replay a plan for a case; the plan knows the number of calls if it is not 0, and uses wisdom and adds to it if there
 * is any.  `exchange` is the case's name in the wisdom; NULL without wisdom. */
static ns_status planned(const ns_replay_case *c, const ns_replay_options *o, const int32_t *calls, int lengths,
                         int32_t known, ns_wisdom *wisdom, const ns_wisdom_row *exchange, weather w, outcome *to,
                         ns_error *err)
{
    ns_plan *plan;
    ns_plan_way ways[NS_PLAN_WAYS];
    bool nearby = false;
    course k = begin(c, calls, lengths, to);
    memcpy(ways, c->way, sizeof ways);
    for (int i = 0; i < c->ways; i++)
        ways[i].doubt = pi / sqrt(6) / o->kappa;
    if (wisdom != NULL)
        NS_TRY(ns_wisdom_foretell(wisdom, exchange, c->name, ways, c->ways, &nearby, err));
    const ns_plan_options options = {.size = sizeof options,
                                     .incumbent = c->incumbent,
                                     .foreign = o->foreign && !nearby,
                                     .calls = known,
                                     .agreement_s = agreement_s(c, o)};
    NS_TRY(ns_plan_open(ways, c->ways, &options, &plan, err));
    ns_status status = NS_OK;
    for (bool on = true; on && status == NS_OK; k.agreements++) {
        ns_plan_run runs[NS_PLAN_TOLD];
        int count = 0;
        status = ns_plan_runs(plan, runs, &count, err);
        for (int n = 0; n < count && on && status == NS_OK; n++) {
            double seconds[NS_PLAN_TOLD];
            const int way = runs[n].way, number = (int)fmin(runs[n].calls, calls[lengths - 1] - k.made);
            const int most = NS_PLAN_TOLD + 1 - count, times = number < most ? number : most;
            on = go(&k, way, number);
            for (int i = 0; i < times; i++)
                seconds[i] = told(&w, way, k.made - times + i, c->time_s[way]);
            status = ns_plan_tell(plan, way, number, seconds, times, err);
        }
    }
    const double least = c->way[model_of(c)].predicted_s;
    for (int i = 0; status == NS_OK && wisdom != NULL && i < c->ways && least > 0; i++) {
        ns_plan_info info = {.size = sizeof info};
        ns_wisdom_row row = *exchange;
        status = ns_plan_describe(plan, i, &info, err);
        row.way = c->name[i];
        row.median_s = info.measured_s;
        row.spread = info.spread;
        row.count = info.calls;
        row.predicted = c->way[i].predicted_s > 0;
        row.base_s = row.predicted ? c->way[i].predicted_s : least;
        if (status == NS_OK && info.calls > 0)
            status = ns_wisdom_add(wisdom, &row, err);
    }
    ns_plan_free(plan);
    return status;
}

/* ---- all replays ------------------------------------------------------------------------------------------------- */

/* The sums for one number of calls; the replays of a case are one group. */
typedef struct sums {
    double excess, agreements, agreed, broken, group, groups, group_squares;
} sums;

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void add(sums *s, const ns_replay_case *c, const ns_replay_options *o, const outcome *r, int i, double *all)
{
    s->excess += *all = r->excess[i];
    s->agreements += r->agreements[i];
    const double fastest = begin(c, o->calls, o->lengths, NULL).fastest;
    s->agreed += r->excess[i] + 100 * r->agreements[i] * agreement_s(c, o) / (fastest * o->calls[i]);
    s->broken += 100 * r->broken[i];
    s->group += r->excess[i];
}

static void end_group(sums *s, int replays)
{
    const double mean = s->group / replays;
    s->group_squares += mean * mean;
    s->groups++;
    s->group = 0;
}

static ns_status finish(const sums *s, double *all, int64_t count, ns_replay_cell *cell, ns_error *err)
{
    const double n = (double)count, mean = s->excess / n;
    const double variance = s->groups > 1 ? (s->group_squares / s->groups - mean * mean) / (s->groups - 1) : 0;
    NS_TRY(ns_sort_items(all, count, sizeof *all, compare, err));
    *cell = (ns_replay_cell){.mean = mean,
                             .q95 = all[(int64_t)(0.95 * n)],
                             .se = sqrt(fmax(0, variance)),
                             .agreements = s->agreements / n,
                             .agreed = s->agreed / n,
                             .broken = s->broken / n};
    return NS_OK;
}

static ns_status cases(const ns_replay_set *set, ns_replay_rule rule, const ns_replay_options *o, double *all, sums *s,
                       ns_error *err)
{
    const int64_t count = (int64_t)set->cases * o->repeats;
    for (int64_t i = 0; i < count; i++) {
        const ns_replay_case *c = &set->at[i / o->repeats];
        uint64_t seed = o->seed ^ (uint64_t)i * UINT64_C(0x9E3779B97F4A7C15);
        outcome to = {.excess = {0}};
        NS_TRY(ns_context_ask(err));
        (void)uniform(&seed);
        weather w = weather_of(seed, o->cold);
        course k = begin(c, o->calls, o->lengths, &to);
        if (rule == NS_REPLAY_MODEL || rule == NS_REPLAY_INCUMBENT)
            (void)go(&k, rule == NS_REPLAY_MODEL ? model_of(c) : c->incumbent, o->calls[o->lengths - 1]);
        else if (rule == NS_REPLAY_ALL_ONCE) {
            int best = 0;
            double least = INFINITY;
            bool on = true;
            for (int way = 0; way < c->ways && on; way++) {
                const double t = told(&w, way, way, c->time_s[way]);
                if (t < least) {
                    least = t;
                    best = way;
                }
                on = go(&k, way, 1);
            }
            k.agreements = 1;
            if (on)
                (void)go(&k, best, o->calls[o->lengths - 1]);
        } else if (!o->known)
            NS_TRY(planned(c, o, o->calls, o->lengths, 0, NULL, NULL, w, &to, err));
        for (int n = 0; rule == NS_REPLAY_PLANNER && o->known && n < o->lengths; n++) {
            outcome one = {.excess = {0}};
            NS_TRY(planned(c, o, &o->calls[n], 1, o->calls[n], NULL, NULL, w, &one, err));
            to.excess[n] = one.excess[0];
            to.agreements[n] = one.agreements[0];
            to.broken[n] = one.broken[0];
        }
        for (int n = 0; n < o->lengths; n++) {
            add(&s[n], c, o, &to, n, &all[n * count + i]);
            if ((i + 1) % o->repeats == 0)
                end_group(&s[n], o->repeats);
        }
    }
    return NS_OK;
}

/* ---- sequences of exchanges, with wisdom ------------------------------------------------------------------------- */

enum { SEQUENCE = 20, JUDGED_FROM = 5, SEQUENCES = 20 };

static ns_status sequences(const ns_replay_set *set, bool hand_on, const ns_replay_options *o, int length, int *order,
                           double *all, ns_replay_cell *cell, ns_error *err)
{
    const int places = set->cases < SEQUENCE ? set->cases : SEQUENCE, judged = places - JUDGED_FROM;
    sums s = {.excess = 0};
    ns_replay_options one = *o;
    one.calls = &o->calls[length];
    one.lengths = 1;
    for (int i = 0; i < set->cases; i++)
        order[i] = i;
    for (int i = 0; i < SEQUENCES; i++) {
        ns_wisdom *wisdom;
        uint64_t seed = o->seed * 1000003 + (uint64_t)i;
        (void)uniform(&seed);
        NS_TRY(ns_wisdom_open(NULL, &wisdom, err));
        ns_status status = NS_OK;
        for (int place = 0; place < places && status == NS_OK; place++) {
            const int other = place + (int)(uniform(&seed) * (set->cases - place)), chosen = order[other];
            const ns_replay_case *c = &set->at[chosen];
            outcome to = {.excess = {0}};
            order[other] = order[place];
            order[place] = chosen;
            /* The identity of an exchange of a sequence.  Ranks per node distinguish exchanges with equal x: none is
             * ever repeated. */
            const ns_wisdom_row row = {.size = sizeof row,
                                       .machine = set->name,
                                       .mpi = "replay",
                                       .bytes = exp2(c->x[0]),
                                       .messages = exp2(c->x[1]),
                                       .processes = (int64_t)fmax(1, nearbyint(exp2(c->x[2]))),
                                       .per_node = place + 1,
                                       .date = "2000-01-01"};
            status = ns_context_ask(err);
            if (status == NS_OK)
                status = planned(c, o, one.calls, 1, *one.calls, hand_on ? wisdom : NULL, &row,
                                 weather_of(seed + (uint64_t)place, o->cold), &to, err);
            if (status == NS_OK && place >= JUDGED_FROM)
                add(&s, c, &one, &to, 0, &all[i * judged + place - JUDGED_FROM]);
        }
        ns_wisdom_free(wisdom);
        NS_TRY(status);
        end_group(&s, judged);
    }
    return finish(&s, all, SEQUENCES * judged, cell, err);
}

ns_status ns_replay(const ns_replay_set *set, ns_replay_rule rule, const ns_replay_options *o, ns_replay_cell *cells,
                    ns_error *err)
{
    if (rule >= NS_REPLAY_WISDOM) {
        if (set->cases <= JUDGED_FROM)
            return ns_fail(err, NS_ERR_DATA, "set %.80s has %d cases; wisdom is judged on more than %d", set->name,
                           set->cases, JUDGED_FROM);
        int *order = ns_calloc((size_t)set->cases, sizeof *order);
        double *all = ns_calloc((size_t)SEQUENCES * SEQUENCE, sizeof *all);
        ns_status status = order == NULL || all == NULL ? ns_no_memory(err) : NS_OK;
        for (int n = 0; n < o->lengths && status == NS_OK; n++)
            status = sequences(set, rule == NS_REPLAY_WISDOM, o, n, order, all, &cells[n], err);
        ns_free(order);
        ns_free(all);
        return status;
    }
    const int64_t count = (int64_t)set->cases * o->repeats;
    sums s[NS_REPLAY_LENGTHS] = {{.excess = 0}};
    double *all = ns_malloc(ns_size_mul((size_t)count * sizeof *all, (size_t)o->lengths));
    if (all == NULL)
        return ns_no_memory(err);
    ns_status status = cases(set, rule, o, all, s, err);
    for (int n = 0; n < o->lengths && status == NS_OK; n++)
        status = finish(&s[n], all + n * count, count, &cells[n], err);
    ns_free(all);
    return status;
}
