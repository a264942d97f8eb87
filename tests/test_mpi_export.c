/* test_mpi_export.c -- ping-pongs and an exchange on the platforms of nsmodel export, in SimGrid itself
 *
 * A simulation's times are exact and the same every time, so they are asserted.
 */

#include "core/memory.h"
#include "machine/machine.h"
#include "support/files.h"
#include "support/job.h"
#include "support/needs.h"
#include "support/shell.h"
#include "support/test.h"
#include "support/values.h"

enum { NODES = 2, PER_NODE = 4 };
static const struct {
    const char *machine, *split;
} platforms[] = {{"lassen", "network"}, {"lassen", "sender"},   {"lassen", "ends"},           {"lassen", "thirds"},
                 {"dane", "thirds"},    {"bluewaters", "ends"}, {"lassen-spectrum", "sender"}};

/* The platform and its hosts in the scratch folder. */
static void make_platform(const char *to, const char *machine, const char *split)
{
    job_result r = job_shell(
        "%s/nsmodel export --to %s --machine %s --nodes %d --per-node %d --start-up %s -o p.cpp && { [ %s != simgrid ] "
        "|| g++ -std=c++17 -Wall -Werror -fPIC -shared -o p.so p.cpp -lsimgrid; } && cp p.cpp p.xml && for n in 0 1; "
        "do "
        "for i in 0 1 2 3; do echo node$n.$i; done; done > hosts",
        job_programs(), to, machine, NODES, PER_NODE, split, to);
    ck_assert_msg(r.code == 0, "%.1500s", r.err);
    job_free(&r);
}

static job_result simulate(const char *platform, const char *line)
{
    return job_shell("timeout 200 smpirun -np %d -hostfile hosts -platform ./%s --cfg=smpi/simulate-computation:no "
                     "--log=root.thres:critical %s/nsmodel-smpi %s",
                     NODES * PER_NODE, platform, job_programs(), line);
}

/* Every ping-pong of the log against the machine's line: the worst relative error of each class that has sizes. */
static void compare(const ns_machine *m, bool inside, double within)
{
    char path[1200];
    bool met[NS_LOCALITIES][NS_PROTOCOLS] = {{false}};
    int locality = -1;
    snprintf(path, sizeof path, "%s/mine.log", scratch_folder());
    char *log = read_whole(path);
    for (char *line = strtok(log, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        char word[40];
        double bytes, seconds;
        if (strncmp(line, "table ", 6) == 0) {
            locality = -1;
            for (int l = 0; l < NS_LOCALITIES && sscanf(line, "table ping-pong %39s", word) == 1; l++)
                locality = strcmp(word, ns_locality_words[l]) == 0 ? l : locality;
        } else if (locality >= 0 && (inside || locality == NS_OFF_NODE) &&
                   sscanf(line, "%lf %lf", &bytes, &seconds) == 2) {
            ns_protocol p;
            const ns_line *of = ns_machine_line(m, NS_HOST, (ns_locality)locality, bytes, &p);
            const double wanted = of->alpha + of->beta * bytes;
            ck_assert_msg(fabs(seconds / wanted - 1) <= within, "%s, %s, %s, %g B: %g s instead of %g", m->name,
                          ns_locality_words[locality], ns_protocol_words[p], bytes, seconds, wanted);
            met[locality][p] = true;
        }
    }
    for (int l = inside ? 0 : NS_OFF_NODE; l < NS_LOCALITIES; l++)
        for (int p = 0; p < NS_PROTOCOLS; p++)
            ck_assert_msg(met[l][p] == m->line[NS_HOST][l][p].given, "%s, %s: no ping-pong of %s", m->name,
                          ns_locality_words[l], ns_protocol_words[p]);
    ns_free(log);
}

static void ping_pongs(const char *to, const char *platform, const char *machine, const char *split, bool inside)
{
    ns_machine *m;
    ck_assert(ns_machine_load(machine, &m, NULL) == NS_OK);
    make_platform(to, machine, split);
    job_result r = simulate(platform, "measure -o mine.log --sockets 2 --most 1MiB");
    ck_assert_msg(r.code == 0, "%.1500s", r.err);
    job_free(&r);
    compare(m, inside, 0.03);
    ns_machine_free(m);
}

TEST_EACH(library, sizeof platforms / sizeof *platforms)
{
    ping_pongs("simgrid", "p.so", platforms[_i].machine, platforms[_i].split, true);
}

/* One list for all localities: right off node. */
TEST_EACH(xml, 2)
{
    ping_pongs("simgrid-xml", "p.xml", "lassen", platforms[3 * _i].split, false);
}

/* Nodes are seen, values are checked, and a simulation is the same twice. */
TEST(an_exchange)
{
    char first[4000];
    make_platform("simgrid", "lassen", "ends");
    for (int time = 0; time < 2; time++) {
        job_result r = simulate("p.so", "run --matrix rajat01 --machine lassen --repetitions 1 --format csv");
        ck_assert_msg(r.code == 0, "%.1500s", r.err);
        ck_assert_msg(strstr(r.out, "rajat01,file,8,2,4,2,standard,") != NULL ||
                          strstr(r.out, "rajat01,binary,8,2,4,2,standard,") != NULL,
                      "%s", r.out);
        ck_assert_ptr_null(strstr(r.err, "note: of "));
        if (time == 0)
            snprintf(first, sizeof first, "%s", r.out);
        else
            ck_assert_str_eq(r.out, first);
        job_free(&r);
    }
}

TEST_NEEDS(job_ready("platforms of nsmodel export", JOB_SIMULATED) && !lacks("platforms of nsmodel export", "c++"))
TEST_FIXTURE(scratch_begin, scratch_close)
TEST_TIMEOUT(300)
