/* test_residual.c -- what a machine's own measured exchanges teach: found again, robust, and better on those left out
 * */

#include "core/memory.h"
#include "oracle/oracle.h"
#include "records/calibrate.h"
#include "records/record.h"
#include "support/cli.h"
#include "support/machines.h"
#include "support/shared.h"
#include "support/test.h"
#include "support/values.h"

/* ---- the formula, by hand ---------------------------------------------------------------------------------------- */

TEST(by_hand)
{
    const ns_residual_point point[] = {{"a", 8, 100, 0.4, 2}, {"b", 16, 100, -0.2, 1}};
    const ns_residual r = {.width = 2, .prior = 0.5, .points = 2, .point = point};
    /* asked for at 8 messages of 200 B: a is half a width away, b half a width in each direction */
    const double qa = 2 * exp(-0.125), qb = exp(-0.25), all = qa + qb;
    const double common = (0.4 * qa - 0.2 * qb) / (all + 0.5);
    ck_assert_double_eq_tol(ns_residual_shift(&r, "a", 8, 1600), common + qa * (0.4 - common) / (qa + 0.5), 1e-14);
    ck_assert_double_eq_tol(ns_residual_shift(&r, "c", 8, 1600), common, 1e-14);
    ck_assert_double_eq(ns_residual_shift(&r, "a", 0, 0), 0);
    ck_assert_double_eq(ns_residual_shift(&(ns_residual){.points = 0}, "a", 8, 1600), 0);
}

/* ---- rows that were made with a factor --------------------------------------------------------------------------- */

enum { ROWS = 40 };

/* Standard exchanges of 1 to 64 messages, which take `factor` times what dane predicts, but for noise and every 10th,
 * 30 times that. */
static ns_records *made_rows(double factor, double noise, bool wild)
{
    static char text[ROWS * 120 + 200];
    ns_machine *dane = machine_named("dane");
    ns_records *records = NULL;
    ns_error err = {0};
    double *times = ns_calloc(ROWS, sizeof *times);
    ck_assert_ptr_nonnull(times);
    for (int pass = 0; pass < 2; pass++) {
        oracle_random random = {77};
        size_t used = (size_t)snprintf(text, sizeof text,
                                       "file,run,operation,level,strategy,transport,processes,nodes,"
                                       "ppn,max_num_msgs,total_bytes,num_rend,size_rend,measured_s\n");
        for (int i = 0; i < ROWS; i++) {
            const int messages = 1 << i % 7;
            const double bytes = 20000.0 * messages * (1 + i / 7);
            used += (size_t)snprintf(text + used, sizeof text - used,
                                     "f,%d,x,%d,standard,host,224,2,112,%d,%.0f,%d,%.0f,%.9g\n", i, i % 5, messages,
                                     100 * bytes, messages, bytes, pass == 0 ? 1 : times[i]);
        }
        ck_assert_msg(ns_records_read(cli_file("taught.csv", text), &records, &err) == NS_OK, "%s", err.text);
        for (int i = 0; i < ROWS && pass == 0; i++) {
            ns_price price;
            ck_assert_msg(ns_record_price(records, (size_t)i, dane, NULL, &price, &err) == NS_OK, "%s", err.text);
            times[i] = price.estimate_s * factor * exp(noise * ((double)oracle_below(&random, 2001) / 1000 - 1)) *
                       (wild && i % 10 == 3 ? 30 : 1);
        }
        if (pass == 0)
            ns_records_free(records);
    }
    ns_free(times);
    return records;
}

static const struct {
    double factor, noise;
    bool wild;
} made[] = {{1.9, 0.1, false}, {0.45, 0.1, false}, {1.9, 0.1, true}, {1, 0.1, false}, {1, 1.2, false}};

