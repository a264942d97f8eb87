/* test_standard.c -- standard communication
 *
 * Expected values are sums over the numbers that the papers print, written out.
 */
#include "../support/model_rows.h"

#define COPY(send, recv) (1.27e-5 + 1.96e-11 * (send) + 1.30e-5 + 1.85e-11 * (recv))
static const model_row rows[] = {
    {"lassen", "m_proc=8 s_proc=128KiB", "time", 114.7415e-6, 1e-6, "8 messages of 16 KiB a GPU, by hand: 114.7 us"},
    {"lassen", "transport=device m_proc=8 s_proc=128KiB", "time", 110.5444e-6, 1e-6, "the same device-aware: 110.5 us"},
    {"lassen", "m_proc=8 s_proc=128KiB", "off_node", 8 * 7.76e-6 + 4 * 131072 * 4.19e-11, NEAR,
     "four GPUs inject: (2.2)"},
    {"lassen", "m_proc=8 s_proc=128KiB", "copy", COPY(131072, 131072), NEAR, "[NA] Table 3, one process"},
    {"lassen", "m_proc=8 s_proc=128KiB s_recv=1MB", "copy", COPY(131072, 1e6), NEAR, "what the GPU receives"},
    {"lassen", "m_proc=8 s_proc=128KiB form=printed", "copy", 0, 0, "[NA] Table 6: staged standard has no copy term"},
    {"lassen", "m_proc=8 s_proc=128KiB form=printed", "time", 8 * 7.76e-6 + 4 * 131072 * 4.19e-11, NEAR,
     "[NA] Table 6"},
    {"lassen", "transport=device m_proc=8 s_proc=128KiB", "copy", 0, 0, "device-aware copies nothing"},
    {"lassen", "m_proc=8 s_proc=128KiB ppn=1", "off_node", 8 * 7.76e-6 + 131072 * 7.97e-11, NEAR,
     "one process: postal"},
    {"bluewaters", "m_proc=8 s_proc=16000B ppn=16", "time", 8 * 6.95e-6 + 16 * 16000 * 1.50e-10, REFITTED,
     "no GPUs, no copies"},
    {"bluewaters", "transport=device m_proc=1 s_proc=1B ppn=16", NULL, 0, 0, "no off-node table for device memory"},
    {NULL, "", NULL, 0, 0, "reads a machine's tables"},
};

MODEL_ROWS("standard", rows)
