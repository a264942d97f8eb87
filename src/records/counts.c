/* counts.c -- a schedule as a row of counts: maximum messages and bytes over processes, by class and by step */
#include "core/memory.h"
#include "records/record.h"

#include <math.h>
#include <string.h>

const char *const ns_count_columns[NS_COUNT_COLUMNS] = {
    "max_num_msgs",     "max_num_L",         "max_num_S",       "max_num_G",        "max_num_R",
    "total_bytes",      "num_short",         "size_short",      "num_eager",        "size_eager",
    "num_rend",         "size_rend",         "num_short_node",  "size_short_node",  "num_eager_node",
    "size_eager_node",  "num_rend_node",     "size_rend_node",  "num_short_socket", "size_short_socket",
    "num_eager_socket", "size_eager_socket", "num_rend_socket", "size_rend_socket",
};
enum { ALL, LOCAL, GATHER, BETWEEN, SCATTER, TOTAL, CLASSES };

/* The step of the measured code that contains a message: messages within a node run beside those that leave it later.
 * The step between nodes is the last but one. */
static int step_of(const ns_schedule *schedule, int step, const ns_message *m)
{
    if (schedule->steps == 1)
        return ALL;
    if (step > schedule->steps - 2)
        return SCATTER;
    if (ns_schedule_locality(schedule, m->from, m->to) == NS_OFF_NODE)
        return BETWEEN;
    if (step == schedule->steps - 2)
        return LOCAL;
    for (int64_t i = m->slice; i < m->slice + m->slices; i++)
        if (schedule->slice[i].pair >= 0)
            return GATHER;
    return LOCAL;
}

void ns_counts_make(const ns_schedule *schedule, const ns_machine *machine, double counts[NS_COUNT_COLUMNS])
{
    memset(counts, 0, NS_COUNT_COLUMNS * sizeof *counts);
    for (int32_t p = 0; p < schedule->processes; p++) {
        double one[NS_COUNT_COLUMNS] = {0};
        for (int s = 0; s < schedule->steps; s++) {
            const ns_step *step = &schedule->step[s];
            for (int64_t i = step->sent[p]; i < step->sent[p + 1]; i++) {
                const ns_message *m = &step->message[i];
                const ns_locality l = ns_schedule_locality(schedule, m->from, m->to);
                ns_protocol protocol = NS_SHORT;
                (void)ns_machine_line(machine, NS_HOST, l, (double)m->bytes, &protocol);
                double *class = one + CLASSES + 2 * (NS_PROTOCOLS * (NS_OFF_NODE - (int)l) + (int)protocol);
                class[0]++;
                class[1] += (double)m->bytes;
                one[step_of(schedule, s, m)]++;
                one[TOTAL] += l == NS_OFF_NODE ? (double)m->bytes : 0;
            }
        }
        for (int i = 0; i < NS_COUNT_COLUMNS; i++)
            counts[i] = i == TOTAL ? counts[i] + one[i] : fmax(counts[i], one[i]);
    }
    for (int i = ALL; i <= SCATTER; i++)
        if ((schedule->steps == 1) != (i == ALL))
            counts[i] = NAN;
}

ns_status ns_schedule_counts(const ns_schedule *schedule, const ns_machine *machine, ns_value *to, ns_error *err)
{
    ns_error_clear(err);
    double counts[NS_COUNT_COLUMNS];
    ns_counts_make(schedule, machine, counts);
    ns_value_text(to, "strategy", schedule->strategy->name);
    ns_value_text(to, "transport", ns_transport_words[schedule->transport]);
    ns_value_count(to, "processes", schedule->processes);
    ns_value_count(to, "nodes", schedule->nodes);
    ns_value_count(to, "ppn", schedule->ppn);
    for (int i = 0; i < NS_COUNT_COLUMNS; i++)
        if (!isnan(counts[i]))
            ns_value_count(to, ns_count_columns[i], counts[i]);
    return ns_value_complete(to) ? NS_OK : ns_no_memory(err);
}
