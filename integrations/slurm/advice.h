/* advice.h -- the plugin's questions to the library about ranks on nodes; nothing here depends on Slurm */
#ifndef NS_SLURM_ADVICE_H
#define NS_SLURM_ADVICE_H

#include <stdbool.h>

#include "api/library.h"
#include "study/answer.h"

/* All members are borrowed. */
typedef struct ns_question {
    const char *matrix;  /* file, name or stencil; FILE.csv: planned messages of the ranks */
    const char *machine; /* file or name */
    int32_t ranks, nodes;
    const int32_t *node_of; /* [ranks] */
    void *answer;           /* must be zero initially */
} ns_question;

/* Plain bytes, written by one process and read by another. */
typedef struct ns_rank_advice {
    bool given;
    char text[NS_ANSWER_LINE + 200]; /* the sentence, or the reason why there is none */
    char strategy[40], transport[16];
    double seconds;
} ns_rank_advice;

/* Answer an ns_question: price all strategies for the present placement. */
void ns_advise(void *question);

typedef struct ns_placing_answer {
    bool given;
    char text[600];         /* the reason why there is none */
    double before_s, now_s; /* of the fastest strategy */
    int32_t node_of[];      /* [ranks] */
} ns_placing_answer;

/* Answer an ns_question: look for a faster placement on the same nodes; each node keeps its number of ranks. */
void ns_place_ranks(void *question);

#endif