TEST_EACH(factor_is_found, sizeof made / sizeof *made)
{
    ns_machine *dane = machine_named("dane");
    ns_records *records = made_rows(made[_i].factor, made[_i].noise, made[_i].wild);
    ns_calibration c[NS_MEMORIES];
    const ns_strategy *standard = NULL;
    ns_error err = {0};
    ck_assert(ns_strategy_get("standard", &standard, &err) == NS_OK);
    ck_assert_msg(ns_calibrate(records, NULL, NULL, dane, NULL, true, c, &err) == NS_OK, "%s", err.text);
    const ns_residual_found *f = &c[NS_HOST].residual;
    if (made[_i].factor < 1 || made[_i].factor > 1) {
        ck_assert_uint_gt(f->points, 0);
        for (size_t i = 0; i < records->rows; i++) {
            ns_price price;
            ck_assert(ns_record_price(records, i, dane, NULL, &price, NULL) == NS_OK);
            const double shift = ns_residual_found_shift(f, standard, &price);
            ck_assert_msg(fabs(shift - log(made[_i].factor)) < 0.2, "row %zu: %g", i, exp(shift));
        }
    } else
        ck_assert_uint_eq(f->points, 0); /* noise alone teaches nothing */
    ns_records_free(records);
}

/* ---- by the program: written, applied, explained; and not where it is not wanted --------------------------------- */

static ns_value *strategies_of(const char *machine, const char *options)
{
    char line[600];
    snprintf(line, sizeof line,
             "predict --matrix stencil9:300x200 --parts 224 --per-node 112 --strategy standard "
             "--machine %s %s",
             machine, options);
    return cli_json(line);
}

TEST(program)
{
    char pong[600], line[2400], with[200], without[200];
    if (!shared_path("program", "data/pingpong/locality-aware-dane/microbench.out", pong, sizeof pong))
        return;
    ns_records *records = made_rows(1.9, 0.1, false);
    snprintf(with, sizeof with, "%s", cli_path("with.json"));
    snprintf(without, sizeof without, "%s", cli_path("without.json"));
    for (int k = 0; k < 2; k++) {
        snprintf(line, sizeof line, "fit %s --sockets 2 --gpus 0 --processes 112 --records %s %s --name mine -o %s",
                 pong, records->file, k == 0 ? "--no-residual" : "", k == 0 ? without : with);
        cli_json(line);
    }
    ns_records_free(records);
    ns_value *a = strategies_of("dane", ""), *b = strategies_of(without, ""), *c = strategies_of(with, "--explain");
    const double t[] = {number_at(ns_value_get(ns_value_get(a, "cases")->first, "strategies")->first, "estimate_s"),
                        number_at(ns_value_get(ns_value_get(b, "cases")->first, "strategies")->first, "estimate_s"),
                        number_at(ns_value_get(ns_value_get(c, "cases")->first, "strategies")->first, "estimate_s")};
    ck_assert_double_eq(t[0], t[1]);
    ck_assert_msg(t[2] > 1.1 * t[1] && t[2] < 2.2 * t[1], "%g of %g", t[2], t[1]);
    snprintf(line, sizeof line,
             "predict --matrix stencil9:300x200 --parts 224 --per-node 112 --strategy standard "
             "--machine %s --explain",
             with);
    cli_result r = cli(line);
    ck_assert_msg(strstr(r.out, "learnt from measured exchanges: +") != NULL, "%s", r.out);
}

/* ---- ten of a machine's own rows, against the rest of them ------------------------------------------------------- */

typedef struct draw {
    const char *column, *value;
    const bool *in; /* by row; NULL: all */
} draw;

static bool is_drawn(const ns_records *records, size_t row, const void *context)
{
    const draw *d = context;
    return (*d->value == '\0' || strcmp(ns_record_text(records, row, d->column), d->value) == 0) &&
           (d->in == NULL || d->in[row]);
}

static const struct {
    const char *file, *column, *value, *machine;
    bool better; /* the machine is off: ten rows have to help; else they must not harm */
} sets[] = {
    {"records.csv", "class", "lassen_full", "lassen-spectrum", false}, /* whole products */
    {"records.csv", "class", "lassen_comm", "lassen-spectrum", false},
    {"records.csv", "class", "bw_vec", "bluewaters", false},
    {"records.csv", "class", "bw_tap", "bluewaters", false},
    {"dense_lassen.csv", "threads", "1", "lassen-spectrum", true},
    {"dense_lassen.csv", "threads", "1", "lassen", true},
};
enum { DRAWS = 20, OWN = 10 };

