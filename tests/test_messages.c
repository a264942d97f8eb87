/* test_messages.c -- planned messages from a file: what they say, the same in other dialects, the words of refusals */
#include "support/cli.h"
#include "support/test.h"
#include "support/values.h"

TEST(test_messages)
{
    const char *path =
        cli_file("messages.csv", "src,dst,bytes\n# two nodes of two\n0,2,1KiB\n1,0,4096\n1,3,100\n1,3,28\n");
    ns_value *root = cli_json_with("predict --messages %s --per-node 2 --machine bluewaters --strategy standard", path);
    const ns_value *c = ns_value_get(root, "cases")->first;
    ck_assert_double_eq(number_at(c, "gpus"), 4);
    ck_assert_double_eq(number_at(c, "pattern.bytes_total"), 1024 + 4096 + 128);
    ck_assert_double_eq(number_at(c, "pattern.bytes_off_node"), 1024 + 128);
    ck_assert_double_eq(number_at(c, "pattern.messages_off_node"), 2);
    ck_assert_double_eq(number_at(c, "pattern.unique_bytes_off_node"), 1024 + 128);
}

static const struct {
    const char *content, *message;
} bad_messages[] = {
    {"", "holds no messages; rows are src,dst,bytes"},
    {"src,dst,bytes\n", "holds no messages"},
    {"0,1,8\n0,1\n", ":2:4: bytes wants a size like 4096 or 4KiB, got \"\""},
    {"0,x,8\n", ":1:3: dst wants a part number from 0, got \"x\""},
    {"-1,1,8\n", ":1:1: src wants a part number from 0, got \"-1\""},
    {"0,1,0\n", ":1:5: bytes wants a whole number from 1 to 2^53, got \"0\""},
    {"0,1,8us\n", ":1:5: bytes wants a size like 4096 or 4KiB, got \"8us\""},
    {"0,0,8\n", ":1:3: a message from part 0 to itself"},
    {"0,1,8,9\n", ":1:7: a row is src,dst,bytes: three fields"},
    {"0,99999999999,8\n", ":1:3: dst wants a part number from 0"},
    {"0,16777216,8\n", ": names part 16777216, wanted parts from 0 to 16777215"},
    {"src,bytes,dst\n0,1,8\n", ":1:1: columns \"src,bytes,dst\", wanted src,dst,bytes"},
    {"src,dst\n0,1\n", ":1:1: columns \"src,dst\", wanted src,dst,bytes"},
    {"src,dst,bytes,x\n0,1,8\n", ":1:1: columns \"src,dst,bytes,x\", wanted src,dst,bytes"},
    {"0,1,9007199254740992\n0,1,1\n", "messages 1 to 2 carry more than 2^53 B together"},
};

/* The same three columns as other programs write them. */
static const char *const same_messages[] = {
    "0,5,8\n",
    "src,dst,bytes\n0,5,8",
    "\"SRC\", \"Dst\" ,\"bytes\"\r\n0, 5, 8B\r\n\r\n",
    "\xef\xbb\xbfsrc,dst,bytes\n0,5,8\n",
    "\357\273\2770,5,8\n",
    "# plan\n\nsrc,dst,bytes\n0,5,8\n",
};

TEST_EACH(test_same_messages, sizeof same_messages / sizeof *same_messages)
{
    ns_value *root = cli_json_with("predict --messages %s", cli_file("same-messages.csv", same_messages[_i]));
    const ns_value *c = ns_value_get(root, "cases")->first;
    ck_assert_double_eq(number_at(c, "gpus"), 6);
    ck_assert_double_eq(number_at(c, "pattern.messages_total"), 1);
    ck_assert_double_eq(number_at(c, "pattern.bytes_off_node"), 8);
}

TEST_EACH(test_bad_messages, sizeof bad_messages / sizeof *bad_messages)
{
    cli_result r = cli_with("predict --messages %s", cli_file("bad-messages.csv", bad_messages[_i].content));
    ck_assert_int_eq(r.code, 1);
    ck_assert_msg(strstr(r.err, bad_messages[_i].message) != NULL, "%s", r.err);
}
