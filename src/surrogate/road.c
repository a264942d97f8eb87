/* road.c -- road networks: chains of nodes, joined where a street ends; numbers jump between pieces of the map
 *
 * Numbers follow the streets, so that most links are i, i + 1.  A hash of i decides whether that link is left out
 * (never two in a row, so no node is isolated).  The ends of chains are joined to other nodes in three layers; in each
 * a node has one partner, by an involution, and a hash of the pair decides whether they are joined:
 *   - near layers: partner i xor m, where m depends on the piece of 2^bits numbers that contains both;
 *   - the distant layer: tiles are matched at random, most over the whole map and some inside its halves or smaller
 *     pieces, partners have the same place in both; some of these links are forks: the next node is linked to the same
 *     partner.  Regions differ in the share of tiles with such links, as their numbers follow the map more or less
 *     closely.
 * So a row follows from its number alone, and neighbouring nodes on the map need few other tiles.
 */
#include "surrogate/road.h"

#include "core/memory.h"
#include "matrix/batch.h"
#include "surrogate/lattice.h"
#include "surrogate/quantile.h"

enum { ROOM = 64, SQUARE_STEP = 37 };

static const uint32_t pieces_of_map[NS_ROAD_SCALES] = {1, 2, 8, 32};

struct map {
    const ns_road *road;
    uint32_t *partner; /* of a tile */
    uint32_t tiles;
};

static uint64_t draw(const ns_road *road, uint64_t what, uint64_t of)
{
    return ns_lattice_hash(of ^ (what + road->seed) << 44);
}

/* ---- chains ----------------------------------------------------------------------------------------------------- */

static bool tries(const ns_road *road, uint32_t i)
{
    return (draw(road, 1, i) & 65535) < road->broken;
}

/* Is the link i, i + 1 left out? */
static bool is_broken(const ns_road *road, uint32_t i)
{
    return tries(road, i) && (i == 0 || !tries(road, i - 1)) && i > 0 && i + 2 < road->rows;
}

static bool is_end(const ns_road *road, uint32_t i)
{
    return i == 0 || i + 1 == road->rows || is_broken(road, i) || is_broken(road, i - 1);
}

/* ---- layers ----------------------------------------------------------------------------------------------------- */

/* All step sizes up to 2^bits are equally frequent. */
static uint32_t near_partner(const ns_road *road, int layer, uint32_t i)
{
    const uint64_t piece = draw(road, 2 + (uint64_t)layer, i >> road->bits[layer]);
    const uint32_t size = 2 + (uint32_t)(piece % (uint64_t)(road->bits[layer] - 1));
    const uint32_t half = UINT32_C(1) << (size - 1);
    return i ^ (half | ((uint32_t)(piece >> 32) & (half - 1)));
}

static uint32_t distant_partner(const struct map *map, uint32_t i)
{
    const uint32_t tile = map->road->tile;
    return map->partner[i / tile] * tile + i % tile;
}

static bool is_joined(const ns_road *road, int layer, uint32_t i, uint32_t j)
{
    const uint32_t low = i < j ? i : j, high = i < j ? j : i;
    if (high >= road->rows || high - low < 2 || high - low > road->bandwidth)
        return false;
    const uint32_t dice = draw(road, 8 + (uint64_t)layer, (uint64_t)low * road->rows + high) >> 20 & 65535;
    if (is_end(road, i) || is_end(road, j))
        return dice < road->joined[layer];
    return layer == NS_ROAD_NEAR && dice < road->crossed;
}

/* Is there a distant link from `low` to a higher number, and is it a fork? */
static bool is_fork(const struct map *map, uint32_t low)
{
    const ns_road *road = map->road;
    const uint32_t high = distant_partner(map, low), square = road->rows / 2;
    return high > low + 2 && low + 1 != square && low != square && high != square &&
           (draw(road, 6, low) & 65535) < road->forked && is_joined(road, NS_ROAD_NEAR, low, high);
}

/* ---- rows ------------------------------------------------------------------------------------------------------- */

