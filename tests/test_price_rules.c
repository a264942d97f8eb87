/* test_price_rules.c -- rules that every price keeps: hops of messages, times of any size, where sizes are beyond what
 * was measured, and what forms say of themselves
 */

#include "oracle/oracle.h"
#include "price/choice.h"
#include "support/forms.h"
#include "support/machines.h"
#include "support/quotes.h"
#include "support/test.h"

/* ---- links ------------------------------------------------------------------------------------------------------- */

/* The least cube that holds the nodes. */
TEST(side_of_the_cube)
{
    static const int32_t nodes[] = {1, 2, 7, 8, 9, 26, 27, 28, 64, 65, 1000000, 1000001, INT32_MAX};
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++) {
        const int64_t side = ns_cube_side(nodes[i]), less = side - 1;
        ck_assert_int_ge(side * side * side, nodes[i]);
        ck_assert_int_lt(less * less * less, nodes[i]);
    }
}

/* Bytes times hops, exact where they need more than 64 bits; hops by the coordinates, in 128 bits. */
TEST(bytes_by_hops)
{
    enum { SIDE = 5, NODES = SIDE * SIDE * SIDE };
    __extension__ unsigned __int128 sum = 0;
    oracle_random random = {31};
    ns_hop_bytes far = {0, 0, 0};
    int64_t bytes = 0;
    for (int i = 0; i < 300; i++) {
        const int32_t a = (int32_t)oracle_below(&random, NODES), b = (int32_t)oracle_below(&random, NODES);
        const int64_t more = 1 + oracle_below(&random, INT64_C(1) << (i % 54)), before = far.low;
        const int away =
            abs(a % SIDE - b % SIDE) + abs(a / SIDE % SIDE - b / SIDE % SIDE) + abs(a / SIDE / SIDE - b / SIDE / SIDE);
        ns_hop_bytes_add(&far, SIDE, a, b, more);
        bytes += more;
        sum += (unsigned)away * (__extension__(unsigned __int128) more);
        ck_assert(before >= 0 && far.low >> 32 == 0);
        ck_assert(sum >> 32 == (uint64_t)far.high && (uint32_t)sum == (uint64_t)far.low);
    }
    ck_assert_int_eq(far.bytes, bytes);
}

/* hops^3 S / (nodes / 2): of two messages over 1 and 3 hops; of a single byte; of none. */
TEST(busiest_link)
{
    ns_hop_bytes far = {0, 0, 0};
    ck_assert_double_eq(ns_link_bytes(&far, 8), 0);
    ns_hop_bytes_add(&far, 2, 0, 1, 1);
    ck_assert_double_eq(ns_link_bytes(&far, 8), 1 / 4.0);
    ns_hop_bytes_add(&far, 2, 7, 6, 499);
    ns_hop_bytes_add(&far, 2, 7, 0, 500);
    ck_assert_double_eq(ns_link_bytes(&far, 8), 2 * 2 * 2 * 1000 / 4.0);
    far = (ns_hop_bytes){0, 0, 0};
    ns_hop_bytes_add(&far, 2, 0, 7, INT64_C(1) << 40); /* three hops, beyond 32 bits */
    ck_assert_double_eq(ns_link_bytes(&far, 8), 27 * 0x1p40 / 4.0);
}

/* ---- times of any size ------------------------------------------------------------------------------------------- */

/* A machine whose seconds are so many of another's. */
static ns_machine *in_seconds_of(double unit)
{
    machine_text *text = machine_start(2, 0, 40);
    for (int p = 0; p < NS_PROTOCOLS; p++) {
        machine_put(text, p * 1000, "B", "host.protocols.%s", ns_protocol_words[p]);
        for (int l = 0; l < NS_LOCALITIES; l++) {
            machine_put(text, (1.1 + p + l) * 1e-6 * unit, "s", "host.%s.%s.alpha", ns_locality_words[l],
                        ns_protocol_words[p]);
            machine_put(text, (1.7 + p + l) * 1e-9 * unit, "s/B", "host.%s.%s.beta", ns_locality_words[l],
                        ns_protocol_words[p]);
        }
    }
    machine_put(text, 3e-9 * unit, "s", "host.queue.gamma");
    return machine_made(text);
}

