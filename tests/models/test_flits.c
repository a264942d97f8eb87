/* test_flits.c -- Table 1 of [NC] exact for 16 B; 8, 32 and 64 B against a packer that moves one byte at a time */
#include "../support/model_rows.h"
#include "api/library.h"

/* One read, with 0.448276 page-walk pairs: 13 % page-table flits. */
#define READS "read_req=1000 read_rsp=1000 pt_req=448.276 pt_rsp=448.276"
static const model_row rows[] = {
    {"netcrafter", "read_req=1", "flits", 1, 0, "[NC] Table 1"},
    {"netcrafter", "read_req=1", "required", 12, 0, "[NC] Table 1"},
    {"netcrafter", "read_req=1", "padded", 4, 0, "[NC] Table 1"},
    {"netcrafter", "write_req=1", "occupied", 80, 0, "[NC] Table 1"},
    {"netcrafter", "write_req=1", "required", 76, 0, "[NC] Table 1"},
    {"netcrafter", "read_rsp=1", "flits", 5, 0, "[NC] Table 1"},
    {"netcrafter", "read_rsp=1", "padded", 12, 0, "[NC] Table 1"},
    {"netcrafter", "write_rsp=1", "padded", 12, 0, "[NC] Table 1"},
    {"netcrafter", "pt_req=1 pt_rsp=1", "required", 24, 0, "[NC] Table 1"},
    {"netcrafter", "pt_req=1 pt_rsp=1", "page_table", 1, 0, "page-table packets only"},
    {"netcrafter", READS, "page_table", 0.13, 1e-6, "[NC] Section 3.3: 13 %"},
    {"netcrafter", READS, "padded_25_75", 0.42, 1e-6, "[NC] Section 3.2: 42 %, = (1 + 2 w)/3"},
    {"netcrafter", "write_req=1000 write_rsp=1000 pt_req=448.276 pt_rsp=448.276", "padded_25_75", 0.42, 1e-6,
     "the same for writes"},
    {"netcrafter", READS, "to_quarter", 0.275, 1e-5, "12 B packets"},
    {"netcrafter", READS, "to_three_quarters", 0.145, 1e-5, "tails of read responses"},
    {"netcrafter", "read_rsp=1 packets=0B,33B,16B counts=5,2,3", "flits", 5 + 2 * 3 + 3, 0,
     "a packet without bytes takes no flit"},
    {"netcrafter", "packets=33B,17B", "beyond", 0.4, NEAR, "one each: two flits of five hold 1 B"},
    {"netcrafter", "", "flits", 0, 0, "no packets, no flits"},
    {"netcrafter", "flit=20B packets=10B", "to_half", 1, 0, "exactly half"},
    {"netcrafter", "flit=0B read_req=1", NULL, 0, 0, "flit has to be more than 0"},
    {"netcrafter", "packets=1B,2B counts=1", NULL, 0, 0, "1 counts for 2 packets"},
    {"netcrafter", "read_req=-1", NULL, 0, 0, "read_req has to be at least 0"},
    /* By hand, each from its term. flits: by hand; required: by hand; occupied: 16 B a flit; padded: the rest;
     * padding: its share; page_table: 11 flits; full: by hand; to_quarter: 12 and 13 B of 16; to_half: 8 B of 16;
     * to_three_quarters: 4 B of 16; beyond: none; padded_25_75: 12 and 4 B of 16. */
    {NULL,
     "flit=16B header=4B address=8B line=64B read_req=1 read_rsp=2 write_req=3 write_rsp=4 pt_req=5 pt_rsp=6 "
     "packets=40B,16B,13B counts=2,1,1",
     "flits=49 required=633 occupied=784 padded=151 padding=0.19260204081632648 page_table=0.22448979591836735 "
     "full=0.5102040816326531 to_quarter=0.32653061224489793 to_half=0.04081632653061224 "
     "to_three_quarters=0.12244897959183673 beyond=0 padded_25_75=0.42857142857142855",
     0, 1e-12, "by hand"},
};

/* ---- a slow packer ----------------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    int bytes;
} kinds[] = {{"read_req", 12}, {"write_req", 76}, {"pt_req", 12}, {"read_rsp", 68}, {"write_rsp", 4}, {"pt_rsp", 12}};
static const int sizes[] = {8, 16, 32, 64};

typedef struct packed {
    int flits, padded, by_quarters[5];
} packed;

/* Byte by byte into flits; what is left of the last one is padding. */
static void pack(packed *p, int bytes, int flit)
{
    int room = 0;
    for (int i = 0; i < bytes; i++) {
        if (room == 0) {
            p->flits++;
            room = flit;
        }
        room--;
        if (room == 0 || i + 1 == bytes)
            p->by_quarters[(4 * room + flit - 1) / flit]++;
    }
    p->padded += room;
}

static double output_of(const ns_machine *machine, const char *given, const char *name)
{
    const ns_model *model = ns_model_find("flits");
    ns_binding binding;
    ns_model_buffer out;
    ns_error err = {0};
    char copy[200];
    ns_bind_open(&binding, model, machine);
    snprintf(copy, sizeof copy, "%s", given);
    for (char *word = strtok(copy, " "); word != NULL; word = strtok(NULL, " "))
        ck_assert_msg(ns_bind_text(&binding, word, &err) == NS_OK, "%s", err.text);
    ck_assert_msg(ns_bind_close(&binding, &err) == NS_OK && ns_model_eval(&binding, &out, &err) == NS_OK, "%s",
                  err.text);
    return ns_field_number(ns_field_find(model->outputs, name), &out);
}

static void check_packed(const ns_machine *machine, const char *given, const packed *p, int flit)
{
    static const char *const bins[] = {"full", "to_quarter", "to_half", "to_three_quarters", "beyond"};
    ck_assert_double_eq(output_of(machine, given, "flits"), p->flits);
    ck_assert_double_eq(output_of(machine, given, "occupied"), (double)p->flits * flit);
    ck_assert_double_eq(output_of(machine, given, "padded"), p->padded);
    for (int i = 0; i < 5; i++)
        ck_assert_msg(fabs(output_of(machine, given, bins[i]) * p->flits - p->by_quarters[i]) < 1e-9, "%s: %s", given,
                      bins[i]);
}

TEST_EACH(agrees_with_the_slow_packer, sizeof sizes / sizeof *sizes)
{
    const int flit = sizes[_i];
    char given[200];
    ns_machine *machine;
    packed all = {0};
    ck_assert_int_eq(ns_machine_load("netcrafter", &machine, NULL), NS_OK);
    for (int k = 0; k < 6; k++) {
        packed one = {0};
        pack(&one, kinds[k].bytes, flit);
        for (int n = 0; n < k + 1; n++)
            pack(&all, kinds[k].bytes, flit);
        snprintf(given, sizeof given, "flit=%dB %s=1", flit, kinds[k].name);
        check_packed(machine, given, &one, flit);
    }
    snprintf(given, sizeof given, "flit=%dB read_req=1 write_req=2 pt_req=3 read_rsp=4 write_rsp=5 pt_rsp=6", flit);
    check_packed(machine, given, &all, flit);
    ns_machine_free(machine);
}

MODEL_ROWS("flits", rows)
