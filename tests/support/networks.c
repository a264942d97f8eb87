/* networks.c -- exchanges of matrices, priced on a network */
#include "support/networks.h"

#include "core/memory.h"

#include <check.h>
#include <stdlib.h>

#include "support/files.h"

const ns_network_kind *network_kind(const char *name)
{
    const ns_network_kind *kind = NULL;
    ck_assert(ns_network_kind_get(name, &kind, NULL) == NS_OK);
    return kind;
}

ns_matrix *network_matrix(const char *name)
{
    ns_matrix *matrix = NULL;
    ns_error err = {0};
    ck_assert_msg(ns_matrix_open(name, &matrix, &err) == NS_OK, "%s", err.text);
    return test_keep(matrix);
}

ns_exchange *network_exchange(ns_matrix *matrix, int32_t parts, int32_t per_node, const int32_t *part, int64_t width)
{
    ns_exchange *x = NULL;
    ns_error err = {0};
    const ns_layout layout = {parts, per_node};
    const ns_exchange_options options = {.width = width, .part = part};
    ck_assert_msg(ns_exchange_from_matrix(matrix, &layout, 1, &options, &x, NULL, &err) == NS_OK, "%s", err.text);
    return test_keep(x);
}

network_priced network_price(const char *network, const ns_machine *hardware, const ns_machine *machine,
                             const ns_network_request *request)
{
    network_priced p = {.comparison = ns_calloc(1, sizeof *p.comparison)};
    ns_workspace *workspace = NULL;
    ns_error err = {0};
    const ns_selection all = {.price = {.confidence = 0.9}};
    ck_assert(p.comparison != NULL && ns_workspace_open(&workspace, NULL) == NS_OK);
    ck_assert_msg(ns_fabric_open(network_kind(network), hardware, hardware != NULL, machine, NULL, &p.fabric, &err) ==
                      NS_OK,
                  "%s", err.text);
    ck_assert_msg(ns_network_compare(p.fabric, request, &all, workspace, p.comparison, &p.networked, &err) == NS_OK,
                  "%s", err.text);
    ns_workspace_free(workspace);
    return p;
}

void network_done(network_priced *p)
{
    ns_networked_free(p->networked);
    ns_fabric_free(p->fabric);
    ns_free(p->comparison);
}

double network_estimate(const network_priced *p, int i)
{
    return p->comparison->choice[i].price.estimate_s;
}
