/* standard.c -- every message is sent directly from its sender to its receiver
 *
 *     host:    T = alpha m_proc + max(ppn s_proc / R_N, beta s_proc) + T_copy(s_proc, s_recv)
 *     device:  T = alpha m_proc + beta s_proc                              [NA] (2.2), (2.1), Table 6
 *
 * In Table 6 the staged form has no copies (form=printed), but a staged message needs them: only with them does
 * device-aware become faster than staged at the rendezvous switch, as in Section 4.6 ("> 10^4 Bytes").  The paper
 * measures about a tenth of this bound (Section 4.5).  The protocol is that of the mean message size.
 */
#include "model/parts/node_aware.h"

struct in {
    int transport, form, protocol;
    double m_proc, s_proc, s_recv, ppn;
};
struct out {
    double off_node, copy, time;
};

static const ns_field inputs[] = {
    NS_WORD(transport, ns_memory_words, "host: staged through the host; device: device-aware"),
    NS_WORD(form, ns_form_words, "corrected: staged messages are copied; printed: without copies, as in Table 6"),
    NS_WORD(protocol, ns_protocol_choice_words, "protocol of the messages; auto: by the mean size"),
    NS_IN(m_proc, "1", "most off-node messages of one GPU"),
    NS_IN(s_proc, "B", "most off-node bytes of one GPU"),
    NS_IN_FROM(s_recv, "B", "most bytes that one GPU receives; s_proc where not given", "=s_proc"),
    NS_IN_POSITIVE_FROM(ppn, "1", "processes of the node that send, one per GPU", "topology.gpus"),
    NS_END
};
static const ns_field outputs[] = {
    NS_TERM(off_node, "us", "messages between nodes"),
    NS_TERM(copy, "us", "copies between device and host"),
    NS_OUT(time, "us", "time of the exchange"),
    NS_END
};

NS_EVAL(machine, in, out, err)
{
    const ns_tables tables = {machine, in->transport, in->protocol - 1};
    ns_off_time off;
    NS_TRY(ns_node_aware_off(&tables, in->m_proc, in->s_proc, in->ppn * in->s_proc, &off, err));
    out->off_node = off.startup + off.transfer;
    out->copy = 0;
    if (in->transport == NS_HOST && in->form == NS_FORM_CORRECTED)
        NS_TRY(ns_node_aware_staging(machine, 1, in->s_proc, in->s_recv, false, &out->copy, err));
    out->time = out->off_node + out->copy;
    return NS_OK;
}

const ns_model ns_model_standard = {
    .name = "standard",
    .title = "standard communication, staged or device-aware",
    .source = "[NA] Table 6, equations (2.1), (2.2)",
    .notes = "An upper bound, about ten times what [NA] measures; printed and corrected form differ by the copies.",
    NS_ROWS_AND_EVAL,
    .wants_machine = true,
};
