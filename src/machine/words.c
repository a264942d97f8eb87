/* words.c -- the words for localities, memories, protocols and directions */
#include "machine/machine.h"
#include "machine/model.h"

const char *const ns_locality_words[] = {"on-socket", "on-node", "off-node", NULL};
const char *const ns_memory_words[] = {"host", "device", NULL};
const char *const ns_protocol_words[] = {"short", "eager", "rendezvous", NULL};
const char *const ns_direction_words[] = {"d2h", "h2d", NULL};
const char *const ns_protocol_choice_words[] = {"auto", "short", "eager", "rendezvous", NULL};
