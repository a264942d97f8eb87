/* mesh_mtx.c -- write a large Matrix Market file: k unknowns a node on an nx x ny x nz mesh, 27 neighbours
 *
 * Usage: mesh_mtx [NX NY NZ [K [FILE]]]           default 68 68 68 3, to standard output
 *
 * Symmetric, coordinate, real, values with 15 decimals; the lower triangle by columns, as the public collections write
 * it.  The default has 943,296 rows and 37,562,484 stored entries (1.36 GB), close to audikw_1 in size and kind.
 * Values are a fixed hash of the position, so two runs write the same bytes.  (Build tool: for benchmarks and tests.)
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER = 1 << 20, LONGEST_LINE = 96 };

struct mesh {
    int64_t nx, ny, nz, k;
};

struct output {
    FILE *file;
    char *buffer;
    size_t used;
};

static char *put_number(char *to, uint64_t value)
{
    char digits[20];
    int count = 0;
    do
        digits[count++] = (char)('0' + value % 10);
    while ((value /= 10) != 0);
    while (count > 0)
        *to++ = digits[--count];
    return to;
}

static uint64_t hash(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/* One digit, 15 decimals and an exponent from -3 to 4, without a conversion from double. */
static char *put_value(char *to, int64_t row, int64_t col)
{
    uint64_t h = hash((uint64_t)row * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)col);
    uint64_t mantissa = UINT64_C(1000000000000000) + h % UINT64_C(9000000000000000);
    int exponent = (int)(h >> 61) - 3;
    if (row != col && (h >> 60 & 1) != 0)
        *to++ = '-';
    char digits[16];
    for (int i = 15; i >= 0; i--, mantissa /= 10)
        digits[i] = (char)('0' + mantissa % 10);
    *to++ = digits[0];
    *to++ = '.';
    memcpy(to, digits + 1, 15);
    to += 15;
    *to++ = 'e';
    *to++ = exponent < 0 ? '-' : '+';
    *to++ = '0';
    *to++ = (char)('0' + abs(exponent));
    return to;
}

static int flush(struct output *out)
{
    int bad = fwrite(out->buffer, 1, out->used, out->file) != out->used;
    out->used = 0;
    return bad;
}

static int put_entry(struct output *out, int64_t row, int64_t col)
{
    if (out->used + LONGEST_LINE > BUFFER && flush(out) != 0)
        return 1;
    char *to = out->buffer + out->used;
    to = put_number(to, (uint64_t)row + 1);
    *to++ = ' ';
    to = put_number(to, (uint64_t)col + 1);
    *to++ = ' ';
    to = put_value(to, row, col);
    *to++ = '\n';
    out->used = (size_t)(to - out->buffer);
    return 0;
}

/* The entries of column `col` at or below the diagonal, rows ascending. */
static int put_column(struct output *out, const struct mesh *m, int64_t node, int64_t col)
{
    int64_t x = node / (m->ny * m->nz), y = node / m->nz % m->ny, z = node % m->nz;
    for (int64_t i = x; i <= x + 1 && i < m->nx; i++)
        for (int64_t j = y > 0 ? y - 1 : 0; j <= y + 1 && j < m->ny; j++)
            for (int64_t l = z > 0 ? z - 1 : 0; l <= z + 1 && l < m->nz; l++)
                for (int64_t u = 0; u < m->k; u++) {
                    int64_t row = ((i * m->ny + j) * m->nz + l) * m->k + u;
                    if (row >= col && put_entry(out, row, col) != 0)
                        return 1;
                }
    return 0;
}

static int put_matrix(struct output *out, const struct mesh *m)
{
    int64_t nodes = m->nx * m->ny * m->nz, rows = nodes * m->k;
    int64_t full = (3 * m->nx - 2) * (3 * m->ny - 2) * (3 * m->nz - 2) * m->k * m->k;
    fprintf(out->file,
            "%%%%MatrixMarket matrix coordinate real symmetric\n%% %lld unknowns on each node of a %lld x "
            "%lld x %lld mesh, 27 neighbours\n%lld %lld %lld\n",
            (long long)m->k, (long long)m->nx, (long long)m->ny, (long long)m->nz, (long long)rows, (long long)rows,
            (long long)((full + rows) / 2));
    for (int64_t node = 0; node < nodes; node++)
        for (int64_t u = 0; u < m->k; u++)
            if (put_column(out, m, node, node * m->k + u) != 0)
                return 1;
    return flush(out) != 0 || fflush(out->file) != 0;
}

static int64_t count_argument(int argc, char **argv, int position, int64_t otherwise)
{
    if (position >= argc)
        return otherwise;
    char *end;
    long long value = strtoll(argv[position], &end, 10);
    return *end == '\0' && value >= 1 && value <= 10000 ? value : 0;
}

int main(int argc, char **argv)
{
    struct mesh m = {.nx = count_argument(argc, argv, 1, 68),
                     .ny = count_argument(argc, argv, 2, 68),
                     .nz = count_argument(argc, argv, 3, 68),
                     .k = count_argument(argc, argv, 4, 3)};
    if (m.nx == 0 || m.ny == 0 || m.nz == 0 || m.k == 0 || argc > 6 || (argc > 1 && argc < 4)) {
        fprintf(stderr, "usage: mesh_mtx [NX NY NZ [K [FILE]]]   (whole numbers from 1 to 10000)\n");
        return 2;
    }
    struct output out = {.file = argc > 5 ? fopen(argv[5], "wb") : stdout, .buffer = malloc(BUFFER)};
    int bad = out.file == NULL || out.buffer == NULL || put_matrix(&out, &m) != 0;
    if (out.file != NULL)
        bad |= fclose(out.file) != 0;
    if (bad)
        fprintf(stderr, "mesh_mtx: cannot write %s: %s\n", argc > 5 ? argv[5] : "standard output", strerror(errno));
    free(out.buffer);
    return bad;
}
