/* test_first_sizes.c -- where protocols begin: a model asks by either path, whichever way the machine's file says it */

#include "api/library.h"
#include "support/machines.h"
#include "support/test.h"

/* A model that asks for the first rendezvous size. */
struct in {
    double everywhere, there;
};
struct out {
    double size;
};
static const ns_field asking[] = {
    NS_IN_FROM(everywhere, "B", "first rendezvous size", "{memory}.protocols.rendezvous"),
    NS_IN_FROM(there, "B", "the same at a locality", "{memory}.{locality}.protocols.rendezvous"), NS_END};
static const ns_field answer[] = {NS_OUT(size, "B", "the larger"), NS_END};

static ns_status larger(const ns_machine *machine, const void *input, void *output, ns_error *err)
{
    const struct in *in = input;
    (void)machine, (void)err;
    ((struct out *)output)->size = in->everywhere > in->there ? in->everywhere : in->there;
    return NS_OK;
}
static const ns_model cap = {.name = "cap", .title = "t", .source = "tests", NS_FIELDS(asking, answer), .eval = larger};

static void expect_first_sizes(const ns_machine *m, int memory, int locality)
{
    char path[120];
    double size;
    for (int p = 0; p < NS_PROTOCOLS; p++) {
        const ns_line *line = &m->line[memory][locality][p];
        snprintf(path, sizeof path, "%s.%s.protocols.%s", ns_memory_words[memory], ns_locality_words[locality],
                 ns_protocol_words[p]);
        if (line->given && m->stands_for[memory][locality] == (ns_locality)locality)
            ck_assert_msg(ns_machine_number(m, path, &size, NULL, NULL) && size == line->from, "%s: %s", m->name, path);
    }
}

/* On every machine with tables a model finds them, whichever way its file says where protocols begin. */
TEST(test_first_sizes)
{
    int machines = 0, per_locality = 0;
    for (const char *const *name = ns_machine_names(); *name != NULL; name++) {
        ns_machine *m = NULL;
        ns_binding binding;
        ns_model_buffer out;
        ns_error err = {0};
        m = machine_named(*name);
        for (int memory = 0; memory < NS_MEMORIES; memory++)
            for (int l = 0; l < NS_LOCALITIES; l++)
                expect_first_sizes(m, memory, l);
        if (m->line[NS_HOST][NS_OFF_NODE][NS_RENDEZVOUS].given) {
            ns_bind_open(&binding, &cap, m);
            ck_assert_msg(ns_bind_close(&binding, &err) == NS_OK, "%s: %s", *name, err.text);
            ck_assert_int_eq(ns_model_eval(&binding, &out, &err), NS_OK);
            ck_assert_double_eq(((struct out *)(void *)&out)->size, ns_machine_rendezvous_from(m));
            machines++;
            per_locality += ns_machine_parameter(m, "host.protocols.rendezvous") == NULL;
        }
    }
    ck_assert_int_ge(machines, 7);
    ck_assert_int_ge(per_locality, 4);
}

/* A locality with sizes of its own has no others. */
TEST(test_first_sizes_of_its_own)
{
    ns_machine *m = NULL;
    double size;
    m = machine_named("sharp-switchib2");
    ck_assert(ns_machine_number(m, "host.protocols.eager", &size, NULL, NULL) && size == 1024);
    ck_assert(ns_machine_number(m, "host.on-node.protocols.short", &size, NULL, NULL) && size == 0);
    ck_assert(!ns_machine_number(m, "host.off-node.protocols.rendezvous", &size, NULL, NULL));
    ck_assert(!ns_machine_number(m, "host.nowhere.protocols.eager", &size, NULL, NULL));
}
