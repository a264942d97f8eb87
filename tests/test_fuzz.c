/* test_fuzz.c -- the fuzz targets on their seeds and on every beginning of them, so that neither rots
 *
 * make fuzz looks for more; what it finds is fixed and becomes a seed.
 */
#define NS_FUZZ_REPLAY
#include "fuzz/fuzz_bind.c"
#include "fuzz/fuzz_calc.c"
#include "fuzz/fuzz_csr.c"
#include "fuzz/fuzz_decision.c"
#include "fuzz/fuzz_exchange.c"
#include "fuzz/fuzz_fit.c"
#include "fuzz/fuzz_json.c"
#include "fuzz/fuzz_logs.c"
#include "fuzz/fuzz_lookup.c"
#include "fuzz/fuzz_machine.c"
#include "fuzz/fuzz_matrix.c"
#include "fuzz/fuzz_messages.c"
#include "fuzz/fuzz_netsparse.c"
#include "fuzz/fuzz_nsp.c"
#include "fuzz/fuzz_page.c"
#include "fuzz/fuzz_partition.c"
#include "fuzz/fuzz_pattern.c"
#include "fuzz/fuzz_plot.c"
#include "fuzz/fuzz_reader.c"
#include "fuzz/fuzz_words.c"

#include "support/test.h"
#include <dirent.h>

static const struct {
    const char *stem;
    void (*run)(const uint8_t *data, size_t size);
} target[] = {
    {"bind", fuzz_bind},           {"calc", fuzz_calc},       {"csr", fuzz_csr},       {"decision", fuzz_decision},
    {"exchange", fuzz_exchange},   {"fit", fuzz_fit},         {"json", fuzz_json},     {"logs", fuzz_logs},
    {"lookup", fuzz_lookup},       {"machine", fuzz_machine}, {"matrix", fuzz_matrix}, {"messages", fuzz_messages},
    {"netsparse", fuzz_netsparse}, {"nsp", fuzz_nsp},         {"page", fuzz_page},     {"partition", fuzz_partition},
    {"pattern", fuzz_pattern},     {"plot", fuzz_plot},       {"reader", fuzz_reader}, {"words", fuzz_words},
};

/* Returns how many inputs were tried. */
static int replay(int t, const char *path)
{
    static uint8_t data[65536];
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "%s", path);
    size_t size = fread(data, 1, sizeof data, file);
    fclose(file);
    target[t].run(data, size);
    size_t step = size / 64 + 1; /* cut anywhere, by and large */
    int tried = 1;
    for (size_t length = 0; length < size; length += step, tried++)
        target[t].run(data, length);
    return tried;
}

TEST_EACH(test_seeds, (int)(sizeof target / sizeof *target))
{
    char folder[256], path[1024];
    int seeds = 0, tried = 0;
    snprintf(folder, sizeof folder, "tests/fuzz/seeds/%s", target[_i].stem);
    DIR *directory = opendir(folder);
    ck_assert_msg(directory != NULL, "no seeds in %s", folder);
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        tried += replay(_i, path);
        seeds++;
    }
    closedir(directory);
    printf("replayed %s: %d inputs of %d seeds\n", target[_i].stem, tried, seeds);
    ck_assert_int_gt(seeds, 2);
}

TEST(test_shipped_machines)
{
    for (const char *const *name = ns_machine_names(); *name != NULL; name++) {
        char path[256];
        snprintf(path, sizeof path, "params/%s.json", *name);
        for (int t = 0; t < (int)(sizeof target / sizeof *target); t++)
            if (target[t].run == fuzz_machine || target[t].run == fuzz_json)
                replay(t, path);
    }
}

/* Every C file of the folder is a target of this test. */
TEST(test_no_target_is_forgotten)
{
    DIR *directory = opendir("tests/fuzz");
    size_t found = 0;
    ck_assert(directory != NULL);
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;)
        found += strncmp(entry->d_name, "fuzz_", 5) == 0;
    closedir(directory);
    ck_assert_uint_eq(found, sizeof target / sizeof *target);
}

TEST_TIMEOUT(300)
