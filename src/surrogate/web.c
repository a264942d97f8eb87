/* web.c -- a crawl of the web in the order of its addresses: hosts, folders, pages
 *
 * Pages of a host, and in it of a folder, have consecutive numbers.  Sizes of hosts follow a power law (exponent 1,
 * from `smallest` to `largest`).  A page links to:
 *   - the next page, and one in its folder, which gives most columns their one or two entries;
 *   - the first pages of its host and of its folder, as many as its row holds (menus).  So the first pages of big
 *     hosts become the long columns, and in-degrees follow a power law, too;
 *   - pages of its host at any depth, drawn from a number that its folder links to: where a partition cuts a big host,
 *     its parts therefore need many columns of each other;
 *   - other hosts: some neighbouring pages choose from the same few targets, nearby or popular.  The share of such
 *     neighbours varies along the addresses.
 * Lengths of rows are drawn from their quantiles.  The longest rows of a folder are those of its first pages, to which
 * the others link: these are index pages, whose links have mirror images.  Everything follows from hashes of the page,
 * its folder or its host.
 */
#include "surrogate/web.h"

#include "core/memory.h"
#include "matrix/batch.h"
#include "surrogate/lattice.h"

enum { SINGLES = 4, INSIDE = 4, ABROAD = 4, TARGETS = 8, HOSTS = 2, TABLE = 65536, SCALES = 10 };

struct crawl {
    const ns_web *web;
    uint32_t *start; /* of a host; with one extra element at the end */
    uint32_t hosts, big;
    uint16_t *length; /* TABLE draws from all but the last 65536th of the lengths */
    ns_batch *batch;
};

/* A page, its folder and its host. */
struct page {
    uint32_t row, host, first, end, folder, folder_end;
    uint64_t draw;
};

/* An output row.  Singles are emitted in order; runs skip the page itself and the barred one. */
struct line {
    ns_entry *out;
    uint32_t row, barred, single[SINGLES + INSIDE]; /* barred: the popular page, a single where it is linked */
    int singles, next;
};

static uint64_t draw(const ns_web *web, uint64_t what, uint64_t of)
{
    return ns_lattice_hash(of ^ (what + web->seed) << 44);
}

/* ---- hosts ------------------------------------------------------------------------------------------------------ */

static bool list_hosts(struct crawl *crawl)
{
    const ns_web *web = crawl->web;
    bool placed = false;
    for (int pass = 0; pass < 2; pass++) {
        uint32_t at = 0, host = 0;
        placed = false;
        for (; at < web->rows; host++) {
            if (pass == 1)
                crawl->start[host] = at;
            /* the biggest host is the first that would reach the middle */
            const bool big =
                !placed && at <= web->rows / 2 && at + web->largest > web->rows / 2 && web->rows - at > web->biggest;
            /* P(size > x) = smallest / x up to the largest */
            const double u = (double)(draw(web, 1, host) >> 11) * 0x1p-53, low = web->smallest, high = web->largest;
            const uint32_t size = big ? web->biggest : (uint32_t)(low / (1 - u * (1 - low / high)));
            if (big) {
                placed = true;
                crawl->big = host;
            }
            at = size < web->rows - at ? at + size : web->rows;
        }
        crawl->hosts = host;
        if (pass == 0)
            crawl->start = ns_malloc(ns_size_mul(ns_size_add((size_t)host, 1), sizeof *crawl->start));
        if (crawl->start == NULL)
            return false;
    }
    crawl->start[crawl->hosts] = web->rows;
    return placed;
}

/* ---- lengths of rows -------------------------------------------------------------------------------------------- */

/* The first pages of a folder draw from the end of the table and the others from the rest, so that the overall
 * distribution is unchanged. */
static uint32_t length_of(const struct crawl *crawl, const struct page *page)
{
    const ns_web *web = crawl->web;
    if (page->row == web->rows / 3)
        return (uint32_t)web->knot[NS_WEB_KNOTS - 1].value;
    const uint32_t draw_at = (uint32_t)(page->draw & (TABLE - 1)), rest = TABLE - web->heads;
    const uint64_t heads = (uint64_t)(page->folder_end - page->folder) * web->heads;
    const bool leads = (2 * (uint64_t)(page->row - page->folder) + 1) * TABLE < 2 * heads; /* their number is rounded */
    const uint32_t at = leads ? rest + (uint32_t)((uint64_t)draw_at * web->heads / TABLE)
                              : (uint32_t)((uint64_t)draw_at * rest / TABLE);
    if (at < TABLE - 1)
        return crawl->length[at];
    const double share = (TABLE - 1 + (double)(page->draw >> 40 & 65535) / 65536) / TABLE;
    return (uint32_t)ns_quantile(web->knot, NS_WEB_KNOTS, share);
}

