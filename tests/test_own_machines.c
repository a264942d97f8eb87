/* test_own_machines.c -- machines of the user's own by name, and the one that is meant where none is said */
#include <sys/stat.h>

#include "core/memory.h"
#include "support/cli.h"
#include "support/files.h"
#include "support/test.h"

static char config[300];

/* A folder with NAME.json, a copy of a shipped machine. */
static void keep(const char *name, const char *shipped)
{
    char path[500], source[100];
    snprintf(config, sizeof config, "%s", cli_file("own_config", ""));
    remove(config);
    mkdir(config, 0700);
    snprintf(path, sizeof path, "%s/nsmodel", config);
    mkdir(path, 0700);
    snprintf(path, sizeof path, "%s/nsmodel/machines", config);
    mkdir(path, 0700);
    snprintf(path, sizeof path, "%s/nsmodel/machines/%s.json", config, name);
    snprintf(source, sizeof source, "params/%s.json", shipped);
    char *text = read_whole(source);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
    ns_free(text);
    setenv("XDG_CONFIG_HOME", config, 1);
}

static void forget(const char *name)
{
    char path[500];
    snprintf(path, sizeof path, "%s/nsmodel/machines/%s.json", config, name);
    remove(path);
    for (const char *below = "/nsmodel/machines"; *below != '\0';
         below = strcmp(below, "/nsmodel") == 0 ? "" : "/nsmodel") {
        snprintf(path, sizeof path, "%s%s", config, below);
        remove(path);
    }
    remove(config);
    unsetenv("XDG_CONFIG_HOME");
    unsetenv("NSMODEL_MACHINE");
}

/* What comes next names the machine as it was asked for. */
static char *without_next(char *answer)
{
    char *next = strstr(answer, "\nNext: ");
    if (next != NULL) {
        const char *end = strstr(next + 1, "\n\n"), *rest = end != NULL ? end : next + strlen(next);
        memmove(next, rest, strlen(rest) + 1);
    }
    return answer;
}

static void check_same(const char *line, const char *as)
{
    cli_result got = cli(line), wanted = cli(as);
    ck_assert_msg(got.code == 0 && wanted.code == 0, "%s%s", got.err, wanted.err);
    ck_assert_str_eq(without_next(got.out), without_next(wanted.out));
    cli_free(&got);
    cli_free(&wanted);
}

TEST(by_name)
{
    keep("mine", "lcc3");
    check_same("predict stencil9:60x60 -n 24 --machine mine",
               "predict stencil9:60x60 -n 24 --machine params/lcc3.json");
    check_same("sweep postal --machine mine s=1KiB:1MiB:x4", "sweep postal --machine params/lcc3.json s=1KiB:1MiB:x4");
    forget("mine");
}

/* A version in a name is no path. */
TEST(by_name_with_dots)
{
    keep("mine-2.1", "lcc3");
    check_same("predict stencil9:60x60 -n 24 --machine mine-2.1",
               "predict stencil9:60x60 -n 24 --machine params/lcc3.json");
    forget("mine-2.1");
}

/* Own machines are listed behind the shipped ones, by the name that opens them; a broken one is named. */
TEST(listed)
{
    char path[600];
    keep("mine", "lcc3");
    cli_result r = cli("machines");
    ck_assert_int_eq(r.code, 0);
    const char *shipped = strstr(r.out, "\ntioga "), *own = strstr(r.out, "\nmine ");
    ck_assert(shipped != NULL && own != NULL && shipped < own);
    cli_free(&r);
    snprintf(path, sizeof path, "%s/nsmodel/machines/broken.json", config);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs("{", file);
    fclose(file);
    r = cli("machines");
    ck_assert_int_eq(r.code, 1);
    ck_assert(strstr(r.out, "\nmine ") != NULL && strstr(r.err, "left out: ") != NULL &&
              strstr(r.err, "broken.json") != NULL);
    cli_free(&r);
    remove(path);
    forget("mine");
}

TEST(by_default)
{
    keep("mine", "lcc3");
    setenv("NSMODEL_MACHINE", "mine", 1);
    check_same("predict stencil9:60x60 -n 24", "predict stencil9:60x60 -n 24 --machine params/lcc3.json");
    check_same("predict stencil9:60x60 -n 24 --machine summit",
               "predict stencil9:60x60 -n 24 --machine params/summit.json");
    setenv("NSMODEL_MACHINE", "dane", 1);
    check_same("sensitivity --matrix stencil9:60x60 -n 224",
               "sensitivity --matrix stencil9:60x60 -n 224 --machine dane");
    forget("mine");
}

