/* test_fit_machines.c -- the command in the note of each fitted machine makes that very file again
 *
 * Needs the data folder; says so and passes without it.
 */
#define _XOPEN_SOURCE 700 /* realpath */

#include <limits.h>

#include "api/library.h"
#include "support/cli.h"
#include "support/files.h"
#include "support/shared.h"
#include "support/test.h"

static const char *const fitted[] = {"bluewaters", "csd3",   "dane",   "hpc6a", "lassen-spectrum",
                                     "lcc3",       "nd40rs", "summit", "tioga"};

/* Of these only messages between nodes were measured. */
static bool is_between_nodes_only(const char *name)
{
    return strcmp(name, "csd3") == 0 || strcmp(name, "hpc6a") == 0 || strcmp(name, "nd40rs") == 0;
}

static void run_in(const char *folder, const char *line)
{
    char here[PATH_MAX];
    ck_assert(getcwd(here, sizeof here) != NULL && chdir(folder) == 0);
    cli_result r = cli(line);
    ck_assert_int_eq(chdir(here), 0);
    ck_assert_msg(r.code == 0, "nsmodel %s: %s", line, r.err);
    cli_free(&r);
}

TEST_EACH(test_same_file, sizeof fitted / sizeof *fitted)
{
    static const char program[] = "nsmodel ";
    char path[100], data[PATH_MAX], fresh[PATH_MAX], line[16384], name[60];
    ns_value *root;
    snprintf(path, sizeof path, "params/%s.json", fitted[_i]);
    snprintf(name, sizeof name, "fresh-%s.json", fitted[_i]);
    char *kept = read_whole(path);
    ck_assert_int_eq(ns_json_parse(kept, path, &root, NULL), NS_OK);
    const char *command = ns_value_get(root, "note")->text;
    ck_assert_msg(strncmp(command, program, sizeof program - 1) == 0, "%s: the note is no command: %s", path, command);
    if (shared_path("test_same_file", "data/pingpong", data, sizeof data)) {
        ck_assert_ptr_nonnull(realpath(cli_file(name, ""), fresh));
        snprintf(line, sizeof line, "%s -o %s", command + sizeof program - 1, fresh);
        run_in(data, line);
        char *now = read_whole(fresh);
        ck_assert_msg(strcmp(now, kept) == 0, "%s is not what its command makes: run evidence/pages/machines.sh", path);
        ns_free(now);
    }
    ns_value_free(root);
    ns_free(kept);
}

/* Every number of theirs says where it is from, and each line has its errors and its range; what was calibrated
 * has none. */
TEST_EACH(test_provenance, sizeof fitted / sizeof *fitted)
{
    ns_machine *machine;
    ck_assert_int_eq(ns_machine_load(fitted[_i], &machine, NULL), NS_OK);
    for (size_t i = 0; i < machine->parameters; i++) {
        const ns_parameter *p = &machine->parameter[i];
        const size_t length = strlen(p->path);
        const bool line = (length > 6 && strcmp(p->path + length - 6, ".alpha") == 0) ||
                          (length > 5 && strcmp(p->path + length - 5, ".beta") == 0);
        ck_assert_msg(*p->source != '\0', "%s: %s has no source", machine->name, p->path);
        ck_assert_msg(!line || p->se > 0 || p->calibrated, "%s: %s has no standard error", machine->name, p->path);
    }
    ns_machine_free(machine);
}

/* Do the lines cross between the last size that the one before was measured at and the first of the next? */
static bool crosses_between(const ns_machine *m, const ns_machine_drop *drop)
{
    const ns_line *before = &m->line[drop->memory][drop->locality][drop->from],
                  *after = &m->line[drop->memory][drop->locality][drop->to];
    const double crossing = (after->alpha - before->alpha) / (before->beta - after->beta);
    return crossing >= before->to + 1 && crossing < drop->size;
}

/* Where a protocol's first size was found (Blue Waters' were given), times fall at it only where they fell as
 * measured: no line is used past what it was fitted to although the next is faster there. */
TEST_EACH(test_first_sizes, sizeof fitted / sizeof *fitted)
{
    ns_machine *machine;
    ns_machine_drop drop;
    ck_assert_int_eq(ns_machine_load(fitted[_i], &machine, NULL), NS_OK);
    for (size_t i = 0; ns_machine_drop_at(machine, i, &drop); i++)
        ck_assert_msg(strcmp(fitted[_i], "bluewaters") == 0 || drop.in_flight || !crosses_between(machine, &drop),
                      "%s: %s %s falls at %g B", machine->name, ns_locality_words[drop.locality],
                      ns_protocol_words[drop.to], drop.size);
    ns_machine_free(machine);
}

/* An exchange is priced on each; what stands for a table that the file lacks is said. */
TEST_EACH(test_predicts, sizeof fitted / sizeof *fitted)
{
    char line[200];
    snprintf(line, sizeof line, "predict --matrix stencil9:60x60 --parts 32 --machine %s", fitted[_i]);
    cli_result r = cli(line);
    ck_assert_msg(r.code == 0, "%s", r.err);
    ck_assert_msg(is_between_nodes_only(fitted[_i]) ==
                      (strstr(r.err, " has no table of messages inside a node for ") != NULL),
                  "%s", r.err);
    cli_free(&r);
}

TEST_TIMEOUT(240)
