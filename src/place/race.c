/* race.c -- the slowest process of each step, without a look at all of them
 *
 * Of a node, a load with the largest sums of its processes is priced first: none of them takes longer in a form that is
 * rising.  The processes themselves are priced only where such a bound leads the tournament, until a node leads by what
 * one of its processes really takes.
 */
#include "place/placer.h"

#include "price/cost.h"

#include <math.h>
#include <string.h>

/* Rounding of a form's own functions (log2) must not put a bound below what it bounds. */
static const double slack = 1 + 0x1p-40;

typedef struct running {
    ns_placer *placer;
    const ns_pass *pass;
    const ns_sums *sums;
    ns_race *race;
    const ns_form_values *values;
    ns_memory memory;
    ns_load load;
    uint32_t filled[NS_SIDES]; /* bits of slots of the load that are not 0 */
    ns_step_price one;
} running;

/* ---- loads ------------------------------------------------------------------------------------------------------- */

static ns_status refuse(const running *r, int class, ns_error *err)
{
    int locality = NS_LOCALITIES - 1;
    while (class < r->placer->base[locality])
        locality--;
    return ns_refuse_no_table(r->placer->machine, r->memory,
                              r->placer->form->one_table ? NS_OFF_NODE : (ns_locality)locality, err);
}

/* Messages and bytes by protocol, over those of another process; classes of one protocol stand together and are added
 * up as whole numbers. */
static ns_status load_side(running *r, const ns_class_sum *row, int side, int64_t *messages, ns_error *err)
{
    ns_class_load *load = side == NS_OUT ? r->load.out[0] : r->load.in[0]; /* by slot */
    const int16_t *slots = r->placer->slot[r->memory];
    int64_t count = 0, bytes = 0;
    uint32_t filled = 0;
    int last = -1;
    for (uint32_t bits = r->filled[side]; bits != 0; bits &= bits - 1)
        load[__builtin_ctz(bits)] = (ns_class_load){0, 0};
    r->filled[side] = 0;
    for (uint64_t bits = (uint64_t)row->messages; bits != 0; bits &= bits - 1) {
        const int class = __builtin_ctzll(bits), slot = slots[class];
        const ns_class_sum *sum = &row[1 + class];
        if (slot < 0)
            return refuse(r, class, err);
        count = sum->messages + (slot == last ? count : 0);
        bytes = sum->bytes + (slot == last ? bytes : 0);
        last = slot;
        filled |= 1u << slot;
        r->filled[side] = filled;
        load[slot] = (ns_class_load){(double)count, (double)bytes};
        *messages += sum->messages;
    }
    return NS_OK;
}

static double square(double x)
{
    return x * x;
}

/* The rest of a load is its node's. */
static ns_status load_rows(running *r, const ns_class_sum *out_row, const ns_class_sum *in_row, int32_t partners,
                           bool *idle, ns_error *err)
{
    int64_t out = 0, in = 0;
    NS_TRY(load_side(r, out_row, NS_OUT, &out, err));
    NS_TRY(load_side(r, in_row, NS_IN, &in, err));
    *idle = out + in == 0;
    r->load.out_squares = square((double)out);
    r->load.in_squares = square((double)in);
    r->load.partners = partners;
    ns_load_complete(r->pass->strategy, &r->load);
    return NS_OK;
}

static int32_t partners_of(const ns_sums *sums, int32_t process)
{
    const int32_t *met = &sums->partners[NS_SIDES * (int64_t)process];
    return met[NS_OUT] > met[NS_IN] ? met[NS_OUT] : met[NS_IN];
}

/* Bytes that move inside the node, by protocol. */
static void load_inside(running *r, int32_t node)
{
    const ns_placer *p = r->placer;
    for (int l = 0; l < NS_OFF_NODE; l++) {
        int64_t sum[NS_PROTOCOLS] = {0};
        for (int k = 0; k < p->sizes.count[l]; k++) {
            const int protocol = p->sizes.protocol[r->memory][l][k];
            if (protocol >= 0)
                sum[protocol] += r->sums->inside[(NS_OFF_NODE * (int64_t)node + l) * NS_SIZES + k];
        }
        for (int c = 0; c < NS_PROTOCOLS; c++)
            r->load.node_on[l][c] = (double)sum[c];
    }
}

