/* test_fitted.c -- the public side of libnsmodel-fit: it tells what the command fit writes, and refuses bad settings */
#include "core/memory.h"
#include "support/allocations.h"
#include "support/cli.h"
#include "support/files.h"
#include "support/machines.h"
#include "support/test.h"
#include "support/values.h"

#include <nsmodel/fit.h>
#include <nsmodel/json.h>

#define LOG "examples/osu_latency.log"

static const char *const one_log[] = {LOG};
static const ns_fit_settings usual = NS_FIT_SETTINGS_DEFAULT;

static ns_fitted *fit(const ns_fit_settings *settings)
{
    ns_fitted *fitted;
    ns_error err = {0};
    ck_assert_msg(ns_fit_files(one_log, 1, settings, &fitted, &err) == NS_OK, "%s", err.text);
    return fitted;
}

/* The same file as `nsmodel fit`, but for the command line that it quotes. */
TEST(test_file)
{
    ns_fit_settings settings = usual;
    settings.name = "mine";
    ns_fitted *fitted = fit(&settings);
    ns_value *root;
    char *text;
    size_t size;
    ck_assert_int_eq(ns_fitted_file(fitted, &root, NULL), NS_OK);
    ck_assert_int_eq(ns_json_write(root, &text, &size, NULL), NS_OK);
    const char *written = cli_file("fitted.json", "");
    cli_result r = cli_with("fit " LOG " --name mine -o %s", written);
    ck_assert_msg(r.code == 0, "%s", r.err);
    char *wanted = read_whole(written);
    ns_value *theirs;
    ck_assert_int_eq(ns_json_parse(wanted, "fit", &theirs, NULL), NS_OK);
    const ns_value *const host = ns_value_get(theirs, "host");
    char *host_theirs, *host_mine;
    ck_assert_int_eq(ns_json_write(host, &host_theirs, &size, NULL), NS_OK);
    ck_assert_int_eq(ns_json_write(ns_value_get(root, "host"), &host_mine, &size, NULL), NS_OK);
    ck_assert_str_eq(host_mine, host_theirs);
    ck_assert_ptr_nonnull(strstr(text, "\"name\": \"mine\""));
    ns_free(host_mine);
    ns_free(host_theirs);
    ns_free(text);
    ns_value_free(root);
    ns_value_free(theirs);
    ns_fitted_free(fitted);
}

/* The log is alpha + beta s of lassen's published table: the machine made of it has that table again. */
TEST(test_machine)
{
    static const char *const path[] = {"host.off-node.short.alpha", "host.off-node.eager.beta",
                                       "host.off-node.rendezvous.alpha", "host.off-node.rendezvous.beta"};
    ns_fitted *fitted = fit(NULL);
    ns_machine *mine, *lassen;
    ck_assert_int_eq(ns_fitted_machine(fitted, &mine, NULL), NS_OK);
    lassen = machine_named("lassen");
    for (size_t i = 0; i < sizeof path / sizeof *path; i++) {
        double found, published;
        ck_assert(ns_machine_number(mine, path[i], &found, NULL, NULL));
        ck_assert(ns_machine_number(lassen, path[i], &published, NULL, NULL));
        ck_assert_double_eq_tol(found / published, 1, 0.02);
    }
    ns_machine_free(mine);
    ns_fitted_free(fitted);
}

TEST(test_classes_and_warnings)
{
    ns_fitted *fitted = fit(NULL);
    ns_fitted_class line = {.size = sizeof line};
    static const double from[] = {0, 256, 16384};
    for (size_t i = 0; i < 3; i++) {
        ck_assert(ns_fitted_class_at(fitted, i, &line));
        ck_assert_double_eq(line.from, from[i]);
        ck_assert(line.memory == NS_HOST && line.locality == NS_OFF_NODE && line.protocol == (ns_protocol)i);
        ck_assert(line.alpha > 0 && line.beta > 0 && line.samples > 0);
    }
    const ns_fitted_class last = line;
    ck_assert(!ns_fitted_class_at(fitted, 3, &line));
    ck_assert_mem_eq(&last, &line, sizeof line);
    ck_assert_uint_eq(ns_fitted_samples(fitted), 23);
    ck_assert_str_eq(ns_fitted_warning(fitted, 0), LOG ": states no locality for 23 of 23 samples: taken as off-node");
    ck_assert_ptr_null(ns_fitted_warning(fitted, 1));
    ns_fitted_free(fitted);
    ns_fitted_free(NULL);
}

/* A program built when the structs were shorter: nothing behind its end is read or written. */
TEST(test_older_structs)
{
    ns_fit_settings settings = usual;
    memset((char *)&settings + offsetof(ns_fit_settings, gpus), 0x5a,
           sizeof settings - offsetof(ns_fit_settings, gpus));
    settings.size = offsetof(ns_fit_settings, gpus);
    ns_fitted *fitted = fit(&settings);
    ns_fitted_class line;
    memset(&line, 0x5a, sizeof line);
    const ns_fitted_class before = line;
    line.size = offsetof(ns_fitted_class, samples);
    ck_assert(ns_fitted_class_at(fitted, 0, &line));
    ck_assert_uint_eq(line.size, offsetof(ns_fitted_class, samples));
    ck_assert(line.alpha > 0 && line.alpha < 1);
    ck_assert_uint_eq(line.samples, before.samples);
    ns_fitted_free(fitted);
}

