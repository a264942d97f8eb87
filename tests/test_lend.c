/* test_lend.c -- a machine with the constants of models that another one lends */

#include "api/library.h"

#include "support/cli.h"
#include "support/machines.h"
#include "support/test.h"

static ns_machine *load(const char *name)
{
    ns_machine *machine = machine_named(name);
    return test_keep(machine);
}

TEST(what_is_lacking_has_a_fallback)
{
    ns_machine *lassen = load("lassen"), *bxi = load("bxi"), *lent;
    ck_assert_int_eq(ns_machine_lend(lassen, bxi, &lent, NULL), NS_OK);
    const ns_parameter *rho = ns_machine_parameter(lent, "models.triggered-allreduce.rho");
    ck_assert_ptr_nonnull(rho);
    ck_assert_double_eq(rho->value, 0.7);
    ck_assert_ptr_nonnull(strstr(rho->source, "(from bxi)"));
    ck_assert(ns_parameter_assumed(ns_machine_parameter(lent, "models.multiplex.g")));
    ck_assert(!ns_parameter_assumed(rho));
    for (size_t i = 0; i < lassen->parameters; i++) { /* its own stand */
        const ns_parameter *own = ns_machine_parameter(lent, lassen->parameter[i].path);
        ck_assert_ptr_nonnull(own);
        ck_assert_double_eq(own->value, lassen->parameter[i].value);
        ck_assert_str_eq(own->source, lassen->parameter[i].source);
    }
    ck_assert_int_eq(lent->host_processes, lassen->host_processes);
    ck_assert_str_eq(lent->name, "lassen");
    ns_machine_free(lent);
}

/* Nothing but constants of models, and none that the machine has. */
TEST(nothing_else_has_a_fallback)
{
    ns_machine *bxi = load("bxi"), *lassen = load("lassen"), *lent, *changed, *again;
    ck_assert_int_eq(ns_machine_lend(bxi, lassen, &lent, NULL), NS_OK);
    ck_assert_ptr_null(ns_machine_parameter(lent, "host.off-node.eager.alpha"));
    ck_assert_int_eq(ns_machine_with(lassen, "models.triggered-allreduce.rho=0.25", &changed, NULL), NS_OK);
    ck_assert_int_eq(ns_machine_lend(changed, bxi, &again, NULL), NS_OK);
    ck_assert_double_eq(ns_machine_parameter(again, "models.triggered-allreduce.rho")->value, 0.25);
    ck_assert_ptr_nonnull(ns_machine_parameter(again, "models.triggered-allreduce.limit"));
    ns_machine_free(again);
    ns_machine_free(changed);
    ns_machine_free(lent);
}

TEST(a_model_lists_its_assumptions)
{
    cli_result r = cli("models spin-allreduce");
    ck_assert_ptr_nonnull(strstr(r.out, "\nc_1      fpspin   assumed: an in-order core"));
    r = cli("models postal");
    ck_assert_ptr_null(strstr(r.out, "assumed"));
    r = cli("eval multiplex --machine bxi s=64KiB B=10GB/s W=64 L=1us g=1us");
    ck_assert_str_eq(r.err, "");
}