static void check_err(const char *line, int code, const char *words)
{
    cli_result r = cli(line);
    ck_assert_msg(r.code == code && strcmp(r.err, words) == 0, "%s: %d, %s", line, r.code, r.err);
    cli_free(&r);
}

/* A shipped name means the same everywhere, and the file that it hides is named with its remedy; a folder that is not
 * there is no error. */
TEST(shipped_first)
{
    char note[700], line[700];
    keep("dane", "lcc3");
    check_same("predict stencil9:60x60 -n 224 --machine dane",
               "predict stencil9:60x60 -n 224 --machine params/dane.json");
    snprintf(note, sizeof note,
             "nsmodel: note: dane is the shipped machine; your own of that name is opened by its path, "
             "%s/nsmodel/machines/dane.json, or by another name\n",
             config);
    check_err("sweep postal --machine dane s=1KiB:1MiB:x4", 0, note);
    check_err("place stencil9:60x60 -n 2 --tries 5 --machine dane", 0, note);
    check_err("machines dane", 0, note);
    check_err("machines", 0, note);
    check_err("doctor", 1, note);
    setenv("NSMODEL_MACHINE", "dane", 1);
    check_err("sensitivity --matrix stencil9:60x60 -n 224", 0, note);
    check_err("sensitivity --matrix stencil9:60x60 -n 224 --machine params/dane.json", 0, "");
    unsetenv("NSMODEL_MACHINE");
    cli_result all = cli("machines");
    ck_assert_uint_eq(times_in(all.out, "\ndane "), 1);
    cli_free(&all);
    cli_result doctor = cli("doctor");
    ck_assert_uint_eq(times_in(doctor.out, "dane"), 2);
    ck_assert_ptr_nonnull(
        strstr(doctor.out, "own      hidden: the name is that of a shipped machine; its path opens it\n"));
    cli_free(&doctor);
    snprintf(line, sizeof line, "predict stencil9:60x60 -n 24 --machine %s/nsmodel/machines/dane.json", config);
    check_same(line, "predict stencil9:60x60 -n 24 --machine params/lcc3.json");
    cli_result by_path = cli(line);
    ck_assert_ptr_null(strstr(by_path.err, "is the shipped machine"));
    cli_free(&by_path);
    forget("dane");
    setenv("XDG_CONFIG_HOME", "/nowhere/at/all", 1);
    check_same("predict stencil9:60x60 -n 24 --machine lcc3",
               "predict stencil9:60x60 -n 24 --machine params/lcc3.json");
    unsetenv("XDG_CONFIG_HOME");
}

/* So it does where the working folder has a file of that name, which a path opens. */
TEST(hidden_file)
{
    char here[600], path[700];
    cli_result wanted = cli("predict stencil9:60x60 -n 224 --machine dane"),
               other = cli("predict stencil9:60x60 -n 224 --machine params/lcc3.json");
    char *text = read_whole("params/lcc3.json");
    ck_assert_ptr_nonnull(getcwd(here, sizeof here));
    snprintf(path, sizeof path, "%s", cli_file("dane", text));
    ns_free(text);
    *strrchr(path, '/') = '\0';
    ck_assert_int_eq(chdir(path), 0);
    cli_result shipped = cli("predict stencil9:60x60 -n 224 --machine dane"),
               file = cli("predict stencil9:60x60 -n 224 --machine ./dane");
    remove("dane");
    ck_assert_int_eq(chdir(here), 0);
    ck_assert_str_eq(shipped.out, wanted.out);
    ck_assert_str_eq(without_next(file.out), without_next(other.out));
    ck_assert_ptr_nonnull(strstr(shipped.err, "note: dane is the shipped machine; the file of that name is ./dane\n"));
    ck_assert_ptr_null(strstr(file.err, "is the shipped machine"));
    ck_assert_ptr_null(strstr(wanted.err, "is the shipped machine"));
    cli_free(&wanted);
    cli_free(&other);
    cli_free(&shipped);
    cli_free(&file);
}

TEST(unknown)
{
    setenv("NSMODEL_MACHINE", "sumit", 1);
    cli_result r = cli("predict stencil9:60x60");
    ck_assert_int_eq(r.code, 1);
    ck_assert_msg(strstr(r.err, "NSMODEL_MACHINE: ") != NULL && strstr(r.err, "did you mean \"summit\"?") != NULL, "%s",
                  r.err);
    cli_free(&r);
    unsetenv("NSMODEL_MACHINE");
}
