/* host.c -- what is installed of the hosts, and programs built against it */
#include "host.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "needs.h"
#include "shell.h"

static bool left_out(const char *test, const char *kind, const char *name)
{
    skipped(test, "needs the %s %s; ./setup.sh check-hosts", kind, name);
    return false;
}

bool host_module(const char *test, const char *module)
{
    char command[300];
    snprintf(command, sizeof command, "pkg-config --exists %s 2>/dev/null", module);
    return system(command) == 0 || left_out(test, "module", module);
}

bool host_file(const char *test, const char *path)
{
    return access(path, R_OK) == 0 || left_out(test, "file", path);
}

bool host_command(const char *test, const char *command)
{
    return has_part(command) || left_out(test, "command", command);
}

void host_build(const char *compiler, const char *source, const char *name, const char *arguments)
{
    shell_ok("%s -O2 -Wall -o %s/%s tests/hosts/programs/%s %s", compiler, scratch_folder(), name, source, arguments);
}
