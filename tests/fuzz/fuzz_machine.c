/* fuzz_machine.c -- any text as a machine file; what is accepted can be looked up, changed and priced on */
#include "fuzz.h"

#include "price/choice.h"

#include <math.h>

static void machine_lines(const ns_machine *machine)
{
    static const double bytes[] = {0, 1, 511.5, 4096, 1e6, 1e15};
    for (int m = 0; m < NS_MEMORIES; m++)
        for (int l = 0; l < NS_LOCALITIES; l++)
            for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++) {
                const ns_line *line = ns_machine_line(machine, (ns_memory)m, (ns_locality)l, bytes[i], NULL);
                REQUIRE(line == NULL || (line->given && line->from <= bytes[i]));
                REQUIRE(line == NULL ||
                        (isfinite(line->alpha) && line->alpha >= 0 && isfinite(line->beta) && line->beta >= 0));
            }
    for (int processes = 1; processes < 9; processes++) {
        const ns_copy_line *copy = ns_machine_copy(machine, processes);
        REQUIRE(copy == NULL || copy->processes <= processes);
    }
    REQUIRE(ns_machine_rendezvous_from(machine) >= 0);
}

static void machine_parameters(const ns_machine *machine)
{
    for (size_t i = 0; i < machine->parameters; i++) {
        const ns_parameter *p = &machine->parameter[i];
        REQUIRE(isfinite(p->value) && p->source != NULL && p->source[0] != '\0');
        REQUIRE(ns_machine_parameter(machine, p->path) == p);
    }
}

/* The machine's own kappa and lambda make a decision of its prices. */
static void machine_choose(const ns_machine *machine, ns_comparison *comparison)
{
    ns_error err = {0};
    ns_status status = ns_comparison_choose(machine, NULL, NULL, comparison, &err);
    double sum = 0;
    fuzz_check_error(status, &err);
    if (status != NS_OK || comparison->decision.best < 0)
        return;
    REQUIRE(comparison->decision.kappa > 0 && comparison->decision.lambda > 0 && comparison->decision.lambda <= 1);
    for (int i = 0; i < comparison->decision.ways; i++)
        sum += comparison->decision.p_best[i];
    REQUIRE(fabs(sum - 1) <= 1e-9);
}

static void machine_compare(const ns_machine *machine)
{
    static const ns_planned message[] = {{0, 5, 100000}, {5, 0, 512}, {1, 4, 8}, {2, 3, 70000}, {6, 1, 3000000}};
    ns_exchange *exchange;
    ns_comparison comparison;
    ns_error err = {0};
    REQUIRE(ns_exchange_from_messages(message, 5, (ns_layout){7, 4}, NULL, &exchange, NULL) == NS_OK);
    ns_status status = ns_compare_into(exchange, machine, NULL, &comparison, &err);
    fuzz_check_error(status, &err);
    for (int i = 0; status == NS_OK && i < comparison.choices; i++) {
        const ns_price *price = &comparison.choice[i].price;
        REQUIRE(isfinite(price->estimate_s) && price->estimate_s >= 0);
        REQUIRE(price->lo_s <= price->estimate_s && price->estimate_s <= price->hi_s);
    }
    if (status == NS_OK && comparison.choices > 0)
        machine_choose(machine, &comparison);
    ns_exchange_free(exchange);
}

FUZZ(machine)
{
    char *text = fuzz_text(data, size);
    ns_machine *machine;
    ns_error err = {0};
    ns_status status = ns_machine_parse(text, "input.json", &machine, &err);
    fuzz_check_error(status, &err);
    if (status == NS_OK) {
        machine_lines(machine);
        machine_parameters(machine);
        machine_compare(machine);
        ns_machine_free(machine);
    }
    ns_free(text);
}
