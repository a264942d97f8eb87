/* refuse.h -- error messages for unknown names, with the same text everywhere */
#ifndef NS_CORE_REFUSE_H
#define NS_CORE_REFUSE_H

#include <stddef.h>

#include <nsmodel/status.h>

enum { NS_UNKNOWN_MOST = 480 }; /* size of the text below */

/* "WHAT "NAME"; did you mean "NEAR"?", where NEAR is the closest name of the list.  Where none is close: "WHAT "NAME";
 * OTHERWISE"; with an `otherwise` of NULL the list itself, "there are A, B and C"; with "" nothing more.  WHAT is "no
 * strategy", "postal has no input" and the like.  Returns text. */
const char *ns_unknown_name(char *text, size_t size, const char *what, const char *name, const char *const *list,
                            size_t count, const char *otherwise);

/* Fail with that text and NS_ERR_NAME. */
ns_status ns_refuse_name(ns_error *err, const char *what, const char *name, const char *const *list, size_t count);
ns_status ns_refuse_name_or(ns_error *err, const char *what, const char *name, const char *const *list, size_t count,
                            const char *otherwise);

/* Without the list: where no name is close, the error carries the remedy. */
ns_status ns_refuse_name_for(ns_error *err, const char *what, const char *name, const char *const *list, size_t count,
                             ns_remedy remedy, const char *subject);

/* ns_fail with a remedy. */
ns_status ns_fail_for(ns_error *err, ns_status code, ns_remedy remedy, const char *subject, const char *format, ...)
    NS_PRINTF(5, 6);

/* The index of a word of a list closed by NULL; else "WHAT has no choice "WORD"; it is one of a, b, c". */
ns_status ns_choose_word(const char *what, const char *const *words, const char *word, int *index, ns_error *err);

/* "a, b and c" */
const char *ns_name_list(char *text, size_t size, const char *const *list, size_t count);

#endif
