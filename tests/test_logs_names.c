/* test_logs_names.c -- the locality that a log's name tells, the last resort; and what it must not tell */
#include "support/cli.h"

#include "logs/log.h"
#include "support/test.h"

static const struct {
    const char *path;
    int locality;
} names[] = {
    {"osu_latency_intra-node.log", NS_ON_NODE},
    {"lat.IntraNode.txt", NS_ON_NODE},
    {"run/on_node/lat.out", NS_ON_NODE},
    {"on-node/on_socket.out", NS_ON_SOCKET}, /* the file's own name before its folder's */
    {"intra_socket_2.log", NS_ON_SOCKET},
    {"inter-socket.log", NS_ON_NODE},
    {"lat-inter.log", NS_OFF_NODE},
    {"internode/omb/osu_bw.out", NS_OFF_NODE},
    {"osu_latency_2nodes.out", NS_OFF_NODE},
    {"omb7.5_latency_1node.txt", NS_ON_NODE},
    {"cxi-64-nodes/osu_latency.txt", NS_OFF_NODE},
    {"12nodes.log", NS_OFF_NODE},
    {"loopback.out", NS_ON_NODE},
    {"internode/a/b/osu_bw.out", -1}, /* too far up */
    {"interconnect.log", -1},
    {"international/osu.out", -1},
    {"print_intranet.log", -1},
    {"nodes/latency/1.log", -1},
    {"sockets/latency.log", -1},
    {"osu_latency.log", -1},
    {"size32nodeless.log", -1},
    {"", -1},
};

TEST_EACH(a_name_tells, (int)(sizeof names / sizeof *names))
{
    ck_assert_msg(ns_path_locality(names[_i].path) == names[_i].locality, "%s", names[_i].path);
}

/* Where the log and the options say nothing; what they say wins. */
TEST(the_last_resort)
{
    char line[500];
    static const char text[] = "# OSU MPI Latency Test v7.3\n# Size          Latency (us)\n1 0.41\n2 0.42\n4 0.43\n";
    snprintf(line, sizeof line, "fit %s", cli_file("lat_intra.log", text));
    cli_result r = cli(line);
    ck_assert_msg(strstr(r.err, "states no locality: its name says on-node for 3 samples; --locality says otherwise") !=
                      NULL,
                  "%s", r.err);
    ck_assert_ptr_nonnull(strstr(r.out, "on-node   host"));
    strcat(line, " --locality on-socket");
    r = cli(line);
    ck_assert_ptr_null(strstr(r.err, "its name says"));
    ck_assert_ptr_nonnull(strstr(r.out, "on-socket  host"));
    char said[300] = "srun -N2 -n2 ./osu_latency\n";
    strcat(said, text);
    r = cli_with("fit %s", cli_file("lat_intra.log", said));
    ck_assert_ptr_null(strstr(r.err, "its name says"));
    ck_assert_ptr_nonnull(strstr(r.out, "off-node  host"));
}
