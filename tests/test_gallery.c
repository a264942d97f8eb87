/* test_gallery.c -- every command of docs/gallery.md draws its picture, and the page is what its list says */
#include "support/needs.h"
#include "support/shell.h"
#include "support/test.h"

TEST(gallery_is_current)
{
    if (lacks(__func__, "gnuplot"))
        return;
    shell_ok("tools/gallery.sh '%s' \"$NSMODEL_TEST_TMP/gallery.md\" && cmp \"$NSMODEL_TEST_TMP/gallery.md\" "
             "docs/gallery.md",
             shell_program());
    shell_ok("for p in \"$NSMODEL_TEST_TMP\"/gallery/*.svg; do test -s \"$p\" && test -s docs/gallery/\"${p##*/}\" || "
             "exit 1; done");
    shell_ok("test $(ls docs/gallery/*.svg | wc -l) = $(ls \"$NSMODEL_TEST_TMP\"/gallery/*.svg | wc -l)");
}

TEST_TIMEOUT(120)
