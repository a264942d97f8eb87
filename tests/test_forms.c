/* test_forms.c -- what holds of every form of the cost function on any machine: amounts add up, dimensions are
 * homogeneous, work costs, a part is what its name says; test_forms_numbers.c and test_forms_rules.c have the numbers
 * that it takes */

#include "oracle/oracle.h"
#include "price/choice.h"
#include "support/forms.h"
#include "support/machines.h"
#include "support/test.h"

enum { LOADS = 200 };

static ns_machine *machine[FORM_MACHINES];
static int machines;

static void open_machines(void)
{
    machines = form_machines(machine);
}

static void close_machines(void)
{
    for (int i = 0; i < machines; i++)
        ns_machine_free(machine[i]);
}

/* Every form on every machine in every memory that it has lines for. */
typedef void check_fn(const ns_form_values *values);
static void everywhere(check_fn *check)
{
    const ns_form *form[NS_FORMS_MAX];
    const size_t forms = ns_forms_by_rank(form, NS_FORMS_MAX);
    ck_assert_uint_ge(forms, 5);
    for (size_t f = 0; f < forms; f++)
        for (int i = 0; i < machines; i++)
            for (int m = 0; m < NS_MEMORIES; m++) {
                ns_form_values values;
                if (!machine[i]->line[m][NS_OFF_NODE][NS_RENDEZVOUS].given)
                    continue;
                ns_form_take(form[f], machine[i], (ns_memory)m, 0, &values);
                check(&values);
            }
}

/* ---- (a) amounts times numbers are the time ---------------------------------------------------------------------- */

static void check_amounts(const ns_form_values *v)
{
    for (uint64_t seed = 1; seed <= LOADS; seed++) {
        const ns_load load = form_load(v->machine, v->memory, seed);
        const ns_step_price step = form_price(v, &load);
        ns_step_price short_way;
        memset(&short_way, 0, sizeof short_way);
        v->form->price(v, &load, false, &short_way);
        double sum = 0;
        const double seconds = ns_step_price_seconds(&step);
        for (int slot = 0; slot < v->slots; slot++) {
            ck_assert(step.amount[slot] >= 0);
            sum += step.amount[slot] * v->value[slot];
        }
        ck_assert_msg(fabs(sum - seconds) <= 1e-12 * seconds, "%s on %s, load %d: amounts make %.17g s, terms %.17g",
                      v->form->name, v->machine->name, (int)seed, sum, seconds);
        for (int t = 0; v->form->terms[t] != NULL && strcmp(v->form->terms[t], "fixed") != 0; t++)
            ck_assert_msg(short_way.term[t] == step.term[t], "%s: %s with and without amounts", v->form->name,
                          v->form->terms[t]);
        ck_assert(step.bytes_s >= 0 && step.bytes_s <= seconds * (1 + 1e-12) && short_way.bytes_s == step.bytes_s);
    }
}

TEST(amounts_add_up)
{
    everywhere(check_amounts);
}

/* ---- (b) all seconds 8, all bytes 32 times as large -------------------------------------------------------------- */

static void scale_values(ns_form_values *v)
{
    for (int r = 0; v->form->rows[r].doc != NULL; r++) {
        ns_dim dim;
        double factor;
        ck_assert(ns_unit_parse(v->form->rows[r].unit, &factor, &dim, NULL) == NS_OK);
        const int end = v->form->rows[r + 1].doc != NULL ? v->first[r + 1] : v->slots;
        for (int slot = v->first[r]; slot < end; slot++)
            v->value[slot] = ldexp(v->value[slot], 3 * dim.second + 5 * dim.byte);
    }
}

static void scale_load(ns_load *load)
{
    for (int l = 0; l < NS_LOCALITIES; l++)
        for (int p = 0; p < NS_PROTOCOLS; p++) {
            load->out[l][p].bytes *= 32;
            load->in[l][p].bytes *= 32;
            load->node_on[l][p] *= 32;
        }
    load->node_out *= 32, load->node_in *= 32;
    load->bundled *= 32, load->node_bundled *= 32;
    load->link_bytes *= 32;
}

static void check_scaling(const ns_form_values *v)
{
    ns_form_values large = *v;
    scale_values(&large);
    for (uint64_t seed = 1; seed <= LOADS; seed++) {
        ns_load load = form_load(v->machine, v->memory, seed);
        const ns_step_price small = form_price(v, &load);
        scale_load(&load);
        const ns_step_price scaled = form_price(&large, &load);
        for (int t = 0; t < NS_FORM_TERMS; t++)
            ck_assert_msg(scaled.term[t] == 8 * small.term[t], "%s on %s: %s is %.17g, not %.17g", v->form->name,
                          v->machine->name, v->form->terms[t], scaled.term[t], 8 * small.term[t]);
    }
    /* what a form takes or derives scales with the machine, but for its own defaults and gamma, which may be one */
    ns_machine *rescaled = machine_rescaled(v->machine);
    ns_form_values taken;
    ns_form_take(v->form, rescaled, v->memory, 0, &taken);
    for (int slot = 0; slot < v->slots; slot++)
        if (v->from[slot] != NULL && strcmp(strrchr(v->from[slot]->path, '.'), ".gamma") != 0)
            ck_assert_msg(taken.value[slot] == large.value[slot], "%s of %s does not scale", v->from[slot]->path,
                          v->machine->name);
    ns_machine_free(rescaled);
}

