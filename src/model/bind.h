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
    const uint64_t one = UINT64_C(1) << 52, exponent = 0x7ff * one;
    uint64_t carry = 0;
    for (size_t i = 0; i < count; i++) { /* one more carries an exponent of all ones, and no other, into the sign */
        uint64_t bits;
        memcpy(&bits, &value[i], sizeof bits);
        carry |= (bits & exponent) + one;
    }
    return carry >> 63 == 0;
}

#endif
