/* test_paper_scenarios.c -- the papers' scenarios: sharp, netcrafter and redsea are their models, side by side */
#include "support/cli.h"
#include "support/test.h"

static double evaluated(const char *line, const char *output)
{
    char path[80];
    ns_value *root = cli_json(line);
    snprintf(path, sizeof path, "outputs.%s.value", output);
    const ns_value *value = ns_value_at(root, path);
    ck_assert_msg(value != NULL, "%s has no %s", line, path);
    const double number = value->number;
    return number;
}

/* A cell of a scenario's rows, and the model's own answer for it. */
static const struct {
    const char *line, *column;
    int row;
    const char *eval, *output;
} cells[] = {
    {"sharp", "by-hosts", 0, "eval host-allreduce --machine sharp-switchib2 nodes=128 s=8B", "time"},
    {"sharp", "in-switches", 9, "eval sharp --machine sharp-switchib2 hosts=128 s=4KiB", "time"},
    {"sharp allreduce hosts=16 processes=4 --over s=64B,1KiB", "in-switches", 1,
     "eval sharp --machine sharp-switchib2 hosts=16 processes=4 s=1KiB", "time"},
    {"sharp allreduce hosts=16 processes=4 --over s=64B,1KiB", "by-hosts", 1,
     "eval host-allreduce --machine sharp-switchib2 algorithm=open-mpi nodes=16 processes=4 s=1KiB", "time"},
    {"sharp algorithm=best hosts=16 --over s=1KiB,2KiB", "by-hosts", 1,
     "eval host-allreduce --machine sharp-switchib2 algorithm=best nodes=16 s=2KiB", "time"},
    {"sharp s=512B", "in-switches", 0, "eval sharp --machine sharp-switchib2 hosts=128 s=512B", "time"},
    {"sharp barrier --over hosts=8,64", "by-hosts", 1, "eval barrier --machine sharp-switchib2 hosts=64", "by_hosts"},
    {"sharp barrier --over hosts=8,64", "in-switches", 1, "eval barrier --machine sharp-switchib2 hosts=64", "time"},
    {"sharp reduce hosts=32 s=256B", "by-hosts", 0, "eval reduce --machine sharp-switchib2 hosts=32 s=256B",
     "by_hosts"},
    {"sharp application", "in-switches", 2, "eval sharp-crossover --machine sharp-switchib2 hosts=128 s=8B share=5%",
     "application"},
    {"sharp busy", "in-switches", 2,
     "eval sharp-concurrent --machine sharp-switchib2 hosts=8 s=2KiB outstanding=8 communicators=4", "time"},
    {"netcrafter", "+trim", 6, "eval netcrafter --machine netcrafter trimmed=0.5 load=0.9", "speedup"},
    {"netcrafter walk_time=0.1", "+sequence", 6,
     "eval netcrafter --machine netcrafter trimmed=0.5 walk_time=0.1 load=0.9", "speedup"},
    {"netcrafter trimmed=0.2", "stitch", 0, "eval netcrafter --machine netcrafter load=0.3", "speedup"},
    {"redsea", "four-rails", 2, "eval multirail --machine bxi s=4MiB B=10GB/s,10GB/s,10GB/s,10GB/s", "time"},
    {"redsea", "rendezvous-each", 2,
     "eval multirail --machine bxi s=4MiB B=10GB/s,10GB/s,10GB/s,10GB/s design=rendezvous-per-fragment", "time"},
    {"redsea rendezvous n_c=1", "eager", 5, "eval rendezvous --machine bxi protocol=eager n_c=1 s=1MiB", "time"},
    {"redsea rma", "two-sided", 0, "eval rma --machine bxi operation=put alpha=10us beta=1ns/B operations=1 s=8B",
     "two_sided"},
    {"redsea rma --set models.rma.rho_put=0.5", "put", 0,
     "eval rma --machine bxi --set models.rma.rho_put=0.5 operation=put alpha=10us beta=1ns/B operations=1 s=8B",
     "time"},
    {"redsea allreduce", "by-hosts", 0, "eval host-allreduce --machine sharp-switchib2 nodes=128 s=8B", "time"},
    {"redsea allreduce", "triggered", 4,
     "eval triggered-allreduce --machine sharp-switchib2 nodes=128 s=2KiB rho=0.7 limit=1024B g=10ns", "time"},
    {"redsea allreduce --machine lassen hosts=16", "triggered", 0,
     "eval triggered-allreduce --machine lassen nodes=16 s=8B rho=0.7 limit=1024B g=10ns", "time"},
    {"redsea allreduce", "in-handlers", 1, "eval spin-allreduce --machine fpspin nodes=128 s=32B", "time"},
    {"redsea allreduce --set models.triggered-allreduce.rho=0.5", "triggered", 0,
     "eval triggered-allreduce --machine sharp-switchib2 nodes=128 s=8B rho=0.5 limit=1024B g=10ns", "time"},
    {"sharp", "triggered", 0,
     "eval triggered-allreduce --machine sharp-switchib2 nodes=128 s=8B rho=0.7 limit=1024B "
     "g=10ns",
     "time"},
    {"redsea handlers", "locked", 2, "eval spin-contention --machine fpspin t_handler=160us rate=0.04/us serial=1",
     "time"},
    {"redsea congestion", "throttled", 3, "eval congestion --machine bxi n=8 s=1MiB hot=1MiB management=throttle",
     "time"},
    {"redsea gateway", "one-buffer", 2, "eval bridge --machine bxi s=1MiB f=64KiB buffers=1", "time"},
};

