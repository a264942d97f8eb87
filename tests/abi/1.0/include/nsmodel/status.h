/* status.h of the first 1.0: its declarations */
#ifndef NSMODEL_STATUS_H
#define NSMODEL_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define NS_PRINTF(text, first) __attribute__((__format__(__printf__, text, first)))
#define NS_API __attribute__((visibility("default")))
#else
#define NS_PRINTF(text, first)
#define NS_API
#endif

typedef enum ns_status {
    NS_OK = 0,
    NS_ERR_SYNTAX,
    NS_ERR_NAME,
    NS_ERR_UNIT,
    NS_ERR_RANGE,
    NS_ERR_FILE,
    NS_ERR_DATA,
    NS_ERR_MEMORY,
    NS_ERR_LIMIT,
    NS_ERR_USAGE,
    NS_ERR_CANCELLED
} ns_status;

typedef enum ns_limit_kind { NS_NO_LIMIT = 0, NS_LIMIT_MEMORY, NS_LIMIT_WORK } ns_limit_kind;

typedef enum ns_remedy {
    NS_NO_REMEDY = 0,
    NS_REMEDY_MODELS,
    NS_REMEDY_INPUTS,
    NS_REMEDY_MACHINES,
    NS_REMEDY_PARAMETERS,
    NS_REMEDY_CHECK,
    NS_REMEDY_TABLES,
    NS_REMEDY_NUMBERS,
    NS_REMEDY_CATALOGUE,
    NS_REMEDY_MATRIX
} ns_remedy;

typedef struct ns_error {
    ns_status code;
    char file[256];
    long line;
    long column;
    char text[512];
    ns_limit_kind limit;
    ns_remedy remedy;
    char subject[128];
} ns_error;

NS_API ns_status ns_fail(ns_error *err, ns_status code, const char *format, ...) NS_PRINTF(3, 4);

NS_API ns_status ns_fail_at(ns_error *err, ns_status code, const char *file, long line, long column,
                            const char *format, ...) NS_PRINTF(6, 7);

NS_API const char *ns_error_format(const ns_error *err, char *buffer, unsigned long size);

NS_API const char *ns_status_name(ns_status code);

#define NS_TRY(call)                              \
    do {                                          \
        ns_status ns_try_status_ = (call);        \
        if (ns_try_status_ != NS_OK)              \
            return ns_try_status_;                \
    } while (0)

#ifdef __cplusplus
}
#endif
#endif
