/* test_netsparse_cost.c -- memory, area and power of Section 9.5 and Table 9 of [NS] */
#include "../support/model_rows.h"

static const model_row rows[] = {
    {"netsparse", "nodes=128", "sram", 3.5e6, 0.03, "[NS] Section 9.5: about 3.5 MB"},
    {"netsparse", "nodes=128", "sram", 32 * (8192.0 + 320 * 16) + 16 * 163840.0 + 524288, NEAR, "Table 5's structures"},
    {"netsparse", "nodes=128", "queues", 2 * 127 * 1500.0, NEAR, "2 (N - 1) MTU"},
    {"netsparse", "nodes=175", "queues_fit", 1.0, 0, "up to 175 nodes"},
    {"netsparse", "nodes=176", "queues_fit", 0, 0, "beyond"},
    {"netsparse", "nodes=2", "most_nodes", 175.0, 0, "512 KiB"},
    {"netsparse", "nodes=100000", "virtual_sram", 524288.0, 0, "4096 queues of 128 B"},
    {"netsparse", "nodes=128", "nic_area_share", 0.005, 0.1, "[NS] 0.5 %"},
    {"netsparse", "nodes=128", "nic_power_share", 0.04, 0.06, "[NS] 4 %"},
    {"netsparse", "nodes=128", "switch_area_share", 0.032, 0.02, "[NS] about 3.2 %"},
    {"netsparse", "nodes=128", "switch_power_share", 0.04, 0.08, "[NS] 4 %"},
    {"netsparse", "nodes=128", "rest_share", 0.13, 1e-9, "[NS] Table 9"},
    {"netsparse", "nodes=0", NULL, 0, 0, "nodes has to be at least 1"},
};

Suite *suite(void);

Suite *suite(void)
{
    return MODEL_SUITE("netsparse-cost", rows);
}
