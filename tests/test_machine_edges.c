/* test_machine_edges.c -- machine files at the ends of their ranges, names that are offered, files of any length */

#include "api/library.h"
#include "support/cli.h"
#include "support/test.h"

/* A machine of one line off node, with room for more keys in the host's object and in the whole. */
static char *machine_of(const char *host, const char *more)
{
    static const char format[] =
        "{\"schema\": \"nsmodel/machine/1\", \"name\": \"m\", \"title\": \"t\", \"source\": \"s\",\n"
        " \"host\": {%s \"protocols\": {\"eager\": \"0 B\", \"rendezvous\": \"4 KiB\"}, \"off-node\": "
        "{\"eager\": {\"alpha\": \"1 us\", \"beta\": \"1 ns/B\"}, \"rendezvous\": {\"alpha\": \"2 us\", \"beta\": "
        "\"0.5 "
        "ns/B\"}}}%s}";
    const size_t size = sizeof format + strlen(host) + strlen(more);
    char *text = ns_malloc(size);
    ck_assert_ptr_nonnull(text);
    snprintf(text, size, format, host, more);
    return test_keep(text);
}

/* host, more, and what is said: NULL: accepted. */
static const struct {
    const char *host, *more, *said;
} files[] = {
    {"\"choice\": {\"kappa\": 0.001, \"lambda\": 1},", "", NULL},
    {"\"choice\": {\"lambda\": 0},", "", "host.choice.lambda has to be more than 0"},
    {"\"choice\": {\"lambda\": 1.001},", "", "host.choice.lambda has to be at most 1"},
    {"\"choice\": {\"kappa\": 1.001},", "", NULL},
    {"\"on-node\": {\"eager\": {\"alpha\": \"1 us\", \"beta\": \"1 ns/B\", \"correlation\": 1}, \"rendezvous\": "
     "{\"alpha\": \"1 us\", \"beta\": \"1 ns/B\", \"correlation\": -1}},",
     "", NULL},
    {"\"on-node\": {\"eager\": {\"alpha\": \"1 us\", \"beta\": \"1 ns/B\", \"correlation\": 1.01}},", "",
     "host.on-node.eager.correlation has to be from -1 to 1"},
    {"", ", \"topology\": {\"sockets\": 1, \"gpus\": 0, \"host_processes\": 1000000}", NULL},
    {"", ", \"topology\": {\"host_processes\": 0}", "host_processes has to be at least 1"},
    {"", ", \"topology\": {\"host_processes\": 1000001}", "has to be a whole number up to 1000000"},
    {"", ", \"topology\": {\"host_processes\": 2.5}", "has to be a whole number up to 1000000"},
    /* names */
    {"", ", \"models\": {\"max-rat\": {}}", "unknown key \"max-rat\"; did you mean \"max-rate\"?"},
    {"", ", \"models\": {\"two-stap\": {}}", "unknown key \"two-stap\"; did you mean \"two-step\"?"},
    {"", ", \"models\": {\"split\": {\"capp\": \"1 B\"}}", "unknown key \"capp\"; did you mean \"cap\"?"},
    {"", ", \"models\": {\"split\": {\"socketz\": 1}}", "unknown key \"socketz\"; did you mean \"sockets\"?"},
    {"", ", \"models\": {\"split\": {\"cap\": \"1 KiB\"}}", NULL},
    {"", ", \"models\": {\"split\": {\"zzzzzzzzz\": 1}}", "unknown key \"zzzzzzzzz\" in \"models.split\""},
    {"", ", \"topology\": {\"sockts\": 1}", "unknown key \"sockts\"; did you mean \"sockets\"?"},
    {"\"on-node\": {\"protocols\": {\"short\": \"0 B\"}, \"short\": {\"alpha\": \"1 us\", \"beta\": \"1 ns/B\"}},", "",
     NULL},
    {"", ", \"modells\": {}", "unknown key \"modells\"; did you mean \"models\"?"},
    {"", ", \"calibratd\": true", "unknown key \"calibratd\"; did you mean \"calibrated\"?"},
    {"", ", \"qqqqqq\": 1", "unknown key \"qqqqqq\" in \"the machine\""},
    {"\"off-nod\": {},", "", "unknown key \"off-nod\"; did you mean \"off-node\"?"},
    {"\"protocos\": {},", "", "unknown key \"protocos\"; did you mean \"protocols\"?"},
    {"\"injection\": {\"R_N\": \"1 GB/s\"},", "", "unknown key \"R_N\""},
    {"\"on-node\": {\"eager\": {\"alpha\": \"1 us\", \"alpha_se\": \"1 ns\", \"beta\": \"1 ns/B\", \"gamma_se\": 1}},",
     "", "unknown key \"gamma_se\""},
    {"\"on-node\": {\"eager\": {\"alpha\": \"1 us\", \"_se\": \"1 ns\", \"beta\": \"1 ns/B\"}},", "",
     "unknown key \"_se\""},
    {"\"on-node\": {\"eager\": {\"alpha\": \"1 us\", \"alpha_se\": \"-1 ns\", \"beta\": \"1 ns/B\"}},", "",
     "host.on-node.eager.alpha_se has to be finite and not negative"},
    /* levels of copies: whole numbers of at most four digits that begin with none of 0 */
    {"",
     ", \"copy\": {\"1\": {\"d2h\": {\"alpha\": \"1 us\", \"beta\": \"1 ns/B\"}, \"h2d\": {\"alpha\": \"1 us\", "
     "\"beta\": \"1 ns/B\"}}, \"9999\": {\"d2h\": {\"alpha\": \"1 us\", \"beta\": \"1 ns/B\"}, \"h2d\": {\"alpha\": "
     "\"1 us\", \"beta\": \"1 ns/B\"}}}",
     NULL},
    {"",
     ", \"copy\": {\"1\": {\"d2h\": {\"alpha\": \"1 us\", \"beta\": \"1 ns/B\"}, \"h2d\": {\"alpha\": \"1 us\", "
     "\"beta\": \"1 ns/B\"}}, \"10\": {\"d2h\": {\"alpha\": \"1 us\", \"beta\": \"1 ns/B\"}, \"h2d\": {\"alpha\": "
     "\"1 us\", \"beta\": \"1 ns/B\"}}}",
     NULL},
    {"", ", \"device\": {\"protocols\": {\"short\": \"0 B\"}}", "protocols are named, but there is no"},
    {"", ", \"copy\": {\"10000\": {}}", "unknown key \"10000\""},
    {"", ", \"copy\": {\"01\": {}}", "unknown key \"01\""},
    {"", ", \"copy\": {\"0\": {}}", "unknown key \"0\""},
    {"", ", \"copy\": {\"1:\": {}}", "unknown key \"1:\""},
    {"", ", \"copy\": {\"/1\": {}}", "unknown key \"/1\""},
    {"", ", \"copy\": {\"\": {}}", "unknown key \"\" in \"copy\""},
    {"", ", \"\": {\"topology\": {\"gpus\": 2}}", "unknown key \"\" in \"the machine\""},
};

