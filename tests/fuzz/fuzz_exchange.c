/* fuzz_exchange.c -- any bytes as rows of exchange statistics; what is accepted has a finite price that its terms add
 * up to */
#include "fuzz.h"

#include <math.h>

#include <nsmodel/record.h>

static void exchange_check(const ns_price *price)
{
    const double sum = ns_price_term(price, "off_node") + ns_price_term(price, "on_node") + ns_price_term(price, "queue") + ns_price_term(price, "contention") + price->copy_s;
    REQUIRE(isfinite(price->estimate_s) && price->estimate_s >= 0);
    REQUIRE(fabs(sum - price->estimate_s) <= 1e-12 * price->estimate_s);
    REQUIRE(price->lo_s <= price->estimate_s && price->estimate_s <= price->hi_s && isfinite(price->hi_s));
}

FUZZ(exchange)
{
    ns_records *records;
    ns_error err = {0};
    ns_status status = ns_records_read(fuzz_file(data, size), &records, &err);
    fuzz_check_error(status, &err);
    if (status != NS_OK)
        return;
    for (size_t row = 0; row < records->rows && row < 50; row++)
        for (int form = NULL; form < NS_FORMS; form++) {
            const ns_price_options options = {(ns_form)form, 0, 0};
            ns_price price;
            ns_error problem = {0};
            status = ns_record_price(records, row, shipped_machine(), &options, &price, &problem);
            fuzz_check_error(status, &problem);
            if (status == NS_OK)
                exchange_check(&price);
        }
    ns_records_free(records);
}