TEST_EACH(ten_rows, sizeof sets / sizeof *sets)
{
    char path[600], name[100];
    snprintf(name, sizeof name, "data/end_to_end/%s", sets[_i].file);
    if (!shared_path("ten_rows", name, path, sizeof path))
        return;
    ns_records *records;
    ns_scored *list;
    ns_dense *kept = NULL;
    size_t all, count = 0;
    ns_machine *machine = machine_named(sets[_i].machine);
    const draw every = {sets[_i].column, sets[_i].value, NULL};
    ns_price_options options = {.confidence = NS_CONFIDENCE};
    ck_assert(ns_form_get("full", &options.form, NULL) == NS_OK);
    ck_assert(ns_records_read(path, &records, NULL) == NS_OK);
    ck_assert(ns_scored_make(records, is_drawn, &every, &list, &all, NULL) == NS_OK);
    for (size_t i = 0; i < all; i++) {
        ns_scored s = list[i];
        if (ns_row_price(&kept, records, s.rows[0], machine, &options, NULL, &s.price, NULL) == NS_OK)
            list[count++] = s;
    }
    bool *in = ns_calloc(records->rows, sizeof *in);
    double *off = ns_malloc(count * sizeof *off), sum[2] = {0, 0};
    oracle_random random = {4};
    ck_assert_uint_gt(count, 3 * OWN);
    for (int d = 0; d < DRAWS; d++) {
        memset(in, 0, records->rows * sizeof *in);
        for (int k = 0; k < OWN;) {
            const ns_scored *s = &list[oracle_below(&random, (int64_t)count)];
            k += !in[s->rows[0]];
            for (size_t r = 0; r < s->repeats; r++)
                in[s->rows[r]] = true;
        }
        const draw drawn = {sets[_i].column, sets[_i].value, in};
        ns_calibration c[NS_MEMORIES];
        ck_assert(ns_calibrate(records, is_drawn, &drawn, machine, NULL, true, c, NULL) == NS_OK);
        for (int taught = 0; taught < 2; taught++) {
            size_t n = 0;
            for (size_t i = 0; i < count; i++) {
                if (in[list[i].rows[0]])
                    continue;
                const double shift =
                    taught ? ns_residual_found_shift(&c[ns_scored_memory(records, &list[i])].residual,
                                                     ns_scored_strategy(records, &list[i]), &list[i].price)
                           : 0;
                off[n++] = fabs(log2(list[i].price.estimate_s / list[i].measured_s) + shift / log(2));
            }
            for (size_t i = 0; i < n; i++)
                sum[taught] += off[i] / (double)n / DRAWS;
        }
    }
    fprintf(stderr, "%s %s by %s: mean |log2| of the rest %.3f, with ten rows %.3f\n", sets[_i].file, sets[_i].value,
            sets[_i].machine, sum[0], sum[1]);
    ck_assert_msg(sets[_i].better ? sum[1] < sum[0] : sum[1] <= 1.01 * sum[0], "%s %s: %g without, %g with",
                  sets[_i].file, sets[_i].value, sum[0], sum[1]);
    ns_free(in);
    ns_free(off);
    ns_free(list);
    ns_dense_free(kept);
    ns_records_free(records);
}

/* ---- machine files ----------------------------------------------------------------------------------------------- */

TEST(refused)
{
    ns_machine *dane = machine_named("dane"), *with = NULL;
    ns_error err = {0};
    ck_assert(ns_machine_with(dane, "host.residual.width=1", &with, &err) == NS_ERR_DATA);
    ck_assert_msg(strstr(err.text, "host.residual.width wants its residual.prior beside it") != NULL, "%s", err.text);
    err = (ns_error){0};
    ck_assert(ns_machine_with(dane, "host.residual.width=0", &with, &err) == NS_ERR_RANGE);
    err = (ns_error){0};
    ns_machine *taught = machine_taught("dane");
    ck_assert(ns_machine_with(taught, "host.residual.standard.9.ratio=2", &with, &err) == NS_ERR_DATA);
    ck_assert_msg(strstr(err.text, "host.residual.standard.9.messages beside it") != NULL, "%s", err.text);
}

TEST_TIMEOUT(300)
