/* fuzz_messages.c -- any bytes as a list of messages; what is accepted is scheduled by every strategy and priced */
#include "fuzz.h"

#include <math.h>

static void messages_price(const ns_exchange *exchange)
{
    ns_comparison comparison;
    ns_error err = {0};
    ns_status status = ns_compare(exchange, shipped_machine(), NULL, &comparison, &err);
    fuzz_check_error(status, &err);
    for (int i = 0; status == NS_OK && i < comparison.choices; i++) {
        const ns_choice *c = &comparison.choice[i];
        REQUIRE(isfinite(c->price.estimate_s) && c->price.estimate_s >= 0);
        double sum = c->price.copy_s;
        for (int t = 0; c->price.form->terms[t] != NULL; t++)
            sum += c->price.term_s[t];
        REQUIRE(fabs(sum - c->price.estimate_s) <= 1e-12 * c->price.estimate_s);
    }
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
    ns_status status = ns_messages_read(fuzz_file(data + 1, size - 1), &message, &messages, &parts, &err);
    fuzz_check_error(status, &err);
    if (status != NS_OK)
        return;
    if (parts <= 1000) {
        uint64_t bytes = 0;
        for (size_t i = 0; i < messages; i++) {
            REQUIRE(message[i].from >= 0 && message[i].from < parts && message[i].to >= 0 && message[i].to < parts);
            bytes += (uint64_t)message[i].bytes;
        }
        status = ns_exchange_from_messages(message, messages, (ns_layout){parts, per_node}, NULL, &exchange, &err);
        fuzz_check_error(status, &err);
        if (status == NS_OK) {
            REQUIRE((uint64_t)exchange->pattern.bytes_total == bytes);
            messages_price(exchange);
            ns_exchange_free(exchange);
        }
    }
    free(message);
}
