/* test_logs_real.c -- what is read of the data folder is what tests/data/real_logs.tsv says, file by file
 *
 * A file's checksum is over its path, its tool and each field of each sample, or over the words of its refusal; a row
 * of the table has the sum of its files' checksums.  A row that differs is printed with each of its files, so that two
 * builds can be compared.
 */
#include <inttypes.h>
#include <stdarg.h>

#include "logs/samples.h"
#include "support/real_logs.h"
#include "support/shared.h"
#include "support/test.h"

static size_t prefix;
static int unknown;
static FILE *listing; /* one line a file */

/* FNV-1a over the text of a field. */
static void add(uint64_t *checksum, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    for (const char *c = text; *c != '\0'; c++)
        *checksum = (*checksum ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
}

/* A millionth of e is the step: the logarithm of a short decimal is never near half of it, as its own digits may be, so
 * that the last bit of a machine's arithmetic does not decide. */
static long long in_steps(double seconds)
{
    return seconds > 0 ? llround(1e6 * log(seconds)) : -1;
}

static uint64_t checksum_of(const char *name, const ns_log *log, const char *refusal)
{
    uint64_t checksum = UINT64_C(0xcbf29ce484222325);
    add(&checksum, "%s\n%.60s\n", name, log == NULL ? refusal : log->tool[0]);
    for (size_t i = 0; log != NULL && i < log->samples; i++) {
        const ns_sample *s = &log->sample[i];
        add(&checksum, "%ld %s %s %s %d %d %.3f %lld\n", (long)s->line, ns_sample_kind_words[s->kind],
            ns_locality_words[s->locality], ns_memory_words[s->memory], s->pairs, s->messages, s->bytes,
            in_steps(s->seconds));
    }
    return checksum;
}

static void check_file(const char *path)
{
    const char *name = path + prefix;
    const size_t length = strlen(name);
    if (length > 3 && strcmp(name + length - 3, ".md") == 0)
        return;
    ns_log *log = NULL;
    ns_error err = {.code = NS_OK};
    if (ns_log_read(&path, 1, NULL, &log, &err) != NS_OK)
        log = NULL;
    const char *tool = log == NULL ? "-" : log->tool[0];
    const uint64_t checksum = checksum_of(name, log, err.text);
    real_logs *row = real_logs_row(name, tool);
    if (row == NULL) {
        printf("%s, read as %s: no row\n", name, tool);
        unknown++;
    } else {
        row->found.files++;
        row->found.samples += log == NULL ? 0 : (long)log->samples;
        row->found.checksum += checksum;
    }
    fprintf(listing, "%s\t%s\t%zu\t%016" PRIx64 "\n", name, tool, log == NULL ? 0 : log->samples, checksum);
    ns_log_free(log);
}

static void print_files_of(const real_logs *row)
{
    char line[1024];
    rewind(listing);
    while (fgets(line, sizeof line, listing) != NULL) {
        char tool[32] = "";
        sscanf(strchr(line, '\t') + 1, "%31s", tool);
        if (real_logs_row(line, tool) == row)
            printf("  %s", line);
    }
}

TEST(test_every_file)
{
    char folder[512];
    size_t rows;
    long files = 0;
    int wrong = 0;
    if (!shared_path("test_logs_real", "data/pingpong", folder, sizeof folder))
        return;
    prefix = strlen(folder) + 1;
    real_logs *table = real_logs_load(&rows);
    listing = tmpfile();
    ck_assert_ptr_nonnull(listing);
    shared_walk(folder, check_file);
    for (const real_logs *row = table; row < table + rows; row++) {
        files += row->files;
        if (row->files == row->found.files && row->samples == row->found.samples &&
            row->checksum == row->found.checksum)
            continue;
        printf("found\n%s\t%s\t%ld\t%ld\t%016" PRIx64 "\n", row->folder, row->tool, row->found.files,
               row->found.samples, row->found.checksum);
        print_files_of(row);
        wrong++;
    }
    fclose(listing);
    fflush(stdout); /* the test's process ends without it when the test fails */
    ck_assert_msg(wrong == 0 && unknown == 0, "%d rows differ from the table, %d files have none", wrong, unknown);
    ck_assert_int_gt(files, 1300);
}

TEST_TIMEOUT(300)
