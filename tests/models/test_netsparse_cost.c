/* test_netsparse_cost.c -- memory, area and power of Section 9.5 and Table 9 of [NS] */
#include "../support/model_rows.h"

#define BY_HAND_1                                                                                                      \
    "nodes=6 units=3 idx_buffer=10B property_buffer=20B lsq=2 pending=5 entry=7B pairs=4 l1=100B l2=1000B "            \
    "concatenation=100B mtu=10B virtual_queues=6 virtual_bytes=9B nic_area=3 nic_chip_area=40 nic_power=5 "            \
    "nic_chip_power=60 cache_area=7 concat_area=8 switch_chip_area=90 switch_power=11 switch_chip_power=120 "          \
    "crossbar_area=13 idx_share=0.1 pending_share=0.2 property_share=0.04 lsq_share=0.3"
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
    /* inputs of no special value, by hand from the formulas at the head of the model */
    {NULL, BY_HAND_1, "sram", 4737, 1e-12, "units, pairs, concatenation"},
    {NULL, BY_HAND_1, "queues", 100, 1e-12, "2 x 5 x 10 B"},
    {NULL, BY_HAND_1, "queues_fit", 1, 1e-12, "exactly"},
    {NULL, BY_HAND_1, "most_nodes", 6, 1e-12, "1 + 100/20"},
    {NULL, BY_HAND_1, "virtual_sram", 54, 1e-12, "6 x 9 B"},
    {NULL, BY_HAND_1, "nic_area_share", 0.075, 1e-12, "3/40"},
    {NULL, BY_HAND_1, "nic_power_share", 0.08333333333333333, 1e-12, "5/60"},
    {NULL, BY_HAND_1, "switch_area_share", 0.16666666666666666, 1e-12, "15/90"},
    {NULL, BY_HAND_1, "switch_power_share", 0.09166666666666666, 1e-12, "11/120"},
    {NULL, BY_HAND_1, "crossbar_area_share", 0.14444444444444443, 1e-12, "13/90"},
    {NULL, BY_HAND_1, "rest_share", 0.36, 1e-12, "1 - 0.64"},
};

Suite *suite(void);

Suite *suite(void)
{
    return MODEL_SUITE("netsparse-cost", rows);
}
