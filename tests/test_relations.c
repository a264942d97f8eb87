/* test_relations.c -- what must hold of every answer, tried on random exchanges, matrices and all shipped machines
 *
 * docs/evidence/relations.md says what is promised.  Case i of a run has the seed RELATIONS_SEED + i and depends on
 * nothing else: `make relations CASES=1 SEED=n` is one case again.
 */
#include <stdarg.h>
#include <zlib.h>

#include "api/library.h"
#include "machine/form.h"
#include "machine_file/change.h"
#include "matrix/open.h"
#include "pattern/exchange.h"
#include "price/quote.h"
#include "schedule/schedule.h"

#include "oracle/oracle.h"
#include "support/archive.h"
#include "support/cli.h"
#include "support/forms.h"
#include "support/needs.h"
#include "support/shell.h"
#include "support/test.h"

extern const ns_strategy ns_strategy_standard;

enum { PARTS = 24, NODES = 6, MESSAGES = 60, MACHINES = 64 };
/* One case in so many also asks readers, the program and Python. */
enum { EACH_READER = 8, EACH_PROGRAM = 20 };

typedef enum relation {
    LONE_MESSAGE,
    DOUBLED_BYTES,
    LONGER_MESSAGE,
    MORE_MESSAGES,
    SLOWER_NUMBER,
    DOUBLED_TIMES,
    SCHEDULE,
    THREADS,
    NODE_NAMES,
    PART_NAMES,
    MATRIX,
    READERS,
    PROGRAM,
    PYTHON,
    RELATIONS
} relation;

static const char *const relation_words[RELATIONS] = {"a message and its answer longer",
                                                      "every message twice as long",
                                                      "one message of a schedule longer",
                                                      "one message more",
                                                      "a time constant larger, or a rate smaller",
                                                      "every time constant doubled",
                                                      "quote = schedule",
                                                      "threads",
                                                      "nodes renamed",
                                                      "parts of a socket renamed",
                                                      "messages = matrix",
                                                      "readers",
                                                      "program = library",
                                                      "Python = library"};

typedef struct shipped {
    ns_machine *machine, *doubled;
} shipped;

typedef struct answer {
    int ways;
    struct {
        const ns_strategy *strategy;
        ns_transport transport;
        double seconds;
    } way[NS_CHOICES];
} answer;

/* One case. */
typedef struct trial {
    uint64_t seed;
    oracle_random random;
    const shipped *on;
    const ns_machine *machine;
    const ns_form *form; /* NULL: the machine's own */
    int32_t parts, nodes, node_of[PARTS], socket_of[PARTS];
    ns_planned message[MESSAGES + 1];
    size_t messages;
    ns_exchange *x;
    answer base;
} trial;

static struct {
    shipped shipped[MACHINES];
    int machines;
    const ns_form *form[NS_FORMS_MAX];
    size_t forms;
    ns_workspace *workspace;
    long tried[RELATIONS], excepted[RELATIONS], broken[RELATIONS];
    FILE *python; /* cases for Python */
    long python_cases;
} run;

NS_PRINTF(3, 4) static void violate(const trial *t, relation r, const char *format, ...)
{
    va_list list;
    run.broken[r]++;
    printf("SEED=%llu %s on %s, %s: ", (unsigned long long)t->seed, relation_words[r], t->machine->name,
           t->form != NULL ? t->form->name : "auto");
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
    printf("\n");
}

/* ---- answers ----------------------------------------------------------------------------------------------------- */

static bool ask(const trial *t, const ns_exchange *x, const ns_machine *machine, answer *a)
{
    const ns_selection selection = {.price = {.form = t->form, .confidence = 0.9}};
    ns_error err = {0};
    int quotes = 0;
    a->ways = 0;
    if (ns_quote(x, machine, &selection, run.workspace, &quotes, &err) != NS_OK) {
        ck_assert_msg(err.code == NS_ERR_DATA, "SEED=%llu: %s", (unsigned long long)t->seed, err.text);
        return false;
    }
    for (; a->ways < quotes; a->ways++) {
        const ns_choice *q = ns_quote_at(run.workspace, a->ways);
        a->way[a->ways].strategy = q->strategy;
        a->way[a->ways].transport = q->transport;
        a->way[a->ways].seconds = q->price.estimate_s;
    }
    return true;
}

/* Sums of the same numbers in another order differ in their last digits. */
static bool is_faster(double now, double before)
{
    return now < before * (1 - 1e-12);
}

static const char *way_of(const answer *a, int i)
{
    static char text[80];
    snprintf(text, sizeof text, "%s/%s", a->way[i].strategy->name, ns_transport_words[a->way[i].transport]);
    return text;
}

/* Every way of both answers, or those of one strategy, takes the same time: to the bit, but under other names, where
 * another of two processes that wait as long may stand for both. */