/* ---- links ------------------------------------------------------------------------------------------------------ */

/* A page near the top of a nearby host or of a popular one. */
static uint32_t target_of(const struct crawl *crawl, const struct page *page, uint64_t which)
{
    const ns_web *web = crawl->web;
    const uint64_t kin = page->row / web->kin, dice = draw(web, 4, kin * TARGETS + which % HOSTS);
    const uint32_t depth = (uint32_t)(draw(web, 6, kin * TARGETS + which) & 255), deep = 1 + depth * depth / 2048;
    uint32_t host;
    if ((dice & 65535) < web->near) {
        const uint32_t step = 1 + (uint32_t)(dice >> 16 & 15);
        host = (dice >> 20 & 1) != 0 && page->host >= step ? page->host - step : page->host + step;
    } else {
        double rank = 1;
        for (uint32_t i = 0; i < web->fame; i++)
            rank *= (double)(dice >> 11) * 0x1p-53;
        host = (uint32_t)(ns_lattice_hash((uint64_t)(rank * crawl->hosts)) % crawl->hosts);
    }
    host = host < crawl->hosts ? host : crawl->hosts - 1;
    const uint32_t size = crawl->start[host + 1] - crawl->start[host];
    return crawl->start[host] + (deep < size ? deep : size - 1);
}

/* Do pages near this one link to other hosts?  Neighbours in address order resemble each other at every scale (a
 * binomial cascade): of each stretch of pages one half, chosen at random, has 1 + lean times the share of the whole
 * stretch and the other half 1 - lean times, from the whole crawl down to 1/2^SCALES of it. */
static bool links_abroad(const ns_web *web, uint32_t row)
{
    double share = web->linking;
    for (unsigned scale = 1; scale <= SCALES; scale++) {
        const uint64_t half = ((uint64_t)row << scale) / web->rows;
        const bool more = ((draw(web, 8, (uint64_t)scale << 32 | half / 2) ^ half) & 1) != 0;
        share *= more ? 1 + web->lean : 1 - web->lean;
    }
    return (double)(draw(web, 9, row / web->kin) & 65535) < share;
}

/* Links to other hosts, outside [first, guard), ascending. */
static int list_abroad(const struct crawl *crawl, const struct page *page, uint32_t guard, uint32_t list[ABROAD])
{
    if ((page->draw >> 16 & 65535) >= crawl->web->abroad || !links_abroad(crawl->web, page->row))
        return 0;
    const int wanted = 1 + (int)(page->draw >> 32 & 3);
    int count = 0;
    for (int i = 0; i < wanted; i++) {
        const uint32_t target = target_of(crawl, page, ((page->draw >> 34) + (uint64_t)i) % TARGETS);
        if ((target < page->first || target >= guard) && target != crawl->start[crawl->big])
            list[count++] = target;
    }
    return ns_sort_unique(list, count);
}

/* The page itself, the next one, one in the folder, some of the host; for the biggest host, also its first page. */
static void list_singles(const struct crawl *crawl, const struct page *page, uint32_t length, struct line *line)
{
    const ns_web *web = crawl->web;
    int count = 0;
    if (page->host == crawl->big && page->row - page->first < web->popular)
        line->single[count++] = page->first;
    if (length > 0 && (draw(web, 5, page->row) & 65535) < web->self && !(count > 0 && page->row == page->first))
        line->single[count++] = page->row;
    if ((uint32_t)count < length && page->row + 1 < page->end)
        line->single[count++] = page->row + 1;
    const uint64_t dice = page->draw >> 44, depth = dice * dice >> 20; /* pages near the top are more likely; 20 bits */
    const uint32_t any = page->folder + (uint32_t)(depth * (page->folder_end - page->folder) >> 20);
    const bool reserved = page->host == crawl->big && any == page->first;
    if ((uint32_t)count < length && any != page->row && !reserved)
        line->single[count++] = any;
    /* pages of the host at any depth that the page's folder links to */
    const uint64_t other = draw(web, 10, page->row);
    if ((other & 65535) < web->inside) {
        const uint64_t known = 1 + (page->folder_end - page->folder) / web->apart;
        const uint64_t wanted = 1 + (other >> 16 & (INSIDE - 1));
        for (uint64_t i = 0; i < wanted && (uint32_t)count < length; i++) {
            const uint64_t which = page->folder + ((other >> 18) + i) % known;
            const uint32_t target = page->first + (uint32_t)(draw(web, 11, which) % (page->end - page->first));
            if (target != page->row && target != crawl->start[crawl->big])
                line->single[count++] = target;
        }
    }
    line->singles = ns_sort_unique(line->single, count);
    line->next = 0;
}

