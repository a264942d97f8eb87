/* test_ways.c -- ways by groups of ranks and along a grid: their names, what predict says of them, and when it shows
 * one without being asked */

#include "api/library.h"
#include "core/memory.h"
#include "strategy/ways.h"
#include "support/cli.h"
#include "support/machines.h"
#include "support/test.h"
#include "support/values.h"

/* ---- names ------------------------------------------------------------------------------------------------------- */

static const struct {
    const char *word;
    const char *name; /* or NULL: refused */
    const char *text;
} names[] = {
    {"two-step:8", "two-step:8", NULL},
    {"2-step:8", "two-step:8", NULL},
    {"3-step:socket", "three-step:socket", NULL},
    {"staged:4x4x4", "staged:4x4x4", NULL},
    {"staged:router", "staged:router", NULL},
    {"staged:64", "staged:64", NULL},
    {"two-step:0", NULL,
     "no strategy \"two-step:0\": \"0\" is no number of 1 to 4194304; wanted two-step or three-step "
     "with the ranks of a group, like two-step:8, or socket"},
    {"two-step:8x", NULL, "no strategy \"two-step:8x\": \"8x\" is no number"},
    {"two-step:", NULL, "no strategy \"two-step:\": \"\" is no number"},
    {"two-step:-2", NULL, "\"-2\" is no number"},
    {"two-step:node", NULL, "\"node\" is no number"},
    {"standard:4", NULL, "standard has no groups; wanted two-step or three-step"},
    {"split-md:4", NULL, "split-md has no groups"},
    {"tow-step:4", NULL, "no strategy \"tow-step\""},
    {"staged:4x", NULL,
     "no strategy \"staged:4x\": \"\" is no number of 1 to 4194304; wanted staged:router, or places"},
    {"staged:4x0x2", NULL, "\"0\" is no number"},
    {"staged:routers", NULL, "\"routers\" is no number"},
    {"staged:1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1", NULL, "has more than 16 dimensions"},
    {"staged", NULL, "no strategy \"staged\""},
};

TEST_EACH(named, sizeof names / sizeof *names)
{
    ns_made_ways made = {0};
    const ns_strategy *one = NULL, *again = NULL;
    size_t count = 0;
    ns_error err = {0};
    const ns_status status = ns_ways_named(&made, names[_i].word, &one, 1, &count, &err);
    if (names[_i].name == NULL) {
        ck_assert_int_ne(status, NS_OK);
        ck_assert_msg(strstr(err.text, names[_i].text) != NULL, "%s", err.text);
        return;
    }
    ck_assert_msg(status == NS_OK, "%s", err.text);
    ck_assert(count == 1);
    ck_assert_str_eq(one->name, names[_i].name);
    ck_assert(ns_ways_named(&made, names[_i].name, &again, 1, &count, &err) == NS_OK && again == one);
    ck_assert(made.count == 1);
}

/* ---- the library ------------------------------------------------------------------------------------------------- */

/* A selection makes them; an exchange of a matrix has to be made for them. */
TEST(selected)
{
    static const int64_t start[] = {0, 1, 2, 3, 4}, col[] = {3, 2, 1, 0};
    ns_machine *machine = machine_named("dane");
    ns_selection *selection = NULL;
    ns_comparison *comparison = NULL;
    ns_choice_info info = {.size = sizeof info};
    ns_error err = {0};
    ck_assert(ns_selection_open(&selection, &err) == NS_OK);
    ck_assert(ns_selection_add(selection, "two-step:2", &err) == NS_OK);
    ck_assert(ns_selection_add(selection, "staged:router", &err) == NS_OK);
    for (int groups = 0; groups < 2; groups++) {
        const ns_exchange_options options = {.size = sizeof options, .groups = groups == 1};
        ns_exchange *x = NULL;
        ck_assert(ns_exchange_from_csr(4, 4, start, col, (ns_layout){4, 2}, &options, &x, &err) == NS_OK);
        const ns_status status = ns_compare(x, machine, selection, &comparison, &err);
        ck_assert_int_eq(status, groups == 1 ? NS_OK : NS_ERR_DATA);
        if (groups == 0)
            ck_assert_str_eq(err.text,
                             "the exchange does not keep what parts of a node have in common; wanted one that "
                             "was made with the option groups");
        ns_exchange_free(x);
    }
    ck_assert_int_eq(ns_comparison_choices(comparison), 2);
    ck_assert(ns_comparison_choice(comparison, 0, &info, &err) == NS_OK);
    ck_assert_str_eq(info.name, "two-step:2");
    ns_comparison_free(comparison);
    ns_selection_free(selection);
}

/* ---- predict ----------------------------------------------------------------------------------------------------- */

static const ns_value *row_of(const ns_value *root, const char *strategy)
{
    const ns_value *row = ns_value_get(ns_value_get(root, "cases")->first, "strategies")->first;
    while (row != NULL && strcmp(text_at(row, "strategy"), strategy) != 0)
        row = row->next;
    return row;
}

