/* doctor.c -- what is installed, what was found, what is missing, and the purpose of each part */
#include "bytes/gunzip.h"
#include "cli/front/command.h"
#include "cli/front/own.h"
#include "cli/front/places.h"
#include "core/memory.h"
#include "core/without.h"
#include "fetch/transfer.h"
#include "matrix/market/market.h"
#include "report/columns.h"
#include "scotch/scotch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const ns_option options[] = {{NULL}};

static const struct {
    const char *name, *wanted_for;
} programs[] = {
    {"gnuplot", "--plot FILE.svg, .png and .pdf; .gp and text need nothing"},
    {"less", "help that is longer than the terminal"},
    {"man", "the manual pages"},
};

/* The first executable of that name in PATH, or the file that hides it; returns text, or NULL. */
static const char *find_program(const char *name, char *text, size_t size)
{
    const char *list = getenv("PATH");
    if (ns_without(getenv(NS_WITHOUT), name))
        return "hidden by " NS_WITHOUT;
    for (size_t length; list != NULL; list = list[length] == ':' ? list + length + 1 : NULL) {
        length = strcspn(list, ":");
        const int wrote = snprintf(text, size, "%.*s/%s", (int)length, list, name);
        struct stat what;
        if (length > 0 && wrote > 0 && (size_t)wrote < size && access(text, X_OK) == 0 && stat(text, &what) == 0 &&
            S_ISREG(what.st_mode))
            return text;
    }
    return NULL;
}

static const char *state_of_library(const char *name, bool found)
{
    return ns_without(getenv(NS_WITHOUT), name) ? "hidden by " NS_WITHOUT : found ? "found" : "not there";
}

typedef struct part {
    const char *name, *state, *wanted_for;
} part;
static const ns_table_column of_part[] = {
    {"part", NS_COL(part, name)}, {"state", NS_COL(part, state)}, {"wanted_for", NS_COL(part, wanted_for)}, {NULL}};
static const ns_table_column of_program[] = {
    {"program", NS_COL(part, name)}, {"found", NS_COL(part, state)}, {"wanted_for", NS_COL(part, wanted_for)}, {NULL}};
static const ns_table_column of_folder[] = {
    {"folder", NS_COL(part, name)}, {"state", NS_COL(part, state)}, {"holds", NS_COL(part, wanted_for)}, {NULL}};

#ifdef NS_MULTIARCH
#define LIB_MULTIARCH "lib/" NS_MULTIARCH /* on Debian: lib/x86_64-linux-gnu */
#else
#define LIB_MULTIARCH "lib"
#endif

/* Files that are built together with the program: their place in an installation, and in the source tree. */
static const struct {
    const char *name, *installed, *made, *wanted_for;
} beside[] = {
    {"nsmodel-mpi", "", "bin/nsmodel-mpi", "measuring a cluster; `./setup.sh mpi` builds it"},
    {"libnsmodel-mpi", "libnsmodel-mpi.so.0", "build/libnsmodel-mpi.so",
     "exchanges of MPI programs; `./setup.sh mpi` builds it"},
    {"slurm plugin", "slurm/spank_nsmodel.so", "build/spank_nsmodel.so",
     "advice inside of Slurm; `make slurm` builds it"},
    {"nccl tuner", "libnccl-tuner-nsmodel.so", "build/libnccl-tuner-nsmodel.so",
     "a tuner of NCCL; `make nccl` builds it"},
    {"python package", "python3/dist-packages/nsmodel", "integrations/python/nsmodel",
     "import nsmodel; `pip install ./integrations/python` builds it"},
};

/* Libraries loaded on demand, and choices made when this program was compiled. */
static ns_status add_parts(ns_value *result, ns_error *err)
{
    ns_scotch_library scotch;
    ns_curl_library curl;
    ns_value *list = ns_put_rows(result, "parts", NS_EVERYWHERE);
    const ns_status maps = ns_scotch_load(&scotch, NULL), fetches = ns_curl_load(&curl, NULL);
    if (maps == NS_ERR_MEMORY || fetches == NS_ERR_MEMORY)
        return ns_no_memory(err);
    const part loaded[] = {
        {"scotch", state_of_library("scotch", maps == NS_OK), "a placement of place; others need nothing"},
        {"curl", state_of_library("curl", fetches == NS_OK), "matrix get"},
        {"isal", ns_gunzip_has_fast() ? "compiled in" : "not compiled in", "gzip, three times as fast as by zlib"},
        {"avx2", ns_market_has_plain() ? "used" : "not this processor's, or not compiled in",
         "Matrix Market text, faster"}};
    for (size_t i = 0; i < sizeof loaded / sizeof *loaded; i++)
        ns_put_row(list, of_part, &loaded[i]);
    /* which of them exist around this program: PREFIX/bin/nsmodel or SOURCES/bin/nsmodel */
    char program[4000], path[4200];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    for (int up = 0; up < 2; up++)
        if (strrchr(program, '/') != NULL)
            *strrchr(program, '/') = '\0';
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) {
        const char *const folder[] = {"lib", LIB_MULTIARCH, "lib64"};
        struct stat what;
        snprintf(path, sizeof path, "%s/%s", program, beside[i].made);
        bool found = stat(path, &what) == 0;
        for (size_t j = 0; !found && j < sizeof folder / sizeof *folder; j++) {
            snprintf(path, sizeof path, "%s/%s/%s", program, folder[j], beside[i].installed);
            found = *beside[i].installed != '\0' && stat(path, &what) == 0;
        }
        ns_put_row(list, of_part,
                   &(part){beside[i].name, found ? path : "not beside this program", beside[i].wanted_for});
    }
    return NS_OK;
}