static void put(struct line *line, uint32_t from, uint32_t to)
{
    for (uint32_t column = from; column < to; column++)
        *line->out++ = (ns_entry){.row = line->row, .col = column};
}

static void put_singles(struct line *line, uint32_t before)
{
    for (; line->next < line->singles && line->single[line->next] < before; line->next++)
        put(line, line->single[line->next], line->single[line->next] + 1);
}

/* Emit `count` columns from `from` on that are neither singles nor the page itself, and the singles among them; returns
 * the column after the last. */
static uint32_t put_run(struct line *line, uint32_t from, uint32_t count, uint32_t rows)
{
    put_singles(line, from);
    while (count > 0 && from < rows) {
        const bool single = line->next < line->singles && line->single[line->next] == from;
        if (single || from == line->row || from == line->barred) {
            put_singles(line, from + 1);
            from++;
            continue;
        }
        uint32_t stop = count < rows - from ? from + count : rows;
        if (line->next < line->singles && line->single[line->next] < stop)
            stop = line->single[line->next];
        if (line->row > from && line->row < stop)
            stop = line->row;
        if (line->barred > from && line->barred < stop)
            stop = line->barred;
        put(line, from, stop);
        count -= stop - from;
        from = stop;
    }
    return from;
}

static ns_status send_page(struct crawl *crawl, struct page *page)
{
    const ns_web *web = crawl->web;
    page->draw = draw(web, 3, page->row);
    const uint32_t length = length_of(crawl, page);
    struct line line = {.row = page->row, .barred = crawl->start[crawl->big]};
    list_singles(crawl, page, length, &line);
    const uint32_t singles = (uint32_t)line.singles, room = length > singles ? length - singles : 0;
    const uint32_t reach = page->folder + length + (singles > SINGLES ? singles : SINGLES) + 1;
    uint32_t abroad[ABROAD];
    int others = list_abroad(crawl, page, reach > page->end ? reach : page->end, abroad);
    NS_TRY(ns_batch_take(crawl->batch, (size_t)singles + room, &line.out));
    /* `room` columns besides the singles: links to other hosts as far as they fit, menus for the rest */
    others = (uint32_t)others < room ? others : (int)room;
    const uint32_t menus = room - (uint32_t)others, top = (uint32_t)((uint64_t)menus * web->top >> 16);
    const uint32_t from = page->first + (page->host == crawl->big);
    int next = 0;
    for (; next < others && abroad[next] < page->first; next++)
        put(&line, abroad[next], abroad[next] + 1);
    const uint32_t after = put_run(&line, from, top, web->rows);
    put_run(&line, after > page->folder ? after : page->folder, menus - top, web->rows);
    put_singles(&line, web->rows);
    for (; next < others; next++)
        put(&line, abroad[next], abroad[next] + 1);
    crawl->batch->count = (size_t)(line.out - crawl->batch->entries); /* less than requested at the end of the crawl */
    return NS_OK;
}

ns_status ns_web_scan(const void *shape, ns_entry_fn *receive, void *context, ns_error *err)
{
    const ns_web *web = shape;
    struct crawl crawl = {.web = web, .batch = ns_batch_new(web->name, receive, context, err)};
    if (crawl.batch == NULL)
        return NS_ERR_MEMORY;
    ns_status status = NS_OK;
    crawl.length = ns_malloc(TABLE * sizeof *crawl.length);
    if (crawl.length == NULL || !list_hosts(&crawl))
        status = ns_fail(err, NS_ERR_MEMORY, "no memory for the hosts of \"%s\", wanted some MB", web->name);
    for (uint32_t i = 0; status == NS_OK && i < TABLE; i++)
        crawl.length[i] = (uint16_t)ns_quantile(web->knot, NS_WEB_KNOTS, (i + 0.5) / TABLE);
    for (uint32_t host = 0; status == NS_OK && host < crawl.hosts; host++) {
        struct page page = {.host = host, .first = crawl.start[host], .end = crawl.start[host + 1]};
        const uint32_t size = 1 + web->folder / 2 + (uint32_t)(draw(web, 2, host) % web->folder);
        for (page.folder = page.first; status == NS_OK && page.folder < page.end; page.folder = page.folder_end) {
            page.folder_end = size < page.end - page.folder ? page.folder + size : page.end;
            for (page.row = page.folder; status == NS_OK && page.row < page.folder_end; page.row++)
                status = send_page(&crawl, &page);
        }
    }
    if (status == NS_OK)
        status = ns_batch_flush(crawl.batch);
    ns_free(crawl.start);
    ns_free(crawl.length);
    ns_free(crawl.batch);
    return status;
}
