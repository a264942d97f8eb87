/* test_places_written.c -- where names lead that are to be written: descriptors, and links that grow */
#include "io/whole_file.h"
#include "support/shell.h"
#include "support/test.h"

/* Names of descriptors, and names that only look like them. */
TEST(test_names_of_descriptors)
{
    static const struct {
        const char *path;
        int descriptor;
    } names[] = {{"/dev/fd/1", 1},           {"/proc/self/fd/12", 12},
                 {"/dev/fd/999999", 999999}, {"/dev/fd/1000000", -1},
                 {"/dev/fd/1x", -1},         {"/dev/fd/:", -1},
                 {"/dev/fd/", -1},           {"/dev/fd/-1", -1},
                 {"/proc/self/fd/+", -1},    {"fd/1", -1}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        ns_destination place = {.descriptor = -7};
        const ns_status status = ns_destination_find(names[i].path, &place, NULL);
        if (status == NS_OK) /* a folder is refused */
            ck_assert_msg(place.descriptor == names[i].descriptor, "%s: %d", names[i].path, place.descriptor);
        ck_assert_msg(status == NS_OK || names[i].descriptor < 0, "%s", names[i].path);
    }
}

/* Links whose names grow beyond what a name may be, though each of them is short enough. */
TEST(test_growing_links)
{
    ns_error err = {0};
    ns_destination place;
    char target[2100] = "";
    for (int i = 0; i < 900; i++)
        strcat(target, "./");
    ck_assert_int_eq(chdir(scratch_open()), 0);
    ck_assert_int_eq(mkdir("d", 0700), 0);
    strcat(target, "b");
    ck_assert_int_eq(symlink(target, "d/a"), 0);
    ck_assert_int_eq(symlink(target, "d/b"), 0);
    ck_assert_int_eq(ns_destination_find("d/a", &place, &err), NS_ERR_FILE);
    ck_assert_str_eq(err.text, "is a link that leads nowhere");
    ck_assert_int_eq(chdir("/"), 0);
    scratch_close();
}