static int make_row(const struct map *map, uint32_t i, uint32_t columns[ROOM])
{
    const ns_road *road = map->road;
    const uint32_t square = road->rows / 2, first = (road->rows - road->bandwidth) / 2;
    int count = 0;
    /* the link that sets the bandwidth, and the square: every SQUARE_STEP-th of the nodes after it */
    if (i == first)
        columns[count++] = first + road->bandwidth;
    if (i == first + road->bandwidth)
        columns[count++] = first;
    if (i == square)
        for (uint32_t k = 1; k < road->longest; k++)
            columns[count++] = square + k * SQUARE_STEP;
    if (i > square && i - square <= (road->longest - 1) * SQUARE_STEP && (i - square) % SQUARE_STEP == 0)
        columns[count++] = square;
    if (i > 0 && !is_broken(road, i - 1))
        columns[count++] = i - 1;
    if (i + 1 < road->rows && !is_broken(road, i))
        columns[count++] = i + 1;
    for (int layer = 0; layer <= NS_ROAD_NEAR; layer++) {
        const uint32_t j = layer < NS_ROAD_NEAR ? near_partner(road, layer, i) : distant_partner(map, i);
        if (i != square && j != square && is_joined(road, layer, i, j))
            columns[count++] = j;
    }
    if (i > 0 && is_fork(map, i - 1))
        columns[count++] = distant_partner(map, i - 1);
    const uint32_t low = distant_partner(map, i);
    if (low < i && is_fork(map, low))
        columns[count++] = low + 1;
    return ns_sort_unique(columns, count);
}

/* Does the tile have distant links? */
static bool reaches(const struct map *map, uint32_t tile)
{
    const ns_road *road = map->road;
    uint32_t most = 0;
    for (int i = 0; i < NS_ROAD_REGIONS; i++)
        most = road->region[i] > most ? road->region[i] : most;
    const uint64_t region = (uint64_t)tile * NS_ROAD_REGIONS / map->tiles;
    return most == 0 || draw(road, 9, tile) % most < road->region[region];
}

/* Maximum distance of a tile's partner: the smallest piece of the map that contains both. */
static int scale_of(const struct map *map, uint32_t tile)
{
    const ns_road *road = map->road;
    uint32_t dice = draw(road, 10, tile) & 65535;
    for (int scale = 1; scale < NS_ROAD_SCALES; scale++) {
        if (dice < road->within[scale])
            return scale;
        dice -= road->within[scale];
    }
    return 0;
}

/* A random matching of the tiles with distant links, most over the whole map, some inside its pieces.  Other tiles are
 * their own partners.  The last tile may be partial or unmatched. */
static bool match_tiles(struct map *map)
{
    uint32_t *list = ns_malloc(ns_size_mul(map->tiles, sizeof *list));
    map->partner = ns_malloc(ns_size_mul(map->tiles, sizeof *map->partner));
    if (list == NULL || map->partner == NULL) {
        ns_free(list);
        return false;
    }
    for (uint32_t i = 0; i < map->tiles; i++)
        map->partner[i] = i;
    for (int scale = 0; scale < NS_ROAD_SCALES; scale++)
        for (uint64_t piece = 0, pieces = pieces_of_map[scale]; piece < pieces; piece++) {
            uint32_t tiles = 0;
            for (uint64_t i = piece * map->tiles / pieces; i < (piece + 1) * map->tiles / pieces; i++)
                if (scale_of(map, (uint32_t)i) == scale && reaches(map, (uint32_t)i))
                    list[tiles++] = (uint32_t)i;
            /* neighbours in a shuffled list (Fisher, Yates); one may be unmatched */
            const uint64_t first = tiles > 0 ? list[0] : 0;
            for (uint32_t i = tiles; i-- > 1;) {
                const uint32_t k = (uint32_t)(draw(map->road, 7, first + i) % (i + 1)), other = list[k];
                list[k] = list[i];
                list[i] = other;
            }
            for (uint32_t i = 0; i + 1 < tiles; i += 2) {
                map->partner[list[i]] = list[i + 1];
                map->partner[list[i + 1]] = list[i];
            }
        }
    ns_free(list);
    return true;
}

ns_status ns_road_scan(const void *shape, ns_entry_fn *receive, void *context, ns_error *err)
{
    const ns_road *road = shape;
    struct map map = {.road = road, .tiles = (road->rows + road->tile - 1) / road->tile};
    ns_status status = NS_ERR_MEMORY;
    ns_batch *batch = ns_batch_new(road->name, receive, context, err);
    if (batch != NULL && !match_tiles(&map))
        status =
            ns_fail(err, NS_ERR_MEMORY, "no memory for the map of \"%s\", wanted %u bytes", road->name, 8 * map.tiles);
    else if (batch != NULL)
        status = NS_OK;
    for (uint32_t i = 0; status == NS_OK && i < road->rows; i++) {
        uint32_t columns[ROOM];
        const int count = make_row(&map, i, columns);
        ns_entry *entry;
        status = ns_batch_take(batch, (size_t)count, &entry);
        for (int k = 0; status == NS_OK && k < count; k++)
            entry[k] = (ns_entry){.row = i, .col = columns[k]};
    }
    if (status == NS_OK)
        status = ns_batch_flush(batch);
    ns_free(map.partner);
    ns_free(batch);
    return status;
}
