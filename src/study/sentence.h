/* sentence.h -- a decision in words */
#ifndef NS_STUDY_SENTENCE_H
#define NS_STUDY_SENTENCE_H

#include "price/choice.h"

/* What is compared, said in words: "64 GPUs" on a machine with GPUs, else "64 processes". */
typedef struct ns_decided {
    const ns_comparison *comparison;
    const ns_machine *machine;
    int32_t parts;
    bool one_of_many; /* machines: it is named */
} ns_decided;

/* "three-step/device" of a comparison's choice; returns text. */
const char *ns_choice_name(const ns_comparison *comparison, int choice, char *text, size_t size);
/* "31 %", "over 99 %", "under 1 %"; returns text. */
const char *ns_percent(double p, char *text, size_t size);

/* "64 GPUs: three-step/device, 375 us; 31 % sure that it is the best of 8; ..."; with nothing to choose from, the way
 * and its time only. */
enum { NS_SENTENCE_MAX = 700 };
void ns_decided_text(const ns_decided *decided, char text[NS_SENTENCE_MAX]);

#endif
