/* words.h -- words for where a matrix is from */
#ifndef NS_MATRIX_WORDS_H
#define NS_MATRIX_WORDS_H

/* In the order of ns_matrix_source: "file", "cache", "binary", "generated", "surrogate"; closed by NULL. */
extern const char *const ns_matrix_source_words[];

#endif
