/* crash.c -- preloaded: whoever takes a logarithm or an exponential ends there and then */
#include <math.h>
#include <signal.h>

static double crash(double x)
{
    (void)raise(SIGSEGV);
    return x;
}

double log(double x)
{
    return crash(x);
}

double exp(double x)
{
    return crash(x);
}
