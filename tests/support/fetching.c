/* fetching.c -- nsmodel matrix get of one small matrix from a server on loopback into a cache of the test's own */
#include "fetching.h"

#include "core/memory.h"
#include "shell.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

archive fetching_good;
char fetching_cache[1200], fetching_path[1400], fetching_part[1500];

void fetching_setup(void)
{
    static const char *const proxies[] = {"http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"};
    const char *folder = scratch_open();
    snprintf(fetching_cache, sizeof fetching_cache, "%s/cache", folder);
    snprintf(fetching_path, sizeof fetching_path, "%s/nsmodel/" FILE_NAME, fetching_cache);
    snprintf(fetching_part, sizeof fetching_part, "%s.part", fetching_path);
    for (size_t i = 0; i < sizeof proxies / sizeof *proxies; i++)
        ck_assert_int_eq(unsetenv(proxies[i]), 0);
    ck_assert_int_eq(
        setenv("XDG_CACHE_HOME", fetching_cache, 1) | setenv("HOME", folder, 1) | unsetenv("NSMODEL_MATRIX_PATH"), 0);
    fetching_good = archive_make("ash219", ROWS, COLS, ENTRIES, NOISE);
}

void fetching_teardown(void)
{
    server_stop();
    archive_free(&fetching_good);
    scratch_close();
}

server_answer fetching_whole(void)
{
    return (server_answer){.bytes = fetching_good.bytes, .size = fetching_good.size, .tag = "\"v1\""};
}

void fetching_leave_part(const unsigned char *bytes, size_t size, const char *tag)
{
    shell_ok("mkdir -p '%s/nsmodel/HB'", fetching_cache);
    FILE *file = fopen(fetching_part, "wb");
    ck_assert(file != NULL && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
    if (tag != NULL)
        shell_ok("printf %%s '%s' > '%s.tag'", tag, fetching_part);
}

cli_result fetching_get(const char *base)
{
    char line[400];
    snprintf(line, sizeof line, "matrix get " NAME " --url %s/ --format csv", base);
    return cli(line);
}

void fetching_asked(const char *lines)
{
    ck_assert_str_eq(server_requests(), lines);
}

bool fetching_there(const char *file)
{
    return access(file, F_OK) == 0;
}

void fetching_expect_file(void)
{
    char out[400];
    unsigned char *bytes = ns_malloc(fetching_good.size + 1);
    FILE *file = fopen(fetching_path, "rb");
    ck_assert_msg(file != NULL, "%s is not there", fetching_path);
    ck_assert_uint_eq(fread(bytes, 1, fetching_good.size + 1, file), fetching_good.size);
    ck_assert_int_eq(memcmp(bytes, fetching_good.bytes, fetching_good.size), 0);
    fclose(file);
    ns_free(bytes);
    ck_assert_int_eq(shell(out, sizeof out, "ls -A '%s/nsmodel/HB'", fetching_cache), 0);
    ck_assert_str_eq(out, "ash219.tar.gz\n");
}

void fetching_expect_part(size_t size)
{
    struct stat facts;
    ck_assert_msg(stat(fetching_part, &facts) == 0, "no %s", fetching_part);
    ck_assert_uint_eq((size_t)facts.st_size, size);
}

void fetching_expect_status(cli_result *r, const char *status)
{
    char wanted[40];
    snprintf(wanted, sizeof wanted, "\nstatus,%s,\n", status);
    ck_assert_msg(r->code == 0, "%s", r->err);
    ck_assert_str_eq(r->err, "");
    ck_assert_msg(strstr(r->out, wanted) != NULL, "wanted %s in\n%s", wanted, r->out);
}

void fetching_expect_failure(cli_result *r, int code, const char *words)
{
    cli_result_refused(r, (cli_refusal){"matrix get", code, words});
    ck_assert(!fetching_there(fetching_path));
}
