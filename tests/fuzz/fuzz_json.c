/* fuzz_json.c -- any text as JSON; what is accepted is written, read again and written the same
 *
 * Bytes that are not UTF-8 are accepted and written as U+FFFD, after which two keys may be one.
 */
#include "fuzz.h"

static bool json_is_ascii(const uint8_t *data, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (data[i] >= 0x80)
            return false;
    return true;
}

static void json_again(const char *once, size_t length, bool ascii)
{
    char *twice;
    size_t again;
    ns_value *root;
    ns_status status = ns_json_parse(once, "once", &root, NULL);
    REQUIRE(status == NS_OK || (status == NS_ERR_NAME && !ascii));
    if (status != NS_OK)
        return;
    REQUIRE(ns_json_write(root, &twice, &again, NULL) == NS_OK);
    REQUIRE(length == again && strcmp(once, twice) == 0);
    ns_value_free(root);
    ns_free(twice);
}

FUZZ(json)
{
    char *text = fuzz_text(data, size), *once;
    size_t length;
    ns_value *root;
    ns_error err = {0};
    ns_status status = ns_json_parse(text, "input.json", &root, &err);
    fuzz_check_error(status, &err);
    if (status == NS_OK) {
        long line, column;
        REQUIRE(ns_json_write(root, &once, &length, NULL) == NS_OK && strlen(once) == length);
        ns_value_free(root);
        json_again(once, length, json_is_ascii(data, size));
        ns_free(once);
        ns_json_locate(text, "a.b.0", &line, &column);
        REQUIRE(line >= 1 && column >= 1);
    }
    ns_free(text);
}