static const struct {
    ns_fit_settings settings;
    ns_status code;
    const char *words;
} refused[] = {
    {{.size = 0}, NS_ERR_RANGE, "set size to sizeof(ns_fit_settings)"},
    {{.size = sizeof(ns_fit_settings) + 8}, NS_ERR_RANGE, "set size to sizeof(ns_fit_settings)"},
    {{.size = sizeof(ns_fit_settings), .memory = 7, .locality = -1, .gpus = -1}, NS_ERR_RANGE, "no memory 7"},
    {{.size = sizeof(ns_fit_settings), .memory = -1, .locality = 3, .gpus = -1}, NS_ERR_RANGE, "no locality 3"},
    {{.size = sizeof(ns_fit_settings), .memory = -1, .locality = -1, .per_node = -4, .gpus = -1},
     NS_ERR_RANGE,
     "-4 processes"},
    {{.size = sizeof(ns_fit_settings), .memory = -2, .locality = -1, .gpus = -1}, NS_ERR_RANGE, "no memory -2"},
    {{.size = sizeof(ns_fit_settings), .memory = -1, .locality = -2, .gpus = -1}, NS_ERR_RANGE, "no locality -2"},
    {{.size = sizeof(ns_fit_settings), .memory = -1, .locality = -1, .per_node = 1 << 30, .gpus = -1},
     NS_ERR_RANGE,
     "1073741824 processes"},
    {{.size = sizeof(ns_fit_settings), .memory = -1, .locality = -1, .sockets = -1, .gpus = -1},
     NS_ERR_RANGE,
     "-1 sockets"},
    {{.size = sizeof(ns_fit_settings), .memory = -1, .locality = -1, .gpus = -2}, NS_ERR_RANGE, "-2 GPUs"},
    {{.size = sizeof(ns_fit_settings), .memory = -1, .locality = -1, .gpus = 1 << 30}, NS_ERR_RANGE, "1073741824 GPUs"},
    {{.size = sizeof(ns_fit_settings), .memory = -1, .locality = -1, .gpus = -1, .statistic = "mode"},
     NS_ERR_NAME,
     "a fit's statistic has no choice \"mode\""},
    {{.size = sizeof(ns_fit_settings), .memory = -1, .locality = -1, .gpus = -1, .tool = "osv"},
     NS_ERR_NAME,
     "no log tool \"osv\""},
};

TEST_EACH(test_refused, (int)(sizeof refused / sizeof *refused))
{
    ns_fitted *const was = (ns_fitted *)(uintptr_t)0x5a5a, *fitted = was;
    ns_error err = {0};
    ck_assert_int_eq(ns_fit_files(one_log, 1, &refused[_i].settings, &fitted, &err), refused[_i].code);
    ck_assert_msg(strstr(err.text, refused[_i].words) != NULL, "%s", err.text);
    ck_assert_ptr_eq(fitted, was);
}

TEST(test_no_log)
{
    static const char *const missing[] = {"no/such.log"};
    ns_fitted *const was = (ns_fitted *)(uintptr_t)0x5a5a, *fitted = was;
    ns_error err = {0};
    ck_assert_int_eq(ns_fit_files(one_log, 0, NULL, &fitted, &err), NS_ERR_RANGE);
    ck_assert_str_eq(err.text, "a fit wants at least one log, got 0");
    err = (ns_error){0};
    ck_assert_int_eq(ns_fit_files(missing, 1, NULL, &fitted, &err), NS_ERR_FILE);
    ck_assert_ptr_eq(fitted, was);
}

/* Each call for memory fails, with all after it, until there is enough.  Assertions take memory, so they wait. */
TEST(test_no_memory)
{
    ns_fitted *const was = (ns_fitted *)(uintptr_t)0x5a5a, *fitted = was;
    ns_machine *const none = (ns_machine *)(uintptr_t)0x5a5a, *machine = none;
    ns_fit_settings settings = usual;
    settings.title = "a title";
    ns_status status = NS_ERR_MEMORY;
    for (long n = 0; status == NS_ERR_MEMORY; n++) {
        allocations_limit(allocations() + n);
        status = ns_fit_files(one_log, 1, &settings, &fitted, NULL);
        allocations_limit(-1);
        ck_assert(status == NS_OK || fitted == was);
    }
    ck_assert_int_eq(status, NS_OK);
    status = NS_ERR_MEMORY;
    for (long n = 0; status == NS_ERR_MEMORY; n++) {
        allocations_limit(allocations() + n);
        status = ns_fitted_machine(fitted, &machine, NULL);
        allocations_limit(-1);
        ck_assert(status == NS_OK || machine == none);
    }
    ck_assert_int_eq(status, NS_OK);
    ns_machine_free(machine);
    ns_fitted_free(fitted);
}
