/* sensitivity_exchange.c -- the best strategy of an exchange as the answer */
#include "core/memory.h"
#include "core/sized.h"
#include "price/choice.h"
#include "price/quote.h"
#include "strategy/ways.h"
#include "study/sensitivity.h"

#include <stdio.h>
#include <string.h>

enum { ASKED = 2 * NS_CHOICES }; /* ways by every strategy, and those that are asked for by name */

typedef struct asked {
    const ns_machine *machine;
    const ns_exchange *exchange;
    ns_price_options price;
    int choices, chosen;
    ns_workspace *workspace;
    ns_made_ways made;
    struct {
        const ns_strategy *strategy;
        ns_transport transport;
        char label[64];
    } choice[ASKED];
    char title[200];
} asked;

static ns_status price_one(const asked *x, int i, const ns_machine *machine, double *seconds, ns_error *err)
{
    const ns_selection selection = {.strategy = &x->choice[i].strategy,
                                    .strategies = 1,
                                    .transports = 1u << x->choice[i].transport,
                                    .price = x->price};
    int quotes;
    NS_TRY(ns_quote(x->exchange, machine, &selection, x->workspace, &quotes, err));
    *seconds = ns_quote_at(x->workspace, 0)->price.estimate_s;
    return NS_OK;
}

static ns_status answer(void *context, const ns_machine *machine, const ns_setting *input, double *value,
                        const char **winner, ns_error *err)
{
    const asked *x = context;
    double least = 0;
    (void)input;
    NS_TRY(price_one(x, x->chosen, machine, value, err));
    for (int i = 0; winner != NULL && i < x->choices; i++) {
        double seconds = *value;
        if (i != x->chosen)
            NS_TRY(price_one(x, i, machine, &seconds, err));
        if (i == 0 || seconds < least) {
            least = seconds;
            *winner = x->choice[i].label;
        }
    }
    return NS_OK;
}

/* The ways of these strategies that the machine and the exchange have, but for those that are there. */
static void add_choices(asked *x, const ns_strategy *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (int t = 0; t < NS_TRANSPORTS && x->choices < ASKED; t++) {
            bool there = !ns_strategy_runs(list[i], (ns_transport)t, x->machine) ||
                         !ns_transport_crosses(x->exchange, x->machine, NULL, (ns_transport)t);
            for (int k = 0; k < x->choices; k++)
                there = there || (x->choice[k].strategy == list[i] && x->choice[k].transport == (ns_transport)t);
            if (there)
                continue;
            x->choice[x->choices].strategy = list[i];
            x->choice[x->choices].transport = (ns_transport)t;
            snprintf(x->choice[x->choices].label, sizeof x->choice[0].label, "%s/%s", list[i]->name,
                     ns_transport_words[t]);
            x->choices++;
        }
}

/* Is a choice what was asked for, NAME or NAME/TRANSPORT? */
static bool is_asked(const asked *x, int i, const ns_strategy *const *named, size_t count, const char *transport)
{
    bool is_named = count == 0;
    for (size_t k = 0; k < count; k++)
        is_named = is_named || x->choice[i].strategy == named[k];
    return is_named && (*transport == '\0' || strcmp(transport, ns_transport_words[x->choice[i].transport]) == 0);
}

/* The first choice that was asked for as NAME or NAME/TRANSPORT, else the best of all strategies. */
static ns_status choose(asked *x, const char *wanted, ns_error *err)
{
    double seconds = 0, least = 0;
    char name[64] = "";
    const ns_strategy *list[NS_CHOICES], *named[NS_CHOICES] = {NULL};
    size_t count = 0;
    const size_t length = wanted != NULL ? ns_way_name_length(wanted) : 0;
    const char *transport = wanted != NULL && wanted[length] == '/' ? wanted + length + 1 : "";
    add_choices(x, list, ns_strategies_by_rank(list, NS_CHOICES));
    if (wanted != NULL) {
        snprintf(name, sizeof name, "%.*s", (int)length, wanted);
        NS_TRY(ns_ways_named(&x->made, name, named, NS_CHOICES, &count, err));
        add_choices(x, named, count);
    }
    if (x->choices == 0)
        return ns_fail(err, NS_ERR_DATA, "machine %s runs no strategy", x->machine->name);
    x->chosen = -1;
    for (int i = 0; i < x->choices; i++) {
        if (!is_asked(x, i, named, count, transport))
            continue;
        if (wanted == NULL)
            NS_TRY(price_one(x, i, x->machine, &seconds, err));
        if (x->chosen < 0 || (wanted == NULL && seconds < least)) {
            least = wanted == NULL ? seconds : 0;
            x->chosen = i;
        }
    }
    return x->chosen >= 0 ? NS_OK : ns_fail(err, NS_ERR_DATA, "machine %s does not run %s", x->machine->name, wanted);
}

static ns_status run(asked *x, const char *strategy, const ns_sensitivity_options *options,
                     ns_sensitivity **sensitivity, ns_error *err)
{
    NS_TRY(choose(x, strategy, err));
    const char *name = options->name != NULL ? options->name : "the messages";
    snprintf(x->title, sizeof x->title, "%s of %.100s on %d %s", x->choice[x->chosen].label, name,
             (int)x->exchange->parts, x->machine->gpus > 0 ? "GPUs" : "processes");
    const ns_subject subject = {.machine = x->machine,
                                .title = x->title,
                                .output = "estimate",
                                .dim = {1, 0, 0},
                                .context = x,
                                .answer = answer};
    NS_TRY(ns_sensitivity_run(&subject, NULL, 0, options, sensitivity, err));
    (*sensitivity)->of_exchange = true;
    return NS_OK;
}

ns_status ns_sensitivity_of_exchange(const ns_exchange *exchange, const ns_machine *machine, const char *strategy,
                                     const ns_price_options *price, const ns_sensitivity_options *options,
                                     ns_sensitivity **sensitivity, ns_error *err)
{
    ns_error_clear(err);
    ns_price_options priced;
    ns_sensitivity_options given;
    NS_TRY(ns_price_options_take(price, &priced, err));
    NS_TRY(NS_TAKE_OPTIONS(options, ns_sensitivity_options, watcher, &given, err));
    asked *x = ns_calloc(1, sizeof *x);
    if (x == NULL)
        return ns_no_memory(err);
    x->machine = machine;
    x->exchange = exchange;
    x->price = priced;
    ns_status status = ns_workspace_open(&x->workspace, err);
    if (status == NS_OK)
        status = run(x, strategy, &given, sensitivity, err);
    ns_workspace_free(x->workspace);
    ns_free(x);
    return status;
}