static void same(const trial *t, relation r, const answer *a, const answer *b, const char *only)
{
    if (a->ways != b->ways)
        violate(t, r, "%d ways, %d before", b->ways, a->ways);
    for (int i = 0; i < a->ways && i < b->ways; i++)
        if (only == NULL || strcmp(a->way[i].strategy->name, only) == 0) {
            run.tried[r]++;
            const bool equal = r == NODE_NAMES || r == PART_NAMES
                                   ? !is_faster(a->way[i].seconds, b->way[i].seconds) &&
                                         !is_faster(b->way[i].seconds, a->way[i].seconds)
                                   : memcmp(&a->way[i].seconds, &b->way[i].seconds, sizeof(double)) == 0;
            if (!equal)
                violate(t, r, "%s: %.17g s, %.17g s before", way_of(a, i), b->way[i].seconds, a->way[i].seconds);
        }
}

static bool ends_in(const char *text, const char *end)
{
    const size_t length = strlen(text), of = strlen(end);
    return length >= of && strcmp(text + length - of, end) == 0;
}

/* ---- random cases ------------------------------------------------------------------------------------------------ */

static ns_exchange *exchange_of(const trial *t, const ns_planned *message, size_t messages, const int32_t *node_of,
                                bool with_sockets)
{
    ns_exchange *x = NULL;
    ns_site *site = NULL;
    ck_assert(ns_site_from_map(t->parts, t->nodes, node_of, with_sockets ? t->machine->sockets : 0,
                               with_sockets ? t->socket_of : NULL, &site, NULL) == NS_OK);
    ck_assert(ns_exchange_from_messages_on(message, messages, site, &x, NULL) == NS_OK);
    ns_site_free(site);
    return x;
}

static ns_planned random_message(trial *t)
{
    const int32_t from = (int32_t)oracle_below(&t->random, t->parts),
                  to = (from + 1 + (int32_t)oracle_below(&t->random, t->parts - 1)) % t->parts;
    return (ns_planned){from, to, 1 + oracle_below(&t->random, INT64_C(1) << (1 + oracle_below(&t->random, 21)))};
}

static bool open_trial(trial *t, uint64_t seed)
{
    *t = (trial){.seed = seed, .random = {seed}};
    t->on = &run.shipped[oracle_below(&t->random, run.machines)];
    t->machine = t->on->machine;
    t->form = oracle_below(&t->random, 3) > 0 ? NULL : run.form[oracle_below(&t->random, (int64_t)run.forms)];
    t->parts = 2 + (int32_t)oracle_below(&t->random, PARTS - 1);
    t->nodes = 1 + (int32_t)oracle_below(&t->random, t->parts < NODES ? t->parts : NODES);
    for (int32_t p = 0; p < t->parts; p++) {
        t->node_of[p] = p < t->nodes ? p : (int32_t)oracle_below(&t->random, t->nodes);
        t->socket_of[p] = (int32_t)oracle_below(&t->random, t->machine->sockets);
    }
    t->messages = 1 + (size_t)oracle_below(&t->random, oracle_below(&t->random, 2) == 0 ? 4 : MESSAGES);
    for (size_t i = 0; i < t->messages; i++)
        t->message[i] = random_message(t);
    t->x = exchange_of(t, t->message, t->messages, t->node_of, true);
    return ask(t, t->x, t->machine, &t->base);
}

/* ---- more of anything is never faster ---------------------------------------------------------------------------- */

static ns_schedule *schedule_of(const trial *t, const ns_exchange *x, int way)
{
    ns_schedule *s = NULL;
    ck_assert(ns_schedule_build(t->base.way[way].strategy, t->base.way[way].transport, x, t->machine, &s, NULL) ==
              NS_OK);
    return s;
}

static ns_price price_of(const trial *t, const ns_schedule *s)
{
    ns_price price = {0};
    const ns_price_options options = {.form = t->form, .confidence = 0.9};
    ck_assert(ns_schedule_price_as(s, t->machine, &options, &price, NULL) == NS_OK);
    return price;
}

/* ---- first sizes that a message passes --------------------------------------------------------------------------- */

static ns_protocol protocol_of(const ns_machine *m, ns_memory memory, ns_locality table, int64_t bytes)
{
    ns_protocol protocol = NS_SHORT;
    (void)ns_machine_line(m, memory, table, (double)bytes, &protocol);
    return protocol;
}

/* The number of a row for a class, by the end of its path; 0 where the form has none. */
static double class_number(const ns_form_values *v, const char *ending, int locality, ns_protocol protocol)
{
    for (int row = 0; v->form->rows[row].doc != NULL; row++)
        if (v->form->rows[row].by_class && ends_in(v->form->rows[row].path[0].at, ending))
            return v->value[v->first[row] + NS_PROTOCOLS * locality + (int)protocol];
    return 0;
}

/* log2 of the mean number of messages that a process sends or receives off node, the more, to one of the nodes that it
 * has to do with, of which there are more to send to or to receive from. */
