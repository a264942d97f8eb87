/* forms.c -- parts and numbers of a form by name, and random loads */
#include "support/forms.h"

#include "oracle/oracle.h"
#include "support/machines.h"

#include <check.h>
#include <math.h>
#include <string.h>

unsigned form_part(const ns_form *form, const char *name)
{
    if (*name == '\0')
        return 0;
    for (int i = 0; form->parts != NULL && form->parts[i].name != NULL; i++)
        if (strcmp(form->parts[i].name, name) == 0)
            return 1u << i;
    ck_abort_msg("form %s has no part %s", form->name, name);
    return 0;
}

int form_slot(const ns_form_values *values, const char *path, int locality, int protocol)
{
    const ns_form_row *rows = values->form->rows;
    for (int r = 0; rows[r].doc != NULL; r++)
        for (int p = 0; p < NS_FORM_PATHS && rows[r].path[p].at != NULL; p++)
            if (strcmp(rows[r].path[p].at, path) == 0)
                return values->first[r] + (rows[r].by_class ? NS_PROTOCOLS * locality + protocol : 0);
    ck_abort_msg("form %s has no %s", values->form->name, path);
    return -1;
}

static double whole(oracle_random *random, int64_t below)
{
    return (double)oracle_below(random, below);
}

/* Small numbers and large ones, and nothing now and then. */
static ns_class_load any_class(oracle_random *random)
{
    static const int64_t most[] = {10, 1000, 100000, 10000000};
    const double messages =
        oracle_below(random, 3) == 0 ? 0 : 1 + whole(random, oracle_below(random, 4) == 0 ? 300 : 9);
    return (ns_class_load){messages, messages * whole(random, most[oracle_below(random, 4)])};
}

ns_load form_load(const ns_machine *machine, ns_memory memory, uint64_t seed)
{
    oracle_random random = {seed};
    ns_load load;
    double off[2] = {0, 0}, messages[2] = {0, 0}, all[2] = {0, 0};
    memset(&load, 0, sizeof load);
    for (int l = 0; l < NS_LOCALITIES; l++)
        for (int p = 0; p < NS_PROTOCOLS; p++)
            for (int side = 0; machine->line[memory][l][p].given && side < 2; side++) {
                ns_class_load *c = side == 0 ? &load.out[l][p] : &load.in[l][p];
                *c = any_class(&random);
                load.handshakes = p == NS_RENDEZVOUS && c->messages > 0 ? 1 : load.handshakes;
                off[side] += l == NS_OFF_NODE ? c->bytes : 0;
                messages[side] += l == NS_OFF_NODE ? c->messages : 0;
                all[side] += c->messages;
                if (l != NS_OFF_NODE && side == 0)
                    load.node_on[l][p] = c->bytes * (1 + whole(&random, 40));
            }
    load.node_out = off[0] * (1 + whole(&random, 8));
    load.node_in = off[1] * (1 + whole(&random, 8));
    load.out_squares = all[0] * all[0];
    load.in_squares = all[1] * all[1];
    load.partners = fmax(messages[0], messages[1]);
    if (load.partners > 1 && oracle_below(&random, 2) == 0)
        load.partners = 1 + whole(&random, (int64_t)load.partners);
    if (oracle_below(&random, 2) == 0) {
        load.bundled = off[0] + off[1];
        load.node_bundled = load.node_out + load.node_in;
    }
    load.link_bytes = load.node_out * whole(&random, 9);
    load.first = 1;
    load.later = whole(&random, 3);
    return load;
}

ns_step_price form_price(const ns_form_values *values, const ns_load *load)
{
    ns_step_price step;
    memset(&step, 0, sizeof step);
    values->form->price(values, load, true, &step);
    if (values->form->finish != NULL)
        values->form->finish(values, &step, 1, load->later);
    return step;
}

double form_seconds(const ns_form_values *values, const ns_load *load)
{
    const ns_step_price step = form_price(values, load);
    return ns_step_price_seconds(&step);
}

/* ---- machines ---------------------------------------------------------------------------------------------------- */

