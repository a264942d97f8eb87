/* test_machine.c -- machine files: what is read, what is refused and with which words, what-if, look-ups */
#include "api/library.h"
#include "support/test.h"

static const char *const GOOD =
    "{\"schema\": \"nsmodel/machine/1\", \"name\": \"tiny\", \"title\": \"t\", \"source\": \"made up\",\n"
    " \"topology\": {\"sockets\": 2, \"gpus\": 2, \"host_processes\": 8},\n"
    " \"host\": {\"protocols\": {\"short\": \"0 B\", \"rendezvous\": \"4 KiB\"},\n"
    "  \"on-socket\": {\"short\": {\"alpha\": \"1 us\", \"beta\": \"1 ns/B\"}, "
    "\"rendezvous\": {\"alpha\": \"2 us\", \"beta\": \"0.5 ns/B\"}},\n"
    "  \"on-node\": {\"short\": {\"alpha\": \"3 us\", \"beta\": \"1 ns/B\"}, "
    "\"rendezvous\": {\"alpha\": \"4 us\", \"beta\": \"0.5 ns/B\"}},\n"
    "  \"off-node\": {\"source\": \"its own\", \"short\": {\"alpha\": \"5 us\", \"alpha_se\": \"0.1 us\", \"beta\": "
    "\"1 ns/B\", \"correlation\": -0.25},\n"
    "    \"rendezvous\": {\"alpha\": \"6 us\", \"beta\": \"0.5 ns/B\"}},\n"
    "  \"injection\": {\"inverse_R_N\": \"0.1 ns/B\"}},\n"
    " \"copy\": {\"1\": {\"d2h\": {\"alpha\": \"7 us\", \"beta\": \"0.1 ns/B\"}, "
    "\"h2d\": {\"alpha\": \"8 us\", \"beta\": \"0.2 ns/B\"}}}}\n";

/* GOOD with one piece of text replaced. */
static char *with(const char *from, const char *to)
{
    const char *at = strstr(GOOD, from);
    ck_assert_msg(at != NULL, "the test wants \"%s\" in its machine", from);
    char *text = ns_malloc(strlen(GOOD) + strlen(to) + 1);
    ck_assert_ptr_nonnull(text);
    sprintf(text, "%.*s%s%s", (int)(at - GOOD), GOOD, to, at + strlen(from));
    return test_keep(text);
}