static double doublings(const ns_schedule *s, const ns_step *step, int32_t process)
{
    const int32_t *node_of = s->site->node_of;
    int64_t partners[2] = {0, 0}, messages[2] = {0, 0};
    for (int32_t node = 0; node < s->nodes; node++) {
        bool met[2] = {false, false};
        for (int64_t i = 0; i < step->messages && node != node_of[process]; i++) {
            const ns_message *m = &step->message[i];
            const bool of[2] = {m->from == process && node_of[m->to] == node,
                                m->to == process && node_of[m->from] == node};
            for (int side = 0; side < 2; side++) {
                met[side] = met[side] || of[side];
                messages[side] += of[side];
            }
        }
        partners[0] += met[0];
        partners[1] += met[1];
    }
    const double most = fmax((double)partners[0], (double)partners[1]);
    return most > 0 ? log2(fmax(1, fmax((double)messages[0], (double)messages[1]) / most)) : 0;
}

/* Crowding counts with the mean number of messages to a node, which a message to another node makes smaller. */
static double saved_by_crowding(const ns_form_values *v, const ns_schedule *s, const ns_step *step,
                                const ns_step *longer, int32_t process)
{
    const double less = doublings(s, step, process) - doublings(s, longer, process);
    const int32_t node = s->site->node_of[process];
    int64_t bytes = 0; /* out of the node and into it */
    for (int64_t i = 0; i < longer->messages; i++) {
        const int32_t from = s->site->node_of[longer->message[i].from], to = s->site->node_of[longer->message[i].to];
        bytes += from != to && (from == node || to == node) ? longer->message[i].bytes : 0;
    }
    return v->form == &ns_form_full && less > 0
               ? less * (double)bytes * ns_form_number(v, "<memory>.injection.inverse_R_N", NS_OFF_NODE, NS_SHORT) *
                     ns_form_number(v, "<memory>.exchange.crowding", NS_OFF_NODE, NS_SHORT)
               : 0;
}

/* What the numbers of the later protocol are smaller for messages that pass a first size, of a step: the most that any
 * process saves.  Without such a message it is 0.  Inside a node each protocol's bytes out and in count as the more of
 * both: there a message may save all that its bytes cost before. */
static double saved_in_step(const trial *t, const ns_form_values *v, const ns_schedule *s, int index,
                            const ns_step *longer)
{
    const ns_step *step = &s->step[index];
    double *own = ns_calloc((size_t)s->processes, sizeof *own), *inside = ns_calloc((size_t)s->nodes, sizeof *inside),
           most = 0;
    for (int64_t i = 0; i < step->messages; i++) {
        const ns_message *m = &step->message[i];
        int64_t k = step->messages == longer->messages ? i : longer->sent[m->from];
        while (longer->message[k].to != m->to)
            k++;
        const int64_t bytes = longer->message[k].bytes;
        const int locality = (int)ns_schedule_locality(s, m->from, m->to);
        const ns_locality table = v->form->one_table ? NS_OFF_NODE : (ns_locality)locality;
        const ns_protocol from = protocol_of(t->machine, v->memory, table, m->bytes),
                          to = protocol_of(t->machine, v->memory, table, bytes);
        if (from == to)
            continue;
        const double alpha = class_number(v, ".alpha", locality, from), beta = class_number(v, ".beta", locality, from),
                     moving = locality == NS_OFF_NODE
                                  ? fmax(0, beta - class_number(v, ".beta", locality, to)) * (double)bytes
                                  : beta * (double)m->bytes,
                     less = fmax(0, alpha - class_number(v, ".alpha", locality, to)) + moving;
        own[m->from] += less;
        own[m->to] += less;
        if (locality != NS_OFF_NODE)
            inside[s->site->node_of[m->from]] += class_number(v, ".inverse_R", locality, from) * (double)m->bytes;
    }
    for (int32_t p = 0; p < s->processes; p++)
        most = fmax(most, own[p] + inside[s->site->node_of[p]] + saved_by_crowding(v, s, step, longer, p));
    ns_free(own);
    ns_free(inside);
    return most;
}

static void check_more(const trial *t, relation r, const ns_schedule *s, const ns_schedule *longer, int way)
{
    const ns_price shorter = price_of(t, s), more = price_of(t, longer);
    const double before = shorter.estimate_s - shorter.learnt_s, after = more.estimate_s - more.learnt_s;
    ns_form_values v;
    double less = 0;
    /* Copies below a size that a machine file names wait for their turn at a GPU; longer ones, which were measured too,
     * do not. */
    for (int d = 0; d < NS_DIRECTIONS; d++) {
        double most = 0;
        for (int i = 0; i < t->machine->copy_levels && shorter.copy_waits[d] && !more.copy_waits[d]; i++)
            most = fmax(most, t->machine->copy[i].wait[d]);
        less += most;
    }
    ns_form_take(ns_form_of(t->machine, t->form), t->machine, s->transport == NS_VIA_DEVICE ? NS_DEVICE : NS_HOST, 0,
                 &v);
    for (int i = 0; i < s->steps; i++)
        less += saved_in_step(t, &v, s, i, &longer->step[i]);
    run.tried[r]++;
    run.excepted[r] += is_faster(after, before);
    if (is_faster(after, before - less))
        violate(t, r, "%s: %.6g us, %.6g us before (%+.2f %%), %.6g us saved by other protocols and copies",
                way_of(&t->base, way), 1e6 * after, 1e6 * before, 100 * (after / before - 1), 1e6 * less);
}

