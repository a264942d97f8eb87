/* fuzz_json.c -- any text as JSON; what is accepted is written, read again and written the same */
#include "fuzz.h"

FUZZ(json)
{
    char *text = fuzz_text(data, size), *once, *twice;
    size_t length, again;
    ns_value *root;
    ns_error err = {0};
    ns_status status = ns_json_parse(text, "input.json", &root, &err);
    fuzz_check_error(status, &err);
    if (status == NS_OK) {
        long line, column;
        REQUIRE(ns_json_write(root, &once, &length, NULL) == NS_OK && strlen(once) == length);
        ns_value_free(root);
        REQUIRE(ns_json_parse(once, "once", &root, NULL) == NS_OK);
        REQUIRE(ns_json_write(root, &twice, &again, NULL) == NS_OK);
        REQUIRE(length == again && strcmp(once, twice) == 0);
        ns_value_free(root);
        free(once);
        free(twice);
        ns_json_locate(text, "a.b.0", &line, &column);
        REQUIRE(line >= 1 && column >= 1);
    }
    free(text);
}
