/* test_page_refused.c -- what nsmodel report refuses, and pages that cannot be written */
#include "core/memory.h"
#include "support/cli.h"
#include "support/files.h"
#include "support/page.h"
#include "support/test.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

static const cli_refusal refusals[] = {
    {"report --matrix stencil9:40x40", 2, "report wants -o FILE.html"},
    {"report --matrix stencil9:40x40 -o TMP/page.pdf", 2, "-o wants a name that ends in .html, got \"TMP/page.pdf\""},
    {"report --matrix stencil9:40x40 -o ''", 2, "-o wants a name that ends in .html, got \"\""},
    {"report -o TMP/refused.html", 2, "report wants --matrix M"},
    {"report --matrix stencil9:9x9 --messages m.csv -o TMP/refused.html", 2, "--messages FILE.csv, not both"},
    {"report --matrix stencil9:9x9 --machine lassen, -o TMP/refused.html", 1, "holds an empty name"},
    {"report --matrix stencil9:9x9 --machine lasen -o TMP/refused.html", 1, "lassen"},
    {"report --matrix audikw_2 -o TMP/refused.html", 1, "audikw_1"},
    {"report --matrix stencil9:9x9 --gpus 0 -o TMP/refused.html", 1, "--gpus wants whole numbers from 1"},
    {"report --matrix stencil9:9x9 --nodes 0 -o TMP/refused.html", 1, "--nodes wants whole numbers from 1"},
    {"report --matrix stencil9:9x9 --k 0 -o TMP/refused.html", 1, "--k wants whole numbers from 1"},
    {"report --matrix stencil9:9x9 --netsparse lassen --nodes 2 -o TMP/refused.html", 1, "lassen"},
    {"report --matrix stencil9:9x9 --set host.x=1 -o TMP/refused.html", 1, "host.x"},
    {"report --matrix stencil9:9x9 extra -o TMP/refused.html", 2, "unexpected argument \"extra\""},
    {"report --matrix stencil9:9x9 -o TMP/no-such-folder/page.html", 1,
     "TMP/no-such-folder/page.html: cannot be created"},
};

TEST_EACH(test_refused, sizeof refusals / sizeof *refusals)
{
    struct stat facts;
    remove(cli_path("refused.html"));
    cli_refused(refusals[_i]);
    ck_assert_int_ne(stat(cli_path("refused.html"), &facts), 0);
}

TEST(test_folder_in_the_way)
{
    const char *folder = cli_path("folder.html");
    mkdir(folder, 0777);
    cli_refused((cli_refusal){PAGE_SMALL "-o TMP/folder.html", 1, "nsmodel: TMP/folder.html: is a folder\n"});
    ck_assert_int_eq(rmdir(folder), 0);
}

/* A disk that is full after 20 kB: the page that was there stays, and no piece of the new one. */
TEST(test_full_disk)
{
    char line[600];
    const struct rlimit most = {20000, 20000};
    const char *path = cli_file("kept.html", "the page before");
    snprintf(line, sizeof line, PAGE_SMALL "-o %s", path);
    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &most), 0);
    cli_result r = cli(line);
    ck_assert_int_eq(r.code, 1);
    ck_assert_ptr_nonnull(strstr(r.err, "kept.html: could not be written"));
    char *page = read_whole(path);
    ck_assert_str_eq(page, "the page before");
    ns_free(page);
    cli_free(&r);
}
