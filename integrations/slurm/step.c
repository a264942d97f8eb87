/* step.c -- where Slurm places a step's ranks, and the host file that places them */
#include "slurm/step.h"

#include "io/whole_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A positive integer at *text, which is advanced past it; 0: there is none. */
static int32_t read_count(const char **text)
{
    char *end;
    if (**text < '0' || **text > '9')
        return 0;
    const long value = strtol(*text, &end, 10);
    *text = end;
    return value >= 1 && value <= NS_STEP_RANKS_MOST ? (int32_t)value : 0;
}

bool ns_step_blocks(const char *text, int32_t nodes, int32_t ranks, int32_t *node_of)
{
    int32_t node = 0, rank = 0;
    while (*text != '\0') {
        const int32_t tasks = read_count(&text);
        int32_t times = tasks > 0;
        if (times > 0 && strncmp(text, "(x", 2) == 0) { /* "(x2)", or nothing, which means 1 */
            text += 2;
            times = read_count(&text);
            times = *text++ == ')' ? times : 0;
        }
        if (times == 0 || times > nodes - node)
            return false;
        for (int32_t end = node + times; node < end; node++)
            for (int32_t i = 0; i < tasks; i++) {
                if (rank == ranks)
                    return false;
                node_of[rank++] = node;
            }
        if (*text == ',')
            text++;
        else if (*text != '\0')
            return false;
    }
    return rank == ranks && node == nodes;
}

/* ---- srun's command line ----------------------------------------------------------------------------------------- */

static const char alone[] =
    "EHIKOQVXZhklsuv"; /* letters without an argument, which may precede another one in a word */
static const char placing[] = "Nmrwx";
static const char *const placing_words[] = {"nodes",           "distribution",      "relative",        "nodelist",
                                            "exclude",         "nodefile",          "ntasks-per-node", "tasks-per-node",
                                            "ntasks-per-core", "ntasks-per-socket", "ntasks-per-gpu",  NULL};

/* --NAME, --NAME=... or, as getopt allows, a prefix of it. */
static bool is_long(const char *word, const char *name)
{
    const size_t length = strcspn(word + 2, "=");
    return length >= 2 && length <= strlen(name) && strncmp(word + 2, name, length) == 0;
}

static bool says_ranks(const char *value, int32_t ranks)
{
    return value != NULL && read_count(&value) == ranks && *value == '\0';
}

const char *ns_step_conflict(char *const *word, int32_t ranks)
{
    for (; *word != NULL; word++) {
        bool conflicts = false;
        if ((*word)[0] == '-' && (*word)[1] == '-') {
            const char *value = strchr(*word, '=');
            const bool says = is_long(*word, "ntasks");
            for (const char *const *name = placing_words; *name != NULL; name++)
                conflicts = conflicts || (is_long(*word, *name) && !says);
            conflicts = conflicts || (says && !says_ranks(value != NULL ? value + 1 : word[1], ranks));
        } else if ((*word)[0] == '-') {
            const char *letter = *word + 1 + strspn(*word + 1, alone);
            conflicts = *letter == 'n' ? !says_ranks(letter[1] != '\0' ? letter + 1 : word[1], ranks)
                                       : *letter != '\0' && strchr(placing, *letter) != NULL;
        }
        if (conflicts)
            return *word;
    }
    return NULL;
}

/* ---- hosts by rank ----------------------------------------------------------------------------------------------- */

ns_status ns_hosts_write(const char *const *name, const int32_t *node_of, int32_t ranks, ns_hosts_file *hosts,
                         ns_error *err)
{
    const char *given = getenv("TMPDIR");
    ns_whole_file whole;
    const int length = snprintf(hosts->folder, sizeof hosts->folder, "%s/nsmodel.XXXXXX",
                                given != NULL && *given == '/' ? given : "/tmp");
    if (length < 0 || (size_t)length >= sizeof hosts->folder || mkdtemp(hosts->folder) == NULL) {
        hosts->folder[0] = '\0';
        return ns_fail(err, NS_ERR_FILE, "no new folder could be made in %.200s", given != NULL ? given : "/tmp");
    }
    snprintf(hosts->path, sizeof hosts->path, "%s/hosts", hosts->folder);
    NS_TRY(ns_whole_file_begin(hosts->path, NS_FOR_OWNER, &whole, err));
    for (int32_t r = 0; r < ranks; r++)
        (void)fprintf(whole.file, "%s\n", name[node_of[r]]);
    return ns_whole_file_end(&whole, NS_OK, err);
}

void ns_hosts_remove(ns_hosts_file *hosts)
{
    (void)unlink(hosts->path);
    (void)rmdir(hosts->folder);
    *hosts = (ns_hosts_file){.path = ""};
}
