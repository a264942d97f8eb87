/* records.c -- rows of measured exchanges
 *
 * Where every process sends as much to every other, a dense row says all; any strategy can be one.  Else a row has the
 * most messages and bytes of a process by class, and the most messages of a process in each step: known of the
 * strategies whose measured code counts so.
 */
#include "mpi/records.h"
#include "core/memory.h"
#include "core/utf8.h"
#include "io/whole_file.h"

#include <string.h>

struct ns_record_file {
    ns_run_record about;
    ns_whole_file whole;
    char header[900];
};

static const char *const of_locality[NS_LOCALITIES] = {"_socket", "_node", ""};
static const char *const of_protocol[NS_PROTOCOLS] = {"short", "eager", "rend"};
static const char *const most[] = {"max_num_msgs", "max_num_L", "max_num_S", "max_num_G", "max_num_R"};
enum { ALL, LOCAL, GATHER, BETWEEN, SCATTER, MOSTS };

/* ---- what the file holds ----------------------------------------------------------------------------------------- */

static void write_header(ns_record_file *f)
{
    size_t used = (size_t)snprintf(f->header, sizeof f->header,
                                   "id,machine,file,run,operation,strategy,transport,processes,nodes,ppn,");
    if (f->about.to_all > 0) {
        snprintf(f->header + used, sizeof f->header - used, "bytes_per_pair,on_time,measured_s\n");
        return;
    }
    for (int i = 0; i < MOSTS; i++)
        used += (size_t)snprintf(f->header + used, sizeof f->header - used, "%s,", most[i]);
    used += (size_t)snprintf(f->header + used, sizeof f->header - used, "width,total_bytes,");
    for (int l = NS_LOCALITIES - 1; l >= 0; l--)
        for (int p = 0; p < NS_PROTOCOLS; p++)
            used += (size_t)snprintf(f->header + used, sizeof f->header - used, "num_%s%s,size_%s%s,", of_protocol[p],
                                     of_locality[l], of_protocol[p], of_locality[l]);
    snprintf(f->header + used, sizeof f->header - used, "on_time,measured_s\n");
}

static ns_status copy_rows(ns_record_file *f, FILE *old, const char *path, ns_error *err)
{
    char block[4096];
    size_t got;
    if (fgets(block, sizeof block, old) == NULL)
        return NS_OK; /* empty */
    if (strcmp(block, f->header) != 0)
        return ns_fail_at(err, NS_ERR_DATA, path, 1, 0,
                          "holds other columns than these rows have; give --records another file");
    while ((got = fread(block, 1, sizeof block, old)) > 0)
        (void)fwrite(block, 1, got, f->whole.file);
    return ferror(old) ? ns_fail_at(err, NS_ERR_FILE, path, 0, 0, "cannot be read") : NS_OK;
}

static ns_status begin(ns_record_file *f, const char *path, ns_error *err)
{
    FILE *old = fopen(path, "r");
    ns_status status = ns_whole_file_begin(path, NS_FOR_ALL, &f->whole, err);
    if (status == NS_OK) {
        fputs(f->header, f->whole.file);
        status = old != NULL ? copy_rows(f, old, path, err) : NS_OK;
        if (status != NS_OK)
            (void)ns_whole_file_end(&f->whole, status, err);
    }
    if (old != NULL)
        (void)fclose(old);
    return status;
}

ns_status ns_record_file_open(const char *path, const ns_run_record *about, ns_record_file **file, ns_error *err)
{
    ns_record_file *f = ns_calloc(1, sizeof *f);
    if (f == NULL)
        return ns_no_memory(err);
    f->about = *about;
    write_header(f);
    const ns_status status = begin(f, path, err);
    if (status == NS_OK)
        *file = f;
    else
        ns_free(f);
    return status;
}

ns_status ns_record_file_close(ns_record_file *file, ns_status status, ns_error *err)
{
    status = ns_whole_file_end(&file->whole, status, err);
    ns_free(file);
    return status;
}

/* ---- a row ------------------------------------------------------------------------------------------------------- */

typedef struct counts {
    int64_t messages[NS_LOCALITIES][NS_PROTOCOLS], bytes[NS_LOCALITIES][NS_PROTOCOLS], most[MOSTS], total;
} counts;

/* In which of the measured code's steps a message goes: what stays on a node beside what leaves it later.  The step
 * between nodes is the last but one. */
