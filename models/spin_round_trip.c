/* spin_round_trip.c -- round trip of a packet that handlers on the network interface answer
 *
 *     T = sender + ingress + syscalls + handler + host part + egress
 *     ingress = (matching + c_short + (c_long - c_short) (s - s_short)/(s_long - s_short)) / f
 *                                              s clamped at both ends
 *     syscalls = n 100 cycles,   handler = (c_0 + c_1 s) / f
 *     host part = 2 DMA + polling + work       only if the host takes part
 *
 * Only parts that run on the handler clock scale with f; the times of DMA and wire do not.
 */

#include "machine/model.h"

#include <math.h>

static const char *const mode_words[] = {"fpspin", "host-fpspin", NULL};

struct in {
    int mode;
    double s, f, sender, matching, s_short, s_long, c_short, c_long, reads, read_cycles, c_0, c_1, dma, polling, work,
        egress;
};
struct out {
    double sender, ingress, syscalls, handler, host, egress, time;
};

static const ns_field inputs[] = {
    NS_WORD(mode, mode_words, "fpspin: handlers alone; host-fpspin: the host takes part"),
    NS_IN(s, "B", "packet length"),
    NS_IN_POSITIVE_FROM(f, "MHz", "clock of the handler units", "models.spin-round-trip.f"),
    NS_IN_DEFAULT(sender, "us", "client and wire", 0),
    NS_IN_FROM(matching, "1", "cycles of the matching engine", "models.spin-round-trip.matching"),
    NS_IN_FROM(s_short, "B", "shortest packet", "models.spin-round-trip.s_short"),
    NS_IN_FROM(s_long, "B", "longest packet", "models.spin-round-trip.s_long"),
    NS_IN_FROM(c_short, "1", "cycles of the ingress DMA for the shortest packet", "models.spin-round-trip.c_short"),
    NS_IN_FROM(c_long, "1", "cycles of the ingress DMA for the longest packet", "models.spin-round-trip.c_long"),
    NS_IN_DEFAULT(reads, "1", "reads of the cycle counter (system calls)", 0),
    NS_IN_FROM(read_cycles, "1", "cycles of such a read", "models.spin-round-trip.read_cycles"),
    NS_IN_DEFAULT(c_0, "1", "cycles of the handler", 0),
    NS_IN_DEFAULT(c_1, "1/B", "cycles of the handler per byte (0 for UDP)", 0),
    NS_IN_FROM(dma, "ns", "one DMA transfer to the host", "models.spin-round-trip.dma"),
    NS_IN_DEFAULT(polling, "us", "host's polling delay", 0),
    NS_IN_DEFAULT(work, "us", "host's work", 0),
    NS_IN_DEFAULT(egress, "us", "way out", 0),
    NS_END
};
static const ns_field outputs[] = {
    NS_TERM(sender, "us", "client and wire"),
    NS_TERM(ingress, "us", "matching engine and ingress DMA"),
    NS_TERM(syscalls, "us", "reads of the cycle counter"),
    NS_TERM(handler, "us", "handler"),
    NS_TERM(host, "us", "DMA there and back, polling, work"),
    NS_TERM(egress, "us", "way out"),
    NS_OUT(time, "us", "round trip"),
    NS_END
};

NS_EVAL(machine, in, out, err)
{
    if (in->s_long <= in->s_short)
        return ns_fail(err, NS_ERR_RANGE, "s_long has to be more than s_short");
    const double share = fmin(1, fmax(0, (in->s - in->s_short) / (in->s_long - in->s_short)));
    out->sender = in->sender;
    out->ingress = (in->matching + in->c_short + (in->c_long - in->c_short) * share) / in->f;
    out->syscalls = in->reads * in->read_cycles / in->f;
    out->handler = (in->c_0 + in->c_1 * in->s) / in->f;
    out->host = in->mode == 1 ? 2 * in->dma + in->polling + in->work : 0;
    out->egress = in->egress;
    out->time = out->sender + out->ingress + out->syscalls + out->handler + out->host + out->egress;
    return NS_OK;
}

const ns_model ns_model_spin_round_trip = {
    .name = "spin-round-trip",
    .title = "round trip of a packet that handlers on the network interface answer",
    .source = "[RS] Sections 4.2.3, 4.5.2 and 4.5.3, Table 4; form ours",
    .notes = "One packet at a time; no queueing in front of the handler units.",
    NS_ROWS_AND_EVAL,
};
