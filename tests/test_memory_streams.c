/* test_memory_streams.c -- texts that are written into memory, which is no more when they are complete
 *
 * The C library ends such a stream by a realloc; where that fails the text is NULL, and fclose says that all is well.
 */
#define _GNU_SOURCE

#include "support/cli.h"

#include "support/test.h"
#include <dlfcn.h>

/* Streams are counted from 1; the one that is to end so, 0: none. */
static int opened, lost;
static FILE *losing;
static char **its_text;

FILE *open_memstream(char **text, size_t *size)
{
    FILE *(*real)(char **, size_t *);
    *(void **)&real = dlsym(RTLD_NEXT, "open_memstream");
    FILE *stream = real(text, size);
    if (++opened == lost) {
        losing = stream;
        its_text = text;
    }
    return stream;
}

int fclose(FILE *stream)
{
    int (*real)(FILE *);
    *(void **)&real = dlsym(RTLD_NEXT, "fclose");
    const int result = real(stream);
    if (stream == losing && lost > 0) {
        free(*its_text);
        *its_text = NULL;
        losing = NULL;
    }
    return result;
}

static const char *const lines[] = {
    "help",
    "models --help",
    "help predict",
    "sweep max-rate --machine lassen m=1,2 s=1KiB ppn=1 --format csv",
    "report --matrix stencil5:8x8 --gpus 2 --strategy standard --netsparse none -o ",
};

/* The first two streams are those of the run itself. */
TEST_EACH(test_lost, sizeof lines / sizeof *lines)
{
    enum { OWN = 2 };
    char line[4300];
    const size_t length = strlen(lines[_i]);
    lost = 0;
    snprintf(line, sizeof line, "%s%s", lines[_i], lines[_i][length - 1] == ' ' ? cli_file("lost.html", "") : "");
    cli_result good = cli(line);
    ck_assert_msg(good.code == 0, "%s", good.err);
    for (int at = OWN + 1;; at++) {
        opened = 0;
        lost = at;
        cli_result r = cli(line);
        lost = 0;
        if (opened < at) {
            cli_free(&r);
            ck_assert_int_gt(at, OWN + 1);
            break;
        }
        if (r.code == 0)
            ck_assert_str_eq(r.out, good.out);
        else {
            ck_assert_int_eq(r.code, 1);
            ck_assert_str_eq(r.err, "nsmodel: out of memory\n");
        }
        cli_free(&r);
    }
    cli_free(&good);
}
