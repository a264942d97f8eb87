/* toy.h -- a small library's header; each macro is one change that a release could bring */
#ifndef TOY_H
#define TOY_H
#include <stddef.h>

typedef enum toy_kind {
#ifdef KIND_BEFORE
    TOY_NEWER,
#endif
    TOY_ONE,
    TOY_TWO,
#ifdef KIND_AFTER
    TOY_THREE
#endif
} toy_kind;

typedef struct toy_point {
    double x;
#ifdef FIELD_INSERTED
    double w;
#endif
    double y;
#ifdef FIELD_APPENDED
    double z;
#endif
} toy_point;

typedef struct toy_options {
    size_t size;
#ifdef OPTION_INSERTED
    int depth;
#endif
    int level;
#ifdef OPTION_APPENDED
    double limit;
#endif
} toy_options;

typedef struct toy toy;

#ifdef PARAMETER
toy *toy_new(const toy_options *options, double size);
#else
toy *toy_new(const toy_options *options, int size);
#endif
toy_kind toy_kind_of(const toy *made);
toy_point toy_place(const toy *made);
#ifndef LOST
void toy_free(toy *made);
#endif
#ifdef ADDED
int toy_count(const toy *made);
#endif

#endif
