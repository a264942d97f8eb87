/* test_refuse.c -- what an unknown name is refused with: the nearest, the list, or where to look */

#include "core/refuse.h"
#include "support/test.h"

static const char *const three[] = {"alpha", "beta", "gamma", NULL};

static const struct row {
    const char *what, *name, *otherwise;
    size_t count;
    const char *text;
} rows[] = {
    {"no letter", "betta", NULL, 3, "no letter \"betta\"; did you mean \"beta\"?"},
    {"no letter", "betta", "`letters` lists them", 3, "no letter \"betta\"; did you mean \"beta\"?"},
    {"no letter", "omicron", NULL, 3, "no letter \"omicron\"; there are alpha, beta and gamma"},
    {"no letter", "omicron", NULL, 2, "no letter \"omicron\"; there are alpha and beta"},
    {"no letter", "omicron", NULL, 1, "no letter \"omicron\"; there is alpha"},
    {"postal has no input", "omicron", "`letters` lists them", 3,
     "postal has no input \"omicron\"; `letters` lists them"},
    {"nothing is called", "omicron", "", 3, "nothing is called \"omicron\""},
};

TEST_EACH(names, sizeof rows / sizeof *rows)
{
    const struct row *row = &rows[_i];
    ns_error err = {0};
    ck_assert_int_eq(ns_refuse_name_or(&err, row->what, row->name, three, row->count, row->otherwise), NS_ERR_NAME);
    ck_assert_str_eq(err.text, row->text);
}

/* However long the name and the list: cut, closed, and never past the room. */
TEST(too_long)
{
    static const char *many[100];
    char name[1000], text[NS_UNKNOWN_MOST + 1], small[8];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    for (size_t i = 0; i < 100; i++)
        many[i] = "a-rather-long-name";
    text[NS_UNKNOWN_MOST] = '#';
    ns_unknown_name(text, NS_UNKNOWN_MOST, "no letter", name, many, 100, NULL);
    ck_assert(text[NS_UNKNOWN_MOST] == '#' && strlen(text) < NS_UNKNOWN_MOST);
    ck_assert_ptr_nonnull(strstr(text, "nnn\"; there are a-rather-long-name, a-rather"));
    ck_assert_str_eq(ns_name_list(small, sizeof small, three, 3), "alpha, ");
}

TEST(words)
{
    int index = -1;
    ns_error err = {0};
    ck_assert(ns_choose_word("--letter", three, "beta", &index, &err) == NS_OK && index == 1);
    ck_assert(ns_choose_word("--letter", three, "delta", &index, &err) == NS_ERR_NAME && index == 1);
    ck_assert_str_eq(err.text, "--letter has no choice \"delta\"; it is one of alpha, beta, gamma");
}
