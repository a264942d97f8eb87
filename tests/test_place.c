/* test_place.c -- nsmodel place: its placements, their prices, what is written for launchers, what is refused */
#include "core/memory.h"
#include "price/quote.h"
#include "support/cli.h"
#include "support/machines.h"
#include "support/needs.h"
#include "support/shell.h"
#include "support/test.h"
#include "support/values.h"

enum { PARTS_MOST = 256 };

static const ns_value *placement(const ns_value *root, const char *name)
{
    for (const ns_value *p = ns_value_get(root, "placements")->first; p != NULL; p = p->next)
        if (strcmp(text_at(p, "name"), name) == 0)
            return p;
    return NULL;
}

static int nodes_of(const ns_value *of, int32_t node_of[PARTS_MOST])
{
    int parts = 0;
    for (const ns_value *n = ns_value_get(of, "node_of")->first; n != NULL; n = n->next) {
        ck_assert_int_lt(parts, PARTS_MOST);
        node_of[parts++] = (int32_t)n->number;
    }
    return parts;
}

/* ---- answers ----------------------------------------------------------------------------------------------------- */

/* Every estimate is the quote of the matrix on that site. */
static void check_quoted(const ns_value *of, ns_matrix *matrix, const ns_machine *machine, int32_t nodes)
{
    int32_t node_of[PARTS_MOST];
    const int parts = nodes_of(of, node_of);
    ns_site *site = NULL;
    ns_exchange *x = NULL;
    ns_workspace *w = NULL;
    int quotes = 0, i = 0;
    double best = -1;
    ck_assert(ns_site_from_map(parts, nodes, node_of, 0, NULL, &site, NULL) == NS_OK);
    const ns_exchange_options options = {.site = site};
    ck_assert(ns_exchange_from_matrix(matrix, &(ns_layout){parts, site->per_node}, 1, &options, &x, NULL, NULL) ==
              NS_OK);
    ck_assert(ns_workspace_open(&w, NULL) == NS_OK);
    ck_assert(ns_quote(x, machine, NULL, w, &quotes, NULL) == NS_OK);
    for (const ns_value *s = ns_value_get(of, "strategies")->first; s != NULL; s = s->next, i++) {
        const ns_choice *quoted = ns_quote_at(w, i);
        ck_assert_str_eq(text_at(s, "strategy"), quoted->strategy->name);
        ck_assert_str_eq(text_at(s, "transport"), ns_transport_words[quoted->transport]);
        ck_assert_double_eq(number_at(s, "estimate_s"), quoted->price.estimate_s);
        best = best < 0 || quoted->price.estimate_s < best ? quoted->price.estimate_s : best;
    }
    ck_assert_int_eq(i, quotes);
    ck_assert_double_eq(number_at(of, "estimate_s"), best);
    ck_assert_double_eq(number_at(of, "bytes_off_node"), (double)x->pattern.bytes_off_node);
    ns_workspace_free(w);
    ns_exchange_free(x);
    ns_site_free(site);
}

static const struct line {
    const char *matrix, *machine;
    int nodes, per_node;
    const char *more;
    int parts;
} lines[] = {
    {"stencil9:64x64", "lassen", 4, 4, "", 16},
    {"rajat01", "dane", 5, 8, "--parts 37", 37},
    {"stencil27:12x12x12x3", "bluewaters", 3, 16, "--tries 200", 48},
    {"rajat01", "lassen-spectrum", 9, 2, "--parts 4 --seed 7", 4},
    {"rajat01", "lassen", 1, 4, "", 4},
};

