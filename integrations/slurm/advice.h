/* advice.h -- what the plugin asks the library, of ranks on nodes; nothing of Slurm */
#ifndef NS_SLURM_ADVICE_H
#define NS_SLURM_ADVICE_H

#include <stdbool.h>

#include "api/library.h"
#include "study/answer.h"

/* Borrowed. */
typedef struct ns_question {
    const char *matrix;  /* file, name or stencil; FILE.csv: planned messages of the ranks */
    const char *machine; /* file or name */
    int32_t ranks, nodes;
    const int32_t *node_of; /* [ranks] */
} ns_question;

/* Plain bytes, written by one process and read by another. */
typedef struct ns_rank_advice {
    bool given;
    char text[NS_ANSWER_LINE + 200]; /* the sentence, or why there is none */
    char strategy[40], transport[16];
    double seconds;
} ns_rank_advice;

/* Price all strategies where the ranks stand. */
void ns_advise(const ns_question *question, ns_rank_advice *advice);

/* Look for a faster placement in the same places: each node keeps its number of ranks. */
typedef struct ns_placing_answer {
    bool given;
    char text[600];         /* why there is none */
    double before_s, now_s; /* of the fastest strategy */
    int32_t node_of[];      /* [ranks] */
} ns_placing_answer;
void ns_place_ranks(const ns_question *question, ns_placing_answer *answer);

/* What is read of a question's matrix and machine. */
typedef struct ns_read {
    ns_machine *machine;
    ns_matrix *matrix;   /* or */
    ns_planned *message; /* messages */
    size_t messages;
} ns_read;
ns_status ns_question_read(const ns_question *question, ns_read *read, ns_error *err);
void ns_read_close(ns_read *read);
/* What reading and building may take. */
extern const ns_limits ns_question_limits;

#endif