/* Contention counts with the mean number of hops, which a message between near nodes makes smaller. */
static bool counts_hops(const trial *t)
{
    return ns_form_of(t->machine, t->form)->needs_hops;
}

/* Split cuts at a cap; what stays below it is dealt in the same way. */
static bool is_cut(const trial *t, int way, int64_t factor)
{
    const double cap = ns_machine_rendezvous_from(t->machine);
    for (int64_t i = 0; i < t->x->pairs; i++)
        if ((double)(factor * t->x->pair[i].entries * t->x->width) >= cap)
            return strncmp(t->base.way[way].strategy->name, "split", 5) == 0;
    return false;
}

static bool is_named(const trial *t, int way, const char *name)
{
    return strcmp(t->base.way[way].strategy->name, name) == 0;
}

/* More of everything: all messages twice as long; any message of any step longer; one message more, of ways that send
 * each by itself. */
static void check_longer(trial *t, relation r)
{
    ns_planned message[MESSAGES + 1];
    size_t messages = t->messages;
    if (r != DOUBLED_BYTES && counts_hops(t))
        return;
    if (r == MORE_MESSAGES)
        t->message[messages++] = random_message(t);
    for (size_t i = 0; i < messages; i++) {
        message[i] = t->message[i];
        message[i].bytes *= r == DOUBLED_BYTES ? 2 : 1;
    }
    ns_exchange *x = exchange_of(t, message, messages, t->node_of, true);
    for (int way = 0; way < t->base.ways; way++) {
        if (r == DOUBLED_BYTES ? is_cut(t, way, 2)
                               : r == MORE_MESSAGES && !is_named(t, way, "standard") && !is_named(t, way, "two-step"))
            continue;
        ns_schedule *s = schedule_of(t, t->x, way), *longer = schedule_of(t, x, way);
        ns_step *step = r == LONGER_MESSAGE ? &longer->step[oracle_below(&t->random, s->steps)] : NULL;
        if (step != NULL && step->messages > 0) {
            ns_message *m = &step->message[oracle_below(&t->random, step->messages)];
            m->bytes += 1 + oracle_below(&t->random, 1 + 3 * m->bytes);
        }
        if (step == NULL || step->messages > 0)
            check_more(t, r, s, longer, way);
        ns_schedule_free(s);
        ns_schedule_free(longer);
    }
    ns_exchange_free(x);
}

/* A message from one part to another and one back, as a ping-pong has them: never faster than shorter ones, but where
 * the machine's table falls between the two. */
static void check_alone(trial *t)
{
    int32_t node_of[PARTS] = {0};
    /* near a first size of the machine, or of any size */
    const ns_line *line =
        &t->machine->line[oracle_below(&t->random, NS_MEMORIES)][oracle_below(&t->random, NS_LOCALITIES)]
                         [oracle_below(&t->random, NS_PROTOCOLS)];
    const int64_t bytes = line->given && line->from > 1 && oracle_below(&t->random, 2) == 0
                              ? (int64_t)ceil(line->from) - 1
                              : random_message(t).bytes,
                  more = bytes + 1 + oracle_below(&t->random, 1 + bytes / 4);
    const size_t messages = 2;
    const int where = (int)oracle_below(&t->random, 3);
    trial one = *t;
    answer a;
    one.parts = 2;
    one.nodes = where == NS_OFF_NODE ? 2 : 1;
    node_of[1] = one.nodes - 1;
    one.socket_of[0] = 0;
    one.socket_of[1] = where == NS_ON_NODE ? one.machine->sockets - 1 : 0;
    ns_exchange *x = exchange_of(&one, (ns_planned[]){{0, 1, bytes}, {1, 0, bytes}}, messages, node_of, true),
                *longer = exchange_of(&one, (ns_planned[]){{0, 1, more}, {1, 0, more}}, messages, node_of, true);
    if (ask(&one, x, one.machine, &one.base) && ask(&one, longer, one.machine, &a))
        for (int i = 0; i < a.ways; i++) {
            const ns_memory memory = a.way[i].transport == NS_VIA_DEVICE ? NS_DEVICE : NS_HOST;
            const ns_locality locality = ns_form_of(t->machine, t->form)->one_table         ? NS_OFF_NODE
                                         : where == NS_ON_NODE && one.machine->sockets == 1 ? NS_ON_SOCKET
                                                                                            : (ns_locality)where,
                              table = t->machine->stands_for[memory][locality];
            const double before = one.base.way[i].seconds;
            if (!is_named(t, i, "standard"))
                continue;
            run.tried[LONE_MESSAGE]++;
            if (!is_faster(a.way[i].seconds, before))
                continue;
            run.excepted[LONE_MESSAGE]++;
            /* does the machine's own table, of single messages or of many in flight, fall at a first size? */
            ns_machine_drop drop;
            bool falls = false;
            for (size_t k = 0; ns_machine_drop_at(t->machine, k, &drop) && !falls; k++)
                falls = drop.memory == memory && drop.locality == table && drop.size > (double)bytes &&
                        drop.size <= (double)more;
            if (!falls)
                violate(t, LONE_MESSAGE, "of %lld B, %s, %s: %.6g us; of %lld B %.6g us (%+.2f %%)", (long long)bytes,
                        ns_locality_words[locality], way_of(&a, i), 1e6 * before, (long long)more,
                        1e6 * a.way[i].seconds, 100 * (a.way[i].seconds / before - 1));
        }
    ns_exchange_free(x);
    ns_exchange_free(longer);
}