TEST_EACH(priced_as_quoted, sizeof lines / sizeof *lines)
{
    const struct line *l = &lines[_i];
    ns_matrix *matrix = NULL;
    ns_value *root = cli_json_with("place --matrix %s --machine %s --nodes %d --per-node %d %s", l->matrix, l->machine,
                                   l->nodes, l->per_node, l->more);
    ck_assert_str_eq(text_at(root, "schema"), "nsmodel/place/1");
    ck_assert_int_eq((int)number_at(root, "parts"), l->parts);
    ck_assert(ns_matrix_open(l->matrix, &matrix, NULL) == NS_OK);
    ns_machine *machine = machine_named(l->machine);
    const double block = number_at(placement(root, "block"), "estimate_s");
    double least = block;
    int count = 0;
    for (const ns_value *p = ns_value_get(root, "placements")->first; p != NULL; p = p->next, count++) {
        int32_t node_of[PARTS_MOST], size[PARTS_MOST] = {0};
        ck_assert_int_eq(nodes_of(p, node_of), l->parts);
        for (int q = 0; q < l->parts; q++)
            ck_assert_int_le(++size[node_of[q]], l->per_node);
        check_quoted(p, matrix, machine, l->nodes);
        ck_assert_double_eq(number_at(p, "gain"), block / number_at(p, "estimate_s"));
        least = number_at(p, "estimate_s") < least ? number_at(p, "estimate_s") : least;
    }
    ck_assert_int_eq(count, has_part("scotch") ? 4 : 3);
    ck_assert_double_eq(number_at(placement(root, "search"), "estimate_s"), least);
    ck_assert_double_eq(number_at(placement(root, text_at(root, "best")), "estimate_s"), least);
    ns_matrix_free(matrix);
}

/* Parts of a grid that blocks of rows do not show: a partition in squares. */
static const char *squares(void)
{
    enum { SIDE = 64, CUT = 8 };
    static char text[SIDE * SIDE * 4];
    size_t used = 0;
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            used +=
                (size_t)snprintf(text + used, sizeof text - used, "%d\n", y / (SIDE / CUT) * CUT + x / (SIDE / CUT));
    return cli_file("place_squares.part", text);
}

static ns_value *place_squares(void)
{
    char line[400];
    snprintf(
        line, sizeof line,
        "place --matrix stencil9:64x64 --partition %s --width 4KiB --machine lassen --nodes 16 --strategy standard",
        squares());
    return cli_json(line);
}

/* Squares of 2 x 2 have fewer neighbours than strips of 1 x 4, and these fewer than parts dealt round. */
TEST(neighbours_together)
{
    ns_value *root = place_squares();
    const double block = number_at(placement(root, "block"), "estimate_s");
    ck_assert_double_lt(block, number_at(placement(root, "cyclic"), "estimate_s"));
    ck_assert_double_lt(number_at(placement(root, "search"), "estimate_s"), block);
}

TEST(neighbours_by_scotch)
{
    if (lacks(__func__, "scotch"))
        return;
    ns_value *root = place_squares();
    const ns_value *block = placement(root, "block"), *mapped = placement(root, "scotch");
    ck_assert_double_lt(number_at(mapped, "estimate_s"), number_at(placement(root, "cyclic"), "estimate_s"));
    ck_assert_double_lt(number_at(mapped, "bytes_off_node"), number_at(block, "bytes_off_node"));
}

/* The same seed, the same answer, by however many threads libscotch would map a graph. */
TEST(reproducible)
{
    static const char *const asked[] = {
        "place --matrix stencil27:16x16x16 --machine lassen --nodes 6 --seed 5 --json",
        "place rajat01 --machine dane --nodes 4 --tries 100 --json",
    };
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        ck_assert_int_eq(setenv("SCOTCH_PTHREAD_NUMBER", "1", 1), 0);
        char *a = cli_output(asked[i]);
        ck_assert_int_eq(setenv("SCOTCH_PTHREAD_NUMBER", "4", 1), 0);
        ck_assert_str_eq(a, cli_output(asked[i]));
    }
}

/* The answer stands first, within 80 columns. */
TEST(answer_first)
{
    char *out = cli_output("place rajat01 --machine dane --nodes 4 --per-node 8 --tries 100");
    ck_assert_msg(strncmp(out, "search, ", 8) == 0, "%s", out);
    ck_assert_ptr_nonnull(strstr(out, " times as fast as block\n"));
    ck_assert_uint_le(strcspn(out, "\n"), 80);
    const char *table = strstr(out, "  name ");
    ck_assert_ptr_nonnull(table);
    for (; *table != '\0'; table += strcspn(table, "\n") + 1)
        ck_assert_uint_le(strcspn(table, "\n"), 80);
    out = cli_output("place stencil5:8x8 --machine lassen --nodes 1 --tries 5");
    ck_assert_msg(strncmp(out, "block is the fastest found: ", 28) == 0, "%s", out);
}