static const struct {
    const char *from, *to, *message;
} refused[] = {
    /* units and numbers */
    {"\"alpha\": \"1 us\"", "\"alpha\": \"1 GB/s\"", "m.json:4:36: alpha wants a time like \"1 us\", got \"1 GB/s\""},
    {"\"alpha\": \"1 us\"", "\"alpha\": 1",
     "m.json:4:36: alpha wants a number with a unit like \"1 us\", got a bare number"},
    {"\"alpha\": \"1 us\"", "\"alpha\": \"1\"",
     "m.json:4:36: alpha wants a time like \"1 us\", got the bare number \"1\""},
    {"\"alpha\": \"1 us\"", "\"alpha\": \"-1 us\"",
     "m.json:4:36: host.on-socket.short.alpha has to be finite and not negative"},
    {"\"alpha\": \"1 us\"", "\"alpha\": \"nan us\"", NULL},
    {"\"alpha\": \"1 us\"", "\"alpha\": NaN", NULL},
    {"\"alpha\": \"1 us\"", "\"alpha\": null", "m.json:4:36: alpha wants a number like \"1 us\""},
    {"\"correlation\": -0.25", "\"correlation\": -1.25",
     "m.json:6:119: host.off-node.short.correlation has to be from -1 to 1"},
    {"\"correlation\": -0.25", "\"correlation\": \"nan\"", NULL},
    {"\"correlation\": -0.25", "\"corelation\": -0.25",
     "m.json:6:118: unknown key \"corelation\"; did you mean \"correlation\"?"},
    {"\"sockets\": 2", "\"sockets\": 0", "m.json:2:26: sockets has to be at least 1"},
    {"\"sockets\": 2", "\"sockets\": 1.5", "m.json:2:26: topology.sockets has to be a whole number up to 1000000"},
    {"\"inverse_R_N\": \"0.1 ns/B\"", "\"inverse_R_N\": \"10 GB/s\"",
     "m.json:8:32: inverse_R_N wants a time per byte like \"1 ns/B\", got \"10 GB/s\""},
    /* keys */
    {"\"on-node\"", "\"onnode\"", "m.json:5:13: unknown key \"onnode\"; did you mean \"on-node\"?"},
    {"\"beta\": \"0.1 ns/B\"", "\"btea\": \"0.1 ns/B\"", "m.json:9:50: unknown key \"btea\"; did you mean \"beta\"?"},
    {"\"source\": \"its own\"", "\"source\": \"\"", "m.json:6:26: an empty source; wanted where the numbers come from"},
    {"\"source\": \"made up\"", "\"source\": \"made up\", \"colour\": \"red\"", NULL},
    {"\"gpus\": 2", "\"gpus\": 2, \"gpus\": 3", NULL},
    {"\"alpha\": \"1 us\"", "\"alpha\": {\"value\": 1}",
     "m.json:4:36: alpha wants a number with a unit like \"1 us\", got a bare number"},
    {"\"alpha\": \"1 us\"", "\"alpha\": [1]", "m.json:4:36: alpha wants a number like \"1 us\""},
    {"\"alpha\": \"1 us\"", "\"alpha\": {\"source\": \"x\"}",
     "m.json:4:36: a number that is an object wants its \"value\""},
    {"\"alpha\": \"1 us\"", "\"alpha\": {\"value\": \"1 us\", \"colour\": 1}",
     "m.json:4:64: a number's object holds \"value\", \"source\", \"calibrated\" and \"note\" only"},
    {"\"alpha\": \"1 us\"", "\"alpha\": {\"value\": {\"value\": \"1 us\"}}",
     "m.json:4:36: alpha wants a number like \"1 us\""},
    {"\"alpha\": \"1 us\"", "\"alpha\": {\"value\": \"1 us\", \"source\": \"\"}",
     "m.json:4:64: an empty source; wanted where the numbers come from"},
    {"\"source\": \"its own\"", "\"calibrated\": \"yes\"", "m.json:6:30: this key wants true or false"},
    {"\"copy\": {", "\"copy\": {\"bytes\": \"whole\", ",
     "m.json:9:20: copy.bytes wants \"share\" or \"total\", got \"whole\""},
    {"\"copy\": {", "\"copy\": {\"bytes\": 4, ", "m.json:9:20: this key wants a word"},
    {"\"copy\": {", "\"copy\": {\"byts\": \"share\", ", "m.json:9:19: unknown key \"byts\"; did you mean \"bytes\"?"},
    {"\"topology\"", "\"host\": {\"choice\": {\"kappa\": 0}}, \"x\"", NULL},
    {"\"injection\"", "\"choice\": {\"kappa\": 0}, \"injection\"",
     "m.json:8:23: host.choice.kappa has to be more than 0"},
    {"\"injection\"", "\"choice\": {\"lambda\": 1.5}, \"injection\"",
     "m.json:8:24: host.choice.lambda has to be at most 1"},
    {"\"injection\"", "\"exchange\": {\"off-node\": {\"short\": {\"alpha\": \"1 us\"}}}, \"injection\"",
     "m.json:8:38: a line of the exchange wants both alpha and beta"},
    {"\"topology\": {\"sockets\": 2, \"gpus\": 2, \"host_processes\": 8}", "\"topology\": 7",
     "m.json:2:14: this key wants an object"},
    /* missing pieces */
    {"\"rendezvous\": {\"alpha\": \"4 us\", \"beta\": \"0.5 ns/B\"}", "\"source\": \"x\"",
     "m.json:5:14: host.on-node lacks alpha of protocol \"rendezvous\""},
    {"\"alpha\": \"3 us\", ", "", "m.json:5:14: host.on-node lacks alpha of protocol \"short\""},
    {"\"protocols\": {\"short\": \"0 B\", \"rendezvous\": \"4 KiB\"},", "",
     "m.json:4:16: host.on-socket lacks the first size (\"protocols\") of protocol \"short\""},
    {"\"short\": \"0 B\"", "\"short\": \"1 B\"",
     "m.json:4:16: host.on-socket: the first protocol, \"short\", has to start at 0 B"},
    {"\"rendezvous\": \"4 KiB\"", "\"rendezvous\": \"0 B\"",
     "m.json:4:16: host.on-socket: protocol \"rendezvous\" has to start at a larger size than the one before it"},
    {", \"h2d\": {\"alpha\": \"8 us\", \"beta\": \"0.2 ns/B\"}", "",
     "m.json:9:16: a copy level wants alpha and beta of both d2h and h2d"},
    {"\"copy\": {\"1\"", "\"copy\": {\"2\"", "m.json:9:10: copies want the level of 1 process"},
    {"\"name\": \"tiny\"", "\"name\": \"\"", "m.json:1:41: a machine wants a text \"name\""},
    {"nsmodel/machine/1", "nsmodel/machine/9", "m.json:1:12: schema wants \"nsmodel/machine/1\""},
    /* what fit warned of */
    {"\"title\": \"t\"", "\"title\": \"t\", \"warnings\": \"w\"", "m.json:1:75: this key wants a list of texts"},
    {"\"title\": \"t\"", "\"title\": \"t\", \"warnings\": [\"w\", 1]", "m.json:1:81: this key wants a text"},
    {"\"title\": \"t\"", "\"title\": \"t\", \"warnings\": [\"w\\n\"]",
     "m.json:1:78: a text with the control character U+000A; wanted one line of characters that can be seen"},
    {"\"sockets\": 2", "\"warnings\": [], \"sockets\": 2", NULL},
    /* texts that would be more than a text where they are written */
    {"\"title\": \"t\"", "\"title\": \"t\\nint x;\"",
     "m.json:1:60: a text with the control character U+000A; wanted one line of characters that can be seen"},
    {"\"name\": \"tiny\"", "\"name\": \"\\u001b[31m\"",
     "m.json:1:42: a text with the control character U+001B; wanted one line of characters that can be seen"},
    {"\"source\": \"its own\"", "\"source\": \"\x7f\"",
     "m.json:6:27: a text with the control character U+007F; wanted one line of characters that can be seen"},
    {"\"alpha\": \"3 us\"", "\"note\": \"a\\\\ \\\" \\\\\xc2\x9b\", \"alpha\": \"3 us\"",
     "m.json:5:43: a text with the control character U+009B; wanted one line of characters that can be seen"},
    {"\"on-node\"", "\"on\\u202enode\"",
     "m.json:5:6: a text with the control character U+202E; wanted one line of characters that can be seen"},
    {"}}}}\n", "}}}} junk\n", NULL},
    {"}}}}\n", "}}}\n", NULL},
};