static void load_node(running *r, int32_t node)
{
    r->load.node_out = (double)r->sums->node[NS_SIDES * (int64_t)node + NS_OUT];
    r->load.node_in = (double)r->sums->node[NS_SIDES * (int64_t)node + NS_IN];
    if (r->sums->inside != NULL)
        load_inside(r, node);
}

/* ---- runners ----------------------------------------------------------------------------------------------------- */

static double price_load(running *r)
{
    double sum = 0;
    memset(r->one.term, 0, (size_t)r->placer->terms * sizeof *r->one.term);
    r->one.bytes_s = 0;
    r->placer->form->price(r->values, &r->load, false, &r->one);
    for (int t = 0; t < r->placer->terms; t++)
        sum += r->one.term[t];
    return sum;
}

static ns_status run_exactly(running *r, int32_t node, ns_error *err)
{
    const ns_placer *p = r->placer;
    ns_runner *runner = &r->race->runner[node];
    runner->seconds = -1;
    runner->process = -1;
    runner->exact = true;
    load_node(r, node);
    for (int32_t i = p->first[node]; i < p->first[node + 1]; i++) {
        const int32_t process = p->part[i];
        bool idle = true;
        NS_TRY(load_rows(r, ns_sums_row(p, r->sums, process, NS_OUT), ns_sums_row(p, r->sums, process, NS_IN),
                         partners_of(r->sums, process), &idle, err));
        const double seconds = idle ? -1 : price_load(r);
        if (seconds <= runner->seconds)
            continue;
        runner->seconds = seconds;
        runner->bytes_s = r->one.bytes_s;
        runner->process = process;
        memcpy(runner->term, r->one.term, (size_t)p->terms * sizeof *runner->term);
    }
    return NS_OK;
}

static void raise(ns_class_sum *most, const ns_class_sum *row)
{
    for (uint64_t bits = (uint64_t)row->messages; bits != 0; bits &= bits - 1) {
        const int at = 1 + __builtin_ctzll(bits);
        most[at].messages = row[at].messages > most[at].messages ? row[at].messages : most[at].messages;
        most[at].bytes = row[at].bytes > most[at].bytes ? row[at].bytes : most[at].bytes;
    }
    most->messages |= row->messages;
}

/* The largest of every sum, the fewest partners of those that have any. */
static ns_status bound(running *r, int32_t node, ns_error *err)
{
    const ns_placer *p = r->placer;
    ns_runner *runner = &r->race->runner[node];
    int32_t partners = 0;
    bool idle;
    for (int side = 0; side < NS_SIDES; side++)
        memset(p->most[side], 0, (1 + (size_t)p->classes) * sizeof *p->most[side]);
    for (int32_t i = p->first[node]; i < p->first[node + 1]; i++) {
        const int32_t process = p->part[i], met = partners_of(r->sums, process);
        for (int side = 0; side < NS_SIDES; side++)
            raise(p->most[side], ns_sums_row(p, r->sums, process, side));
        partners = met > 0 && (partners == 0 || met < partners) ? met : partners;
    }
    load_node(r, node);
    NS_TRY(load_rows(r, p->most[NS_OUT], p->most[NS_IN], partners, &idle, err));
    runner->exact = idle;
    runner->process = -1;
    runner->seconds = idle ? -1 : price_load(r) * slack;
    return NS_OK;
}

/* ---- the tournament ---------------------------------------------------------------------------------------------- */

static int32_t slower(const ns_race *race, int32_t a, int32_t b)
{
    if (a < 0 || b < 0)
        return a < 0 ? b : a;
    return race->runner[b].seconds > race->runner[a].seconds ? b : a;
}

static void play(const ns_placer *p, ns_race *race, int32_t node)
{
    for (int32_t at = (p->leaves + node) / 2; at > 0; at /= 2)
        race->winner[at] = slower(race, race->winner[2 * at], race->winner[2 * at + 1]);
}

static void play_all(const ns_placer *p, ns_race *race)
{
    for (int32_t at = p->leaves - 1; at > 0; at--)
        race->winner[at] = slower(race, race->winner[2 * at], race->winner[2 * at + 1]);
}

/* A bound takes one price, a look behind it one for each process.  Where too many leave the race open, none are made
 * for a while. */
static bool is_worth_a_bound(const running *r, int32_t node)
{
    enum { FEW = 64, WHILE = 4096 };
    ns_race *race = r->race;
    const int32_t size = ns_seats_size(r->placer, node);
    if (size < 2 || !r->placer->bounded[r->memory])
        return false;
    if (race->bounds < FEW || (int64_t)race->passed * size < (int64_t)race->bounds * (size - 1))
        return true;
    if (++race->skipped >= WHILE)
        race->bounds = race->passed = race->skipped = 0;
    return false;
}