TEST(planned_messages)
{
    ns_value *root =
        cli_json_with("place --messages %s --machine dane --nodes 2 --per-node 2 --strategy standard",
                      cli_file("place_messages.csv", "src,dst,bytes\n0,2,1MiB\n2,0,1MiB\n1,3,1MiB\n3,1,1MiB\n"));
    int32_t node_of[PARTS_MOST];
    ck_assert_str_eq(text_at(root, "best"), "cyclic");
    ck_assert_int_eq(nodes_of(placement(root, "search"), node_of), 4);
    ck_assert_int_eq(node_of[0], node_of[2]);
    ck_assert_int_eq(node_of[1], node_of[3]);
    ck_assert_double_eq(number_at(placement(root, "cyclic"), "bytes_off_node"), 0);
    ck_assert_double_gt(number_at(placement(root, "cyclic"), "gain"), 1);
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static char *whole_text(const char *path)
{
    static char text[20000];
    FILE *file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

/* A host a line, in the order of the parts: for both launchers, by a list or a file of names. */
TEST_EACH(written_for_launchers, 2)
{
    static const char *const writes[] = {"ompi", "slurm"};
    static const char *const hosts[] = {"nid01,nid02,nid03", NULL};
    static const char *const names[] = {"nid01", "nid02", "nid03"};
    char line[600], wanted[1000] = "";
    int32_t node_of[PARTS_MOST];
    const char *path = cli_path("hosts.txt");
    snprintf(line, sizeof line,
             "place rajat01 --machine dane --nodes 3 --per-node 4 --parts 11 --write %s --hosts %s -o %s", writes[_i],
             hosts[_i] != NULL
                 ? hosts[_i]
                 : cli_file("place_nodes.txt", "nid01\nnid01\nnid02 slots=4\r\n# spare\n\nnid03\nnid03\nnid04\n"),
             path);
    ns_value *root = cli_json(line);
    ck_assert_int_eq(nodes_of(placement(root, text_at(root, "best")), node_of), 11);
    for (int p = 0; p < 11; p++)
        strcat(strcat(wanted, names[node_of[p]]), "\n");
    ck_assert_str_eq(whole_text(path), wanted);
    remove(path);
}

/* JSON is what --json prints, whatever the file is called. */
TEST(written_as_json)
{
    char line[400];
    const char *path = cli_path("place.out");
    snprintf(line, sizeof line, "place rajat01 --machine dane --nodes 3 --per-node 4 --write json -o %s --json", path);
    char *out = cli_output(line);
    ck_assert_str_eq(whole_text(path), out);
    path = cli_path("place.csv");
    snprintf(line, sizeof line, "place rajat01 --machine dane --nodes 3 --per-node 4 -o %s --format csv", path);
    out = cli_output(line);
    ck_assert_str_eq(whole_text(path), out);
    ck_assert_ptr_nonnull(strstr(out, ",block,"));
    remove(path);
}

/* The real launcher puts each rank where the file says.  One machine has one host, which gets what
 * the other has, too. */
TEST(open_mpi_takes_it)
{
    char host[200] = "", line[700], said[4000];
    const char *path = cli_path("ranks.txt");
    if (lacks(__func__, "mpi"))
        return;
    if (shell(said, sizeof said, "mpirun --version 2>/dev/null | grep 'Open MPI'") != 0 ||
        gethostname(host, sizeof host - 1) != 0) {
        skipped(__func__, "needs Open MPI and a host's name");
        return;
    }
    snprintf(line, sizeof line,
             "place rajat01 --machine dane --nodes 2 --per-node 2 --write ompi --hosts %s,other --tries 10 -o %s", host,
             path);
    ns_free(cli_output(line));
    const int code = shell(said, sizeof said,
                           "sed -i 's/^other$/%s/' '%s' && OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
                           "timeout 60 mpirun --oversubscribe "
                           "--hostfile '%s' --map-by seq -n 4 sh -c 'echo rank $OMPI_COMM_WORLD_RANK' 2>&1",
                           host, path, path);
    ck_assert_msg(code == 0, "%s", said);
    for (int rank = 0; rank < 4; rank++) {
        char wanted[20];
        snprintf(wanted, sizeof wanted, "rank %d\n", rank);
        ck_assert_msg(strstr(said, wanted) != NULL, "%s", said);
    }
    remove(path);
}

/* Where libscotch cannot be loaded, a line says so and the others are compared. */
TEST(without_scotch)
{
    static const char *const names[] = {"libscotch-7.0.so", "libscotch.so.7.0", "libscotch-6.1.so", "libscotch.so"};
    char folder[300], said[8000];
    snprintf(folder, sizeof folder, "%s", cli_path("noscotch"));
    shell_ok("mkdir -p '%s'", folder);
    for (int i = 0; i < 4; i++)
        shell_ok("printf 'no library' > '%s/%s'", folder, names[i]);
    const int code = shell(said, sizeof said,
                           "LD_LIBRARY_PATH='%s' '%s' place rajat01 --machine dane --nodes 2 --per-node 4 --tries 10",
                           folder, getenv("NSMODEL_BIN"));
    ck_assert_msg(code == 0, "%s", said);
    ck_assert_msg(strstr(said, "\nno placement of Scotch: libscotch (Debian's libscotch-7.0) is not installed\n") !=
                      NULL,
                  "%s", said);
    ck_assert_ptr_nonnull(strstr(said, " search "));
    ck_assert_ptr_null(strstr(said, "  scotch"));
    shell_ok("rm -r '%s'", folder);
    char *out = cli_output("place rajat01 --machine dane --nodes 2 --per-node 4 --tries 10 --no-scotch");
    ck_assert_ptr_null(strstr(out, "cotch"));
}

/* ---- refusals ---------------------------------------------------------------------------------------------------- */

static const cli_refusal refusals[] = {
    {"place rajat01", 2, "place wants --nodes K"},
    {"place --nodes 4", 2, "place wants --matrix M or --messages FILE.csv"},
    {"place rajat01 --nodes 0", 1, "--nodes"},
    {"place rajat01 --nodes 3 --per-node 4 --parts 13", 1,
     "13 parts do not fit on 3 nodes with room for 4 each: 12 places"},
    {"place rajat01 --nodes 3 --machine dane,lassen", 2, "one --machine, got 2"},
    {"place rajat01 --nodes 3 --machine lasen", 1, "lassen"},
    {"place rajat01 --nodes 3 --write slurm -o x", 2, "--write slurm wants --hosts"},
    {"place rajat01 --nodes 3 --write slurm --hosts a,b,c", 2, "--write slurm wants -o FILE"},
    {"place rajat01 --nodes 3 --hosts a,b,c", 2, "--hosts is for --write ompi or slurm"},
    {"place rajat01 --nodes 3 --write pbs -o x", 1, "it is one of ompi, slurm, json"},
    {"place rajat01 --nodes 2 --tries 5 --write ompi --hosts a,b\033[31m -o x", 1,
     "--hosts: a control character in the node's name \"b?[31m\""},
    {"place rajat01 --nodes 3 --tries 5 --write slurm --hosts a,b -o x", 1, "--hosts names 2 nodes, wanted 3"},
    {"place rajat01 --nodes 3 --tries 5 --write slurm --hosts a,b,c,d -o x", 1, "--hosts names 4 nodes, wanted 3"},
    {"place rajat01 --nodes 2 --per-node 2 --tries 5 --write slurm --hosts n1,n1 -o x", 1,
     "nsmodel: --hosts names n1 twice; wanted 2 different nodes\n"},
    {"place rajat01 --nodes 3 --per-node 2 --tries 5 --write slurm --hosts b,a,b,a -o x", 1,
     "nsmodel: --hosts names b twice; wanted 3 different nodes\n"},
    {"place stencil9:2x3 --nodes 4 --per-node 2", 1,
     "nsmodel: --nodes 4 makes 8 parts of the 6 rows of stencil9:2x3; wanted at most as many parts\n"},
    {"place rajat01 --nodes 3 --strategy four-step", 1, "four-step"},
    {"place rajat01 --nodes 3 --tries 0", 1, "--tries"},
    {"place rajat01 --nodes 3 --max-memory 20KiB", 1, "memory"},
    {"place rajat01 --nodes 3 --max-work 1000", 1, "1000"},
    {"place --messages alltoall:4KiB --nodes 3", 2, "all with all"},
};

TEST_EACH(refused, sizeof refusals / sizeof *refusals)
{
    cli_refused(refusals[_i]);
}

TEST_TIMEOUT(200)