/* Whatever the unit of time is, the same processes decide, and times are in proportion, to the bit for a power of 2. */
TEST_EACH(unit_of_time, 4)
{
    static const ns_form *const form[] = {&ns_form_postal, &ns_form_max_rate, &ns_form_queue};
    const double unit = 0x1p-60;
    ns_machine *machine = in_seconds_of(1), *faster = in_seconds_of(unit);
    ns_workspace *w[2] = {quotes_workspace(), quotes_workspace()};
    ns_exchange *x = quotes_exchange((uint64_t)_i + 700);
    for (size_t f = 0; f < sizeof form / sizeof *form; f++) {
        const ns_selection selection = {.price = {.form = form[f]}};
        int quotes = 0, again = 0;
        ck_assert_int_eq(ns_quote(x, machine, &selection, w[0], &quotes, NULL), NS_OK);
        ck_assert_int_eq(ns_quote(x, faster, &selection, w[1], &again, NULL), NS_OK);
        ck_assert(quotes > 2 && quotes == again);
        for (int i = 0; i < quotes; i++) {
            const ns_price *slow = &ns_quote_at(w[0], i)->price, *fast = &ns_quote_at(w[1], i)->price;
            ck_assert_double_gt(slow->estimate_s, 0);
            ck_assert_double_eq(slow->estimate_s * unit, fast->estimate_s);
            ck_assert_double_eq_tol(slow->hi_s / slow->estimate_s, fast->hi_s / fast->estimate_s, 1e-12);
            for (int s = 0; s < slow->steps; s++)
                ck_assert_int_eq(slow->step[s].process, fast->step[s].process);
        }
    }
    ns_exchange_free(x);
    for (int i = 0; i < 2; i++)
        ns_workspace_free(w[i]);
}

/* Nothing is published for one node, whose closed forms are of messages between nodes. */
TEST(not_published)
{
    static ns_comparison c;
    const ns_planned message[] = {{0, 5, 900}, {5, 1, 70000}};
    ns_machine *machine = machine_named("lassen");
    for (int nodes = 1; nodes < 4; nodes++) {
        ns_exchange *x;
        ck_assert_int_eq(ns_exchange_from_messages(message, 2, (ns_layout){6, 6 / nodes}, NULL, &x, NULL), NS_OK);
        ck_assert_int_eq(ns_compare_into(x, machine, NULL, &c, NULL), NS_OK);
        ck_assert_int_gt(c.choices, 4);
        for (int i = 0; i < c.choices; i++) {
            ck_assert_int_eq(c.choice[i].published_s < 0, nodes == 1);
            ck_assert_int_eq(c.choice[i].corrected_s < 0, nodes == 1);
        }
        ns_exchange_free(x);
    }
}

/* ---- sizes beyond the measured ones ------------------------------------------------------------------------------ */

/* The largest mean size of a class, of either side. */
TEST(sizes_of_a_step)
{
    for (int l = 0; l < NS_LOCALITIES; l++)
        for (int p = 0; p < NS_PROTOCOLS; p++)
            for (int side = 0; side < 2; side++) {
                ns_load load = {.first = 1};
                ns_step_price step = {.process = 0};
                for (int k = 0; k < NS_LOCALITIES; k++)
                    load.out[k][1] = load.in[k][2] = (ns_class_load){2, 14};
                (side == 0 ? load.out : load.in)[l][p] = (ns_class_load){3, 27};
                ns_note_sizes(&load, &step);
                for (int k = 0; k < NS_LOCALITIES; k++)
                    ck_assert_double_eq(step.message_bytes[k], k == l ? 9 : 7);
            }
}

static const ns_strategy plain = {.name = "plain"};
static const ns_copying nothing = {.strategy = &plain};

/* One byte more than any that the line of that locality was fitted to, in any step; 0: no limit is known. */
TEST(beyond_what_was_measured)
{
    ns_machine *machine = in_seconds_of(1);
    ns_form_values values;
    ns_form_take(&ns_form_max_rate, machine, NS_HOST, 0, &values);
    for (int l = 0; l < NS_LOCALITIES; l++)
        for (int s = 0; s < 2; s++)
            for (int beyond = 0; beyond < 3; beyond++) {
                ns_price price = {.steps = 2};
                memset(values.to, 0, sizeof values.to);
                values.to[l] = beyond < 2 ? 1 : 0;
                price.step[s].message_bytes[l] = beyond == 0 ? 1 : 2;
                ck_assert(ns_price_sum(&values, &nothing, NULL, &price, NULL) == NS_OK);
                ck_assert_int_eq(price.extrapolated, beyond == 1);
            }
}