/* Worked out by hand: 4 nodes of 4, everyone sends 100 B to everyone.  By groups of 2 a process has 7 other groups, 6
 * of them on other nodes; along 4x4 it passes 4 blocks at a time. */
TEST(asked_for)
{
    ns_value *root =
        cli_json("predict --messages alltoall:100B --machine dane --nodes 4 --per-node 4 --strategy "
                 "standard/host,two-step:2/host,two-step:1/host,two-step/host,two-step:4/host,staged:4x4/host");
    const ns_value *of = row_of(root, "two-step:2");
    ck_assert_double_eq(number_at(of, "g"), 2);
    ck_assert_str_eq(text_at(of, "transport"), "host");
    ck_assert_double_eq(number_at(of, "messages_off_node_max"), 6);
    ck_assert_double_eq(number_at(row_of(root, "standard"), "messages_off_node_max"), 12);
    ck_assert_double_eq(number_at(row_of(root, "staged:4x4"), "messages_off_node_max"), 3);
    ck_assert(ns_value_get(row_of(root, "standard"), "g") == NULL);
    ck_assert_str_eq(ns_value_get(of, "scored_on")->first->text, "dane");
    ck_assert_str_eq(ns_value_get(row_of(root, "staged:4x4"), "scored_on")->first->text, "daint");
    ck_assert_str_eq(ns_value_get(row_of(root, "standard"), "scored_on")->first->text, "bluewaters");
    ck_assert(number_at(row_of(root, "two-step:1"), "estimate_s") == number_at(row_of(root, "standard"), "estimate_s"));
    ck_assert(number_at(row_of(root, "two-step:4"), "estimate_s") == number_at(row_of(root, "two-step"), "estimate_s"));
    ck_assert(number_at(of, "estimate_s") != number_at(row_of(root, "two-step"), "estimate_s"));
    ck_assert(ns_value_get(ns_value_get(root, "cases")->first, "searched") == NULL);
    ns_value_free(root);
}

/* What is in use stands in a row without being named twice. */
TEST(in_use)
{
    ns_value *root =
        cli_json("predict --messages alltoall:100B --machine dane --nodes 4 --per-node 4 --incumbent two-step:2/host");
    ck_assert_ptr_nonnull(row_of(root, "two-step:2"));
    ck_assert_ptr_nonnull(row_of(root, "split-dd"));
    ck_assert_str_eq(text_at(ns_value_get(ns_value_get(root, "cases")->first, "decision"), "incumbent.strategy"),
                     "two-step:2");
    ns_value_free(root);
}

/* Shown where it gains 5 %, told of where not, and not looked for beside GPUs or on nodes of few. */
static const struct {
    const char *line;
    bool searched;
} searches[] = {
    {"predict --messages alltoall:512B --machine dane --nodes 4", true},
    {"predict --messages alltoall:64KiB --machine dane --nodes 4", true},
    {"predict --matrix rajat01 --machine dane --nodes 4", true},
    {"predict --matrix rajat01 --machine dane --nodes 8 --per-node 16", false},
    {"predict --matrix rajat01 --machine dane --nodes 1", false},
    {"predict --matrix rajat01 --machine lassen --gpus 64", false},
};

TEST_EACH(searched, sizeof searches / sizeof *searches)
{
    ns_value *root = cli_json(searches[_i].line);
    const ns_value *one = ns_value_get(root, "cases")->first, *found = ns_value_get(one, "searched");
    ck_assert_int_eq(found != NULL, searches[_i].searched);
    double best = INFINITY;
    char way[80] = "";
    for (const ns_value *row = ns_value_get(one, "strategies")->first; row != NULL; row = row->next)
        if (strchr(text_at(row, "strategy"), ':') == NULL)
            best = fmin(best, number_at(row, "estimate_s"));
        else
            snprintf(way, sizeof way, "%s/%s", text_at(row, "strategy"), text_at(row, "transport"));
    if (found != NULL) {
        const bool gains = number_at(found, "estimate_s") < 0.95 * best;
        ck_assert_str_eq(way, gains ? text_at(found, "fastest") : "");
    }
}

static const struct {
    const char *line, *text;
} refusals[] = {
    {"predict --messages alltoall:8B --machine dane --nodes 2 --strategy two-step:8/host,standard",
     "--strategy names transports of some strategies only, or different ones; wanted the same for all, or --transport"},
    {"predict --messages alltoall:8B --machine dane --nodes 2 --strategy two-step/host --transport host",
     "--strategy names a transport already; wanted no --transport with it"},
    {"predict --messages alltoall:8B --machine dane --nodes 2 --strategy two-step/hots", "no transport \"hots\""},
    {"predict --messages alltoall:8B --machine dane --nodes 2 --strategy staged:4x4",
     "staged:4x4 has fewer places than there are processes, 224; wanted as many or more"},
};

TEST_EACH(refused, sizeof refusals / sizeof *refusals)
{
    cli_result r = cli(refusals[_i].line);
    ck_assert_int_ne(r.code, 0);
    ck_assert_msg(strstr(r.err, refusals[_i].text) != NULL, "%s", r.err);
}

TEST_TIMEOUT(120)
