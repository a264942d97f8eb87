/* test_pipeline.c -- entries made on one thread arrive on another: all, in order; an end on either side ends both */

#include "matrix/source.h"
#include "support/test.h"

enum { ENTRIES = 100000 };

/* Makes entries i of (i, 3 i) in batches of `batch`, and fails before entry `fails_at`. */
typedef struct maker {
    int64_t batch, fails_at, made;
} maker;

static ns_status make(ns_matrix *matrix, ns_entry_fn *receive, void *context, ns_error *err)
{
    static ns_entry entries[ENTRIES];
    maker *m = matrix->state;
    for (int64_t first = 0; first < ENTRIES; first += m->batch) {
        const int64_t end = first + m->batch < ENTRIES ? first + m->batch : ENTRIES;
        if (end > m->fails_at)
            return ns_fail(err, NS_ERR_FILE, "the maker stops");
        for (int64_t i = first; i < end; i++)
            entries[i - first] = (ns_entry){.row = i, .col = 3 * i};
        m->made = end;
        NS_TRY(receive(context, entries, (size_t)(end - first), err));
    }
    return NS_OK;
}

typedef struct taker {
    int64_t taken, fails_at;
    bool wrong;
} taker;

static ns_status take(void *context, const ns_entry *entries, size_t count, ns_error *err)
{
    taker *t = context;
    for (size_t i = 0; i < count; i++, t->taken++) {
        t->wrong = t->wrong || entries[i].row != t->taken || entries[i].col != 3 * t->taken;
        if (t->taken == t->fails_at)
            return ns_fail(err, NS_ERR_LIMIT, "the receiver stops");
    }
    return NS_OK;
}

static const int64_t batches[] = {1, 7, 8191, 8192, 8193, 50000, ENTRIES};
enum { BATCHES = sizeof batches / sizeof *batches };

TEST_EACH(all_in_order, BATCHES)
{
    maker m = {.batch = batches[_i], .fails_at = INT64_MAX};
    taker t = {.fails_at = -1};
    ns_matrix matrix = {.state = &m};
    ns_error err = {0};
    ck_assert_msg(ns_pipeline_scan(&matrix, make, take, &t, &err) == NS_OK, "%s", err.text);
    ck_assert(!t.wrong);
    ck_assert_int_eq(t.taken, ENTRIES);
}

/* What was made before arrives. */
TEST_EACH(maker_fails, BATCHES)
{
    maker m = {.batch = batches[_i], .fails_at = ENTRIES / 2};
    taker t = {.fails_at = -1};
    ns_matrix matrix = {.state = &m};
    ns_error err = {0};
    ck_assert_int_eq(ns_pipeline_scan(&matrix, make, take, &t, &err), NS_ERR_FILE);
    ck_assert_str_eq(err.text, "the maker stops");
    ck_assert(!t.wrong);
    ck_assert_int_eq(t.taken, m.made);
    ns_error kept = {.code = NS_ERR_DATA, .text = "earlier"};
    ck_assert_int_eq(ns_pipeline_scan(&matrix, make, take, &(taker){.fails_at = -1}, &kept), NS_ERR_FILE);
    ck_assert_str_eq(kept.text, "earlier");
}

/* The maker does not go on to its end, and the receiver is not called again. */
TEST_EACH(receiver_fails, BATCHES)
{
    static const int64_t at[] = {0, 1, 8192, 20000};
    for (int i = 0; i < 4; i++) {
        maker m = {.batch = batches[_i], .fails_at = INT64_MAX};
        taker t = {.fails_at = at[i]};
        ns_matrix matrix = {.state = &m};
        ns_error err = {0};
        ck_assert_int_eq(ns_pipeline_scan(&matrix, make, take, &t, &err), NS_ERR_LIMIT);
        ck_assert_str_eq(err.text, "the receiver stops");
        ck_assert_int_eq(t.taken, at[i]);
        ck_assert(m.made < ENTRIES || m.batch >= 50000);
    }
}
