/* bind.h -- what one evaluation and many share */
#ifndef NS_MODEL_BIND_H
#define NS_MODEL_BIND_H

#include "model/binding.h"

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

/* An exponent of all ones carries into the sign when one is added, and no other does. */
static inline uint64_t ns_finite_carry(double value)
{
    const uint64_t one = UINT64_C(1) << 52, exponent = 0x7ff * one;
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (bits & exponent) + one;
}

static inline bool ns_all_finite(const double *value, size_t count)
{
    uint64_t carry = 0, other = 0;
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        carry |= ns_finite_carry(value[i]) | ns_finite_carry(value[i + 1]);
        other |= ns_finite_carry(value[i + 2]) | ns_finite_carry(value[i + 3]);
    }
    for (; i < count; i++)
        carry |= ns_finite_carry(value[i]);
    return (carry | other) >> 63 == 0;
}

#endif
