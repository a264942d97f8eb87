/* measure.h of the first 1.0: its declarations */
#ifndef NSMODEL_MEASURE_H
#define NSMODEL_MEASURE_H

#include <stddef.h>

#include <nsmodel/choice.h>
#include <nsmodel/machine.h>
#include <nsmodel/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ns_basis {
    NS_BASIS_STATED,
    NS_BASIS_PUBLISHED,
    NS_BASIS_ASSUMED
} ns_basis;

typedef struct ns_unknown {
    size_t size;
    const char *parameter;
    ns_basis basis;
    double sigma;
    double loss_removed;
} ns_unknown;

typedef struct ns_measurement {
    size_t size;
    double loss_removed;
    size_t unknowns;
    const char *tool;
    const char *command;
} ns_measurement;

typedef struct ns_measure_plan {
    size_t size;
    size_t measurements;
    double left;
    double shortlist_removed;
    const char *shortlist_command;
} ns_measure_plan;

NS_API ns_status ns_measure_plan_make(const ns_comparison *comparison, const ns_machine *machine,
                                      const ns_selection *selection, ns_measure_plan **plan, ns_error *err);
NS_API void ns_measure_plan_free(ns_measure_plan *plan);

NS_API const ns_measurement *ns_measure_plan_at(const ns_measure_plan *plan, size_t index);
NS_API const ns_unknown *ns_measurement_of(const ns_measure_plan *plan, size_t index, size_t unknown);

NS_API double ns_loss_removed(const double *seconds, const double *share, int ways, int best, double sigma);

NS_API const char *ns_benchmark_command(const char *parameter, const ns_machine *machine, const char **tool, char *text,
                                        size_t size);

NS_API const char *ns_benchmark_parts(const char *parameter, const ns_machine *machine, char *run, size_t run_size,
                                      char *fit, size_t fit_size);

NS_API const char *ns_benchmark_tool(size_t index);

typedef enum ns_standing {
    NS_STANDING_MEASURED,
    NS_STANDING_CALIBRATED,
    NS_STANDING_ASSUMED,
    NS_STANDING_MISSING,
    NS_STANDINGS
} ns_standing;

typedef struct ns_machine_item {
    size_t size;
    const char *what;
    ns_standing standing;
    const char *basis;
    const char *tool;
    const char *run, *fit;
} ns_machine_item;

typedef struct ns_machine_check {
    size_t size;
    size_t items;
    size_t count[NS_STANDINGS];
} ns_machine_check;

NS_API ns_status ns_machine_check_make(const ns_machine *machine, ns_machine_check **check, ns_error *err);
NS_API void ns_machine_check_free(ns_machine_check *check);

NS_API const ns_machine_item *ns_machine_check_at(const ns_machine_check *check, size_t index);

#ifdef __cplusplus
}
#endif
#endif
