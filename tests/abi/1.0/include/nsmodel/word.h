/* word.h of the first 1.0: its declarations */
#ifndef NSMODEL_WORD_H
#define NSMODEL_WORD_H

#include <nsmodel/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ns_word_kind {
    NS_WORDS_LOCALITY,
    NS_WORDS_MEMORY,
    NS_WORDS_PROTOCOL,
    NS_WORDS_DIRECTION,
    NS_WORDS_TRANSPORT,
    NS_WORDS_SOURCE,
    NS_WORDS_VERDICT,
    NS_WORDS_MEETING,
    NS_WORDS_BASIS,
    NS_WORDS_STANDING,
    NS_WORDS_PUBLISHED,
    NS_WORDS_TOPOLOGY,
    NS_WORDS_MECHANISM,
    NS_WORDS_LIMIT,
    NS_WORDS
} ns_word_kind;

NS_API const char *ns_word(ns_word_kind kind, int value);

#ifdef __cplusplus
}
#endif
#endif