static void add_folder(ns_value *list, const char *folder, const char *holds)
{
    struct stat what;
    const char *state = stat(folder, &what) != 0 ? "not there" : S_ISDIR(what.st_mode) ? "found" : "no folder";
    ns_put_row(list, of_folder, &(part){folder, state, holds});
}

static ns_status add_machine(ns_value *list, const char *name, const char *from, ns_command_context *context,
                             ns_error *err)
{
    NS_OWN(ns_machine_free) ns_machine *machine = NULL;
    ns_error problem = {.code = NS_OK};
    ns_value *row = ns_value_object(list, NULL);
    const bool hidden = strcmp(from, "own") == 0 && ns_machine_is_shipped(name);
    const ns_status status =
        hidden ? ns_fail(&problem, NS_ERR_NAME, "hidden: the name is that of a shipped machine; its path opens it")
               : ns_machine_find(name, &machine, &problem);
    if (status == NS_ERR_MEMORY)
        return ns_no_memory(err);
    ns_row_mark(row, !hidden && strcmp(name, ns_machine_usual()) == 0);
    ns_value_text(row, "machine", name);
    ns_value_text(row, "from", from);
    ns_value_text(row, "state", status == NS_OK ? "opens" : problem.text);
    if (status == NS_OK)
        return NS_OK;
    if (hidden)
        ns_machine_say_hidden(name, context->err);
    else
        fprintf(context->err, "nsmodel: machine %s does not open\n", name);
    context->exit = 1;
    return NS_OK;
}

static ns_status run(const ns_args *args, ns_value *result, ns_command_context *context, ns_error *err)
{
    (void)args;
    ns_put_schema(result, "nsmodel/doctor/1");
    ns_value_text(result, "version", NS_VERSION);
    ns_value_text(result, "usual_machine", ns_machine_usual());
    char path[4000];
    ns_value *list = ns_put_rows(result, "programs", NS_EVERYWHERE);
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        const char *found = find_program(programs[i].name, path, sizeof path);
        ns_put_row(list, of_program, &(part){programs[i].name, found, programs[i].wanted_for});
    }
    NS_TRY(add_parts(result, err));
    char folder[3500], **own;
    size_t count;
    NS_CLOSE(ns_places_close) ns_places places = {0};
    list = ns_put_rows(result, "folders", NS_EVERYWHERE);
    NS_TRY(ns_places_open(&places, err));
    for (size_t i = 0; i < places.count; i++)
        add_folder(list, places.place[i].directory, places.place[i].label);
    if (ns_own_machines_folder(folder, sizeof folder) != NULL)
        add_folder(list, folder, "own machines");
    /* the shipped machines, the user's own, and the default machine where it is neither of these */
    const char *usual = ns_machine_usual();
    bool listed = false;
    list = ns_put_rows(result, "machines", NS_EVERYWHERE);
    for (const char *const *name = ns_machine_names(); *name != NULL; name++) {
        NS_TRY(add_machine(list, *name, "shipped", context, err));
        listed = listed || strcmp(*name, usual) == 0;
    }
    ns_status status = NS_OK;
    NS_TRY(ns_own_machines_list(&own, &count, err));
    for (size_t i = 0; i < count && status == NS_OK; i++) {
        status = add_machine(list, own[i], "own", context, err);
        listed = listed || strcmp(own[i], usual) == 0;
    }
    ns_own_machines_free(own, count);
    return status != NS_OK || listed ? status : add_machine(list, usual, "NSMODEL_MACHINE", context, err);
}

const ns_command ns_command_doctor = {
    .name = "doctor",
    .summary = "what is installed, found and missing: programs, folders, machines",
    .usage = "",
    .options = options,
    .example = "nsmodel doctor",
    .about = "Looks at the programs that nsmodel starts, the parts that it can do without, the folders in which it "
             "looks for\n"
             "matrices and machines, and whether every machine opens.  What NSMODEL_WITHOUT=scotch,gnuplot names acts "
             "as missing,\n"
             "and is shown as hidden.  The marked machine is the usual one, NSMODEL_MACHINE where that is set.  The "
             "exit code is 1\n"
             "when one does not open, as an own one does not by a name that a shipped machine has.",
    .rank = 9,
    .run = run,
};