TEST_EACH(cell_is_the_model, (int)(sizeof cells / sizeof *cells))
{
    ns_value *root = cli_json(cells[_i].line);
    const ns_value *row = ns_value_get(root, "rows")->first;
    for (int i = 0; i < cells[_i].row && row != NULL; i++)
        row = row->next;
    ck_assert_msg(row != NULL, "%s has no row %d", cells[_i].line, cells[_i].row);
    const ns_value *cell = ns_value_get(row, cells[_i].column);
    ck_assert_msg(cell != NULL && cell->kind == NS_NUMBER, "%s has no number %s", cells[_i].line, cells[_i].column);
    ck_assert_double_eq(cell->number, evaluated(cells[_i].eval, cells[_i].output));
}

/* Without any mechanism the link is the plain one; each mechanism gains. */
TEST(netcrafter_mechanisms_add_up)
{
    ns_value *root = cli_json("netcrafter walk_time=0.1");
    for (const ns_value *row = ns_value_get(root, "rows")->first; row != NULL; row = row->next) {
        ck_assert_double_eq(ns_value_get(row, "plain")->number, 1);
        ck_assert_double_gt(ns_value_get(row, "stitch")->number, 1);
        ck_assert_double_gt(ns_value_get(row, "+trim")->number, ns_value_get(row, "stitch")->number);
        ck_assert_double_gt(ns_value_get(row, "+sequence")->number, ns_value_get(row, "+trim")->number);
        ck_assert_str_eq(ns_value_get(row, "best")->text, "+sequence");
        ck_assert_double_eq_tol(ns_value_get(row, "gain")->number, ns_value_get(row, "+sequence")->number, 1e-12);
    }
}

/* A link that is busy for 1 % of the time gains at most 1 %; counts of packets are the mix; what sequencing needs. */
/* A machine without SHARP borrows its numbers, and that is said. */
TEST(sharp_lends_itself_to_any_machine)
{
    static const char *const lines[] = {
        "sharp --machine lassen",       "sharp large --machine summit",         "sharp barrier --machine lassen",
        "sharp reduce --machine tioga", "sharp busy --machine lassen-spectrum", "sharp application --machine dane"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        cli_result r = cli(lines[i]);
        ck_assert_msg(r.code == 0, "%s: %s", lines[i], r.err);
        ck_assert_msg(strstr(r.err, "lacks comes from sharp-switchib2") != NULL, "%s: %s", lines[i], r.err);
    }
    cli_result own = cli("sharp");
    ck_assert(strstr(own.err, "comes from sharp-switchib2") == NULL);
}

