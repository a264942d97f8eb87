/* test_lines.c -- lines that wavefronts read from other clusters, against a slow count, and NetCrafter's use */

#include "api/library.h"

#include "pattern/lines.h"
#include "support/cli.h"
#include "support/test.h"

typedef struct entries {
    ns_entry *at;
    size_t count, capacity;
} entries;

static ns_status take(void *context, const ns_entry *given, size_t count, ns_error *err)
{
    entries *e = context;
    (void)err;
    for (size_t i = 0; i < count; i++) {
        if (e->count == e->capacity) {
            e->capacity = 2 * e->capacity + 64;
            e->at = ns_realloc(e->at, e->capacity * sizeof *e->at);
            ck_assert_ptr_nonnull(e->at);
        }
        e->at[e->count++] = given[i];
    }
    return NS_OK;
}

static int by_row(const void *a, const void *b)
{
    const ns_entry *x = a, *y = b;
    return x->row != y->row ? (x->row > y->row) - (x->row < y->row) : (x->col > y->col) - (x->col < y->col);
}

static int owner(int64_t i, int64_t n, int parts)
{
    int p = 0;
    while (i >= (int64_t)(p + 1) * n / parts)
        p++;
    return p;
}

/* Bytes one by one: a map of the needed bytes of all lines, for a wavefront and for the cluster. */
typedef struct maps {
    char *now, *ever, *narrow; /* [bytes], [bytes], [lines] 1: first request narrow, 2: wide */
    int64_t lines, bytes;
} maps;

static int sectors_of(const char *map, int64_t line, const ns_line_rule *rule)
{
    int sectors = 0;
    for (int64_t s = 0; s < rule->line / rule->sector; s++)
        sectors += memchr(map + line * rule->line + s * rule->sector, 1, (size_t)rule->sector) != NULL;
    return sectors;
}

static void settle_wavefront(maps *m, const ns_line_rule *rule, ns_line_counts *c)
{
    for (int64_t l = 0; l < m->lines; l++) {
        const int sectors = sectors_of(m->now, l, rule);
        if (sectors == 0)
            continue;
        c->requests++;
        c->narrow += sectors == 1;
        c->by_sectors[sectors - 1]++;
        if (sectors_of(m->ever, l, rule) == 0)
            m->narrow[l] = sectors == 1 ? 1 : 2;
        for (int64_t b = l * rule->line; b < (l + 1) * rule->line; b++)
            m->ever[b] = (char)(m->ever[b] | m->now[b]);
    }
}

/* The next wavefront from entry i on, which is in cluster p; returns the entry behind it. */
static size_t one_wavefront(const entries *e, size_t i, int p, int64_t cols, const ns_line_rule *rule, maps *m,
                            ns_line_counts *c)
{
    const int64_t row = e->at[i].row;
    int lanes = 0;
    memset(m->now, 0, (size_t)m->bytes);
    for (; i < e->count && e->at[i].row == row && lanes < rule->lanes; i++)
        if (owner(e->at[i].col, cols, rule->clusters) != p) {
            memset(m->now + e->at[i].col * rule->value, 1, (size_t)rule->value);
            lanes++;
        }
    c->reads += lanes;
    settle_wavefront(m, rule, c);
    return i;
}

static void slowly(const entries *e, int64_t rows, int64_t cols, const ns_line_rule *rule, ns_line_counts *c)
{
    const int64_t lines = cols * rule->value / rule->line + 1, bytes = lines * rule->line;
    *c = (ns_line_counts){.nonzeros = (int64_t)e->count};
    for (int p = 0; p < rule->clusters; p++) {
        maps m = {ns_calloc((size_t)bytes, 1), ns_calloc((size_t)bytes, 1), ns_calloc((size_t)lines, 1), lines, bytes};
        for (size_t i = 0; i < e->count;)
            i = owner(e->at[i].row, rows, rule->clusters) == p ? one_wavefront(e, i, p, cols, rule, &m, c) : i + 1;
        for (int64_t l = 0; l < lines; l++) {
            c->lines += m.narrow[l] != 0;
            c->narrow_lines += m.narrow[l] == 1;
            c->sectors += m.narrow[l] == 1 ? sectors_of(m.ever, l, rule) : 0;
        }
        ns_free(m.now);
        ns_free(m.ever);
        ns_free(m.narrow);
    }
}

static const struct {
    const char *matrix;
    int32_t clusters, lanes;
    int64_t value, line, sector;
} cases[] = {
    {"stencil9:20x17", 2, 64, 4, 64, 16},   {"stencil9:20x17", 3, 2, 8, 64, 16},
    {"rajat01", 2, 64, 4, 64, 16},          {"rajat01", 5, 1, 16, 64, 8},
    {"stencil27:7x6x5", 2, 64, 8, 128, 32}, {"stencil27:7x6x5", 4, 5, 32, 64, 16},
    {"stencil27:7x6x5", 1, 64, 4, 64, 16},
};