TEST_EACH(test_file, sizeof files / sizeof *files)
{
    char *text = machine_of(files[_i].host, files[_i].more);
    ns_machine *machine = NULL;
    ns_error err = {0};
    const ns_status status = ns_machine_parse(text, "m.json", &machine, &err);
    if (files[_i].said == NULL)
        ck_assert_msg(status == NS_OK, "%s: %s", text, err.text);
    else
        ck_assert_msg(status != NS_OK && strstr(err.text, files[_i].said) != NULL, "%s\nsays \"%s\", wanted \"%s\"",
                      text, err.text, files[_i].said);
    ns_machine_free(machine);
}

/* A key of up to 199 characters is pointed at, a longer one by what holds it. */
TEST(test_long_key)
{
    char key[260], more[400];
    for (int length = 180; length < 220; length++) {
        memset(key, 'k', (size_t)length);
        key[length] = '\0';
        snprintf(more, sizeof more, ", \"%s\": 1", key);
        char *text = machine_of("", more);
        ns_machine *machine;
        ns_error err = {0};
        ck_assert_int_eq(ns_machine_parse(text, "m.json", &machine, &err), NS_ERR_NAME);
        ck_assert_msg(strstr(err.text, "unknown key \"kkk") != NULL && err.line == (length < 200 ? 2 : 1),
                      "%d: %s, line %ld", length, err.text, err.line);
    }
}

