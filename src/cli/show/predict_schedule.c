/* predict_schedule.c -- predict --schedule: the messages that a strategy sends, as rows that any program can replay
 *
 * Steps and processes count from 0.  A step begins when every process has what the steps before brought it.
 */
#include "cli/show/predict.h"
#include "io/whole_file.h"

static ns_status write_file(const ns_schedule *schedule, const char *path, ns_error *err)
{
    ns_whole_file whole;
    NS_TRY(ns_whole_file_begin(path, NS_FOR_ALL, &whole, err));
    fputs("step,from,to,bytes\n", whole.file);
    for (int s = 0; s < schedule->steps; s++)
        for (int64_t i = 0; i < schedule->step[s].messages; i++) {
            const ns_message *m = &schedule->step[s].message[i];
            fprintf(whole.file, "%d,%d,%d,%lld\n", s, (int)m->from, (int)m->to, (long long)m->bytes);
        }
    return ns_whole_file_end(&whole, NS_OK, err);
}

ns_status ns_predict_schedule(const ns_cases *p, const char *path, ns_error *err)
{
    ns_schedule *schedule;
    if (p->machines > 1)
        return ns_fail(err, NS_ERR_USAGE, "--schedule writes one schedule: choose one of the %zu machines",
                       p->machines);
    if (p->count > 1)
        return ns_fail(err, NS_ERR_USAGE, "--schedule writes one schedule: choose one number of parts, as --gpus %d",
                       (int)p->of[0].exchange->parts);
    const ns_comparison *c = &p->comparison[0];
    const ns_choice *best = &c->choice[c->best];
    if (c->choices > 1)
        return ns_fail(err, NS_ERR_USAGE,
                       "--schedule writes one schedule, and there are %d: choose one, as --strategy %s --transport %s",
                       c->choices, best->strategy->name, ns_transport_words[best->transport]);
    if (best->transport == NS_VIA_NIC)
        return ns_fail(err, NS_ERR_USAGE, "--schedule writes messages; %s/%s is what interfaces do by themselves",
                       best->strategy->name, ns_transport_words[best->transport]);
    const ns_choice *choice = &p->comparison[0].choice[0];
    NS_TRY(ns_schedule_build(choice->strategy, choice->transport, p->of[0].exchange, p->of[0].machine, &schedule, err));
    const ns_status status = write_file(schedule, path, err);
    ns_schedule_free(schedule);
    return status;
}
