/* caches.c -- on-node rates of warm caches: a benchmark sends the same buffers again and again, exchanges read memory
 *
 *     beta_j > beta_i + 2 sqrt(se_i^2 + se_j^2),  i before j     all lines before the last such j are cache rates
 *
 * since no protocol for longer messages is designed to be slower per byte.  Only lines whose data reach 64 KiB or more
 * show a rate.  Where no later line is slower, the test is inconclusive unless messages are larger than any cache.
 */
#include "fit/fit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double SHOWS_RATE = 65536, BEYOND_CACHES = 512 << 20; /* B, of a message */

ns_status ns_fit_mark_caches(ns_fit *fit, ns_error *err)
{
    char unknown[60] = "";
    for (size_t i = 0; i < fit->groups; i++) {
        ns_fit_group *g = &fit->group[i];
        if (!g->in_machine || g->memory != NS_HOST || g->locality == NS_OFF_NODE || !ns_kind_is_latency(g->kind))
            continue;
        ns_fit_class *last = &g->of[g->classes - 1];
        int memory = 0; /* last line with a higher time per byte than an earlier one */
        for (int j = 1; j < g->classes; j++)
            for (int k = 0; k < j; k++) {
                const ns_line_estimate *a = &g->of[k].line, *b = &g->of[j].line;
                if (g->of[k].most >= SHOWS_RATE && b->beta > a->beta + 2 * hypot(a->beta_se, b->beta_se))
                    memory = j;
            }
        for (int c = 0; c < memory; c++)
            g->of[c].caches = NS_CACHES_HELD;
        if (memory > 0) {
            const ns_fit_class *before = &g->of[memory - 1], *from = &g->of[memory];
            NS_TRY(
                ns_fit_warn(fit, err,
                            "%s %s: a byte takes %.3g ns up to %.0f B and %.3g ns from %.0f B on: until then the same "
                            "buffers, sent again and again, lay in warm caches, while exchanges read memory",
                            ns_memory_words[g->memory], ns_locality_words[g->locality], 1e9 * before->line.beta,
                            before->most, 1e9 * from->line.beta, from->least));
        } else if (last->most >= SHOWS_RATE && last->most < BEYOND_CACHES) {
            const size_t used = strlen(unknown);
            last->caches = NS_CACHES_PERHAPS;
            snprintf(unknown + used, sizeof unknown - used, "%s%s up to %.0f B", used > 0 ? ", " : "",
                     ns_locality_words[g->locality], last->most);
        }
    }
    return *unknown == '\0'
               ? NS_OK
               : ns_fit_warn(fit, err,
                             "host %s: no message is slower a byte than shorter ones, so that nothing tells "
                             "caches from memory: the rate may be one of warm caches, while exchanges read "
                             "memory",
                             unknown);
}
