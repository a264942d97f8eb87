/* plan_loop.c -- a solver whose exchange can be done in three ways, and the plan that finds the fastest
 *
 *     cc plan_loop.c $(pkg-config --cflags --libs nsmodel) -lm -o plan_loop && ./plan_loop
 *
 * One process plays all ranks here.  With MPI, rank 0 alone has the plan: way and calls are broadcast as two ints, each
 * rank times its calls, and the maxima over ranks (MPI_Reduce, MPI_MAX) are told.
 */
#include <nsmodel/plan.h>

#include <stdio.h>
#include <stdlib.h>

/* Stands for the exchange: how long a call takes, 10 % more or less. */
static double exchange(int way)
{
    static const double seconds[] = {90e-6, 61e-6, 43e-6};
    return seconds[way] * (0.9 + 0.2 * rand() / RAND_MAX);
}

int main(void)
{
    static const ns_plan_way ways[] = {{.predicted_s = 80e-6, .doubt = 0.4, .like = -1}, /* the library's own */
                                       {.predicted_s = 50e-6, .doubt = 0.4, .like = -1}, /* the model's choice */
                                       {.like = 1}};                                     /* similar; not predicted */
    const ns_plan_options options = {.size = sizeof options, .incumbent = 0, .calls = 2000};
    ns_plan_info info = {.size = sizeof info};
    ns_plan *plan;
    if (ns_plan_open(ways, 3, &options, &plan, NULL) != NS_OK)
        return EXIT_FAILURE;
    int way = 0, left = 0, calls = 0;
    double last[NS_PLAN_TOLD];
    for (int step = 0; step < 2000; step++) {
        if (left == 0) {
            ns_plan_describe(plan, -1, &info, NULL);
            ns_plan_next(plan, &way, &calls, NULL);
            left = calls;
            printf("call %4d: way %d for %d calls: %s\n", step, way, calls, info.why);
        }
        last[--left % NS_PLAN_TOLD] = exchange(way);
        if (left == 0)
            ns_plan_tell(plan, way, calls, last, calls < NS_PLAN_TOLD ? calls : NS_PLAN_TOLD, NULL);
    }
    ns_plan_describe(plan, way, &info, NULL);
    printf("way %d is the fastest with %.0f %%: %.1f us, %lld calls\n", way, 100 * info.p_best, 1e6 * info.measured_s,
           (long long)info.calls);
    ns_plan_free(plan);
    return EXIT_SUCCESS;
}
