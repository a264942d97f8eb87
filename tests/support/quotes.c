/* quotes.c -- random exchanges, and their quotes beside the prices of their schedules */
#include "support/quotes.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "machine/machine.h"
#include "pattern/exchange.h"
#include "support/forms.h"

/* ---- exchanges --------------------------------------------------------------------------------------------------- */

ns_site *quotes_site(oracle_random *random, int32_t parts, int32_t nodes)
{
    int32_t *node_of = ns_malloc((size_t)parts * sizeof *node_of);
    ns_site *site = NULL;
    for (int32_t p = 0; p < parts; p++)
        node_of[p] = (int32_t)oracle_below(random, nodes);
    ck_assert(ns_site_from_map(parts, nodes, node_of, 0, NULL, &site, NULL) == NS_OK);
    ns_free(node_of);
    return site;
}

static ns_exchange *from_matrix(oracle_random *random, const ns_site *site, ns_layout layout)
{
    const ns_exchange_options options = {
        .size = sizeof options, .width = 1 + oracle_below(random, 3000), .site = site, .groups = true};
    ns_exchange *x = NULL;
    oracle_matrix matrix;
    oracle_random_matrix(random, 300, 300, oracle_below(random, 4000), (int)oracle_below(random, 3), &matrix);
    ck_assert(ns_exchange_from_csr(300, 300, matrix.row_start, matrix.col_of, layout, &options, &x, NULL) == NS_OK);
    oracle_matrix_free(&matrix);
    return x;
}

ns_exchange *quotes_messages(oracle_random *random, const ns_site *site, ns_layout layout, size_t count)
{
    ns_planned *message = ns_malloc((count + 1) * sizeof *message);
    ns_exchange *x = NULL;
    for (size_t i = 0; i < count; i++) {
        const int32_t from = (int32_t)oracle_below(random, layout.parts),
                      to = (from + 1 + (int32_t)oracle_below(random, layout.parts - 1)) % layout.parts;
        message[i] = (ns_planned){from, to, 1 + oracle_below(random, INT64_C(1) << oracle_below(random, 24))};
    }
    ck_assert((site != NULL ? ns_exchange_from_messages_on(message, count, site, &x, NULL)
                            : ns_exchange_from_messages(message, count, layout, NULL, &x, NULL)) == NS_OK);
    ns_free(message);
    return x;
}

ns_exchange *quotes_exchange(uint64_t seed)
{
    oracle_random random = {seed};
    const ns_layout layout = {2 + (int32_t)oracle_below(&random, 60), 1 + (int32_t)oracle_below(&random, 7)};
    ns_site *site = oracle_below(&random, 2) == 0
                        ? quotes_site(&random, layout.parts, 1 + (int32_t)oracle_below(&random, 12))
                        : NULL;
    ns_exchange *x = oracle_below(&random, 2) == 0 ? from_matrix(&random, site, layout)
                                                   : quotes_messages(&random, site, layout, 700);
    ns_site_free(site);
    return x;
}

/* ---- quotes and schedules ---------------------------------------------------------------------------------------- */

ns_workspace *quotes_workspace(void)
{
    ns_workspace *w = NULL;
    ck_assert(ns_workspace_open(&w, NULL) == NS_OK);
    return w;
}

/* The schedules of an exchange on a machine, built when they are first asked for. */
typedef struct built {
    const ns_exchange *x;
    const ns_machine *machine;
    ns_schedule *schedule[NS_CHOICES];
    int schedules;
} built;

static const ns_schedule *schedule_of(built *b, const ns_strategy *strategy, ns_transport transport)
{
    ns_error err = {0};
    for (int i = 0; i < b->schedules; i++)
        if (b->schedule[i]->strategy == strategy && b->schedule[i]->transport == transport)
            return b->schedule[i];
    ck_assert_int_lt(b->schedules, NS_CHOICES);
    ck_assert_msg(ns_schedule_build(strategy, transport, b->x, b->machine, &b->schedule[b->schedules], &err) == NS_OK,
                  "%s", err.text);
    return b->schedule[b->schedules++];
}

static void check_quote(const ns_choice *quoted, built *b, const ns_price_options *options)
{
    static ns_price price;
    const ns_machine *machine = b->machine;
    const ns_schedule *schedule = schedule_of(b, quoted->strategy, quoted->transport);
    ns_error err = {0};
    memset(&price, 0, sizeof price);
    ck_assert_msg(ns_schedule_price_as(schedule, machine, options, &price, &err) == NS_OK, "%s", err.text);
    ck_assert_msg(memcmp(&price.estimate_s, &quoted->price.estimate_s, sizeof(double)) == 0,
                  "%s/%s on %s, %s: quoted %.17g s, its schedule takes %.17g s", quoted->strategy->name,
                  ns_transport_words[quoted->transport], machine->name, price.form->name, quoted->price.estimate_s,
                  price.estimate_s);
    ck_assert_msg(memcmp(&price, &quoted->price, ns_price_size(price.steps)) == 0,
                  "%s/%s on %s, %s: prices differ beside the estimate", quoted->strategy->name,
                  ns_transport_words[quoted->transport], machine->name, price.form->name);
    ck_assert_int_eq(quoted->messages_off_node_max, ns_schedule_messages_off_node_max(schedule));
}

/* What cannot be quoted has a schedule that cannot be priced, and says the same of the machine. */
static void check_refused(const ns_error *refused, built *b)
{
    bool failed = false;
    ck_assert_int_eq(refused->code, NS_ERR_DATA);
    for (const ns_strategy *const *s = ns_strategies(); *s != NULL; s++)
        for (int t = 0; t < NS_TRANSPORTS; t++) {
            ns_price price;
            if (ns_strategy_runs(*s, (ns_transport)t, b->machine))
                failed = failed || ns_schedule_price_as(schedule_of(b, *s, (ns_transport)t), b->machine, NULL, &price,
                                                        NULL) == refused->code;
        }
    ck_assert_msg(failed, "%s", refused->text);
}

int quotes_check(const ns_exchange *x, const ns_machine *machine, const ns_strategy *const *strategy, size_t strategies,
                 ns_workspace *w)
{
    const ns_form *forms[NS_FORMS_MAX];
    const size_t count = ns_forms_by_rank(forms, NS_FORMS_MAX);
    built b = {.x = x, .machine = machine};
    int checked = 0;
    for (size_t f = 0; f < count; f++) {
        const ns_selection selection = {
            .strategy = strategy, .strategies = strategies, .price = {.form = forms[f], .confidence = 0.8}};
        ns_error err = {0};
        int quotes = 0;
        if (ns_quote(x, machine, &selection, w, &quotes, &err) != NS_OK)
            check_refused(&err, &b);
        for (int i = 0; i < quotes; i++, checked++)
            check_quote(ns_quote_at(w, i), &b, &selection.price);
        ck_assert_ptr_null(ns_quote_at(w, quotes));
    }
    for (int i = 0; i < b.schedules; i++)
        ns_schedule_free(b.schedule[i]);
    return checked;
}