TEST_EACH(agrees_with_a_slow_count, sizeof cases / sizeof *cases)
{
    const ns_line_rule rule = {.clusters = cases[_i].clusters,
                               .lanes = cases[_i].lanes,
                               .value = cases[_i].value,
                               .line = cases[_i].line,
                               .sector = cases[_i].sector};
    ns_matrix *matrix;
    entries e = {0};
    ns_line_counts fast, slow;
    ck_assert_int_eq(ns_matrix_open(cases[_i].matrix, &matrix, NULL), NS_OK);
    const ns_matrix_info info = *ns_matrix_describe(matrix);
    ck_assert_int_eq(ns_matrix_scan(matrix, take, &e, NULL), NS_OK);
    qsort(e.at, e.count, sizeof *e.at, by_row);
    slowly(&e, info.rows, info.cols, &rule, &slow);
    ck_assert_int_eq(ns_lines_count(matrix, &rule, &fast, NULL), NS_OK);
    ck_assert_int_eq(fast.nonzeros, slow.nonzeros);
    ck_assert_int_eq(fast.reads, slow.reads);
    ck_assert_int_eq(fast.requests, slow.requests);
    ck_assert_int_eq(fast.narrow, slow.narrow);
    ck_assert_int_eq(fast.lines, slow.lines);
    ck_assert_int_eq(fast.narrow_lines, slow.narrow_lines);
    ck_assert_int_eq(fast.sectors, slow.sectors);
    for (int s = 0; s < NS_LINE_SECTORS; s++)
        ck_assert_int_eq(fast.by_sectors[s], slow.by_sectors[s]);
    ns_free(e.at);
    ns_matrix_free(matrix);
}

static const struct {
    ns_line_rule rule;
    const char *message;
} refused[] = {
    {{.clusters = 0, .lanes = 1, .value = 4, .line = 64, .sector = 16}, "have to be at least 1"},
    {{.clusters = 2, .lanes = 0, .value = 4, .line = 64, .sector = 16}, "have to be at least 1"},
    {{.clusters = 2, .lanes = 1, .value = 0, .line = 64, .sector = 16}, "have to be at least 1"},
    {{.clusters = 2, .lanes = 1, .value = 4, .line = 64, .sector = 0}, "have to be at least 1"},
    {{.clusters = 2, .lanes = 1, .value = 24, .line = 64, .sector = 16}, "whole values (24 B)"},
    {{.clusters = 2, .lanes = 1, .value = 4, .line = 128, .sector = 1}, "up to 64 whole sectors (1 B)"},
    {{.clusters = 2, .lanes = 1, .value = 128, .line = 64, .sector = 16}, "fit a line"},
    {{.clusters = 2, .lanes = 1, .value = 4, .line = 64, .sector = 16, .max_memory = 10}, "max"},
};

TEST_EACH(what_makes_no_sense_is_refused, sizeof refused / sizeof *refused)
{
    ns_matrix *matrix;
    ns_line_counts counts = {.reads = -7};
    ns_error err = {0};
    ck_assert_int_eq(ns_matrix_open("rajat01", &matrix, NULL), NS_OK);
    ck_assert_int_ne(ns_lines_count(matrix, &refused[_i].rule, &counts, &err), NS_OK);
    ck_assert_msg(refused[_i].rule.max_memory > 0 ? err.code == NS_ERR_LIMIT
                                                  : strstr(err.text, refused[_i].message) != NULL,
                  "%s", err.text);
    ck_assert_int_eq(counts.reads, -7);
    ns_matrix_free(matrix);
}

/* The share that is counted is the share that is priced; what is given stands. */
TEST(counted_shares_are_priced)
{
    static const char *const lines[] = {"netcrafter --matrix rajat01 load=0.5",
                                        "netcrafter --matrix rajat01 load=0.5 --reuse all"};
    static const char *const narrow[] = {"reads.one_sector", "reads.one_sector_lines"};
    static const char *const all[] = {"reads.requests", "reads.lines"};
    for (int i = 0; i < 2; i++) {
        ns_value *root = cli_json(lines[i]);
        const double q = ns_value_at(root, narrow[i])->number / ns_value_at(root, all[i])->number;
        const double sigma =
            i == 0 ? 1 : ns_value_at(root, "reads.sectors_of_these")->number / ns_value_at(root, narrow[i])->number;
        ck_assert(q > 0.1 && q < 1 && sigma >= 1 && sigma <= 4);
        ns_value *answer =
            cli_json_with("eval netcrafter --machine netcrafter load=0.5 trimmed=%.17g sigma=%.17g", q, sigma);
        ck_assert_double_eq(ns_value_get(ns_value_get(root, "rows")->first, "+sequence")->number,
                            ns_value_at(answer, "outputs.speedup.value")->number);
    }
    ns_value *given = cli_json("netcrafter --matrix rajat01 load=0.5 trimmed=0.25");
    ns_value *plain = cli_json("netcrafter load=0.5 trimmed=0.25");
    ck_assert_double_eq(ns_value_get(ns_value_get(given, "rows")->first, "+trim")->number,
                        ns_value_get(ns_value_get(plain, "rows")->first, "+trim")->number);
}

/* Neighbours in a row share sectors: a banded matrix is trimmed less than one whose columns stand apart. */
TEST(neighbours_share_sectors)
{
    double share[2];
    static const char *const lines[] = {"netcrafter --matrix stencil27:24x24x24 load=0.5",
                                        "netcrafter --matrix rajat01 load=0.5"};
    for (int i = 0; i < 2; i++) {
        ns_value *root = cli_json(lines[i]);
        share[i] = ns_value_at(root, "reads.one_sector")->number / ns_value_at(root, "reads.requests")->number;
    }
    ck_assert_double_lt(share[0], share[1]);
    cli_result r = cli("netcrafter --matrix rajat01 --clusters 1");
    ck_assert_int_eq(r.code, 1);
    ck_assert_ptr_nonnull(strstr(r.err, "no cluster reads a value of another one"));
}

TEST_TIMEOUT(120)