/* ---- numbers of the machine -------------------------------------------------------------------------------------- */

static ns_machine *changed(const ns_machine *machine, const ns_change *change, size_t changes)
{
    ns_machine *to = NULL;
    ns_error err = {0};
    ck_assert_msg(ns_machine_change(machine, change, changes, "other numbers", &to, &err) == NS_OK, "%s", err.text);
    return test_keep(to);
}

static bool is_price_number(const ns_parameter *p)
{
    return p->dim.second != 0 && !ends_in(p->path, "_se") && strncmp(p->path, "models.", 7) != 0;
}

static void slow_a_number(trial *t)
{
    const ns_parameter *of[512];
    size_t count = 0;
    answer a;
    for (size_t i = 0; i < t->machine->parameters && count < 512; i++)
        if (is_price_number(&t->machine->parameter[i]))
            of[count++] = &t->machine->parameter[i];
    if (count == 0)
        return;
    const ns_parameter *p = of[oracle_below(&t->random, (int64_t)count)];
    const double factor = 1 + (double)oracle_below(&t->random, 100) / (double)(1 + oracle_below(&t->random, 200));
    const ns_change change = {p->path, p->dim.second > 0 ? p->value * factor : p->value / factor, "slower"};
    ns_machine *slower = changed(t->machine, &change, 1);
    if (ask(t, t->x, slower, &a))
        for (int i = 0; i < a.ways; i++) {
            run.tried[SLOWER_NUMBER]++;
            if (is_faster(a.way[i].seconds, t->base.way[i].seconds))
                violate(t, SLOWER_NUMBER, "%s x %.3g: %s %.6g us, %.6g us before (%+.2f %%)", p->path, factor,
                        way_of(&a, i), 1e6 * a.way[i].seconds, 1e6 * t->base.way[i].seconds,
                        100 * (a.way[i].seconds / t->base.way[i].seconds - 1));
        }
}

/* What a form puts for a number that a machine lacks is a time constant too. */
static size_t double_defaults(const ns_machine *machine, const ns_form *form, char path[][120], ns_change *change)
{
    size_t count = 0;
    for (int m = 0; m < NS_MEMORIES; m++) {
        ns_form_values v;
        ns_form_take(form, machine, (ns_memory)m, 0, &v);
        for (int row = 0; form->rows[row].doc != NULL; row++) {
            bool derived;
            const int slot = v.first[row];
            if (!form->rows[row].by_class && v.from[slot] == NULL && form->rows[row].fallback[m] > 0 &&
                v.value[slot] > 0 && strcmp(form->rows[row].unit, "1") != 0 && strcmp(form->rows[row].unit, "B") != 0) {
                change[count] =
                    (ns_change){ns_form_slot_path(&v, slot, &derived, path[count], 120), 2 * v.value[slot], "doubled"};
                count++;
            }
        }
    }
    return count;
}

static ns_machine *doubled_times(const ns_machine *machine)
{
    static ns_change change[1024];
    static char path[64][120];
    size_t count = 0, defaults = 0;
    for (size_t i = 0; i < machine->parameters; i++) {
        const ns_parameter *p = &machine->parameter[i];
        if (is_price_number(p))
            change[count++] = (ns_change){p->path, ldexp(p->value, p->dim.second), "doubled"};
        ck_assert_uint_lt(count, 512);
    }
    for (size_t f = 0; f < run.forms; f++)
        defaults += double_defaults(machine, run.form[f], path + defaults, change + count + defaults);
    return changed(machine, change, count + defaults);
}

static void double_times(trial *t)
{
    answer a;
    ask(t, t->x, t->on->doubled, &a);
    for (int i = 0; i < a.ways; i++)
        a.way[i].seconds /= 2;
    same(t, DOUBLED_TIMES, &t->base, &a, NULL);
}

/* ---- the same exchange, said or asked in another way ------------------------------------------------------------- */

static void check_schedules(const trial *t)
{
    answer a = t->base;
    for (int way = 0; way < a.ways; way++) {
        ns_schedule *s = schedule_of(t, t->x, way);
        a.way[way].seconds = price_of(t, s).estimate_s;
        ns_schedule_free(s);
    }
    same(t, SCHEDULE, &t->base, &a, NULL);
}

static void check_threads(trial *t)
{
    answer a;
    ns_workspace_set_threads(run.workspace, 1 + (int)oracle_below(&t->random, 8));
    ask(t, t->x, t->machine, &a);
    ns_workspace_set_threads(run.workspace, 0);
    same(t, THREADS, &t->base, &a, NULL);
}

static void shuffle(trial *t, int32_t *list, int32_t count)
{
    for (int32_t i = count - 1; i > 0; i--) {
        const int32_t k = (int32_t)oracle_below(&t->random, i + 1), one = list[i];
        list[i] = list[k];
        list[k] = one;
    }
}