/* Files are read in steps: one of any length is the machine that its text is. */
TEST(test_length)
{
    static const size_t length[] = {65535, 65536, 65537, 131072, 196608, 200000, 1000000};
    for (size_t i = 0; i < sizeof length / sizeof *length; i++) {
        char *text = machine_of("", ""), *padded = ns_malloc(length[i] + 1);
        const size_t size = strlen(text);
        ck_assert_ptr_nonnull(padded);
        memset(padded, ' ', length[i]);
        padded[length[i]] = '\0';
        memcpy(padded + length[i] - size, text, size);
        ns_machine *machine;
        ns_error err = {0};
        ck_assert_msg(ns_machine_load(cli_file("long.json", padded), &machine, &err) == NS_OK, "%zu B: %s", length[i],
                      err.text);
        ck_assert_double_eq(machine->line[NS_HOST][NS_OFF_NODE][NS_EAGER].alpha, 1e-6);
        ns_machine_free(machine);
        ns_free(padded);
    }
}

/* What is no machine is refused where it begins: another value than an object, bytes of 0, a folder. */
TEST(test_no_machine)
{
    ns_machine *machine = NULL;
    ns_error err = {0};
    ck_assert_int_eq(ns_machine_parse("[1]", "m.json", &machine, &err), NS_ERR_SYNTAX);
    ck_assert_str_eq(err.text, "a machine file is one JSON object");
    ck_assert(err.line == 1 && err.column == 1);
    char path[600];
    snprintf(path, sizeof path, "%s", cli_file("zeros.json", "{}"));
    FILE *file = fopen(path, "wb");
    ck_assert(file != NULL && fwrite("{}\0\0", 1, 4, file) == 4 && fclose(file) == 0);
    err = (ns_error){0};
    ck_assert_int_eq(ns_machine_load(path, &machine, &err), NS_ERR_SYNTAX);
    ck_assert_str_eq(err.text, "holds zero bytes: not a machine file");
    ck_assert(err.line == 0 && err.column == 0);
    ck_assert_ptr_null(machine);
}

/* Inside a node, the table that was measured stands for the other one: both ways. */
TEST(test_stands_for)
{
    for (int l = 0; l < NS_OFF_NODE; l++) {
        char table[200];
        snprintf(table, sizeof table,
                 "\"%s\": {\"eager\": {\"alpha\": \"7 us\", \"beta\": \"3 ns/B\"}, "
                 "\"rendezvous\": {\"alpha\": \"9 us\", \"beta\": \"1 ns/B\"}},",
                 ns_locality_words[l]);
        char *text = machine_of(table, "");
        ns_machine *machine;
        ns_error err = {0};
        ck_assert_msg(ns_machine_parse(text, "m.json", &machine, &err) == NS_OK, "%s", err.text);
        for (int other = 0; other < NS_OFF_NODE; other++) {
            ck_assert_int_eq(machine->stands_for[NS_HOST][other], l);
            ck_assert(machine->line[NS_HOST][other][NS_EAGER].given);
            ck_assert_double_eq(machine->line[NS_HOST][other][NS_EAGER].alpha, 7e-6);
        }
        ck_assert_int_eq(machine->stands_for[NS_HOST][NS_OFF_NODE], NS_OFF_NODE);
        ns_machine_free(machine);
    }
}

TEST(test_too_large)
{
    char name[300];
    snprintf(name, sizeof name, "%s", cli_file("huge.json", ""));
    FILE *file = fopen(name, "wb");
    char *block = ns_malloc(1 << 20);
    ck_assert(file != NULL && block != NULL);
    memset(block, ' ', 1 << 20);
    for (int i = 0; i < 40; i++)
        ck_assert_uint_eq(fwrite(block, 1, 1 << 20, file), 1 << 20);
    ns_free(block);
    ck_assert_int_eq(fclose(file), 0);
    ns_machine *machine;
    ns_error err = {0};
    ck_assert_int_eq(ns_machine_load(name, &machine, &err), NS_ERR_LIMIT);
    ck_assert_ptr_nonnull(strstr(err.text, "too large for a machine file"));
    cli_file("huge.json", "");
}