TEST_EACH(test_refused, sizeof refused / sizeof *refused)
{
    char *text = with(refused[_i].from, refused[_i].to), message[1024];
    ns_machine *machine = NULL;
    ns_error err = {0};
    ns_status status = ns_machine_parse(text, "m.json", &machine, &err);
    ck_assert_msg(status != NS_OK && machine == NULL, "accepted: %s", text);
    ns_error_format(&err, message, sizeof message);
    if (refused[_i].message != NULL)
        ck_assert_str_eq(message, refused[_i].message);
    ck_assert_msg(strncmp(message, "m.json:", 7) == 0 && err.line > 0, "no position: %s", message);
}

static ns_machine *good(void)
{
    ns_machine *machine;
    ns_error err = {0};
    char message[1024];
    ck_assert_msg(ns_machine_parse(GOOD, "m.json", &machine, &err) == NS_OK, "%s",
                  ns_error_format(&err, message, sizeof message));
    return test_keep(machine);
}

TEST(test_read)
{
    ns_machine *m = good();
    ck_assert_str_eq(m->name, "tiny");
    ck_assert_int_eq(m->sockets, 2);
    ck_assert_int_eq(m->gpus, 2);
    ck_assert_int_eq(m->host_processes, 8);
    ck_assert_double_eq(m->line[NS_HOST][NS_OFF_NODE][NS_SHORT].alpha, 5e-6);
    ck_assert_double_eq_tol(m->line[NS_HOST][NS_OFF_NODE][NS_SHORT].alpha_se, 1e-7, 1e-20);
    ck_assert_double_eq(ns_machine_parameter(m, "host.off-node.short.correlation")->value, -0.25);
    ck_assert_ptr_null(ns_machine_parameter(m, "host.on-node.short.correlation"));
    ck_assert(!m->line[NS_HOST][NS_OFF_NODE][NS_EAGER].given);
    ck_assert(!m->line[NS_DEVICE][NS_OFF_NODE][NS_EAGER].given);
    ck_assert_double_eq(m->line[NS_HOST][NS_ON_NODE][NS_RENDEZVOUS].from, 4096);
    ck_assert_double_eq_tol(m->inverse_R_N[NS_HOST], 1e-10, 1e-24);
    ck_assert_int_eq(m->copy_levels, 1);
    ck_assert_double_eq(m->copy[0].alpha[NS_D2H], 7e-6);
    ck_assert_double_eq(m->copy[0].alpha[NS_H2D], 8e-6);
    /* the nearest source above a number is its own */
    ck_assert_str_eq(ns_machine_parameter(m, "host.off-node.short.alpha")->source, "its own");
    ck_assert_str_eq(ns_machine_parameter(m, "host.on-node.short.alpha")->source, "made up");
}