/* Numbers of a form's rows that a machine needs, or not: not round, of a size that lets each of them count. */
static const struct {
    const char *path, *unit;
    double value;
} rich[] = {
    {"injection.inverse_R_N", "s/B", 0.31e-9},
    {"exchange.off-node.overhead", "s", 1.3e-6},
    {"exchange.crowding", "", 0.09},
    {"exchange.handshake", "s", 5.3e-6},
    {"exchange.packing.beta", "s/B", 0.41e-9},
    {"exchange.packing.inverse_R", "s/B", 0.09e-9},
    {"exchange.floor", "s", 71e-6},
    {"exchange.floor_step", "s", 11e-6},
    {"exchange.gamma", "s", 9.1e-9},
    {"exchange.stall", "s", 0.61e-6},
    {"queue.gamma", "s", 8.3e-9},
};

static void put_plain(machine_text *text, const char *memory)
{
    for (int p = 0; p < NS_PROTOCOLS; p++) {
        machine_put(text, 900.0 * p, "B", "%s.protocols.%s", memory, ns_protocol_words[p]);
        for (int l = 0; l < NS_LOCALITIES; l++) {
            machine_put(text, (0.7 + l) * (1 + p) * 1e-6, "s", "%s.%s.%s.alpha", memory, ns_locality_words[l],
                        ns_protocol_words[p]);
            machine_put(text, (0.3 + l) * (3 - p) * 0.2e-9, "s/B", "%s.%s.%s.beta", memory, ns_locality_words[l],
                        ns_protocol_words[p]);
        }
    }
}

static void put_rich(machine_text *text, const char *memory)
{
    for (size_t i = 0; i < sizeof rich / sizeof *rich; i++)
        machine_put(text, rich[i].value, rich[i].unit, "%s.%s", memory, rich[i].path);
    for (int l = 0; l < NS_LOCALITIES; l++)
        for (int p = 0; p < NS_PROTOCOLS; p++) {
            machine_put(text, (0.31 + l) * (1 + p) * 1e-6, "s", "%s.exchange.%s.%s.alpha", memory, ns_locality_words[l],
                        ns_protocol_words[p]);
            machine_put(text, (0.17 + l) * 0.11e-9, "s/B", "%s.exchange.%s.%s.beta", memory, ns_locality_words[l],
                        ns_protocol_words[p]);
            if (l == NS_OFF_NODE)
                continue; /* the node's rate is its limit */
            machine_put(text, (0.13 + l) * 0.01e-9, "s/B", "%s.exchange.%s.%s.inverse_R", memory, ns_locality_words[l],
                        ns_protocol_words[p]);
        }
}

ns_machine *form_machine(int gpus, bool with_all, bool shared)
{
    machine_text *text = machine_start(2, gpus, 12);
    for (int m = 0; m < (gpus > 0 ? NS_MEMORIES : 1); m++) {
        put_plain(text, ns_memory_words[m]);
        if (with_all)
            put_rich(text, ns_memory_words[m]);
        if (shared)
            machine_put(text, 0.23e-9, "s/B", "%s.exchange.inverse_R", ns_memory_words[m]);
    }
    for (int d = 0; gpus > 0 && d < NS_DIRECTIONS; d++) {
        machine_put(text, (11 + d) * 1e-6, "s", "copy.1.%s.alpha", ns_direction_words[d]);
        machine_put(text, (0.03 + d) * 0.9e-9, "s/B", "copy.1.%s.beta", ns_direction_words[d]);
    }
    if (with_all)
        machine_put(text, 0.12e-9, "s/B", "network.contention.delta");
    return machine_made(text);
}

int form_machines(ns_machine *list[FORM_MACHINES])
{
    int count = 0;
    for (const char *const *name = ns_machine_names(); *name != NULL; name++) {
        ck_assert_int_lt(count, FORM_MACHINES - 6);
        ck_assert(ns_machine_load(*name, &list[count++], NULL) == NS_OK);
    }
    for (int gpus = 0; gpus < 5; gpus += 4) {
        list[count++] = form_machine(gpus, false, false);
        list[count++] = form_machine(gpus, true, false);
        list[count++] = form_machine(gpus, true, true);
    }
    return count;
}