static ns_status enter(running *r, int32_t node, ns_error *err)
{
    if (!is_worth_a_bound(r, node))
        return run_exactly(r, node, err);
    r->race->bounds++;
    if (r->race->bounds >= 1 << 20) {
        r->race->bounds /= 2;
        r->race->passed /= 2;
    }
    return bound(r, node, err);
}

/* Those that were touched; all of them where a change may reach everybody. */
static ns_status enter_touched(running *r, bool all, uint8_t how, ns_error *err)
{
    const ns_placer *p = r->placer;
    const bool many = all || 4 * (int64_t)p->touches > p->nodes;
    for (int32_t i = 0; i < (all ? p->nodes : p->touches); i++) {
        const int32_t node = all ? i : p->touch[i];
        if (!all && (p->touched[node] & how) == 0)
            continue;
        NS_TRY(enter(r, node, err));
        if (!many)
            play(p, r->race, node);
    }
    if (many)
        play_all(p, r->race);
    return NS_OK;
}

static ns_status finish_race(running *r, ns_error *err)
{
    for (;;) {
        const int32_t first = r->race->winner[1];
        if (r->race->runner[first].exact)
            return NS_OK;
        r->race->passed++;
        NS_TRY(run_exactly(r, first, err));
        play(r->placer, r->race, first);
    }
}

/* Does anything leave a node in the step? */
static bool leaves(const running *r)
{
    for (int32_t node = 0; node < r->placer->nodes; node++)
        if (r->sums->node[NS_SIDES * (int64_t)node + NS_OUT] > 0)
            return true;
    return false;
}

static void note_winner(const running *r, ns_step_price *step)
{
    const ns_runner *winner = &r->race->runner[r->race->winner[1]];
    const bool any = winner->process >= 0;
    step->process = winner->process;
    step->leaves = leaves(r);
    step->bytes_s = any ? winner->bytes_s : 0;
    memset(step->term, 0, sizeof step->term);
    if (any)
        memcpy(step->term, winner->term, (size_t)r->placer->terms * sizeof *step->term);
}

/* ---- a pass ------------------------------------------------------------------------------------------------------ */

static ns_load_source source_of(const ns_placer *p, const ns_pass *pass, ns_memory memory)
{
    ns_load_source source = {.strategy = pass->strategy,
                             .machine = p->machine,
                             .form = p->form,
                             .memory = memory,
                             .steps = pass->steps,
                             .holders = 1,
                             .staged = memory == NS_HOST && p->machine->gpus > 0};
    for (int d = 0; source.staged && d < NS_DIRECTIONS; d++)
        for (int32_t node = 0; node < p->nodes; node++) {
            source.copies[d] += pass->copies[d][node];
            if (pass->copied[d][node] > source.copy_bytes[d])
                source.copy_bytes[d] = pass->copied[d][node];
        }
    return source;
}

static ns_status run_step(running *r, int step, uint8_t how, ns_step_price *price, ns_error *err)
{
    r->load = (ns_load){.first = step == 0, .later = step > 0, .link_bytes = r->sums->link_bytes};
    r->filled[NS_OUT] = r->filled[NS_IN] = 0;
    NS_TRY(enter_touched(r, r->sums->far != NULL, how, err));
    NS_TRY(finish_race(r, err));
    note_winner(r, price);
    return NS_OK;
}

ns_status ns_race_run(ns_placer *p, ns_pass *pass, ns_transport transport, uint8_t how, double *seconds, ns_error *err)
{
    const ns_memory memory = transport == NS_VIA_DEVICE ? NS_DEVICE : NS_HOST;
    running r = {.placer = p, .pass = pass, .values = &p->values[memory], .memory = memory};
    memset(&p->price, 0, offsetof(ns_price, step));
    p->price.steps = pass->steps;
    for (int i = 0; i < pass->steps; i++) {
        r.sums = &pass->step[i];
        r.race = &pass->race[transport][i];
        NS_TRY(run_step(&r, i, how, &p->price.step[i], err));
    }
    const ns_load_source source = source_of(p, pass, memory);
    NS_TRY(ns_price_add_up(&source, r.values, &p->price, err));
    *seconds = p->price.estimate_s;
    return NS_OK;
}