TEST(netcrafter_gains_no_more_than_the_link_is_busy)
{
    ns_value *idle = cli_json("netcrafter read_req=29 pt_req=13 trimmed=1 --over load=0.01,0.9");
    const ns_value *first = ns_value_get(idle, "rows")->first, *second = first->next;
    ck_assert_double_gt(ns_value_get(first, "+sequence")->number, 1);
    ck_assert_double_le(ns_value_get(first, "+sequence")->number, 1 / (1 - 0.01));
    ck_assert_double_gt(ns_value_get(second, "+sequence")->number, 1.15);
    ck_assert(strstr(ns_value_get(idle, "sequencing")->text, "gains nothing") != NULL);
    ns_value *walks = cli_json("netcrafter walk_time=0.2 --over load=0.9");
    ck_assert(ns_value_get(walks, "sequencing") == NULL);
    cli_refused((cli_refusal){"netcrafter bound=0.5 load=0.2 --over trimmed=0.5", 1, "cannot bound 0.5"});
}

TEST(best_and_gain_are_of_the_row)
{
    ns_value *root = cli_json("sharp barrier");
    for (const ns_value *row = ns_value_get(root, "rows")->first; row != NULL; row = row->next) {
        const double hosts = ns_value_get(row, "by-hosts")->number, in = ns_value_get(row, "in-switches")->number;
        ck_assert_str_eq(ns_value_get(row, "best")->text, in < hosts ? "in-switches" : "by-hosts");
        ck_assert_double_eq_tol(ns_value_get(row, "gain")->number, fmax(1, hosts / in), 1e-12);
    }
    ck_assert_msg(strncmp(ns_value_get(root, "sentence")->text,
                          "barrier: faster than by-hosts at 8 of 10 values of hosts; in-switches by up to ", 78) == 0,
                  "%s", ns_value_get(root, "sentence")->text);
}

static const struct {
    const char *line, *message;
} refused[] = {
    {"sharp allredu", "no scenario \"allredu\"; did you mean \"allreduce\"?"},
    {"sharp foo", "no scenario \"foo\"; it is one of allreduce, large, barrier, reduce, busy, application"},
    {"sharp xyz=3", "allreduce takes no input \"xyz\""},
    {"redsea rails B=3GB/s", "rails takes no input \"B\""}, /* it tells the ways apart */
    {"sharp --over z=3", "allreduce has no number \"z\" to vary"},
    {"sharp --over s", "--over wants NAME=LIST, for example --over s=8B:4KiB:x2"},
    {"sharp --over s=3us", "--over wants a size"},
    {"sharp s=3us", "s wants a size like"},
    {"sharp hosts=0", "hosts has to be at least 1 "},
    {"netcrafter trimmed=7", "trimmed has to be at least 0"}, /* one way takes it, the others cannot */
    {"sharp allreduce barrier", "\"barrier\" is not NAME=VALUE"},
    {"sharp --machine lassen,summit", "sharp takes one machine"},
};

TEST_EACH(wrong_words_are_refused, (int)(sizeof refused / sizeof *refused))
{
    cli_result r = cli(refused[_i].line);
    ck_assert_msg(r.code != 0 && strstr(r.err, refused[_i].message) != NULL, "%s: %s", refused[_i].line, r.err);
    ck_assert_str_eq(r.out, "");
}

/* What no source gives is said with the answer, once; also where another machine lends it. */
static const struct {
    const char *line, *note;
} assumed[] = {
    {"redsea rails", "nsmodel: note: a, L and o_f of multirail are assumed on bxi: no source gives them\n"},
    {"redsea rma", "nsmodel: note: L of rma is assumed on bxi: no source gives it\n"},
    {"redsea handlers", ""},
    {"eval multiplex --machine bxi s=64KiB B=10GB/s,10GB/s W=64",
     "nsmodel: note: L and g of multiplex are assumed on bxi: no source gives them\n"},
    {"eval multirail --machine bxi s=4MiB B=10GB/s,10GB/s a=1us L=1us",
     "nsmodel: note: o_f of multirail is assumed on bxi: no source gives it\n"},
    {"redsea allreduce s=8B",
     "nsmodel: note: triggered: what sharp-switchib2 lacks comes from bxi\n"
     "nsmodel: note: c_1 and L of spin-allreduce are assumed on sharp-switchib2: no source gives them\n"
     "nsmodel: note: in-handlers: what sharp-switchib2 lacks comes from fpspin\n"},
};

TEST_EACH(assumptions_are_said, sizeof assumed / sizeof *assumed)
{
    cli_result r = cli(assumed[_i].line);
    ck_assert_int_eq(r.code, 0);
    ck_assert_str_eq(r.err, assumed[_i].note);
}

