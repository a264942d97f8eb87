/* word.h -- words for the values of enums, as text has them */
#ifndef NSMODEL_WORD_H
#define NSMODEL_WORD_H

#include <nsmodel/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ns_word_kind {
    NS_WORDS_LOCALITY,  /* "on-socket", ... */
    NS_WORDS_MEMORY,    /* "host", ... */
    NS_WORDS_PROTOCOL,  /* "short", ... */
    NS_WORDS_DIRECTION, /* "d2h", ... */
    NS_WORDS_TRANSPORT, /* "host", ... */
    NS_WORDS_SOURCE,    /* of a matrix: "file", ... */
    NS_WORDS_VERDICT,   /* "clear", ... */
    NS_WORDS_TOPOLOGY,  /* "leaf-spine", ... */
    NS_WORDS_MECHANISM, /* "rig", ... */
    NS_WORDS_LIMIT,     /* what limits a node of a network */
    NS_WORDS            /* how many kinds there are */
} ns_word_kind;

/* The word for a value of an enum; NULL where there is none.  Counting values up from 0 goes through all of them. */
NS_API const char *ns_word(ns_word_kind kind, int value);

#ifdef __cplusplus
}
#endif
#endif
