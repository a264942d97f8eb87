/* test_value.c -- the value tree: building, chaining through failures, looking up, copying without flagged nodes */

#include "core/memory.h"
#include "core/value.h"
#include "support/test.h"

TEST(holds_what_was_put_in)
{
    ns_value *root = ns_value_new();
    char name[] = "alpha", text[] = "lassen";
    ck_assert_ptr_nonnull(root);
    ck_assert_int_eq(root->kind, NS_OBJECT);
    ck_assert_str_eq(root->name, "");
    ns_value *number = ns_value_number(root, name, 2.385e-6, (ns_dim){1, 0, 0});
    ns_value *word = ns_value_text(root, "machine", text);
    name[0] = text[0] = '?'; /* names and texts are copied */
    ck_assert_str_eq(number->name, "alpha");
    ck_assert_double_eq(number->number, 2.385e-6);
    ck_assert(ns_dim_equal(number->dim, (ns_dim){1, 0, 0}));
    ck_assert_str_eq(word->text, "lassen");
    ck_assert_str_eq(ns_value_textf(root, "f", "%d of %s", 3, "seven")->text, "3 of seven");
    ck_assert_int_eq(ns_value_bool(root, "ok", true)->truth, true);
    ck_assert_int_eq(ns_value_null(root, "none")->kind, NS_NULL);
    ck_assert_int_eq(ns_value_text(root, "no text", NULL)->kind, NS_NULL);
    ck_assert(ns_dim_equal(ns_value_count(root, "n", 9)->dim, NS_DIMENSIONLESS));
    ns_value *list = ns_value_list(root, "list");
    ck_assert_str_eq(ns_value_count(list, "ignored", 1)->name, "");
    const char *const order[] = {"alpha", "machine", "f", "ok", "none", "no text", "n", "list"};
    const ns_value *child = root->first;
    for (size_t i = 0; i < sizeof order / sizeof *order; i++, child = child->next)
        ck_assert_str_eq(child->name, order[i]);
    ck_assert_ptr_null(child);
    ck_assert_ptr_eq(root->last, list);
    ck_assert(ns_value_complete(root));
    ns_value_free(root);
}

TEST(null_goes_through)
{
    ns_value *root = ns_value_new();
    ck_assert_ptr_null(ns_value_object(NULL, "a"));
    ck_assert_ptr_null(ns_value_list(NULL, "a"));
    ck_assert_ptr_null(ns_value_number(NULL, "a", 1, NS_DIMENSIONLESS));
    ck_assert_ptr_null(ns_value_count(NULL, "a", 1));
    ck_assert_ptr_null(ns_value_text(NULL, "a", "b"));
    ck_assert_ptr_null(ns_value_textf(NULL, "a", "%s", "b"));
    ck_assert_ptr_null(ns_value_bool(NULL, "a", true));
    ck_assert_ptr_null(ns_value_null(NULL, "a"));
    ck_assert_ptr_null(ns_value_get(NULL, "a"));
    ck_assert_ptr_null(ns_value_at(NULL, "a.b"));
    ck_assert(!ns_value_complete(NULL));
    ns_value_free(NULL);
    ck_assert(ns_value_complete(root));
    ns_value *leaf = ns_value_count(root, "n", 1);
    ck_assert_ptr_null(ns_value_count(leaf, "below a leaf", 2));
    ck_assert(!ns_value_complete(root)); /* asked for, and not made */
    ns_value_free(root);
}

TEST(finds_by_path)
{
    ns_value *root = ns_value_new();
    ns_value *host = ns_value_object(root, "host");
    ns_value *list = ns_value_list(ns_value_object(host, "off-node"), "tables");
    ns_value_count(ns_value_object(list, NULL), "alpha", 11);
    ns_value_count(ns_value_object(list, NULL), "alpha", 12);
    ns_value_count(root, "a.b", 13);
    ns_value_count(ns_value_object(root, "a"), "c", 14);
    static const struct {
        const char *path;
        double number; /* 0: not there */
    } rows[] = {
        {"host.off-node.tables.0.alpha", 11},
        {"host.off-node.tables.1.alpha", 12},
        {"a.b", 13},
        {"a.c", 14},
        {"host.off-node.tables.2.alpha", 0},
        {"host.off-node.tables.x", 0},
        {"a.d", 0},
        {"", 0},
        {"host..tables", 0},
        {"host.off-node.tables.", 0},
        {".", 0},
        {"ho", 0},
        {"host.off-node.tables.99999999999999999999999999", 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const ns_value *found = ns_value_at(root, rows[i].path);
        ck_assert_msg((found != NULL) == (rows[i].number != 0), "%s", rows[i].path);
        if (found != NULL)
            ck_assert_double_eq(found->number, rows[i].number);
    }
    ck_assert_ptr_eq(ns_value_get(root, "host"), host);
    ck_assert_ptr_null(ns_value_get(root, "hos"));
    ck_assert_ptr_null(ns_value_get(root, "hosts"));
    ck_assert_double_eq(ns_value_get(root, "a.b")->number, 13);
    ns_value_free(root);
}

/* Over many chunks of the arena, and texts larger than one. */
TEST(grows)
{
    enum { NODES = 200000, LONG = 3000000 };
    ns_value *root = ns_value_new(), *list = ns_value_list(root, "list");
    char *longer = ns_malloc(LONG + 1);
    memset(longer, 'x', LONG);
    longer[LONG] = '\0';
    for (int i = 0; i < NODES; i++) {
        ns_value_textf(ns_value_object(list, NULL), "name", "%d", i);
        if (i == NODES / 2)
            ns_value_text(root, "long", longer);
    }
    ck_assert(ns_value_complete(root));
    int i = 0;
    for (const ns_value *node = list->first; node != NULL; node = node->next, i++)
        ck_assert_int_eq(atoi(node->first->text), i);
    ck_assert_int_eq(i, NODES);
    ck_assert_str_eq(ns_value_get(root, "long")->text, longer);
    ns_free(longer);
    ns_value_free(root);
}

TEST(copies_without_flags)
{
    ns_value *root = ns_value_new();
    ns_value_count(root, "keep", 1)->flags = NS_V_MARK;
    ns_value *dropped = ns_value_object(root, "drop");
    dropped->flags = NS_V_JSON_ONLY;
    ns_value_count(dropped, "below", 2);
    ns_value_text(ns_value_list(root, "list"), NULL, "note")->flags = NS_V_NOTE;
    ns_value_number(root, "t", 3, (ns_dim){1, 0, 0});
    ns_value *copy = ns_value_without(root, NS_V_JSON_ONLY | NS_V_NOTE);
    ns_value_free(root); /* the copy stands alone */
    ck_assert(ns_value_complete(copy));
    ck_assert_uint_eq(ns_value_get(copy, "keep")->flags, NS_V_MARK);
    ck_assert_ptr_null(ns_value_get(copy, "drop"));
    ck_assert_ptr_null(ns_value_get(copy, "list")->first);
    ck_assert(ns_dim_equal(ns_value_get(copy, "t")->dim, (ns_dim){1, 0, 0}));
    ns_value_free(copy);
}

TEST_TIMEOUT(300)