/* More numbers than the store begins with (64) are kept, each with its value, in the file and in a changed copy. */
TEST(test_many_numbers)
{
    static const char line[] =
        "%s\"%s\": {\"alpha\": \"%d us\", \"beta\": \"%d ns/B\", \"correlation\": 0.%d, \"to\": \"%d B\"}";
    static const char *const what[] = {"alpha", "beta", "correlation", "to"};
    static const double unit[] = {1e-6, 1e-9, 0.01, 1};
    char path[100], text[20000] = "{\"schema\": \"nsmodel/machine/1\", \"name\": \"m\", \"title\": \"t\", "
                                  "\"source\": \"s\", \"topology\": {\"gpus\": 1}";
    enum { LINES = NS_MEMORIES * NS_LOCALITIES * NS_PROTOCOLS };
    for (int i = 0; i < LINES; i++) {
        const int m = i / NS_PROTOCOLS / NS_LOCALITIES, l = i / NS_PROTOCOLS % NS_LOCALITIES, p = i % NS_PROTOCOLS;
        if (l == 0 && p == 0)
            sprintf(text + strlen(text),
                    ", \"%s\": {\"protocols\": {\"short\": \"0 B\", \"eager\": \"64 B\", "
                    "\"rendezvous\": \"8 KiB\"}",
                    ns_memory_words[m]);
        if (p == 0)
            sprintf(text + strlen(text), ", \"%s\": {", ns_locality_words[l]);
        sprintf(text + strlen(text), line, p > 0 ? ", " : "", ns_protocol_words[p], 10 + i, 30 + i, 50 + i, 70 + i);
        strcat(text, p < NS_PROTOCOLS - 1 ? "" : l < NS_LOCALITIES - 1 ? "}" : "}}");
    }
    strcat(text, "}");
    ns_machine *of[2];
    ns_error err = {0};
    ck_assert_msg(ns_machine_parse(text, "m.json", &of[0], &err) == NS_OK, "%s", err.text);
    ck_assert_msg(ns_machine_with(of[0], "device.off-node.rendezvous.to=7B", &of[1], &err) == NS_OK, "%s", err.text);
    ck_assert_uint_eq(of[1]->parameters, of[0]->parameters);
    ck_assert_uint_gt(of[0]->parameters, 4 * LINES);
    for (int i = 0; i < 4 * LINES; i++)
        for (int copy = 0; copy < 2; copy++) {
            const int n = i / 4, k = i % 4;
            snprintf(path, sizeof path, "%s.%s.%s.%s", ns_memory_words[n / NS_PROTOCOLS / NS_LOCALITIES],
                     ns_locality_words[n / NS_PROTOCOLS % NS_LOCALITIES], ns_protocol_words[n % NS_PROTOCOLS], what[k]);
            const double wanted = copy == 1 && i == 4 * LINES - 1 ? 7 : (10 + 20 * k + n) * unit[k];
            ck_assert_double_eq_tol(ns_machine_parameter(of[copy], path)->value, wanted, 1e-12 * wanted);
        }
    ns_machine_free(of[0]);
    ns_machine_free(of[1]);
}

/* ---- changes ----------------------------------------------------------------------------------------------------- */

static const struct {
    const char *change, *path;
    double value;
    const char *said;
} changes[] = {
    {"host.off-node.eager.alpha=3us", "host.off-node.eager.alpha", 3e-6, NULL},
    {"host.off-node.eager.R_b=2GB/s", "host.off-node.eager.beta", 0.5e-9, NULL},
    {"host.injection.R_N=4GB/s", "host.injection.inverse_R_N", 0.25e-9, NULL},
    {"host.off-node.eager.R_b=0GB/s", NULL, 0, "host.off-node.eager.R_b has to be more than 0"},
    {"host.off-node.eager.alpha=-3us", NULL, 0, "has to be finite and not negative"},
    {"topology.gpus=1000001", NULL, 0, "has to be a whole number"},
    {"host.off-node.eagr.alpha=3us", NULL, 0, "did you mean \"host.off-node.eager.alpha\"?"},
    {"=3us", NULL, 0, "is not PATH=VALUE"},
    {"host.off-node.eager.alpha", NULL, 0, "is not PATH=VALUE"},
    {"a=", NULL, 0, "machine m has no parameter \"a\""},
};

TEST_EACH(test_change, sizeof changes / sizeof *changes)
{
    char *text = machine_of("", "");
    ns_machine *machine, *changed = NULL;
    ns_error err = {0};
    ck_assert_msg(ns_machine_parse(text, "m.json", &machine, &err) == NS_OK, "%s", err.text);
    const ns_status status = ns_machine_with(machine, changes[_i].change, &changed, &err);
    if (changes[_i].said != NULL)
        ck_assert_msg(status != NS_OK && strstr(err.text, changes[_i].said) != NULL, "%s says \"%s\"",
                      changes[_i].change, err.text);
    else {
        ck_assert_msg(status == NS_OK, "%s", err.text);
        const ns_parameter *p = ns_machine_parameter(changed, changes[_i].path);
        ck_assert(p != NULL && fabs(p->value - changes[_i].value) <= 1e-12 * changes[_i].value);
        ck_assert_ptr_nonnull(strstr(p->source, changes[_i].change));
        ck_assert_ptr_nonnull(strstr(changed->source, changes[_i].change));
    }
    ns_machine_free(changed);
    ns_machine_free(machine);
}

