/* test_schema.c -- schema/: what every command prints with --json keeps to its schema, and each key says what it is */
#include "support/cli.h"
#include "support/files.h"
#include "support/needs.h"

#include "cli/program/program.h"
#include "core/memory.h"
#include "support/test.h"

#include <sys/wait.h>

/* A validator of other people's runs over the answers of schema/calls.txt: none has a key that its schema does not
 * describe, and no required key can be taken away unnoticed. */
TEST(answers_keep_to_their_schemas)
{
    static char said[20000];
    if (lacks(__func__, "python3") || is_sanitized(__func__))
        return;
    FILE *check = popen("python3 tools/schema.py check \"$NSMODEL_BIN\" 2>&1", "r");
    ck_assert_ptr_nonnull(check);
    const size_t used = fread(said, 1, sizeof said - 1, check);
    said[used] = '\0';
    const int status = pclose(check);
    ck_assert(WIFEXITED(status));
    if (WEXITSTATUS(status) == 77)
        skipped(__func__, "needs python3-jsonschema");
    else
        ck_assert_msg(WEXITSTATUS(status) == 0, "%s", said);
}

/* Every command that answers in JSON has a schema, where docs/commands.md says. */
TEST(every_command_has_one)
{
    char path[120];
    ns_program program;
    ns_program_make(&program);
    const ns_command *const *command = program.command;
    const size_t count = program.commands;
    char *page = read_whole("docs/commands.md");
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        snprintf(path, sizeof path, "schema/%s.schema.json", command[i]->name);
        ck_assert_msg((command[i]->run != NULL) == (access(path, R_OK) == 0), "%s: `make schema`", path);
        found += command[i]->run != NULL;
    }
    ck_assert_uint_ge(found, 20);
    ck_assert_ptr_nonnull(strstr(page, "[schema](../schema)"));
}

TEST_TIMEOUT(200)
