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
#include "records/record.h"

#include <math.h>
#include <string.h>

struct ns_record_file {
    ns_run_record about;
    ns_whole_file whole;
    char header[900];
};

/* ---- what the file holds ----------------------------------------------------------------------------------------- */

static void write_header(ns_record_file *f)
{
    size_t used = (size_t)snprintf(f->header, sizeof f->header,
                                   "id,machine,file,run,operation,strategy,transport,processes,nodes,ppn,");
    if (f->about.to_all > 0) {
        snprintf(f->header + used, sizeof f->header - used, "bytes_per_pair,on_time,measured_s\n");
        return;
    }
    for (int i = 0; i < NS_COUNT_COLUMNS; i++)
        used += (size_t)snprintf(f->header + used, sizeof f->header - used, "%s%s,",
                                 i == NS_COUNT_MOSTS ? "width," : "", ns_count_columns[i]);
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

static void write_counts(const ns_schedule *schedule, const ns_machine *machine, int64_t width, FILE *out)
{
    double counts[NS_COUNT_COLUMNS];
    ns_counts_make(schedule, machine, counts);
    for (int i = 0; i < NS_COUNT_COLUMNS; i++) {
        if (i == NS_COUNT_MOSTS)
            fprintf(out, "%lld,", (long long)width);
        if (isnan(counts[i]))
            fputs(",", out);
        else
            fprintf(out, "%.0f,", counts[i]);
    }
}

/* Write any text as a quoted cell. */
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
