/* cholmod_read.c -- seconds that CHOLMOD's reader takes for a Matrix Market file (for make bench; needs
 * libsuitesparse-dev) */
#include <cholmod.h>
#include <stdio.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
    cholmod_common common;
    FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
    if (file == NULL || !cholmod_l_start(&common))
        return 1;
    double begin = now();
    cholmod_triplet *triplet = cholmod_l_read_triplet(file, &common);
    double seconds = now() - begin;
    fclose(file);
    if (triplet == NULL)
        return 1;
    printf("%.6f\n", seconds);
    cholmod_l_free_triplet(&triplet, &common);
    cholmod_l_finish(&common);
    return 0;
}
