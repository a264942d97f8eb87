/* real_logs.c -- the table of what is read of the data folder */
#include "support/real_logs.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { ROWS_MAX = 64 };

static real_logs table[ROWS_MAX];
static size_t count;

real_logs *real_logs_load(size_t *rows)
{
    char line[512];
    FILE *file = fopen("tests/data/real_logs.tsv", "r");
    ck_assert_msg(file != NULL, "no table");
    for (count = 0; fgets(line, sizeof line, file) != NULL;) {
        if (*line == '#')
            continue;
        ck_assert_int_lt((int)count, ROWS_MAX);
        real_logs *row = &table[count++];
        *row = (real_logs){.files = 0};
        ck_assert_msg(sscanf(line, "%63s %31s %ld %ld %" SCNx64, row->folder, row->tool, &row->files, &row->samples,
                             &row->checksum) == 5,
                      "%s: not five fields", line);
    }
    fclose(file);
    *rows = count;
    return table;
}

real_logs *real_logs_row(const char *path, const char *tool)
{
    for (size_t i = 0; i < count; i++) {
        const size_t length = strlen(table[i].folder);
        if (strncmp(path, table[i].folder, length) == 0 && path[length] == '/' && strcmp(table[i].tool, tool) == 0)
            return &table[i];
    }
    return NULL;
}
