/* fuzz_exchange.c -- any bytes as rows of exchange statistics; what is accepted has a finite price that its terms add
 * up to */
#include "fuzz.h"
#include "records/record.h"

FUZZ(exchange)
{
    const ns_form *form[NS_FORMS_MAX];
    const size_t forms = ns_forms_by_rank(form, NS_FORMS_MAX);
    ns_records *records;
    ns_error err = {0};
    ns_status status = ns_records_read(fuzz_file(data, size), &records, &err);
    fuzz_check_error(status, &err);
    if (status != NS_OK)
        return;
    for (size_t row = 0; row < records->rows && row < 50; row++)
        for (size_t f = 0; f < forms; f++) {
            const ns_price_options options = {.form = form[f]};
            ns_price price;
            ns_error problem = {0};
            status = ns_record_price(records, row, shipped_machine(), &options, &price, &problem);
            fuzz_check_error(status, &problem);
            if (status == NS_OK)
                fuzz_check_price(&price);
        }
    ns_records_free(records);
}
