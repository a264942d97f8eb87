/* measure.h -- what to measure before choosing: which number is worth knowing, and the benchmark that tells it
 *
 * A part of study.h, whose rules of ownership and size hold here too.
 */
#ifndef NSMODEL_MEASURE_H
#define NSMODEL_MEASURE_H

#include <stddef.h>

#include <nsmodel/choice.h>
#include <nsmodel/machine.h>
#include <nsmodel/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- what to measure -------------------------------------------------------------------------------------------
 *
 * The strategy that looks best may lose because a number of the machine is wrong.  Were that number known, the strategy
 * that is best with it would be taken: what is lost less on average is what measuring it is worth.  A price is linear
 * in its parameters, so
 *
 *     loss removed = E [ln T_c(z) - min_i ln T_i(z)],   T_i(z) = T_i + share_i (z - 1),   ln z ~ N(0, sigma^2)
 *
 * c the choice, share_i the seconds of T_i that are paid for the number, z what the number really is, over what the
 * machine says.  The error that the form makes with right parameters is not in it: only measuring the strategies
 * themselves removes that (choice.h). */

/* Why a number may be wrong, and by how much. */
typedef enum ns_basis {
    NS_BASIS_STATED,    /* the machine states a standard error */
    NS_BASIS_PUBLISHED, /* it gives the number without one: 25 % */
    NS_BASIS_ASSUMED    /* it has no such number, the form takes a default or derives it from others: a factor of 2 */
} ns_basis;

/* One number, by the path at which a machine's file has it. */
typedef struct ns_unknown {
    size_t size;
    const char *parameter;
    ns_basis basis;
    double sigma;        /* standard deviation of the logarithm */
    double loss_removed; /* by knowing it alone, expected ln */
} ns_unknown;

/* One run of a benchmark, and what it tells.  Texts live as long as the plan. */
typedef struct ns_measurement {
    size_t size;
    double loss_removed; /* by knowing all its numbers, expected ln; at least that of each */
    size_t unknowns;     /* that it measures, those that remove most first */
    const char *tool;    /* whose logs `nsmodel fit` reads, by its name there; NULL: whole exchanges (fit --records) */
    const char *command;
} ns_measurement;

typedef struct ns_measure_plan {
    size_t size;
    size_t measurements;      /* those that remove something, the most first */
    double left;              /* expected ln loss of the choice */
    double shortlist_removed; /* of that, by measuring the strategies of the shortlist themselves */
    const char *shortlist_command;
} ns_measure_plan;

/* What to measure for a comparison made on that machine; its decision has to be one.  selection: as it was compared, or
 * NULL.  Everything is borrowed during the call only. */
NS_API ns_status ns_measure_plan_make(const ns_comparison *comparison, const ns_machine *machine,
                                      const ns_selection *selection, ns_measure_plan **plan, ns_error *err);
NS_API void ns_measure_plan_free(ns_measure_plan *plan);
/* NULL past the last. */
NS_API const ns_measurement *ns_measure_plan_at(const ns_measure_plan *plan, size_t index);
NS_API const ns_unknown *ns_measurement_of(const ns_measure_plan *plan, size_t index, size_t unknown);

/* What knowing one number removes, from its sigma, the predicted times and what of them is paid for it; 7-point
 * Gauss-Hermite quadrature.  best: index of the choice. */
NS_API double ns_loss_removed(const double *seconds, const double *share, int ways, int best, double sigma);

/* The benchmark for a parameter's path: a row of the table of benchmarks, and its command on a machine.  *tool may come
 * out NULL.  Returns text. */
NS_API const char *ns_benchmark_command(const char *parameter, const ns_machine *machine, const char **tool, char *text,
                                        size_t size);
/* The same in two: the run alone, and what `nsmodel fit` is told of its log ("--locality on-node"), which may be "".
 * Returns the tool, or NULL. */
NS_API const char *ns_benchmark_parts(const char *parameter, const ns_machine *machine, char *run, size_t run_size,
                                      char *fit, size_t fit_size);
/* Names of the tools in that table, NULL past the last. */
NS_API const char *ns_benchmark_tool(size_t index);

/* ---- what a machine knows --------------------------------------------------------------------------------------- */

typedef enum ns_standing {
    NS_STANDING_MEASURED,
    NS_STANDING_CALIBRATED, /* on whole exchanges */
    NS_STANDING_ASSUMED,    /* something else stands for it */
    NS_STANDING_MISSING,    /* what needs it is refused or left out */
    NS_STANDINGS
} ns_standing;

/* One thing to know of a machine.  Texts are never NULL but for tool, and live as long as the check. */
typedef struct ns_machine_item {
    size_t size;
    const char *what;
    ns_standing standing;
    const char *basis;           /* its source, or what stands for it; "" where nothing does */
    const char *tool;            /* as in ns_benchmark_command; NULL: none */
    const char *run, *fit;       /* what measures it, and what fit is told then; "" where it is measured */
} ns_machine_item;

typedef struct ns_machine_check {
    size_t size;
    size_t items;
    size_t count[NS_STANDINGS];
} ns_machine_check;

/* Every item that predictions on the machine use.  The machine is borrowed during the call only. */
NS_API ns_status ns_machine_check_make(const ns_machine *machine, ns_machine_check **check, ns_error *err);
NS_API void ns_machine_check_free(ns_machine_check *check);
/* NULL past the last. */
NS_API const ns_machine_item *ns_machine_check_at(const ns_machine_check *check, size_t index);

#ifdef __cplusplus
}
#endif
#endif