/* What fit warned of stays with the machine, and with copies of it. */
TEST(test_warnings)
{
    char *text = with("\"title\": \"t\"", "\"title\": \"t\", \"warnings\": [\"first\", \"second\"]");
    ns_machine *m, *changed;
    ck_assert(ns_machine_parse(text, "m.json", &m, NULL) == NS_OK);
    ck_assert(ns_machine_with(m, "topology.sockets=1", &changed, NULL) == NS_OK);
    const ns_machine *const both[] = {m, changed};
    for (int i = 0; i < 2; i++) {
        ck_assert_ptr_null(ns_machine_warning(both[i], 2));
        ck_assert_str_eq(ns_machine_warning(both[i], 0), "first");
        ck_assert_str_eq(ns_machine_warning(both[i], 1), "second");
    }
    ns_machine_free(m);
    ns_machine_free(changed);
    m = good();
    ck_assert_ptr_null(ns_machine_warning(m, 0));
    ns_machine_free(m);
}

/* "calibrated" goes with the source beside it; a nearer source says anew. */
TEST(test_calibrated)
{
    char *text =
        with("\"injection\": {",
             "\"exchange\": {\"source\": \"benchmarks\", \"inverse_R\": \"1 ns/B\","
             "\"floor\": {\"value\": \"40 us\", \"source\": \"exchanges\", \"calibrated\": true},"
             "\"floor_step\": {\"value\": \"2 us\", \"calibrated\": true},"
             "\"model_error\": {\"time\": 0.5, \"source\": \"rows\", \"calibrated\": true}},"
             "\"choice\": {\"calibrated\": true, \"source\": \"rows\", \"kappa\": 3, \"lambda\": 1, \"cases\": 48, "
             "\"groups\": 12}, \"injection\": {");
    static const struct {
        const char *path, *source;
        double value;
        bool calibrated;
    } wanted[] = {
        {"host.exchange.inverse_R", "benchmarks", 1e-9, false}, {"host.exchange.floor", "exchanges", 40e-6, true},
        {"host.exchange.floor_step", "benchmarks", 2e-6, true}, {"host.choice.kappa", "rows", 3, true},
        {"host.exchange.model_error.time", "rows", 0.5, true},  {"host.choice.groups", "rows", 12, true},
        {"host.injection.inverse_R_N", "made up", 1e-10, false}};
    ns_machine *m = NULL, *changed = NULL;
    ns_error err = {0};
    ck_assert_msg(ns_machine_parse(text, "m.json", &m, &err) == NS_OK, "%s", err.text);
    ck_assert(ns_machine_with(m, "topology.nics=2", &changed, &err) == NS_OK);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        for (int k = 0; k < 2; k++) {
            const ns_parameter *p = ns_machine_parameter(k == 0 ? m : changed, wanted[i].path);
            ck_assert_msg(p != NULL, "%s", wanted[i].path);
            ck_assert_str_eq(p->source, wanted[i].source);
            ck_assert_double_eq_tol(p->value, wanted[i].value, 1e-12 * wanted[i].value);
            ck_assert_msg(p->calibrated == wanted[i].calibrated, "%s", wanted[i].path);
        }
    ns_machine_free(changed);
    ck_assert(ns_machine_with(m, "host.exchange.floor=1us", &changed, &err) == NS_OK);
    ck_assert(!ns_machine_parameter(changed, "host.exchange.floor")->calibrated); /* typed, not calibrated */
    ns_machine_free(changed);
    ns_machine_free(m);
    ns_free(text);
}

