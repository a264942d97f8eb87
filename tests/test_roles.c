/* test_roles.c -- the first ten minutes of three newcomers: what each types, in order, and what has to be seen */
#include "support/cli.h"
#include "support/test.h"

typedef struct said {
    const char *line;
    int code;
    const char *out, *err; /* that has to be in what is printed; NULL for anything */
} said;

/* Writes a solver: a name, a file of a matrix or of messages, the words of the papers, own mistakes. */
static const said author[] = {
    {"", 0, "Three things to try:", NULL},
    {"predict audikw_1", 0, "against standard/host, as most programs exchange", NULL},
    {"predict --matrix audikw_1 --gpus 64", 0, "  64  ", NULL},
    {"predict audikw_1 --nodes 16", 0, "  64  ", NULL},
    {"predict audikw_1 --parts 64 --strategy 3-step,split", 0, "three-step/", NULL},
    {"predict audikw_2", 1, NULL, "did you mean \"audikw_1\"?"},
    {"predict rajat01 --machine bluewaters -n 64", 0, "  64  ", NULL},
    {"predict rajat01 extra", 2, NULL, "unexpected argument \"extra\""},
    {"advise rajat01 -n 64 --incumbent standard/host", 0, "standard/host", NULL},
    {"predict rajat01 -n 16 --explain", 0, "messages x alpha", NULL},
    {"report rajat01 -o roles.html", 0, NULL, NULL},
    {"place rajat01 --nodes 4 --no-scotch", 0, "search", NULL},
    {NULL, 0, NULL, NULL},
};

/* Has a cluster, and logs. */
static const said owner[] = {
    {"fit", 2, NULL, "fit needs at least one log file"},
    {"fit nothere.log", 1, NULL, "nothere.log"},
    {"fit examples/osu_latency.log", 0, "alpha", NULL},
    {"fit examples/osu_latency.log --locality off-node -o roles.json", 0, "alpha", NULL},
    {"machines ./roles.json --check", 0, "nsmodel-mpi measure", NULL},
    {"predict rajat01 -n 16 --per-node 4 --machine ./roles.json", 0, "against standard/host", "Still needed: "},
    {"calibrate --script slurm --per-node 32", 0, "#SBATCH", NULL},
    {"doctor", 0, NULL, NULL},
    {"machines", 0, "lassen-spectrum", NULL},
    {NULL, 0, NULL, NULL},
};

/* Reads the papers. */
static const said reader[] = {
    {"models", 0, "NetSparse [NS]", NULL},
    {"reproduce", 0, " predictions: ", NULL},
    {"reproduce sharp-table1", 0, "in-sample", NULL},
    {"sharp", 0, "in-switches", NULL},
    {"netcrafter", 0, "+trim", NULL},
    {"redsea", 0, "four-rails", NULL},
    {"cross sharp host-allreduce hosts=128", 0, "reigns", NULL},
    {"eval sharp --machine sharp-switchib2 hosts=128 s=4KiB", 0, "time of sharp on sharp-switchib2: ", NULL},
    {"netsparse NotreDame_www --nodes 8", 0, "filter", NULL},
    {"repl -e '4 KiB'", 0, "4 KiB\n", NULL},
    {NULL, 0, NULL, NULL},
};

static const said *const roles[] = {author, owner, reader};

TEST_EACH(first_ten_minutes, (int)(sizeof roles / sizeof *roles))
{
    for (const said *s = roles[_i]; s->line != NULL; s++) {
        cli_result r = cli(s->line);
        ck_assert_msg(r.code == s->code, "%s: %d, %s", s->line, r.code, r.err);
        ck_assert_msg(s->out == NULL || strstr(r.out, s->out) != NULL, "%s: no \"%s\" in\n%s", s->line, s->out, r.out);
        ck_assert_msg(s->err == NULL || strstr(r.err, s->err) != NULL, "%s: no \"%s\" in\n%s", s->line, s->err, r.err);
        if (s->code != 0) /* a mistake takes one line to say */
            ck_assert_msg(strchr(r.err, '\n') == r.err + strlen(r.err) - 1, "%s: %s", s->line, r.err);
        cli_free(&r);
    }
    (void)remove("roles.html");
    (void)remove("roles.json");
}

/* Words that a reader stumbled over are gone. */
TEST(sentences_that_are_gone)
{
    static const char *const gone[] = {"has no use for", "wants more words", "is named so", "states no standard error",
                                       "by a clear margin"};
    for (size_t i = 0; i < sizeof gone / sizeof *gone; i++) {
        char line[200];
        snprintf(line, sizeof line, "! grep -rqF '%s' src docs README.md", gone[i]);
        ck_assert_msg(system(line) == 0, "\"%s\" is still said", gone[i]);
    }
}

TEST_TIMEOUT(120)
