/* bind.h -- what one evaluation and many share */
#ifndef NS_MODEL_BIND_H
#define NS_MODEL_BIND_H

#include <nsmodel/model.h>

#include <math.h>
#include <string.h>

enum { NS_PATH_MAX = 160 };

static inline bool ns_is_in_range(const ns_field *field, double value)
{
    /* isfinite first: least and most are no bounds for a NaN */
    return isfinite(value) && value <= field->most && (field->open ? value > field->least : value >= field->least);
}

/* Does the machine's row of this input depend on the protocol? */
bool ns_wants_protocol(const ns_field *field);

static inline bool ns_all_finite(const double *value, size_t count)
{
    const uint64_t exponent = UINT64_C(0x7ff) << 52;
    bool all = true;
    for (size_t i = 0; i < count; i++) { /* by bits: no value waits for another */
        uint64_t bits;
        memcpy(&bits, &value[i], sizeof bits);
        all &= (bits & exponent) != exponent;
    }
    return all;
}

#endif
