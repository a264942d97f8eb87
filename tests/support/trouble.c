/* trouble.c -- which call fails, after how many, and how often */
#include "trouble.h"

#include <errno.h>
#include <string.h>

static const char *trouble = "";
static int skipped, left, code;

void trouble_set(const char *call, int skip, int times, int error)
{
    trouble = call;
    skipped = skip;
    left = times;
    code = error;
}

void trouble_end(void)
{
    trouble = "";
}

bool trouble_hits(const char *call)
{
    if (!trouble_is(call) || skipped-- > 0 || left-- <= 0)
        return false;
    errno = code;
    return true;
}

bool trouble_is(const char *call)
{
    return strcmp(call, trouble) == 0;
}

int trouble_left(void)
{
    return left;
}
