/* test_memory_limit.c -- how much memory a process may have: the machine's, its cgroups', RLIMIT_AS */
#include "cli/inputs/memory_limit.h"
#include "support/needs.h"
#include "support/shell.h"
#include "support/test.h"

#include <sys/resource.h>

static const char V2_MOUNT[] = "30 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n";
static const char V1_MOUNTS[] =
    "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755\n"
    "32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"
    "35 31 0:32 / /sys/fs/cgroup/mem rw shared:9 master:2 - cgroup cgroup rw,cpuset,memory\n";

static void put(const char *path, const char *text)
{
    char name[1400];
    shell_ok("mkdir -p \"$(dirname '%s%s')\"", scratch_folder(), path);
    snprintf(name, sizeof name, "%s%s", scratch_folder(), path);
    FILE *file = fopen(name, "w");
    ck_assert(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
}

static void begin(const char *mounts, const char *groups)
{
    put("/proc/self/mountinfo", mounts);
    put("/proc/self/cgroup", groups);
}

static void expect(int64_t bytes)
{
    ck_assert_int_eq(ns_memory_limit(scratch_folder()), bytes);
}

static int64_t machine(void)
{
    return (int64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
}

TEST(without_cgroups)
{
    expect(machine());
}

/* Its own group, one above it, the top; "max" is none. */
TEST(version_2)
{
    begin(V2_MOUNT, "0::/slurm/job_7/step_0\n");
    put("/sys/fs/cgroup/slurm/job_7/step_0/memory.max", "max\n");
    expect(machine());
    put("/sys/fs/cgroup/slurm/memory.max", "50000000\n");
    expect(50000000);
    put("/sys/fs/cgroup/slurm/job_7/memory.max", "30000000\n");
    expect(30000000);
    put("/sys/fs/cgroup/slurm/job_7/step_0/memory.max", "20000001\n");
    expect(20000001);
    put("/sys/fs/cgroup/slurm/job_7/step_00/memory.max", "100\n");
    expect(20000001);
    put("/sys/fs/cgroup/memory.max", "10000000\n");
    expect(10000000);
    begin(V2_MOUNT, "0::/\n");
    expect(10000000);
}

TEST(version_1)
{
    begin(V1_MOUNTS, "4:cpu:/other\n3:cpuset,memory:/slurm/uid_5/job_7\n0::/\n");
    put("/sys/fs/cgroup/mem/memory.limit_in_bytes", "9223372036854771712\n");
    put("/sys/fs/cgroup/cpu/other/memory.limit_in_bytes", "100\n");
    put("/sys/fs/cgroup/mem/other/memory.limit_in_bytes", "100\n");
    expect(machine());
    put("/sys/fs/cgroup/mem/slurm/uid_5/memory.limit_in_bytes", "40000000\n");
    expect(40000000);
    put("/sys/fs/cgroup/mem/slurm/uid_5/job_7/memory.limit_in_bytes", "8000000\n");
    expect(8000000);
}

/* In a container the mount's top is a group below the machine's: names are given from the machine's top, or from one
 * that cannot be seen. */
TEST(in_containers)
{
    begin("32 31 0:29 /docker/f00 /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n", "4:memory:/docker/f00/a\n");
    put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "70000000\n");
    expect(70000000);
    put("/sys/fs/cgroup/memory/a/memory.limit_in_bytes", "60000000\n");
    expect(60000000);
    begin("32 31 0:29 /docker/f00 /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n", "4:memory:/docker/f00d/a\n");
    expect(70000000);
    begin("32 31 0:29 / /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n", "4:memory:/../a\n");
    expect(70000000);
}

TEST(damaged_files)
{
    begin("- \n - cgroup2\n1 2 3 4 5 - cgroup2 x y\n", "::\n0\n0::\n4:memory\n:memory:\n");
    put("/sys/fs/cgroup/memory.max", "\n");
    expect(machine());
    begin(V2_MOUNT, "0::/a\n");
    put("/sys/fs/cgroup/a/memory.max", "-5\n");
    expect(machine());
}

TEST(address_space)
{
    struct rlimit space;
    if (is_sanitized(__func__)) /* a sanitizer's build wants terabytes of addresses */
        return;
    ck_assert_int_eq(getrlimit(RLIMIT_AS, &space), 0);
    space.rlim_cur = (rlim_t)1 << 30;
    ck_assert_int_eq(setrlimit(RLIMIT_AS, &space), 0);
    expect(1 << 30);
}

/* The program's default is half of it. */
TEST(of_the_program)
{
    char out[4096];
    if (is_sanitized(__func__))
        return;
    const int code =
        shell(out, sizeof out, "ulimit -v 204800; '%s' netsparse --matrix audikw_1 --nodes 128", shell_program());
    ck_assert_msg(code == 1 && strstr(out, "more than the limit of 100 MiB (--max-memory)") != NULL, "%d: %s", code,
                  out);
}

TEST_FIXTURE(scratch_begin, scratch_close)