TEST(homogeneous)
{
    everywhere(check_scaling);
}

/* ---- (c) more work never takes less time ------------------------------------------------------------------------- */

enum { GROWN = 5 * NS_LOCALITIES * NS_PROTOCOLS + 8 };

/* The i-th number of a load.  Not partners: messages to more nodes crowd less. */
static double *component(ns_load *load, int i)
{
    double *const one[] = {&load->node_out, &load->node_in,      &load->out_squares, &load->in_squares,
                           &load->bundled,  &load->node_bundled, &load->link_bytes,  &load->handshakes};
    const int c = i % (NS_LOCALITIES * NS_PROTOCOLS), l = c / NS_PROTOCOLS, p = c % NS_PROTOCOLS;
    switch (i / (NS_LOCALITIES * NS_PROTOCOLS)) {
    case 0:
        return &load->out[l][p].messages;
    case 1:
        return &load->out[l][p].bytes;
    case 2:
        return &load->in[l][p].messages;
    case 3:
        return &load->in[l][p].bytes;
    case 4:
        return &load->node_on[l][p];
    default:
        return one[i - 5 * NS_LOCALITIES * NS_PROTOCOLS];
    }
}

/* Of a form that says so: direct asks for the mean size of messages, which more messages make smaller. */
static void check_growth(const ns_form_values *v)
{
    if (!v->form->rising)
        return;
    for (uint64_t seed = 1; seed <= LOADS / 4; seed++) {
        const ns_load load = form_load(v->machine, v->memory, seed);
        const double before = form_seconds(v, &load);
        for (int i = 0; i < GROWN; i++) {
            ns_load more = load;
            double *grown = component(&more, i);
            *grown = 2 * *grown + 1;
            const double after = form_seconds(v, &more);
            ck_assert_msg(after >= before * (1 - 1e-14),
                          "%s on %s, load %d: number %d grows from %g to %g, time falls from %.17g to %.17g",
                          v->form->name, v->machine->name, (int)seed, i, (*grown - 1) / 2, *grown, before, after);
        }
    }
}

TEST(work_costs)
{
    everywhere(check_growth);
}

/* ---- (d) a part is what its name says ------------------------------------------------------------------------------
 *
 * The terms that may change without it.  Packing follows the lines inside the node where it was not measured, the floor
 * hides behind whatever moves bytes, and a stall is in the queue of the form "full" and in off_node of "direct". */
static const struct {
    const char *part, *terms;
} meant[] = {
    {"queue", " queue "},
    {"both-ends", " on_node "},
    {"both-ways", " off_node "},
    {"shared-rate", " off_node "},
    {"start-up", " off_node "},
    {"in-flight", " on_node off_node packing "},
    {"steps", " "},
    {"memory", " on_node packing "},
    {"handshakes", " handshake "},
    {"packing", " packing "},
    {"crowding", " off_node "},
    {"floor", " fixed "},
    {"stall", " queue off_node "},
};

static bool changed[32];

static void check_part(const ns_form_values *v, int part)
{
    const char *terms = NULL;
    char word[40];
    ns_form_values without;
    for (size_t i = 0; i < sizeof meant / sizeof *meant; i++)
        terms = strcmp(meant[i].part, v->form->parts[part].name) == 0 ? meant[i].terms : terms;
    ck_assert_msg(terms != NULL, "nothing is said here of part %s", v->form->parts[part].name);
    ns_form_take(v->form, v->machine, v->memory, 1u << part, &without);
    for (uint64_t seed = 1; seed <= LOADS / 4; seed++) {
        const ns_load load = form_load(v->machine, v->memory, seed);
        const ns_step_price all = form_price(v, &load), less = form_price(&without, &load);
        for (int t = 0; v->form->terms[t] != NULL; t++) {
            snprintf(word, sizeof word, " %s ", v->form->terms[t]);
            const bool hidden = strcmp(v->form->terms[t], "fixed") == 0 && all.bytes_s != less.bytes_s;
            if (hidden || all.term[t] == less.term[t])
                continue;
            changed[part] = changed[part] || v->form == &ns_form_full;
            ck_assert_msg(strstr(terms, word) != NULL, "%s on %s: %s changes without %s", v->form->name,
                          v->machine->name, v->form->terms[t], v->form->parts[part].name);
        }
    }
}

static void check_parts(const ns_form_values *v)
{
    for (int part = 0; v->form->parts != NULL && v->form->parts[part].name != NULL; part++)
        check_part(v, part);
}

TEST(parts_are_what_they_say)
{
    memset(changed, 0, sizeof changed);
    everywhere(check_parts);
    for (int part = 0; ns_form_full.parts[part].name != NULL; part++) /* steps is about rows of statistics */
        ck_assert_msg(changed[part] == (strcmp(ns_form_full.parts[part].name, "steps") != 0), "part %s changes nothing",
                      ns_form_full.parts[part].name);
}

TEST_FIXTURE(open_machines, close_machines)
TEST_TIMEOUT(120)
