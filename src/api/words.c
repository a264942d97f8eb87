/* words.c -- every list of words by its kind, and the library's version */
#include "matrix/words.h"
#include "machine/machine.h"
#include "netsparse/netsparse.h"
#include "price/choice.h"
#include "schedule/strategy.h"
#include "study/study.h"

#include <nsmodel/version.h>
#include <nsmodel/word.h>

const char *ns_word(ns_word_kind kind, int value)
{
    const char *const *const list[NS_WORDS] = {
        [NS_WORDS_LOCALITY] = ns_locality_words,   [NS_WORDS_MEMORY] = ns_memory_words,
        [NS_WORDS_PROTOCOL] = ns_protocol_words,   [NS_WORDS_DIRECTION] = ns_direction_words,
        [NS_WORDS_TRANSPORT] = ns_transport_words, [NS_WORDS_SOURCE] = ns_matrix_source_words,
        [NS_WORDS_VERDICT] = ns_verdict_words,     [NS_WORDS_TOPOLOGY] = ns_topology_words,
        [NS_WORDS_MECHANISM] = ns_mechanism_words, [NS_WORDS_LIMIT] = ns_limit_words};
    if ((unsigned)kind >= NS_WORDS || value < 0)
        return NULL;
    for (int i = 0; i < value; i++)
        if (list[kind][i] == NULL)
            return NULL;
    return list[kind][value];
}

const char *ns_version(void)
{
    return NS_VERSION;
}

int ns_version_number(void)
{
    int number = 0, part = 0;
    for (const char *at = NS_VERSION; *at != '\0'; at++)
        if (*at == '.')
            number = 100 * (number + part), part = 0;
        else
            part = 10 * part + (*at - '0');
    return number + part;
}
