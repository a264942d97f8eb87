/* fit.c LOG -- a program that links libnsmodel-fit, in C and in C++: a log fitted, the machine asked for a number */
#include <nsmodel/fit.h>

#include <math.h>
#include <stdio.h>

static int say(ns_fitted *fitted)
{
    ns_machine *machine = NULL;
    ns_fitted_class line;
    double alpha = 0;
    size_t lines = 0;
    line.size = sizeof line;
    while (ns_fitted_class_at(fitted, lines, &line))
        lines++;
    if (ns_fitted_machine(fitted, &machine, NULL) != NS_OK)
        return 1;
    ns_machine_number(machine, "host.off-node.rendezvous.alpha", &alpha, NULL, NULL);
    printf("%zu samples, %zu classes, last alpha %s\n", ns_fitted_samples(fitted), lines,
           lines > 0 && alpha > 0 && fabs(alpha / line.alpha - 1) < 1e-5 ? "in the machine" : "lost");
    ns_machine_free(machine);
    return 0;
}

int main(int argc, char **argv)
{
    ns_fit_settings settings = NS_FIT_SETTINGS_DEFAULT;
    ns_fitted *fitted = NULL;
    ns_error err;
    err.code = NS_OK;
    settings.name = "consumer";
    if (argc != 2 || ns_fit_files((const char *const *)(argv + 1), 1, &settings, &fitted, &err) != NS_OK) {
        fprintf(stderr, "%s\n", argc == 2 ? err.text : "wants a log");
        return 1;
    }
    const int code = say(fitted);
    ns_fitted_free(fitted);
    return code;
}