/* An error of a single number, whichever: its amount over all steps by its standard deviation. */
TEST(error_of_one_number)
{
    ns_machine *machine = in_seconds_of(1);
    ns_form_values values;
    ns_form_take(&ns_form_max_rate, machine, NS_HOST, 0, &values);
    ck_assert_int_gt(values.slots, 10);
    for (int slot = 0; slot < values.slots; slot++) {
        ns_price price = {.steps = 2, .copy_s = 1e-3};
        memset(values.se, 0, sizeof values.se);
        values.se[slot] = 2e-6;
        for (int s = 0; s < 2; s++)
            for (int k = 0; k < values.slots; k++)
                price.step[s].amount[k] = 3 + s;
        ck_assert(ns_price_close(&values, &nothing, ns_price_width(0.5), NULL, &price, NULL) == NS_OK);
        ck_assert_double_eq(price.estimate_s, 1e-3);
        ck_assert_double_eq_tol(price.log2_parameters, 7 * 2e-6 / (1e-3 * log(2)), 1e-12);
    }
}

/* ---- ties ------------------------------------------------------------------------------------------------------- */

/* Part 0 sends to all others, the same bytes. */
static ns_status emit_all(const ns_task *task, ns_sink *sink, ns_error *err)
{
    const ns_slice slice = {.pair = -1, .entries = 1, .only = -1};
    for (int32_t p = 1; p < task->exchange->parts; p++)
        NS_TRY(ns_sink_send(sink, 0, 0, task->home[p], 800, &slice, err));
    return NS_OK;
}
static const ns_step_rule one_step[] = {{"all", NS_ONCE}, {NULL, NS_ONCE}};

/* Ways that take as long: the first of them is the best, and as likely to be so as each other one; of receivers that
 * wait as long, the first is told. */
TEST(first_of_equals)
{
    enum { WAYS = 3 };
    static ns_strategy own[WAYS];
    static ns_comparison c;
    static char name[WAYS][8] = {"a", "b", "c"};
    const ns_strategy *list[WAYS];
    const ns_planned message = {0, 3, 8};
    ns_machine *machine = machine_named("lassen");
    ns_exchange *x;
    for (int i = 0; i < WAYS; i++) {
        own[i] = (ns_strategy){
            .name = name[i], .rank = i, .transports = 1u << NS_VIA_HOST, .steps = one_step, .emit = emit_all};
        list[i] = &own[i];
    }
    const ns_selection selection = {.strategy = list, .strategies = WAYS, .incumbent = list, .incumbents = WAYS};
    ck_assert_int_eq(ns_exchange_from_messages(&message, 1, (ns_layout){8, 2}, NULL, &x, NULL), NS_OK);
    ck_assert_int_eq(ns_compare_into(x, machine, &selection, &c, NULL), NS_OK);
    ck_assert_int_eq(c.choices, WAYS);
    ck_assert_int_eq(c.best, 0);
    ck_assert_int_eq(c.incumbent, 0);
    ck_assert_int_eq(c.verdict, NS_TIE);
    for (int i = 0; i < WAYS; i++) {
        ck_assert_double_eq(c.choice[i].price.estimate_s, c.choice[0].price.estimate_s);
        ck_assert_double_eq_tol(c.decision.p_best[i], 1.0 / WAYS, 1e-12);
        ck_assert(c.choice[i].published_s < 0); /* they have no closed form */
    }
    ck_assert_double_eq(c.gain.q50, 1);
    ns_exchange_free(x);
}

/* ---- forms ------------------------------------------------------------------------------------------------------- */

static bool has_number(const ns_form *form, const char *name)
{
    for (const ns_form_row *row = form->rows; row->doc != NULL; row++) {
        const char *last = strrchr(row->path[0].at, '.');
        if (strcmp(last + 1, name) == 0)
            return true;
    }
    return false;
}

