/* test_netsparse_cost.c -- memory, area and power of Section 9.5 and Table 9 of [NS] */
#include "../support/model_rows.h"

#define BY_HAND_1                                                                                                      \
    "nodes=6 units=3 idx_buffer=10B property_buffer=20B lsq=2 pending=5 entry=7B pairs=4 l1=100B l2=1000B "            \
    "concatenation=100B mtu=10B virtual_queues=6 virtual_bytes=9B sram_area=1000/MB buffer_of=5B lsq_of=4 "            \
    "pending_of=10 units_of=6 nic_area=3 nic_chip_area=40 nic_power=5 nic_static=1 nic_chip_power=60 cache=14B "       \
    "cache_of=7B cache_area=7 pipes=3 switch_chip_area=90 switch_power=11 switch_chip_power=120 crossbar_area=13 "     \
    "idx_share=0.1 pending_share=0.2 property_share=0.04 lsq_share=0.3"
/* a unit of 0.05 mm2 at the sizes of the shares: twice the index buffer, 4 times the property buffer, half the rest */
#define UNIT (0.05 * (0.2 + 0.1 + 0.16 + 0.15 + 0.36))
#define NIC  (1e-3 * (4 * 1100 + 100) + 3 * UNIT)
static const model_row rows[] = {
    {"netsparse", "nodes=128", "sram", 3.5e6, 0.03, "[NS] Section 9.5: about 3.5 MB"},
    {"netsparse", "nodes=128", "sram", 32 * (8192.0 + 320 * 16) + 16 * 163840.0 + 524288, NEAR, "Table 5's structures"},
    {"netsparse", "nodes=128", "queues", 2 * 127 * 1500.0, NEAR, "2 (N - 1) MTU"},
    {"netsparse", "nodes=175", "queues_fit", 1.0, 0, "up to 175 nodes"},
    {"netsparse", "nodes=176", "queues_fit", 0, 0, "beyond"},
    {"netsparse", "nodes=2", "most_nodes", 175.0, 0, "512 KiB"},
    {"netsparse", "nodes=100000", "virtual_sram", 524288.0, 0, "4096 queues of 128 B"},
    {"netsparse", "nodes=128", "nic_area_share", 0.005, 0.1, "[NS] 0.5 %"},
    {"netsparse", "nodes=128", "nic_power_share", 0.04, 0.07, "[NS] 4 %"},
    {"netsparse", "nodes=128", "switch_area_share", 0.032, 0.02, "[NS] about 3.2 %"},
    {"netsparse", "nodes=128", "switch_power_share", 0.04, 0.08, "[NS] 4 %"},
    {"netsparse", "nodes=128", "rest_share", 0.13, 1e-9, "[NS] Table 9"},
    {"netsparse", "nodes=0", NULL, 0, 0, "nodes has to be at least 1"},
    /* By hand, each from its term. sram: units, pairs, concatenation; queues: 2 x 5 x 10 B; queues_fit: exactly;
     * most_nodes: 1 + 100/20; virtual_sram: 6 x 9 B; cache_area: twice the cache; concat_area: 3 pipes of 100 B;
     * switch_power_share: 11/120; crossbar_area_share: 13/90; rest_share: 1 - 0.64. */
    {NULL, BY_HAND_1,
     "sram=4737 queues=100 queues_fit=1 most_nodes=6 virtual_sram=54 cache_area=14 concat_area=0.3 "
     "switch_power_share=0.09166666666666666 crossbar_area_share=0.14444444444444443 rest_share=0.36",
     0, 1e-12, "by hand"},
    {NULL, BY_HAND_1, "unit_area", UNIT, 1e-12, "structures by their sizes"},
    {NULL, BY_HAND_1, "nic_area", NIC, 1e-12, "caches, concatenators, units"},
    {NULL, BY_HAND_1, "nic_power", NIC / 3 + 4 * 0.5, 1e-12, "idle by area, the rest by units"},
    {NULL, BY_HAND_1, "nic_area_share", NIC / 40, 1e-12, "of the chip"},
    {NULL, BY_HAND_1, "nic_power_share", (NIC / 3 + 2) / 60, 1e-12, "of the chip"},
    {NULL, BY_HAND_1, "switch_area_share", 14.3 / 90, 1e-12, "caches and concatenators"},
    {"netsparse", "nodes=128", "nic_area", 1.43, 0.07, "[NS] 9.5, from the switch's concatenators and Table 9"},
    {"netsparse", "nodes=128", "nic_power", 2.1, 0.02, "[NS] 9.5"},
    {"netsparse", "nodes=128 units=512", "unit_area", 0.357627869 * 0.004096 / 0.12, 1e-9, "the same unit"},
    {"netsparse", "nodes=128 units=512", "nic_area", 0.357627869 * (256 * 0.16384 + 0.524288 + 512 * 0.004096 / 0.12),
     1e-9, "16 times the units and their caches, and the same concatenation memory"},
    {"netsparse", "nodes=128 units=512", "nic_power", 0.5 * 21.436 / 1.43 + 1.6 * 16, 1e-3, "16 times the units"},
    {"netsparse", "nodes=128 units=33", "sram", 33 * (8192.0 + 320 * 16) + 17 * 163840.0 + 524288, NEAR,
     "an odd unit has its own caches"},
};

MODEL_ROWS("netsparse-cost", rows)