TEST(test_copy_bytes)
{
    char *text = with("\"copy\": {", "\"copy\": {\"bytes\": \"total\", ");
    ns_machine *m = good(), *changed = NULL;
    ns_error err = {0};
    ck_assert(!m->copy_total);
    ck_assert(ns_machine_with(m, "copy.bytes=total", &changed, &err) == NS_OK && changed->copy_total);
    ns_machine_free(changed);
    ck_assert(ns_machine_with(m, "copy.bytes=half", &changed, &err) != NS_OK);
    ck_assert_str_eq(err.text, "copy.bytes wants \"share\" or \"total\", got \"half\"");
    ns_machine_free(m);
    ck_assert_msg(ns_machine_parse(text, "m.json", &m, &err) == NS_OK, "%s", err.text);
    ck_assert(m->copy_total);
    ck_assert(ns_machine_with(m, "topology.nics=2", &changed, &err) == NS_OK && changed->copy_total); /* kept */
    ns_machine_free(changed);
    ns_machine_free(m);
}

TEST(test_lookup)
{
    ns_machine *m = good();
    ns_protocol protocol;
    /* the switch belongs to the larger protocol */
    ck_assert_double_eq(ns_machine_line(m, NS_HOST, NS_OFF_NODE, 4095, &protocol)->alpha, 5e-6);
    ck_assert_int_eq(protocol, NS_SHORT);
    ck_assert_double_eq(ns_machine_line(m, NS_HOST, NS_OFF_NODE, 4096, &protocol)->alpha, 6e-6);
    ck_assert_int_eq(protocol, NS_RENDEZVOUS);
    ck_assert_ptr_null(ns_machine_line(m, NS_DEVICE, NS_OFF_NODE, 1, NULL));
    ck_assert_double_eq(ns_machine_rendezvous_from(m), 4096);
    double value;
    ns_dim dim;
    const ns_parameter *from;
    ck_assert(ns_machine_number(m, "host.injection.R_N", &value, &dim, &from));
    ck_assert_double_eq_tol(value, 1e10, 1e-3);
    ck_assert(dim.second == -1 && dim.byte == 1);
    ck_assert_str_eq(from->path, "host.injection.inverse_R_N");
    ck_assert(ns_machine_number(m, "host.on-node.short.R_b", &value, NULL, NULL));
    ck_assert_double_eq_tol(value, 1e9, 1e-3);
    ck_assert(!ns_machine_number(m, "host.on-node.eager.R_b", &value, NULL, NULL));
    ck_assert(!ns_machine_number(m, "host.queue.gamma", &value, NULL, NULL));
    ck_assert_ptr_null(ns_machine_copy(m, 0));
    ck_assert_int_eq(ns_machine_copy(m, 4)->processes, 1);
}

