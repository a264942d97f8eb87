/* status.h -- status codes and the caller-owned error record
 *
 * Every function that can fail returns ns_status and takes, last, an ns_error that belongs to the caller; NULL is
 * allowed.  The first failure recorded is kept: it is the deepest, and later ones cannot hide it.  The library never
 * prints.
 */
#ifndef NSMODEL_STATUS_H
#define NSMODEL_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define NS_PRINTF(text, first) __attribute__((__format__(__printf__, text, first)))
#define NS_API                 __attribute__((visibility("default")))
#else
#define NS_PRINTF(text, first)
#define NS_API
#endif

typedef enum ns_status {
    NS_OK = 0,
    NS_ERR_SYNTAX,   /* text that cannot be read: a bad number, a bad size line, JSON that does not parse */
    NS_ERR_NAME,     /* an unknown, duplicate or ambiguous name */
    NS_ERR_UNIT,     /* a missing unit, or one of another dimension */
    NS_ERR_RANGE,    /* a value that is refused: P = 0, an index past the end, a negative alpha */
    NS_ERR_FILE,     /* a file that cannot be opened, read or written */
    NS_ERR_DATA,     /* well-formed input that contradicts itself or lacks what is asked of it */
    NS_ERR_MEMORY,   /* allocation failed */
    NS_ERR_LIMIT,    /* more memory or work wanted than is allowed */
    NS_ERR_USAGE,    /* a command line that cannot be parsed */
    NS_ERR_CANCELLED /* the caller's stop callback ended it */
} ns_status;

/* A limit that the caller set, so that a program can name what sets it. */
typedef enum ns_limit_kind { NS_NO_LIMIT = 0, NS_LIMIT_MEMORY, NS_LIMIT_WORK } ns_limit_kind;

/* What would help after a failure, so that a program can say how to get it. */
typedef enum ns_remedy {
    NS_NO_REMEDY = 0,
    NS_REMEDY_MODELS,     /* the list of models */
    NS_REMEDY_INPUTS,     /* the inputs of the model `subject` */
    NS_REMEDY_MACHINES,   /* the list of machines */
    NS_REMEDY_PARAMETERS, /* the parameters of the machine `subject` */
    NS_REMEDY_CHECK,      /* what the machine `subject`, a name or file, lacks, and what measures it */
    NS_REMEDY_TABLES,     /* a machine: the model reads its tables */
    NS_REMEDY_NUMBERS,    /* a machine: it has some of the numbers */
    NS_REMEDY_CATALOGUE,  /* the catalogue of `subject` matrices */
    NS_REMEDY_MATRIX      /* a file of the matrix `subject`, by its full name */
} ns_remedy;

typedef struct ns_error {
    ns_status code;      /* NS_OK while nothing has failed */
    char file[256];      /* the input at fault, or "" */
    long line;           /* from 1; 0 when unknown */
    long column;         /* from 1, in bytes; 0 when unknown */
    char text[512];      /* one line, no final stop: what was found, then what was wanted */
    ns_limit_kind limit; /* of NS_ERR_LIMIT: the one that was met */
    ns_remedy remedy;
    char subject[128]; /* of the remedy, or "" */
} ns_error;

/* Reset the record.  Every call of the library that takes an ns_error begins with this, so that after a success
 * err->code is NS_OK; of several failures in a call the first is kept.  err may be NULL. */
static inline void ns_error_clear(ns_error *err)
{
    if (!err || err->code == NS_OK)
        return;
    err->code = NS_OK;
    err->file[0] = err->text[0] = err->subject[0] = '\0';
    err->line = err->column = 0;
    err->limit = NS_NO_LIMIT;
    err->remedy = NS_NO_REMEDY;
}

/* Record a failure and return its code.  A failure already recorded is kept; err may be NULL. */
NS_API ns_status ns_fail(ns_error *err, ns_status code, const char *format, ...) NS_PRINTF(3, 4);

/* The same, pointing at a place.  file may be NULL; line and column may be 0. */
NS_API ns_status ns_fail_at(ns_error *err, ns_status code, const char *file, long line, long column, const char *format,
                            ...) NS_PRINTF(6, 7);

/* Write "file:line:column: text" (each part only when known) into buffer, always terminated; returns buffer. */
NS_API const char *ns_error_format(const ns_error *err, char *buffer, unsigned long size);

/* A short name of the code, static: "unit", "range", ... */
NS_API const char *ns_status_name(ns_status code);

/* Pass a failure up. */
#define NS_TRY(call)                                                                                                   \
    do {                                                                                                               \
        ns_status ns_try_status_ = (call);                                                                             \
        if (ns_try_status_ != NS_OK)                                                                                   \
            return ns_try_status_;                                                                                     \
    } while (0)

#ifdef __cplusplus
}
#endif
#endif
