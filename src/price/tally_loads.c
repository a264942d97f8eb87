/* tally_loads.c -- from the sums of a tally to the loads that a form prices */
#include "price/joins.h"
#include "price/partners.h"
#include "price/tally.h"

#include <string.h>

static inline const ns_class_sum *sums_of(const ns_tally *t, const ns_book *book, bool receiving, int32_t process)
{
    return (const ns_class_sum *)(const void *)(ns_book_row(t, book, receiving, process) + book->head);
}

static ns_status refuse(const ns_tally_source *w, int locality, ns_error *err)
{
    return ns_refuse_no_table(w->source.machine, w->source.memory,
                              w->source.form->one_table ? NS_OFF_NODE : (ns_locality)locality, err);
}

/* Messages and bytes by protocol of one row.  Classes of one protocol are added up as whole numbers. */
static inline ns_status load_row(const ns_tally_source *w, int locality, const ns_class_sum *sum,
                                 ns_class_load load[NS_PROTOCOLS], int64_t *messages, ns_error *err)
{
    const ns_sizes *sizes = w->tally->sizes;
    const int16_t *protocol = sizes->protocol[w->source.memory][locality];
    ns_class_sum one = {0, 0};
    int last = -1;
    for (int p = 0; p < NS_PROTOCOLS; p++)
        load[p] = (ns_class_load){0, 0};
    for (int i = 0; i < sizes->count[locality]; i++) {
        const int of = protocol[i];
        if (sum[i].messages == 0)
            continue;
        if (of < 0)
            return refuse(w, locality, err);
        one.messages = sum[i].messages + (of == last ? one.messages : 0);
        one.bytes = sum[i].bytes + (of == last ? one.bytes : 0);
        last = of;
        load[of] = (ns_class_load){(double)one.messages, (double)one.bytes};
        *messages += sum[i].messages;
    }
    return NS_OK;
}

/* All that a side of a process has in a step.  Without a book nobody has any, and the load says so already. */
static inline ns_status load_books(const ns_tally_source *w, int step, int32_t process, bool receiving,
                                   ns_class_load load[NS_LOCALITIES][NS_PROTOCOLS], int64_t *messages, ns_error *err)
{
    for (int l = 0; l < NS_LOCALITIES; l++) {
        const ns_book *book = &w->tally->book[step][l];
        if (book->rows > 0)
            NS_TRY(load_row(w, l, sums_of(w->tally, book, receiving, process), load[l], messages, err));
    }
    return NS_OK;
}

/* The same on the page of its node. */
static inline ns_status load_page(const ns_tally_source *w, int32_t process, bool receiving,
                                  ns_class_load load[NS_LOCALITIES][NS_PROTOCOLS], int64_t *messages, ns_error *err)
{
    const ns_page_row *row = ns_joins_row(w->tally, receiving, process);
    *messages = row->messages;
    if (row->messages == 0) {
        memset(load, 0, NS_OFF_NODE * sizeof *load);
        return NS_OK;
    }
    for (int l = 0; l < NS_OFF_NODE; l++) {
        if (row->sum[l][0].messages > 0)
            return refuse(w, l, err);
        for (int p = 0; p < NS_PROTOCOLS; p++)
            load[l][p] = (ns_class_load){(double)row->sum[l][p + 1].messages, (double)row->sum[l][p + 1].bytes};
    }
    return NS_OK;
}

static ns_status load_sides(const ns_tally_source *w, int step, int32_t process, ns_load *load, int64_t messages[2],
                            ns_error *err)
{
    if (ns_joins_has_pages(w->tally, step)) {
        if (ns_joins_row(w->tally, false, process)->messages + ns_joins_row(w->tally, true, process)->messages == 0)
            return NS_OK;
        NS_TRY(load_page(w, process, false, load->out, &messages[0], err));
        return load_page(w, process, true, load->in, &messages[1], err);
    }
    NS_TRY(load_books(w, step, process, false, load->out, &messages[0], err));
    return load_books(w, step, process, true, load->in, &messages[1], err);
}

static int32_t partners_of(const ns_tally *t, const ns_book *book, int32_t process)
{
    if (book->rows == 0)
        return 0;
    const int32_t out = ((const ns_head *)(const void *)ns_book_row(t, book, false, process))->partners,
                  in = ((const ns_head *)(const void *)ns_book_row(t, book, true, process))->partners;
    return out > in ? out : in;
}

static double square(double x)
{
    return x * x;
}