static const struct {
    const char *assignment, *path;
    double value; /* expected; NAN marks a refusal */
    const char *message;
} changes[] = {
    {"host.off-node.rendezvous.alpha=2us", "host.off-node.rendezvous.alpha", 2e-6, NULL},
    {"host.injection.R_N=20 GB/s", "host.injection.inverse_R_N", 5e-11, NULL},
    {"host.injection.R_N=1 B/s", "host.injection.inverse_R_N", 1, NULL},
    {"host.on-node.short.R_b=4GB/s", "host.on-node.short.beta", 2.5e-10, NULL},
    {"topology.host_processes=16", "topology.host_processes", 16, NULL},
    {"host.queue.gamma=8.4ns", "host.queue.gamma", 8.4e-9, NULL}, /* a number the file did not have */
    {"host.protocols.rendezvous=8KiB", "host.protocols.rendezvous", 8192, NULL},
    {"host.off-node.rendezvous.alpha=2GB/s", NULL, 0,
     "host.off-node.rendezvous.alpha wants a time like \"1 us\", got \"2GB/s\""},
    {"host.off-node.rendezvous.alpha", NULL, 0, "\"host.off-node.rendezvous.alpha\" is not PATH=VALUE"},
    {"host.off-node.rendezvous.alpa=2us", NULL, 0,
     "machine tiny has no parameter \"host.off-node.rendezvous.alpa\"; did you mean "
     "\"host.off-node.rendezvous.alpha\"?"},
    {"host.off-node.short.alpha=-1us", NULL, 0, "host.off-node.short.alpha has to be finite and not negative"},
    {"host.protocols.rendezvous=0B", NULL, 0,
     "host.on-socket: protocol \"rendezvous\" has to start at a larger size than the one before it"},
    {"host.off-node.eager.alpha=1us", NULL, 0, "host.off-node lacks beta of protocol \"eager\""},
    {"topology.sockets=0", NULL, 0, "sockets has to be at least 1"},
    {"host.injection.R_N=0GB/s", NULL, 0, "host.injection.R_N has to be more than 0"},
};

TEST_EACH(test_what_if, sizeof changes / sizeof *changes)
{
    ns_machine *m = good(), *changed = NULL;
    ns_error err = {0};
    char message[1024];
    ns_status status = ns_machine_with(m, changes[_i].assignment, &changed, &err);
    if (changes[_i].message != NULL) {
        ck_assert(status != NS_OK && changed == NULL);
        ck_assert_str_eq(ns_error_format(&err, message, sizeof message), changes[_i].message);
    } else {
        ck_assert_msg(status == NS_OK, "%s", ns_error_format(&err, message, sizeof message));
        const ns_parameter *p = ns_machine_parameter(changed, changes[_i].path);
        ck_assert_double_eq_tol(p->value, changes[_i].value, 1e-12 * changes[_i].value);
        ck_assert_ptr_nonnull(strstr(p->source, "set: "));
        ck_assert_ptr_nonnull(strstr(changed->source, changes[_i].assignment));
        ck_assert_ptr_null(strstr(m->source, changes[_i].assignment)); /* the original is as it was */
        ns_machine_free(changed);
    }
}

TEST(test_shipped)
{
    int count = 0;
    for (const char *const *name = ns_machine_names(); *name != NULL; name++, count++) {
        ns_machine *machine;
        ns_error err = {0};
        char message[1024];
        ck_assert_msg(ns_machine_load(*name, &machine, &err) == NS_OK, "%s",
                      ns_error_format(&err, message, sizeof message));
        ck_assert_str_eq(machine->name, *name);
        for (size_t i = 0; i < machine->parameters; i++)
            ck_assert_msg(machine->parameter[i].source[0] != '\0', "%s of %s has no source", machine->parameter[i].path,
                          *name);
        ns_machine_free(machine);
    }
    ck_assert_int_ge(count, 2);
}

TEST(test_load_errors)
{
    ns_machine *machine;
    ns_error err = {0};
    ck_assert_int_eq(ns_machine_load("lasen", &machine, &err), NS_ERR_NAME);
    ck_assert_str_eq(err.text, "no machine or file \"lasen\"; did you mean \"lassen\"?");
    err = (ns_error){0};
    ck_assert_int_eq(ns_machine_load("./no/such/file.json", &machine, &err), NS_ERR_NAME);
    err = (ns_error){0};
    ck_assert_int_ne(ns_machine_load(".", &machine, &err), NS_OK);
    ck_assert_str_eq(err.file, ".");
}