/* A change of 159 characters before the sign is looked for, one of 160 is no path. */
TEST(test_long_change)
{
    char change[200], *text = machine_of("", "");
    ns_machine *machine, *changed;
    ck_assert_int_eq(ns_machine_parse(text, "m.json", &machine, NULL), NS_OK);
    for (int length = 158; length < 163; length++) {
        ns_error err = {0};
        memset(change, 'p', (size_t)length);
        snprintf(change + length, sizeof change - (size_t)length, "=1");
        ck_assert_int_ne(ns_machine_with(machine, change, &changed, &err), NS_OK);
        ck_assert_msg((strstr(err.text, "has no parameter") != NULL) == (length < 160), "%d: %s", length, err.text);
    }
    ns_machine_free(machine);
}

/* ---- looking up -------------------------------------------------------------------------------------------------- */

TEST(test_number)
{
    char *text =
        machine_of("\"injection\": {\"inverse_R_N\": \"0.25 ns/B\"}, \"on-node\": {\"protocols\": {\"short\": \"0 "
                   "B\", \"rendezvous\": \"64 B\"}, \"short\": {\"alpha\": \"1 us\", \"beta\": \"0 ns/B\"}, "
                   "\"rendezvous\": {\"alpha\": \"1 us\", \"beta\": \"2 ns/B\"}},",
                   "");
    static const struct {
        const char *path;
        double value; /* NAN: there is none */
    } of[] = {{"host.off-node.eager.alpha", 1e-6},
              {"host.off-node.eager.R_b", 1e9},
              {"host.injection.R_N", 4e9},
              {"host.on-node.rendezvous.R_b", 5e8},
              {"host.on-node.short.R_b", NAN},
              {"host.off-node.eager.R_N", NAN},
              {"host.off-node.protocols.rendezvous", 4096},
              {"host.protocols.rendezvous", 4096},
              {"host.on-node.protocols.rendezvous", 64},
              {"host.on-node.protocols.eager", NAN},
              {"host.on-socket.protocols.eager", 0},
              {"device.protocols.eager", NAN},
              {"R_b", NAN},
              {"host", NAN}};
    ns_machine *machine;
    ns_error err = {0};
    ck_assert_msg(ns_machine_parse(text, "m.json", &machine, &err) == NS_OK, "%s", err.text);
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        double value = -1;
        const bool found = ns_machine_number(machine, of[i].path, &value, NULL, NULL);
        ck_assert_msg(found == !isnan(of[i].value), "%s", of[i].path);
        ck_assert_msg(!found || fabs(value - of[i].value) <= 1e-12 * of[i].value, "%s is %g", of[i].path, value);
    }
    ns_dim dim;
    double value;
    ck_assert(ns_machine_number(machine, "host.injection.R_N", &value, &dim, NULL) && dim.second == -1 &&
              dim.byte == 1);
    ck_assert_double_eq(ns_machine_rendezvous_from(machine), 4096);
    ns_machine_free(machine);
    ns_free(text);
}

/* What a machine does not give is 0, and so is its error. */
TEST(test_absent)
{
    char *text = machine_of("", "");
    ns_machine *m;
    ck_assert_int_eq(ns_machine_parse(text, "m.json", &m, NULL), NS_OK);
    const double zero[] = {m->contention_delta, m->inverse_R_N[NS_HOST], m->inverse_R_N[NS_DEVICE]};
    for (size_t i = 0; i < sizeof zero / sizeof *zero; i++)
        ck_assert_msg(zero[i] == 0, "number %zu is %g", i, zero[i]);
    ck_assert(m->gpus == 0 && m->copy_levels == 0 && !m->copy_total);
    ck_assert_double_eq(m->line[NS_HOST][NS_OFF_NODE][NS_EAGER].alpha_se, 0);
    ns_machine_free(m);
}