/* Two lists that are dealt by size, and where sizes are equal by number, are dealt otherwise under other names. */
static bool has_ties(const trial *t)
{
    for (int64_t i = 0; i < t->x->pairs; i++)
        for (int64_t k = i + 1; k < t->x->pairs; k++)
            if (t->x->pair[i].entries == t->x->pair[k].entries)
                return true;
    return false;
}

/* Hops are counted by the nodes' numbers.  Where several processes hold a part's data, they share what it sends in the
 * order of the nodes. */
static void rename_nodes(trial *t)
{
    int32_t name[NODES], node_of[PARTS];
    answer a;
    if (counts_hops(t))
        return;
    for (int32_t n = 0; n < t->nodes; n++)
        name[n] = n;
    shuffle(t, name, t->nodes);
    for (int32_t p = 0; p < t->parts; p++)
        node_of[p] = name[t->node_of[p]];
    ns_exchange *x = exchange_of(t, t->message, t->messages, node_of, true);
    ask(t, x, t->machine, &a);
    for (int i = 0; i < a.ways; i++)
        if (is_cut(t, i, 1) || is_named(t, i, "split-dd") ||
            (has_ties(t) && !is_named(t, i, "standard") && !is_named(t, i, "two-step")))
            a.way[i].seconds = t->base.way[i].seconds;
    same(t, NODE_NAMES, &t->base, &a, NULL);
    ns_exchange_free(x);
}

static void rename_parts(trial *t)
{
    int32_t name[PARTS];
    ns_planned renamed[MESSAGES];
    answer a;
    for (int32_t p = 0; p < t->parts; p++)
        name[p] = p;
    for (int32_t p = 0; p < t->parts; p++) {
        const int32_t q = (int32_t)oracle_below(&t->random, t->parts), one = name[p];
        if (t->node_of[p] != t->node_of[q] || t->socket_of[p] != t->socket_of[q])
            continue;
        name[p] = name[q];
        name[q] = one;
    }
    for (size_t i = 0; i < t->messages; i++)
        renamed[i] = (ns_planned){name[t->message[i].from], name[t->message[i].to], t->message[i].bytes};
    ns_exchange *x = exchange_of(t, renamed, t->messages, t->node_of, true);
    ask(t, x, t->machine, &a);
    same(t, PART_NAMES, &t->base, &a, "standard");
    ns_exchange_free(x);
}

/* The standard way of a matrix, and of its messages as a list. */
static void check_matrix(const trial *t, ns_exchange *matrix, const answer *of_matrix)
{
    ns_planned *message = ns_malloc(((size_t)matrix->routes + 1) * sizeof *message);
    ns_exchange *x = NULL;
    answer a;
    for (int64_t i = 0; i < matrix->routes; i++)
        message[i] = (ns_planned){matrix->route[i].from, matrix->route[i].to, matrix->route[i].entries * matrix->width};
    ck_assert(ns_exchange_from_messages_on(message, (size_t)matrix->routes, matrix->site, &x, NULL) == NS_OK);
    ask(t, x, t->machine, &a);
    same(t, MATRIX, of_matrix, &a, "standard");
    ns_exchange_free(x);
    ns_free(message);
}

static void write_bytes(const char *path, const void *bytes, size_t size)
{
    FILE *out = fopen(path, "wb");
    ck_assert_ptr_nonnull(out);
    ck_assert(fwrite(bytes, 1, size, out) == size);
    ck_assert_int_eq(fclose(out), 0);
}

static ns_exchange *read_exchange(const char *path, ns_layout layout, const ns_exchange_options *options,
                                  const char *save)
{
    ns_matrix *matrix = NULL;
    ns_exchange *x = NULL;
    ns_error err = {0};
    ck_assert_msg(ns_matrix_open(path, &matrix, &err) == NS_OK, "%s", err.text);
    ck_assert_msg(ns_exchange_from_matrix(matrix, &layout, 1, options, &x, NULL, &err) == NS_OK, "%s", err.text);
    if (save != NULL)
        ck_assert_msg(ns_matrix_save(matrix, save, 0, &err) == NS_OK, "%s", err.text);
    ns_matrix_free(matrix);
    return x;
}

