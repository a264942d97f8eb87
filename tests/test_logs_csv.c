/* test_logs_csv.c -- the plain CSV of docs/logs.md */

#include "support/log_rows.h"
#include "support/shared.h"
#include "support/test.h"

static const log_row rows[] = {
    {"bytes and seconds: ping-pongs, one way", "bytes,seconds\n8,1.75e-06\n4096,2.5e-06\n", .samples = 2,
     .want = {PONG(3, 4096, 2.5e-6)}},
    {"comments, any order, other columns, blanks, quotes, CRLF",
     "# measured by hand\r\n\r\nnode, us ,bytes,note\r\nn1, 1.75 ,8,\"a, b\"\r\n# between\r\nn1,2.5,\"4096\",\r\n",
     .samples = 2, .want = {PONG(4, 8, 1.75e-6), PONG(6, 4096, 2.5e-6)}},
    {"milliseconds", "bytes,ms\n8,0.25\n", .samples = 1, .want = {PONG(2, 8, 2.5e-4)}},
    {"round trips are halved", "bytes,round_trip_us\n8,3.5\n", .samples = 1, .want = {PONG(2, 8, 1.75e-6)}},
    {"... but for --round-trip half", "bytes,round_trip_us\n8,3.5\n", .said = {.round_trip = "half"}, .samples = 1,
     .want = {PONG(2, 8, 3.5e-6)}},
    {"... and times in seconds with --round-trip full", "bytes,round_trip_seconds\n8,3.5\n16,4\n",
     .said = {.round_trip = "full"}, .samples = 2, .want = {PONG(3, 16, 2)}},
    {"every column",
     "bytes,round_trip_ms,kind,locality,memory,pairs,messages,name,direction,spread\n"
     "8,0.004,message-rate,on-node,device,4,64,,,1e-7\n64,0.02,copy,,,2,,,h2d,\n128,0.5,collective,,device,16,,"
     "allreduce,,\n",
     .samples = 3,
     .want = {{2, NS_MESSAGE_RATE, NS_ON_NODE, NS_DEVICE, 4, 64, 8, 2e-6, ""},
              {3, NS_COPY_SAMPLE, NS_OFF_NODE, NS_HOST, 2, 1, 64, 1e-5, "h2d"},
              {4, NS_COLLECTIVE, NS_OFF_NODE, NS_DEVICE, 16, 1, 128, 2.5e-4, "allreduce"}}},
    {"a unit in a cell wins over the header's: mixed units in one column",
     "bytes,us\n4KiB,1.75\n8,2.5 us\n16,0.003 ms\n32 B,4e-6 s\n", .samples = 4,
     .want = {PONG(2, 4096, 1.75e-6), PONG(3, 8, 2.5e-6), PONG(4, 16, 3e-6), PONG(5, 32, 4e-6)}},
    {"several pairs at once are a node-pong, one alone is a ping-pong",
     "bytes,us,kind,pairs\n8,1.75,ping-pong,4\n8,2.5,node-pong,1\n", .samples = 2,
     .want = {{2, NS_NODE_PONG, NS_OFF_NODE, NS_HOST, 4, 1, 8, 1.75e-6, ""}, PONG(3, 8, 2.5e-6)}},
    {"cells that cannot be read are said, with line and column",
     "bytes,us,kind,pairs\n8,1.75,,\n16,fast,,\n32,2 B,,\n-8,1,,\n8b,1,,\n8,1,pingpong,\n8,1,,-2\n8,1\n8,,,\n",
     .samples = 1,
     .note = {{3, "column 2, \"fast\": row left out"},
              {4, "column 2, \"2 B\""},
              {5, "column 1, \"-8\""},
              {6, "column 1, \"8b\""},
              {7, "column 3, \"pingpong\""},
              {8, "column 4, \"-2\""},
              {9, "2 of 4 columns"},
              {10, "column 2, \"\""}}},
    {"zero, negative and infinite times are counted", "bytes,us\n8,1.75\n16,0\n32,-1\n64,inf\n128,nan\n", .samples = 1,
     .note = {{3, "4 values are zero, negative or not numbers"}}},
    {"nothing but those is a refusal", "bytes,us\n16,0\n32,-1\n",
     .refusal = "all 2 times are zero, negative or not numbers", .refusal_line = 2},
    {"no header", "8,1.75\n16,2.5\n", .said = {.tool = "csv"},
     .refusal = "header \"8,1.75\"; wanted bytes and one of seconds", .refusal_line = 1},
    {"other names that people write", "size,latency_us\n8,1.75\n", .samples = 1, .want = {PONG(2, 8, 1.75e-6)}},
    {"a header without a time", "size,latency\n8,1.75\n", .refusal = "header \"size,latency\"", .refusal_line = 1},
    {"one latency a pair, of sizes that the file does not say", "src,dst,lat(us),bandwidth(MB/s)\n0,1,1.75,2000\n",
     .refusal = "of message sizes that it does not say", .refusal_line = 1},
    {"a last line without an end may be cut", "bytes,us\n8,1.75\n16,2.5", .samples = 1,
     .note = {{3, "the last line has no end and may be cut"}}},
    {"... when it is shorter than the one above", "bytes,us\n8,1.75\n16,2.50", .samples = 2},
};

/* The example of docs/logs.md is read as the page says. */
TEST(test_page)
{
    char line[256], text[1024] = "";
    size_t size = 0;
    ns_log *log = NULL;
    ns_error err = {.code = NS_OK};
    FILE *page = fopen("docs/logs.md", "r");
    ck_assert_ptr_nonnull(page);
    while (fgets(line, sizeof line, page) != NULL)
        if ((size > 0 || strcmp(line, "    # by hand, two nodes of mycluster\n") == 0) && strncmp(line, "    ", 4) == 0)
            size += (size_t)snprintf(text + size, sizeof text - size, "%s", line + 4);
    fclose(page);
    const char *path = scratch_file("page.csv", text, size);
    ck_assert_msg(ns_log_read(&path, 1, NULL, &log, &err) == NS_OK, "%s", err.text);
    ck_assert_uint_eq(log->samples, 3);
    ck_assert_uint_eq(log->warnings, 1); /* it states no memory */
    ck_assert_double_eq_tol(log->sample[2].seconds, 90e-6, 1e-18);
    ck_assert(log->sample[2].bytes == 1048576 && log->sample[1].bytes == 4096 && log->sample[0].locality_stated);
    ns_log_free(log);
}

LOG_ROWS("csv", rows)