static ns_status load_process(const ns_load_source *source, int step, int32_t process, ns_load *load, bool *idle,
                              ns_error *err)
{
    const ns_tally_source *w = (const ns_tally_source *)source;
    int64_t messages[2] = {0, 0};
    NS_TRY(load_sides(w, step, process, load, messages, err));
    *idle = messages[0] + messages[1] == 0;
    if (*idle)
        return NS_OK;
    load->out_squares = square((double)messages[0]);
    load->in_squares = square((double)messages[1]);
    load->partners = partners_of(w->tally, &w->tally->book[step][NS_OFF_NODE], process);
    ns_load_complete(source->strategy, load);
    return NS_OK;
}

static int64_t bytes_of(const ns_tally *t, const ns_book *book, bool receiving, int32_t process)
{
    const ns_class_sum *sum = sums_of(t, book, receiving, process);
    int64_t bytes = 0;
    for (int i = 0; i < t->sizes->count[NS_OFF_NODE]; i++)
        bytes += sum[i].bytes;
    return bytes;
}

/* Bytes that move inside a node by books; a process without a table for them is refused when it is loaded. */
static void add_inside(const ns_tally_source *w, int step, int32_t node, int locality, int64_t sum[NS_PROTOCOLS + 1])
{
    const ns_site *site = w->tally->site;
    const ns_sizes *sizes = w->tally->sizes;
    const ns_book *book = &w->tally->book[step][locality];
    const int16_t *protocol = sizes->protocol[w->source.memory][locality];
    for (int32_t i = site->first[node]; book->rows > 0 && i < site->first[node + 1]; i++) {
        const ns_class_sum *of = sums_of(w->tally, book, false, site->part[i]);
        for (int k = 0; k < sizes->count[locality]; k++)
            sum[protocol[k] + 1] += of[k].bytes;
    }
}

static void load_inside(const ns_tally_source *w, int step, int32_t node, ns_load *load)
{
    const bool pages = ns_joins_has_pages(w->tally, step);
    for (int l = 0; l < NS_OFF_NODE; l++) {
        int64_t sum[NS_PROTOCOLS + 1] = {0};
        if (!pages)
            add_inside(w, step, node, l, sum);
        for (int p = 0; p < NS_PROTOCOLS; p++)
            load->node_on[l][p] = (double)(pages ? w->tally->page_bytes[l] : sum)[p + 1];
    }
}

static ns_status load_node(const ns_load_source *source, int step, int32_t node, ns_load *load, ns_error *err)
{
    const ns_tally_source *w = (const ns_tally_source *)source;
    const ns_site *site = w->tally->site;
    const ns_book *book = &w->tally->book[step][NS_OFF_NODE];
    int64_t out = 0, in = 0;
    if (ns_joins_has_pages(w->tally, step))
        NS_TRY(ns_joins_turn(w->tally, step, node, source->memory, err));
    for (int32_t i = site->first[node]; book->rows > 0 && i < site->first[node + 1]; i++) {
        out += bytes_of(w->tally, book, false, site->part[i]);
        in += bytes_of(w->tally, book, true, site->part[i]);
    }
    load->node_out = (double)out;
    load->node_in = (double)in;
    load->alone = ns_site_node_size(site, node) == 1;
    if (source->form->whole)
        load_inside(w, step, node, load);
    return NS_OK;
}

static double link_bytes(const ns_load_source *source, int step)
{
    return ns_far_link_bytes(&((const ns_tally_source *)source)->tally->far[step], source->site->nodes);
}

ns_tally_source ns_tally_loads(ns_tally *tally, const ns_machine *machine, const ns_form *form, ns_memory memory)
{
    ns_tally_source of = {.tally = tally,
                          .source = {.strategy = tally->sink.strategy,
                                     .machine = machine,
                                     .form = form,
                                     .memory = memory,
                                     .site = tally->site,
                                     .steps = tally->sink.steps,
                                     .holders = tally->sink.task->holders,
                                     .staged = memory == NS_HOST && machine->gpus > 0,
                                     .node = load_node,
                                     .process = load_process,
                                     .link_bytes = link_bytes}};
    for (int d = 0; d < NS_DIRECTIONS; d++) {
        of.source.copies[d] = tally->copies[d];
        of.source.copy_bytes[d] = tally->copy_bytes[d];
    }
    return of;
}

int64_t ns_tally_messages_off_node_max(const ns_tally *t)
{
    int64_t most = 0;
    for (int32_t p = 0; p < t->site->parts; p++) {
        int64_t count = 0;
        for (int step = 0; step < t->sink.steps; step++) {
            const ns_book *book = &t->book[step][NS_OFF_NODE];
            if (book->rows == 0)
                continue;
            const ns_class_sum *sum = sums_of(t, book, false, p);
            for (int i = 0; i < t->sizes->count[NS_OFF_NODE]; i++)
                count += sum[i].messages;
        }
        most = count > most ? count : most;
    }
    return most;
}