/* A matrix in memory; as .mtx, .mtx.gz, .tar.gz and .nsp. */
static void check_readers(trial *t)
{
    oracle_matrix matrix;
    const int64_t rows = t->parts + oracle_below(&t->random, 300);
    const ns_exchange_options options = {.width = 1 + oracle_below(&t->random, 3000)};
    const ns_layout layout = {t->parts, 1 + (int32_t)oracle_below(&t->random, t->parts)};
    char path[4][300];
    size_t size = 0;
    char *text = NULL;
    answer base, a;
    ns_exchange *x = NULL;
    oracle_random_matrix(&t->random, rows, rows, oracle_below(&t->random, 4000), (int)oracle_below(&t->random, 3),
                         &matrix);
    ck_assert(ns_exchange_from_csr(rows, rows, matrix.row_start, matrix.col_of, layout, &options, &x, NULL) == NS_OK);
    if (x->routes > 0 && ask(t, x, t->machine, &base)) {
        FILE *out = open_memstream(&text, &size);
        ck_assert_ptr_nonnull(out);
        fprintf(out, "%%%%MatrixMarket matrix coordinate pattern general\n%lld %lld %lld\n", (long long)rows,
                (long long)rows, (long long)matrix.entries);
        for (int64_t r = 0; r < rows; r++)
            for (int64_t i = matrix.row_start[r]; i < matrix.row_start[r + 1]; i++)
                fprintf(out, "%lld %lld\n", (long long)r + 1, (long long)matrix.col_of[i] + 1);
        ck_assert_int_eq(fclose(out), 0);
        static const char *const name[] = {"m.mtx", "m.mtx.gz", "m.tar.gz", "m.nsp"};
        for (int k = 0; k < 4; k++)
            snprintf(path[k], sizeof path[k], "%s/%s", scratch_folder(), name[k]);
        write_bytes(path[0], text, size);
        gzFile zip = gzopen(path[1], "wb");
        ck_assert(zip != NULL && gzwrite(zip, text, (unsigned)size) == (int)size && gzclose(zip) == Z_OK);
        archive tar = archive_of("m", text, 1000);
        write_bytes(path[2], tar.bytes, tar.size);
        archive_free(&tar);
        for (int k = 0; k < 4; k++) {
            ns_exchange *read = read_exchange(path[k], layout, &options, k == 0 ? path[3] : NULL);
            ask(t, read, t->machine, &a);
            same(t, READERS, &base, &a, NULL);
            ns_exchange_free(read);
        }
        free(text);
        check_matrix(t, x, &base);
    }
    ns_exchange_free(x);
    oracle_matrix_free(&matrix);
}

/* The program and Python are asked about the messages in blocks of parts. */
static void check_programs(trial *t)
{
    char csv[300], line[900], per_node[20], parts[20];
    int32_t last = 0;
    answer base, a = {0};
    ns_exchange *x = NULL;
    for (size_t i = 0; i < t->messages; i++) { /* the file tells parts up to the largest number that it names */
        last = t->message[i].from > last ? t->message[i].from : last;
        last = t->message[i].to > last ? t->message[i].to : last;
    }
    const ns_layout layout = {last + 1, 1 + (int32_t)oracle_below(&t->random, last + 1)};
    ck_assert(ns_exchange_from_messages(t->message, t->messages, layout, NULL, &x, NULL) == NS_OK);
    const ns_form *form = t->form;
    t->form = NULL; /* Python takes the machine's own */
    const bool answered = ask(t, x, t->machine, &base);
    ns_exchange_free(x);
    if (answered) {
        snprintf(csv, sizeof csv, "%s/messages-%llu.csv", scratch_folder(), (unsigned long long)t->seed);
        FILE *out = fopen(csv, "w");
        ck_assert_ptr_nonnull(out);
        for (size_t i = 0; i < t->messages; i++)
            fprintf(out, "%d,%d,%lld\n", (int)t->message[i].from, (int)t->message[i].to,
                    (long long)t->message[i].bytes);
        ck_assert_int_eq(fclose(out), 0);
        snprintf(parts, sizeof parts, "%d", (int)layout.parts);
        snprintf(per_node, sizeof per_node, "%d", (int)layout.per_node);
        snprintf(line, sizeof line, "predict --messages '%s' --machine %s --parts %s --per-node %s", csv,
                 t->machine->name, parts, per_node);
        ns_value *root = cli_json(line);
        const ns_value *one = ns_value_first(ns_value_get(root, "cases"));
        for (one = ns_value_first(ns_value_get(one, "strategies")); one != NULL; one = ns_value_next(one), a.ways++) {
            a.way[a.ways] = base.way[a.ways];
            a.way[a.ways].seconds = ns_value_as_number(ns_value_get(one, "estimate_s"));
        }
        same(t, PROGRAM, &base, &a, NULL);
        fprintf(run.python, "%llu %s %s %s %s", (unsigned long long)t->seed, csv, t->machine->name, parts, per_node);
        for (int i = 0; i < base.ways; i++)
            fprintf(run.python, " %s/%s=%.17g", base.way[i].strategy->name, ns_transport_words[base.way[i].transport],
                    base.way[i].seconds);
        fprintf(run.python, "\n");
        run.python_cases++;
    }
    t->form = form;
}

static const char python_program[] =
    "import sys, nsmodel\n"
    "tried = broken = 0\n"
    "for line in open(sys.argv[1]):\n"
    "    seed, path, machine, parts, per_node, *ways = line.split()\n"
    "    rows = [tuple(map(int, row.split(','))) for row in open(path)]\n"
    "    got = nsmodel.predict(rows, machine, parts=int(parts), per_node=int(per_node))\n"
    "    got = {f'{w.strategy}/{w.transport}': w.seconds for w in got}\n"
    "    want = {name: float(s) for name, s in (way.split('=') for way in ways)}\n"
    "    tried += len(want)\n"
    "    if got != want:\n"
    "        broken += 1\n"
    "        print(f'SEED={seed} Python = library on {machine}: {got}, wanted {want}')\n"
    "print(tried, broken)\n";

