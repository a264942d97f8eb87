/* slurm.c -- a controller and four emulated nodes, started and ended by their process ids */
#include "slurm.h"

#include <arpa/inet.h>
#include <check.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"
#include "shell.h"

enum { DAEMONS = 1 + SLURM_NODES, PATH = 1000 };

const int slurm_node_cpus[SLURM_NODES] = {4, 3, 1, 1};

static pid_t daemon_id[DAEMONS];
static int daemons;

bool slurm_ready(const char *test)
{
    return host_file(test, "/usr/sbin/slurmctld") && host_file(test, "/usr/sbin/slurmd") &&
           host_command(test, "srun") && host_command(test, "salloc");
}

/* Ports that nobody has now, all held until all are known. */
static void free_ports(int port[DAEMONS])
{
    int handle[DAEMONS];
    for (int i = 0; i < DAEMONS; i++) {
        struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
        socklen_t size = sizeof address;
        handle[i] = socket(AF_INET, SOCK_STREAM, 0);
        ck_assert_int_eq(bind(handle[i], (struct sockaddr *)&address, size), 0);
        ck_assert_int_eq(getsockname(handle[i], (struct sockaddr *)&address, &size), 0);
        port[i] = ntohs(address.sin_port);
    }
    for (int i = 0; i < DAEMONS; i++)
        (void)close(handle[i]);
}

static const char common[] = "ClusterName=nsmodel\n"
                             "SlurmctldHost=localhost(127.0.0.1)\n"
                             "AuthType=auth/none\n"
                             "CredType=cred/none\n"
                             "ProctrackType=proctrack/pgid\n"
                             "TaskPlugin=task/none\n"
                             "SwitchType=switch/none\n"
                             "SelectType=select/cons_tres\n"
                             "SelectTypeParameters=CR_CPU\n"
                             "SchedulerType=sched/builtin\n"
                             "MpiDefault=none\n"
                             "JobAcctGatherType=jobacct_gather/none\n"
                             "AccountingStorageType=accounting_storage/none\n"
                             "SlurmdParameters=config_overrides\n"
                             "ReturnToService=2\n"
                             "PartitionName=all Nodes=n[1-4] Default=YES State=UP\n";

static void write_configuration(const char *folder, const char *plugstack)
{
    int port[DAEMONS];
    char path[PATH];
    free_ports(port);
    snprintf(path, sizeof path, "%s/plugstack.conf", folder);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(plugstack, file);
    ck_assert_int_eq(fclose(file), 0);
    snprintf(path, sizeof path, "%s/slurm.conf", folder);
    file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fprintf(file, "%sSlurmctldPort=%d\nSlurmUser=%d\nSlurmdUser=%d\nPlugStackConfig=%s/plugstack.conf\n", common,
            port[0], (int)getuid(), (int)getuid(), folder);
    fprintf(file,
            "StateSaveLocation=%s/state\nSlurmctldPidFile=%s/controller.pid\nSlurmctldLogFile=%s/controller.log\n",
            folder, folder, folder);
    fprintf(file, "SlurmdSpoolDir=%s/%%n\nSlurmdPidFile=%s/%%n.pid\nSlurmdLogFile=%s/%%n.log\n", folder, folder,
            folder);
    for (int i = 0; i < SLURM_NODES; i++)
        fprintf(file, "NodeName=n%d NodeHostname=localhost NodeAddr=127.0.0.1 Port=%d CPUs=%d\n", i + 1, port[i + 1],
                slurm_node_cpus[i]);
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_int_eq(setenv("SLURM_CONF", path, 1), 0);
}

/* In the foreground, so that its id is known; it ends with this process at the latest. */
static void start(const char *program, const char *const *words)
{
    const pid_t id = fork();
    ck_assert_int_ge(id, 0);
    if (id == 0) {
        const int nowhere = open("/dev/null", O_RDWR);
        (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
        for (int i = 0; i < 3; i++)
            (void)dup2(nowhere, i);
        (void)execv(program, (char *const *)words);
        _exit(127);
    }
    daemon_id[daemons++] = id;
}

static void wait_for_nodes(void)
{
    char out[300];
    for (int i = 0; i < 300; i++) {
        if (shell(out, sizeof out, "sinfo -h -o '%%D %%t' 2>&1") == 0 && strcmp(out, "4 idle\n") == 0)
            return;
        (void)poll(NULL, 0, 100);
    }
    ck_abort_msg("the nodes are not idle after half a minute: %s", out);
}

void slurm_begin(const char *folder, const char *plugstack)
{
    char path[PATH], node[8];
    write_configuration(folder, plugstack);
    snprintf(path, sizeof path, "%s/state", folder);
    ck_assert_int_eq(mkdir(path, 0700), 0);
    start("/usr/sbin/slurmctld", (const char *[]){"slurmctld", "-D", "-i", NULL});
    for (int i = 0; i < SLURM_NODES; i++) {
        snprintf(node, sizeof node, "n%d", i + 1);
        snprintf(path, sizeof path, "%s/%s", folder, node);
        ck_assert_int_eq(mkdir(path, 0700), 0);
        start("/usr/sbin/slurmd", (const char *[]){"slurmd", "-D", "-N", node, NULL});
    }
    wait_for_nodes();
}

void slurm_end(void)
{
    while (daemons > 0) {
        const pid_t id = daemon_id[--daemons];
        int status;
        (void)kill(id, SIGTERM);
        for (int i = 0; i < 100 && waitpid(id, &status, WNOHANG) == 0; i++) {
            (void)poll(NULL, 0, 50);
            if (i == 60)
                (void)kill(id, SIGKILL);
        }
    }
}