static int step_of(const ns_schedule *schedule, int step, const ns_message *m)
{
    if (schedule->steps == 1)
        return ALL;
    if (step > schedule->steps - 2)
        return SCATTER;
    if (ns_schedule_locality(schedule, m->from, m->to) == NS_OFF_NODE)
        return BETWEEN;
    if (step == schedule->steps - 2)
        return LOCAL;
    for (int64_t i = m->slice; i < m->slice + m->slices; i++)
        if (schedule->slice[i].pair >= 0)
            return GATHER;
    return LOCAL;
}

static void count_process(const ns_schedule *schedule, const ns_machine *machine, int32_t process, counts *c)
{
    for (int s = 0; s < schedule->steps; s++) {
        const ns_step *step = &schedule->step[s];
        for (int64_t i = step->sent[process]; i < step->sent[process + 1]; i++) {
            const ns_message *m = &step->message[i];
            const ns_locality l = ns_schedule_locality(schedule, m->from, m->to);
            ns_protocol p = NS_SHORT;
            (void)ns_machine_line(machine, NS_HOST, l, (double)m->bytes, &p);
            c->messages[l][p]++;
            c->bytes[l][p] += m->bytes;
            c->most[step_of(schedule, s, m)]++;
            c->total += l == NS_OFF_NODE ? m->bytes : 0;
        }
    }
}

static void raise(int64_t *to, int64_t value)
{
    *to = value > *to ? value : *to;
}

/* The most of any process, by class and by step; the total is of all. */
static void count_all(const ns_schedule *schedule, const ns_machine *machine, counts *all)
{
    *all = (counts){.total = 0};
    for (int32_t p = 0; p < schedule->processes; p++) {
        counts one = {.total = 0};
        count_process(schedule, machine, p, &one);
        for (int l = 0; l < NS_LOCALITIES; l++)
            for (int k = 0; k < NS_PROTOCOLS; k++) {
                raise(&all->messages[l][k], one.messages[l][k]);
                raise(&all->bytes[l][k], one.bytes[l][k]);
            }
        for (int i = 0; i < MOSTS; i++)
            raise(&all->most[i], one.most[i]);
        all->total += one.total;
    }
}

static void write_counts(const ns_schedule *schedule, const ns_machine *machine, int64_t width, FILE *out)
{
    counts c;
    count_all(schedule, machine, &c);
    for (int i = 0; i < MOSTS; i++)
        if ((schedule->steps == 1) == (i == ALL))
            fprintf(out, "%lld,", (long long)c.most[i]);
        else
            fputs(",", out);
    fprintf(out, "%lld,%lld,", (long long)width, (long long)c.total);
    for (int l = NS_LOCALITIES - 1; l >= 0; l--)
        for (int p = 0; p < NS_PROTOCOLS; p++)
            fprintf(out, "%lld,%lld,", (long long)c.messages[l][p], (long long)c.bytes[l][p]);
}

/* A cell of any text. */
static void write_text(const char *text, FILE *out)
{
    fputc('"', out);
    for (size_t length; *text != '\0'; text += length) {
        const size_t found = ns_utf8_length(text);
        length = found > 0 ? found : 1;
        if (*text == '"')
            fputc('"', out);
        if (ns_utf8_is_hidden(ns_utf8_code(text, found)))
            fputc('?', out);
        else
            fwrite(text, 1, length, out);
    }
    fputs("\",", out);
}

void ns_record_file_add(ns_record_file *f, const ns_schedule *schedule, const ns_machine *machine, double seconds,
                        int on_time)
{
    FILE *out = f->whole.file;
    fprintf(out, "%lld-%d-%s,", f->about.began, (int)schedule->processes, schedule->strategy->name);
    write_text(f->about.machine, out);
    write_text(f->about.exchange, out);
    fprintf(out, "%lld,exchange,%s,%s,%d,%d,%d,", f->about.began, schedule->strategy->name,
            ns_transport_words[schedule->transport], (int)schedule->processes, (int)schedule->nodes,
            (int)schedule->ppn);
    if (f->about.to_all > 0)
        fprintf(out, "%lld,", (long long)f->about.to_all);
    else
        write_counts(schedule, machine, f->about.width, out);
    fprintf(out, "%d,%.9g\n", on_time, seconds);
}
