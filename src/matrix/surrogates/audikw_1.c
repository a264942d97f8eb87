/* audikw_1.c -- stand-in for GHS_psdef/audikw_1: a flat bar of quadratic tetrahedra, three unknowns a node
 *
 * How the sizes below were found, and what the real matrix has that this one has not: docs/surrogates.md.
 */
#include "matrix/lattice.h"
#include "matrix/source.h"

#include <stdlib.h>
#include <string.h>

#ifndef TUNE
#define TUNE
static int NX = 13, NY = 105, NZ = 231, SWEEPS = 1, INTERFACE = 5950, LINKS = 37000, LOW = 80;
#endif

enum {
    NODES = 314565,
    UNKNOWNS = 3,
    LONGEST = 115,
    BATCH = 8192,
    CANDIDATES = 604,
};

struct mesh {
    ns_lattice lattice;
    int32_t *number;
    int32_t *node;
    uint64_t *link;
    size_t links, next;
};

struct step {
    int64_t x, y, z;
};

static int is_corner(int64_t n)
{
    return n % NX % 2 == 0 && n / NX % NY % 2 == 0 && n / NX / NY % 2 == 0;
}

static void number_nodes(struct mesh *m)
{
    int64_t C = 0;
    for (int64_t n = 0; n < NODES; n++) C += is_corner(n);
    int64_t j = 0, c = 0, ord = INTERFACE, next = -1;
    for (int64_t n = 0; n < NODES; n++) {
        int isif = 0;
        if (is_corner(n)) {
            if (j < INTERFACE) {
                int64_t a = j * C / INTERFACE, b = (j + 1) * C / INTERFACE;
                next = a + (int64_t)(ns_lattice_hash((uint64_t)j) % (uint64_t)(b - a));
                if (c == next) isif = 1;
            }
            c++;
        }
        int64_t num;
        if (isif) {
            int64_t s = j % SWEEPS, r = j / SWEEPS;
            int64_t start = 0;
            for (int q = 0; q < s; q++) start += (INTERFACE - q + SWEEPS - 1) / SWEEPS;
            num = start + r;
            j++;
        } else num = ord++;
        m->number[n] = (int32_t)num;
        m->node[num] = (int32_t)n;
    }
}

static int cmp64(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}
static int cmpstep(const void *a, const void *b)
{
    const struct step *p = a, *q = b;
    int64_t x = p->x * p->x + p->y * p->y + p->z * p->z, y = q->x * q->x + q->y * q->y + q->z * q->z;
    if (x != y) return (x > y) - (x < y);
    x = (p->z * 9 + p->y) * 9 + p->x; y = (q->z * 9 + q->y) * 9 + q->x;
    return (x > y) - (x < y);
}
static int64_t gcd(int64_t a, int64_t b) { return b ? gcd(b, a % b) : a; }
static void make_links(struct mesh *m)
{
    struct step st[CANDIDATES]; int ns = 0;
    for (int z = -4; z <= 4; z++) for (int y = -4; y <= 4; y++) for (int x = -4; x <= 4; x++)
        if (abs(x) > 2 || abs(y) > 2 || abs(z) > 2) st[ns++] = (struct step){x, y, z};
    qsort(st, (size_t)ns, sizeof *st, cmpstep);
    int64_t stride = INTERFACE * 61 / 100; while (gcd(stride, INTERFACE) != 1) stride++;
    int64_t left = LINKS, nb[125];
    for (int64_t h = 0, at = 0; h < INTERFACE && left; h++, at = (at + stride) % INTERFACE) {
        int64_t n = m->node[at], x = n % NX, y = n / NX % NY, z = n / NX / NY;
        int64_t own = 0; int k = ns_lattice_neighbours(&m->lattice, n, nb);
        for (int i = 0; i < k; i++) own += nb[i] < NODES;
        int64_t to = LOW + (int64_t)(ns_lattice_hash((uint64_t)n + 77) % (uint64_t)(LONGEST - LOW + 1));
        for (int i = 0; i < ns && own < to && left; i++) {
            int64_t a = x + st[i].x, b = y + st[i].y, c = z + st[i].z;
            if (a < 0 || b < 0 || c < 0 || a >= NX || b >= NY) continue;
            int64_t t = (c * NY + b) * NX + a;
            if (t >= NODES || m->number[t] < INTERFACE) continue;
            m->link[m->links++] = (uint64_t)at << 32 | (uint64_t)m->number[t];
            m->link[m->links++] = (uint64_t)m->number[t] << 32 | (uint64_t)at;
            own++; left--;
        }
    }
    qsort(m->link, m->links, sizeof *m->link, cmp64);
}

static int row(struct mesh *m, int64_t r, int64_t *out)
{
    int64_t nb[125]; int k = ns_lattice_neighbours(&m->lattice, m->node[r], nb), n = 0;
    for (int i = 0; i < k; i++) if (nb[i] < NODES) out[n++] = m->number[nb[i]];
    while (m->next < m->links && (int64_t)(m->link[m->next] >> 32) == r) out[n++] = (int64_t)(m->link[m->next++] & 0xffffffffu);
    for (int i = 1; i < n; i++) { int64_t v = out[i]; int j = i; while (j && out[j-1] > v) { out[j] = out[j-1]; j--; } out[j] = v; }
    return n;
}