/* Without the queue, the whole form is the one whose gamma is 0: each other number stays. */
TEST(without_the_queue)
{
    for (int shared = 0; shared < 2; shared++) {
        ns_machine *machine = form_machine(4, true, shared != 0);
        for (int m = 0; m < NS_MEMORIES; m++) {
            ns_form_values without, zero;
            ns_form_take(&ns_form_full, machine, (ns_memory)m, form_part(&ns_form_full, "queue"), &without);
            ns_form_take(&ns_form_full, machine, (ns_memory)m, 0, &zero);
            zero.value[form_slot(&zero, "<memory>.exchange.gamma", 0, 0)] = 0;
            for (uint64_t seed = 0; seed < 20; seed++) {
                ns_load load = form_load(machine, (ns_memory)m, seed);
                load.node_out *= 1000; /* the node's rate decides */
                load.node_in *= 1000;
                ck_assert_double_eq(form_seconds(&without, &load), form_seconds(&zero, &load));
            }
        }
    }
}

/* A part that has a term of its own: with it, some load pays it; without, none.  A stall is in the queue's term. */
TEST(terms_of_parts)
{
    static const char *const part[][2] = {{"queue", "queue"}, {"handshakes", "handshake"}, {"packing", "packing"}};
    ns_machine *machine = form_machine(4, true, true);
    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        for (int m = 0; m < NS_MEMORIES; m++) {
            const int term = ns_form_term(&ns_form_full, part[i][1]);
            ns_form_values with, without;
            double most = 0;
            ns_form_take(&ns_form_full, machine, (ns_memory)m, 0, &with);
            ns_form_take(&ns_form_full, machine, (ns_memory)m,
                         form_part(&ns_form_full, part[i][0]) | form_part(&ns_form_full, "stall"), &without);
            for (uint64_t seed = 0; seed < 20; seed++) {
                ns_load load = form_load(machine, (ns_memory)m, seed);
                load.handshakes = 1;
                most = fmax(most, form_price(&with, &load).term[term]);
                ck_assert_double_eq(form_price(&without, &load).term[term], 0);
            }
            ck_assert_double_gt(most, 0);
        }
}

/* Without the floor neither it nor what it gains a step is paid; with it, what is beyond the bytes. */
TEST(without_the_floor)
{
    ns_machine *machine = form_machine(0, true, true);
    for (int part = 0; part < 2; part++) {
        ns_form_values values;
        ns_price price = {.steps = 3};
        ns_form_take(&ns_form_full, machine, NS_HOST, part ? form_part(&ns_form_full, "floor") : 0, &values);
        for (int s = 0; s < 3; s++)
            price.step[s] = (ns_step_price){.leaves = true, .bytes_s = 1e-9};
        const double once = values.value[form_slot(&values, "<memory>.exchange.floor", 0, 0)],
                     each = values.value[form_slot(&values, "<memory>.exchange.floor_step", 0, 0)];
        ck_assert(ns_price_sum(&values, &nothing, NULL, &price, NULL) == NS_OK);
        ck_assert(part ? once == 0 && each == 0 : once > 0 && each > 0);
        ck_assert_double_eq_tol(ns_price_term(&price, "fixed"), part ? 0 : once + 2 * each - 3e-9, 1e-15);
    }
}

/* What a form wants of statistics follows from its numbers: gamma, of the queue; delta, of links, or a node's bytes.
 * No two have a rank, so that their order is one. */
TEST(what_forms_want)
{
    const ns_form *forms[NS_FORMS_MAX];
    const size_t count = ns_forms_by_rank(forms, NS_FORMS_MAX);
    ck_assert_uint_ge(count, 5);
    for (size_t i = 0; i < count; i++) {
        ck_assert_int_eq(forms[i]->rank, (int)i + 1);
        ck_assert_int_eq(forms[i]->needs_queue, has_number(forms[i], "gamma"));
        ck_assert_int_eq(forms[i]->needs_hops, has_number(forms[i], "delta"));
        ck_assert_int_eq(forms[i]->needs_total, forms[i]->needs_hops || forms[i]->whole);
        ck_assert_int_eq(forms[i]->one_table, forms[i] == &ns_form_postal);
    }
}
