/* drop.c -- where longer messages take less time: what of a price lies just past such a size
 *
 * Just past: with every message of a class shortened to the last of the protocol before, the price would be higher, by
 * at least 2 %: the mean message is shorter than the one that takes as long as that.
 */
#include <nsmodel/study.h>

#include <string.h>

/* Fits are no better than that. */
static const double LEAST = 0.02;

/* Sum of a form's numbers for a class whose path ends so; 0 where it has none. */
static double number_of(const ns_form_values *v, int locality, int protocol, const char *ending)
{
    for (int r = 0; v->form->rows[r].doc != NULL; r++) {
        const ns_form_row *row = &v->form->rows[r];
        const char *last = row->path[0].at != NULL ? strrchr(row->path[0].at, '.') : NULL;
        if (row->by_class && last != NULL && strcmp(last, ending) == 0)
            return v->value[v->first[r] + NS_PROTOCOLS * locality + protocol];
    }
    return 0;
}

static double time_of(const ns_form_values *v, int locality, int protocol, double bytes)
{
    return number_of(v, locality, protocol, ".alpha") + number_of(v, locality, protocol, ".beta") * bytes;
}

static int before(const ns_machine *machine, ns_memory memory, int locality, int to)
{
    int from = to - 1;
    while (from >= 0 && !machine->line[memory][locality][from].given)
        from--;
    return from;
}

/* Does the class of a step lie there? */
static bool lies_past(const ns_form_values *v, const ns_price *price, int s, int l, int to, ns_price_drop *drop)
{
    const ns_step_price *step = &price->step[s];
    const ns_machine *machine = v->machine;
    const ns_class_load *load = &step->load[l][to];
    const int from = before(machine, v->memory, l, to);
    if (from < 0 || !(load->messages > 0) || !machine->line[v->memory][l][to].given)
        return false;
    const double at = machine->line[v->memory][l][to].from, mean = load->bytes / load->messages;
    *drop = (ns_price_drop){.size = sizeof *drop,
                            .memory = v->memory,
                            .locality = (ns_locality)l,
                            .from = (ns_protocol)from,
                            .to = (ns_protocol)to,
                            .at = at,
                            .before_s = time_of(v, l, from, at),
                            .after_s = time_of(v, l, to, at),
                            .message_bytes = mean};
    const double gained = load->messages * (drop->before_s - time_of(v, l, to, mean));
    return mean >= at && gained > 0 && gained >= LEAST * price->estimate_s;
}

bool ns_price_drop_at(const ns_machine *machine, const ns_choice *choice, size_t index, ns_price_drop *drop)
{
    ns_form_values v;
    if (choice->transport >= NS_TRANSPORTS)
        return false;
    ns_form_take(choice->price.form, machine, choice->transport == NS_VIA_DEVICE ? NS_DEVICE : NS_HOST, 0, &v);
    for (int l = 0; l < NS_LOCALITIES; l++)
        for (int to = 1; to < NS_PROTOCOLS; to++) {
            ns_price_drop found;
            int step = 0;
            while (step < choice->price.steps && !lies_past(&v, &choice->price, step, l, to, &found))
                step++;
            if (step < choice->price.steps && index-- == 0) {
                *drop = found;
                return true;
            }
        }
    return false;
}
