/* test_calibrate.c -- the job scripts of nsmodel calibrate: a shell reads them, and they say what was asked for */

#include "core/memory.h"
#include "support/cli.h"
#include "support/files.h"
#include "support/shell.h"
#include "support/test.h"
#include "support/values.h"

static const struct {
    const char *line;
    const char *lines[9]; /* that the script holds, closed by NULL */
} scripts[] = {
    {"--script slurm --per-node 36 --sockets 2 --name big.one",
     {"#!/bin/sh\n#SBATCH ", "#SBATCH --nodes=2\n", "#SBATCH --ntasks-per-node=36\n", "#SBATCH --exclusive\n",
      "\nlaunch='srun --cpu-bind=cores'\n", "\n$launch nsmodel-mpi tune -o big.one.json --per-node 36 --sockets 2\n",
      NULL}},
    {"--script pbs --per-node 24 --nodes 3",
     {"#!/bin/sh\n#PBS ", "#PBS -l select=3:ncpus=24:mpiprocs=24\n", "#PBS -l place=scatter:excl\n",
      "\ncd \"$PBS_O_WORKDIR\"\n", "\nlaunch='mpirun -n 72 --map-by core --bind-to core'\n",
      "\n$launch nsmodel-mpi tune -o mine.json --per-node 24\n", NULL}},
    {"--script flux --per-node 4 --nodes 3 --matrix a.mtx --matrix 'b $c.mtx'",
     {"#!/bin/sh\n#FLUX: ", "#FLUX: --nodes=3\n", "\nlaunch='flux run --nodes=3 --ntasks=12 ",
      "\n$launch nsmodel-mpi tune -o mine.json --per-node 4 'a.mtx' 'b $c.mtx'\n", NULL}},
    {"--script lsf --per-node 40",
     {"#!/bin/sh\n#BSUB ", "#BSUB -n 80\n", "#BSUB -R \"span[ptile=40]\"\n", "\nlaunch='mpirun -n 80 ", NULL}},
    {"--script plain --per-node 4",
     {"#!/bin/sh\n", "\nset -eu\nlaunch='mpirun -n 8 --map-by core --bind-to core'\n", NULL}},
};

/* Standard output, the file and the JSON are one script. */
TEST_EACH(script, sizeof scripts / sizeof *scripts)
{
    char line[2000];
    const char *folder = scratch_open();
    cli_result r = cli_with("calibrate %s -o %s/job.sh", scripts[_i].line, folder);
    ck_assert_msg(r.code == 0, "%s", r.err);
    for (int i = 0; scripts[_i].lines[i] != NULL; i++)
        ck_assert_msg(strstr(r.out, scripts[_i].lines[i]) != NULL, "lacks %s in\n%s", scripts[_i].lines[i], r.out);
    shell_ok("sh -n %s/job.sh", folder);
    snprintf(line, sizeof line, "%s/job.sh", folder);
    char *file = read_whole(line);
    ck_assert_str_eq(file, r.out);
    ns_value *root = cli_json_with("calibrate %s", scripts[_i].line);
    ck_assert_str_eq(text_at(root, "script"), r.out);
    scratch_close();
}

static const cli_refusal refusals[] = {
    {"calibrate", 2, "calibrate wants --script slurm|pbs|flux|lsf|plain and --per-node G"},
    {"calibrate --script slurm", 2, "calibrate wants --script"},
    {"calibrate --script lsg --per-node 4", 1,
     "--script has no choice \"lsg\"; it is one of slurm, pbs, flux, lsf, plain"},
    {"calibrate --script pbs --per-node 0", 1, "--per-node wants whole numbers from 1"},
    {"calibrate --script pbs --per-node 4 --name 'a;b'", 1, "--name wants up to 60 letters"},
    {"calibrate --script pbs --per-node 4 --name -o", 1, "--name wants up to 60 letters"},
    {"calibrate --script pbs --per-node 4 --name .", 1,
     "nsmodel: --name wants up to 60 letters, digits, dots, _ and -, of which no dot or - is the first, got \".\"\n"},
    {"calibrate --script pbs --per-node 4 --name ..", 1, "no dot or - is the first, got \"..\""},
    {"calibrate --script pbs --per-node 4 --name .mine", 1, "no dot or - is the first, got \".mine\""},
    {"calibrate --script pbs --per-node 4 --name a/b", 1, "--name wants up to 60 letters"},
    {"calibrate --script pbs --per-node 4 -o /no/such/folder/job", 1, "/no/such/folder"},
};

TEST_EACH(refused, sizeof refusals / sizeof *refusals)
{
    cli_refused(refusals[_i]);
}
