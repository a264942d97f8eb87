/* sensitivity_curve.c -- the output of a model, or a strategy in a scenario, as the answer */
#include "study/curves.h"
#include "study/sensitivity.h"

enum { INPUTS_MOST = 64 };

typedef struct asked {
    ns_curves *curves; /* a copy: its machine is perturbed */
    int curve;
} asked;

static ns_status answer(void *context, const ns_machine *machine, const ns_setting *input, double *value,
                        const char **winner, ns_error *err)
{
    const asked *a = context;
    if (winner != NULL)
        *winner = "";
    ns_curves_use_machine(a->curves, machine);
    return ns_curves_value(a->curves, a->curve, input, input != NULL, value, err);
}

static ns_status add_input(const ns_field *field, const void *record, const char *source, ns_knob *knob, size_t *knobs,
                           ns_error *err)
{
    double factor;
    ns_knob one = {.name = field->name, .value = ns_field_number(field, record), .source = source};
    NS_TRY(ns_unit_parse(field->unit, &factor, &one.dim, err));
    if (*knobs == INPUTS_MOST)
        return ns_fail(err, NS_ERR_LIMIT, "more than %d inputs", (int)INPUTS_MOST);
    knob[(*knobs)++] = one;
    return NS_OK;
}

/* Inputs that were given, and defaults; what the machine gives is perturbed in the machine. */
static ns_status input_knobs(const ns_curves *curves, int curve, ns_knob *knob, size_t *knobs, ns_error *err)
{
    ns_binding closed;
    ns_model_buffer out;
    if (ns_curves_at(curves, curve)->strategy != NULL) {
        for (const ns_field *f = ns_scenario_fields; f->kind != NS_FIELD_END; f++)
            NS_TRY(add_input(f, ns_curves_scenario(curves), "the scenario", knob, knobs, err));
        return NS_OK;
    }
    NS_TRY(ns_curves_eval(curves, curve, NULL, 0, &closed, &out, err));
    for (int i = 0; closed.model->inputs[i].kind != NS_FIELD_END; i++)
        if (closed.model->inputs[i].kind == NS_FIELD_NUMBER &&
            (closed.given[i] == NS_GIVEN_USER || closed.given[i] == NS_GIVEN_DEFAULT))
            NS_TRY(add_input(&closed.model->inputs[i], closed.in.bytes,
                             closed.given[i] == NS_GIVEN_USER ? "given" : "default", knob, knobs, err));
    return NS_OK;
}

ns_status ns_sensitivity_of_curve(const ns_curves *curves, int curve, const ns_sensitivity_options *options,
                                  ns_sensitivity **sensitivity, ns_error *err)
{
    ns_error_clear(err);
    ns_knob knob[INPUTS_MOST];
    size_t knobs = 0;
    asked a = {.curve = curve};
    NS_TRY(ns_curves_check(curves, curve, err));
    NS_TRY(input_knobs(curves, curve, knob, &knobs, err));
    NS_TRY(ns_curves_copy(curves, &a.curves, err));
    const ns_subject subject = {.machine = curves->machine,
                                .title = ns_curves_at(curves, curve)->label,
                                .output = curves->output,
                                .dim = curves->dim,
                                .context = &a,
                                .answer = answer};
    ns_status status = ns_sensitivity_run(&subject, knob, knobs, options, sensitivity, err);
    ns_curves_free(a.curves);
    return status;
}