/* A Python that has numpy, which the package needs; NULL where there is none. */
static const char *python_with_numpy(void)
{
    static const char *const python[] = {"python3", "/usr/bin/python3"};
    for (size_t i = 0; i < sizeof python / sizeof *python; i++)
        if (shell(NULL, 0, "%s -c 'import numpy' 2> /dev/null", python[i]) == 0)
            return python[i];
    return NULL;
}

static void check_python(void)
{
    char command[2000];
    const char *build = getenv("NSMODEL_BUILD"), *python = python_with_numpy();
    if (build == NULL || python == NULL) {
        skipped("relations of Python", "needs %s", build == NULL ? "NSMODEL_BUILD" : "a python3 that has numpy");
        return;
    }
    if (is_sanitized("relations of Python")) /* python3 would load a library whose sanitizer comes too late */
        return;
    if (run.python_cases == 0)
        return;
    snprintf(command, sizeof command, "%s/relations.py", scratch_folder());
    write_bytes(command, python_program, strlen(python_program));
    snprintf(command, sizeof command,
             "NSMODEL_LIBRARY='%s/libnsmodel.so' PYTHONPATH=integrations/python %s '%s/relations.py' '%s/python.txt'",
             build, python, scratch_folder(), scratch_folder());
    fflush(stdout);
    FILE *in = popen(command, "r");
    char line[4000];
    ck_assert_ptr_nonnull(in);
    while (fgets(line, sizeof line, in) != NULL)
        if (sscanf(line, "%ld %ld", &run.tried[PYTHON], &run.broken[PYTHON]) != 2)
            fputs(line, stdout);
    ck_assert_int_eq(pclose(in), 0);
    ck_assert_int_gt(run.tried[PYTHON], 0);
}

/* ------------------------------------------------------------------------------------------------------------------ */

static void load_machines(void)
{
    run.forms = ns_forms_by_rank(run.form, NS_FORMS_MAX);
    for (const char *const *name = ns_machine_names(); *name != NULL; name++) {
        ns_machine *machine = NULL;
        ck_assert_int_lt(run.machines, MACHINES);
        ck_assert(ns_machine_load(*name, &machine, NULL) == NS_OK);
        if (ns_strategy_runs(&ns_strategy_standard, NS_VIA_HOST, machine) ||
            ns_strategy_runs(&ns_strategy_standard, NS_VIA_DEVICE, machine))
            run.shipped[run.machines++] = (shipped){machine, doubled_times(machine)};
        else
            ns_machine_free(machine);
    }
    ck_assert_int_gt(run.machines, 10);
}

static void try_case(uint64_t seed)
{
    trial t;
    if (open_trial(&t, seed)) {
        check_schedules(&t);
        check_threads(&t);
        if (ns_form_of(t.machine, t.form)->rising) { /* the others say of themselves that more may cost less */
            check_longer(&t, DOUBLED_BYTES);
            check_longer(&t, LONGER_MESSAGE);
            check_longer(&t, MORE_MESSAGES);
            check_alone(&t);
        }
        slow_a_number(&t);
        double_times(&t);
        rename_nodes(&t);
        rename_parts(&t);
        if (seed % EACH_READER == 0)
            check_readers(&t);
        if (seed % EACH_PROGRAM == 0)
            check_programs(&t);
    }
    ns_exchange_free(t.x);
}

static long long asked(const char *name, long long otherwise)
{
    const char *text = getenv(name);
    return text != NULL && *text != '\0' ? atoll(text) : otherwise;
}

TEST(relations_hold)
{
    const long long cases = asked("RELATIONS_CASES", 200), first = asked("RELATIONS_SEED", 1);
    char path[300];
    long broken = 0;
    scratch_open();
    snprintf(path, sizeof path, "%s/python.txt", scratch_folder());
    run.python = fopen(path, "w");
    ck_assert(run.python != NULL && ns_workspace_open(&run.workspace, NULL) == NS_OK);
    load_machines();
    for (long long i = 0; i < cases; i++)
        try_case((uint64_t)(first + i));
    ck_assert_int_eq(fclose(run.python), 0);
    check_python();
    printf("%lld cases from seed %lld, %d machines\n%-42s %9s %9s %9s\n", cases, first, run.machines, "relation",
           "tried", "faster", "broken");
    for (int r = 0; r < RELATIONS; r++) {
        printf("%-42s %9ld %9ld %9ld\n", relation_words[r], run.tried[r], run.excepted[r], run.broken[r]);
        broken += run.broken[r];
    }
    fflush(stdout);
    for (int i = 0; i < run.machines; i++) {
        ns_machine_free(run.shipped[i].machine);
        ns_machine_free(run.shipped[i].doubled);
    }
    ns_workspace_free(run.workspace);
    scratch_close();
    ck_assert_msg(broken == 0, "%ld violations; make relations CASES=1 SEED=n is one of them again", broken);
}

TEST_TIMEOUT(3600)
