/* rows.c -- sums of a process in one row: where classes stand */
#include "price/rows.h"

void ns_rows_of(const ns_sizes *sizes, ns_rows *rows)
{
    rows->classes = 0;
    for (int l = 0; l < NS_LOCALITIES; l++) {
        rows->base[l] = rows->classes;
        for (int i = 0; i < sizes->count[l]; i++, rows->classes++)
            for (int m = 0; m < NS_MEMORIES; m++) {
                const int protocol = sizes->protocol[m][l][i];
                rows->slot[m][rows->classes] = (int16_t)(protocol < 0 ? -1 : NS_PROTOCOLS * l + protocol);
            }
    }
}

void ns_row_load_inside(const ns_sizes *sizes, ns_memory memory, const int64_t *inside, ns_load *load)
{
    for (int l = 0; l < NS_OFF_NODE; l++, inside += NS_SIZES) {
        int64_t sum[NS_PROTOCOLS] = {0};
        for (int k = 0; k < sizes->count[l]; k++)
            if (sizes->protocol[memory][l][k] >= 0)
                sum[sizes->protocol[memory][l][k]] += inside[k];
        for (int c = 0; c < NS_PROTOCOLS; c++)
            load->node_on[l][c] = (double)sum[c];
    }
}

bool ns_rows_bound(const ns_form_values *values)
{
    for (int i = 0; i < values->slots; i++)
        if (!(values->value[i] >= 0))
            return false;
    return values->form->rising;
}
