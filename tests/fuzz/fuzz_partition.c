/* fuzz_partition.c -- any bytes as a partition of as many rows as it has lines, and of one row more */
#include "fuzz.h"

FUZZ(partition)
{
    int64_t lines = 0;
    for (size_t i = 0; i < size; i++)
        lines += data[i] == '\n';
    if (size > 0 && data[size - 1] != '\n')
        lines++;
    for (int64_t rows = lines; rows <= lines + 1; rows++) {
        int32_t *part, parts;
        ns_error err = {0};
        ns_status status = ns_partition_read(fuzz_file(data, size), rows, &part, &parts, &err);
        fuzz_check_error(status, &err);
        if (status != NS_OK)
            continue;
        for (int64_t row = 0; row < rows; row++)
            REQUIRE(part[row] >= 0 && part[row] < parts);
        ns_free(part);
    }
}
