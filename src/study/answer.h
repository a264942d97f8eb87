/* answer.h -- a comparison in words: rows, advice, and how good such advice was; the same in every output */
#ifndef NS_STUDY_ANSWER_H
#define NS_STUDY_ANSWER_H

#include "price/change.h"

/* "three-step/device" of a comparison's choice; returns text. */
const char *ns_choice_name(const ns_comparison *comparison, int choice, char *text, size_t size);
/* "31 %", "over 99 %", "under 1 %"; returns text. */
const char *ns_percent(double p, char *text, size_t size);
/* How much longer than the fastest: a percentage, or a factor beyond ten times. */
const char *ns_loss_text(double loss, char *text, size_t size);

/* A case: what is compared, on which machine, for how many parts. */
typedef struct ns_decided {
    const ns_comparison *comparison;
    const ns_machine *machine;
    int32_t parts;
    bool one_of_many;         /* there are several machines: the text names this one */
    bool foreign;             /* hardware other than what was measured, or a what-if: not judged by its exchanges */
    ns_thresholds thresholds; /* 0: the defaults */
} ns_decided;

/* The cells of a row; a member may be "". */
typedef struct ns_answer_row {
    char machine[64], parts[16];
    char way[130];    /* "split-dd/host"; "split-dd or two-step/host" where the second takes at most 10 % longer */
    char time[24];    /* of the fastest */
    char against[60]; /* "1.4 x faster (78 % sure)" */
    char loss[24];    /* expected, against the best of all */
    char best[24];    /* P(best) */
} ns_answer_row;
/* The headings, as a row; with several incumbents the column is headed "in use". */
void ns_answer_headings(const ns_decided *cases, size_t count, ns_answer_row *row);
void ns_answer_row_of(const ns_decided *decided, ns_answer_row *row);

enum { NS_ANSWER_LINE = 1000 };
/* "against standard/host, as most programs exchange" */
void ns_answer_against(const ns_decided *decided, char text[NS_ANSWER_LINE]);
/* "Switch at 256 GPUs. At 16 and 64 keep standard/host or measure: ..." for the cases of one machine. */
void ns_answer_advice(const ns_decided *cases, size_t count, char text[NS_ANSWER_LINE]);
/* "On the 40 measured exchanges of ... such advice lost 24 % on average, ...", or that there are none. */
void ns_answer_trust(const ns_decided *decided, char text[NS_ANSWER_LINE]);

/* Rows as lines of a table.  When the columns do not fit, the loss is dropped first, then P(best), then the time.
 * text[count + 1], the headings first. */
enum { NS_ANSWER_WIDTH = 80 };
typedef char ns_answer_text[NS_ANSWER_LINE];
void ns_answer_table(const ns_decided *cases, size_t count, ns_answer_text *text);

/* How many bytes of a text fit into a line of that width, to be followed by a break at the blanks. */
size_t ns_answer_break(const char *text);

/* One case in a sentence: "64 GPUs: split-dd/host, 316 us, 1.3 x faster than standard/host (71 % sure). Keep ..." */
void ns_answer_sentence(const ns_decided *decided, char text[NS_ANSWER_LINE]);

#endif