/* SHARP's data end at 4 KiB: larger messages are answered, and said to be beyond. */
TEST(beyond_the_data_is_said)
{
    static const char *const beyond[] = {"sharp s=1MiB", "eval sharp --machine sharp-switchib2 hosts=128 s=1MiB"};
    static const char *const within[] = {"sharp s=4KiB", "eval sharp --machine sharp-switchib2 hosts=128 s=4KiB"};
    for (int i = 0; i < 2; i++) {
        cli_result r = cli(beyond[i]);
        ck_assert_int_eq(r.code, 0);
        ck_assert_ptr_nonnull(strstr(r.err, "nsmodel: note: s = 1 MiB is beyond 4 KiB, where the data behind sharp "
                                            "end\n"));
        r = cli(within[i]);
        ck_assert_ptr_null(strstr(r.err, "beyond"));
    }
}

/* Allreduce by hosts, in switches, triggered and by handlers in one comparison: where curves part, the scenarios'
 * numbers. */
TEST(collectives_are_crossed)
{
    cli_result r = cli("cross host-allreduce sharp triggered-allreduce spin-allreduce hosts=128 --over s=8B:4KiB");
    ck_assert_msg(r.code == 0, "%s", r.err);
    ck_assert_ptr_nonnull(strstr(r.err,
                                 "what sharp-switchib2 lacks of the interfaces of triggered-allreduce comes from "
                                 "bxi"));
    ck_assert_ptr_nonnull(strstr(r.err, "of spin-allreduce comes from fpspin"));
    ck_assert_ptr_nonnull(strstr(r.err, "come from --machine sharp-switchib2"));
    ck_assert_ptr_nonnull(strstr(r.out, "sharp"));
    r = cli("cross host-allreduce triggered-allreduce --machine lassen hosts=16 --over s=8B:1MiB");
    ck_assert_msg(r.code == 0, "%s", r.err);
    ck_assert_str_eq(r.err,
                     "nsmodel: note: what lassen lacks of the interfaces of triggered-allreduce comes from bxi\n");
    r = cli("cross host-allreduce sharp --machine lassen hosts=16 --over s=8B:1MiB"); /* switches are not lent */
    ck_assert_int_eq(r.code, 1);
    ck_assert_ptr_nonnull(strstr(r.err, "sharp lacks leaf_hosts"));
}

TEST(pictures_are_drawn)
{
    static const char *const lines[] = {"sharp", "netcrafter", "redsea rendezvous"};
    for (int i = 0; i < 3; i++) {
        char line[400];
        const char *file = cli_file("scenario.gp", "");
        snprintf(line, sizeof line, "%s --plot %s", lines[i], file);
        cli_result r = cli(line);
        ck_assert_msg(r.code == 0, "%s: %s", line, r.err);
    }
}

/* `cross sharp host-allreduce hosts=128` takes the family's own words, and sizes up to 1 MiB. */
TEST(a_family_takes_the_same_words)
{
    ns_value *root = cli_json("cross sharp host-allreduce hosts=128 --machine sharp-switchib2");
    const ns_value *reign = ns_value_get(root, "reigns")->first;
    ck_assert_double_eq(ns_value_get(reign, "from")->number, 1);
    ck_assert_double_eq(ns_value_get(reign, "at_from")->number,
                        evaluated("eval sharp --machine sharp-switchib2 hosts=128 s=1B", "time"));
    cli_result plain = cli("cross sharp host-allreduce hosts=128"),
               said = cli("cross sharp host-allreduce hosts=128 --machine sharp-switchib2");
    ck_assert_msg(plain.code == 0, "%s", plain.err);
    ck_assert_str_eq(plain.out, said.out);
    ck_assert_str_eq(plain.err, "nsmodel: note: inputs that are not given come from --machine sharp-switchib2\n");
    ck_assert_double_eq(evaluated("eval host-allreduce --machine sharp-switchib2 hosts=64 s=1KiB", "time"),
                        evaluated("eval host-allreduce --machine sharp-switchib2 nodes=64 s=1KiB", "time"));
    cli_result r = cli("eval host-allreduce --machine sharp-switchib2 hosts=64 nodes=64 s=1KiB");
    ck_assert_msg(strstr(r.err, "is given twice") != NULL, "%s", r.err);
}
