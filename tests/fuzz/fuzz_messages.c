/* fuzz_messages.c -- any bytes as a list of messages; what is accepted is scheduled by every strategy and priced */
#include "fuzz.h"

static void messages_price(const ns_exchange *exchange)
{
    ns_comparison comparison;
    ns_error err = {0};
    ns_status status = ns_compare_into(exchange, shipped_machine(), NULL, &comparison, &err);
    fuzz_check_error(status, &err);
    for (int i = 0; status == NS_OK && i < comparison.choices; i++)
        fuzz_check_price(&comparison.choice[i].price);
}

FUZZ(messages)
{
    if (size == 0)
        return;
    int32_t per_node = 1 + data[0] % 6; /* the first byte; the file is the rest */
    ns_planned *message;
    size_t messages;
    int32_t parts;
    ns_exchange *exchange;
    ns_error err = {0};
    const ns_limits limits = {.max_memory = 1 << 22, .max_work = 4000};
    ns_status status =
        ns_messages_read_within(fuzz_file(data + 1, size - 1), &limits, &message, &messages, &parts, &err);
    fuzz_check_error(status, &err);
    if (status != NS_OK)
        return;
    uint64_t bytes = 0;
    for (size_t i = 0; i < messages; i++) {
        REQUIRE(message[i].from >= 0 && message[i].from < parts && message[i].to >= 0 && message[i].to < parts);
        bytes += (uint64_t)message[i].bytes;
    }
    const ns_layout layout = {parts, per_node}; /* any number of parts: the limits hold */
    status = ns_exchange_from_messages_within(message, messages, layout, NULL, &limits, &exchange, &err);
    fuzz_check_error(status, &err);
    if (status == NS_OK) {
        REQUIRE((uint64_t)exchange->pattern.bytes_total == bytes);
        if (parts <= 1000)
            messages_price(exchange);
        ns_exchange_free(exchange);
    }
    ns_free(message);
}
