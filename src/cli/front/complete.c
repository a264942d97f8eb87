/* complete.c -- completion of a command line, from the option rows that parse it
 *
 * An option's value is completed by the option's name, or by the words of its argument ("table|json|csv"); a positional
 * word by its position in the command's usage ("MODEL NAME=VALUE...").
 */
#include "cli/front/candidates.h"
#include "cli/front/command.h"
#include "cli/front/places.h"
#include "core/embedded.h"
#include "core/memory.h"
#include "published/published.h"

#include <ctype.h>
#include <string.h>

/* ---- lists of names for completion, from the tables that define them --------------------------------------------- */

void ns_candidates_add(ns_candidates *list, const char *typed, const char *name, const char *suffix, const char *doc)
{
    const char *prefix = list->prefix != NULL ? list->prefix : "";
    if (strncmp(name, typed, strlen(typed)) != 0)
        return;
    if (list->count == list->room) {
        const size_t room = list->room == 0 ? 64 : 2 * list->room;
        ns_candidate *of = ns_realloc(list->of, ns_size_mul(room, sizeof *of));
        if (of == NULL)
            return;
        list->of = of;
        list->room = room;
    }
    const size_t size = strlen(prefix) + strlen(name) + strlen(suffix) + 1, docs = strlen(doc) + 1;
    char *text = ns_malloc(size + docs); /* followed by the description */
    if (text == NULL)
        return;
    snprintf(text, size, "%s%s%s", prefix, name, suffix);
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->of[i].text, text) == 0) { /* two models may share an input, two groups a matrix's name */
            ns_free(text);
            return;
        }
    list->of[list->count++] = (ns_candidate){text, memcpy(text + size, doc, docs)};
}

void ns_candidates_free(ns_candidates *list)
{
    for (size_t i = 0; i < list->count; i++)
        ns_free(list->of[i].text);
    ns_free(list->of);
    *list = (ns_candidates){.count = 0};
}

void ns_candidates_machines(ns_candidates *list, const char *typed)
{
    for (const char *const *name = ns_machine_names(); *name != NULL; name++)
        ns_candidates_add(list, typed, *name, "", "machine");
    char **own;
    size_t count;
    if (ns_own_machines_list(&own, &count, NULL) == NS_OK) {
        for (size_t i = 0; i < count; i++)
            ns_candidates_add(list, typed, own[i], "", "own machine");
        ns_own_machines_free(own, count);
    }
    list->files = true;
}

void ns_candidates_matrices(ns_candidates *list, const char *typed)
{
    const bool grouped = strchr(typed, '/') != NULL;
    ns_catalogue *catalogue;
    const ns_catalogue_entry *e;
    char name[256], doc[256];
    list->files = true;
    ns_candidates_add(list, typed, "stencil9:", "", "the 9-point stencil of a grid: stencil9:3200x3200");
    ns_candidates_add(list, typed, "stencil27:", "", "the 27-point stencil of a grid: stencil27:68x68x68");
    if (*typed == '\0' || ns_catalogue_open(&catalogue, NULL) != NS_OK)
        return;
    const size_t count = ns_catalogue_entries(catalogue, &e);
    for (size_t i = 0; i < count; i++) {
        snprintf(name, sizeof name, "%s%s%s", grouped ? e[i].group : "", grouped ? "/" : "", e[i].name);
        snprintf(doc, sizeof doc, "%lld x %lld, %lld entries, %s", (long long)e[i].rows, (long long)e[i].cols,
                 (long long)e[i].stored, e[i].kind);
        ns_candidates_add(list, typed, name, "", doc);
    }
    ns_catalogue_free(catalogue);
}

void ns_candidates_models(ns_candidates *list, const char *typed, const char *suffix)
{
    for (const ns_model *const *model = ns_models(); *model != NULL; model++)
        ns_candidates_add(list, typed, (*model)->name, suffix, (*model)->title);
}

/* The selectors of a row of a machine's table, for a model that takes its inputs from one. */
static const struct selector {
    const char *part, *name;
    const char *const *words;
} selectors[] = {{"{locality}", "locality", ns_locality_words},
                 {"{memory}", "memory", ns_memory_words},
                 {"{protocol}", "protocol", ns_protocol_choice_words}};
enum { SELECTORS = sizeof selectors / sizeof *selectors };

static bool selects(const ns_model *model, const struct selector *selector)
{
    bool used = false;
    for (const ns_field *f = model->inputs; f->kind != NS_FIELD_END; f++)
        used = used || (f->from != NULL && strstr(f->from, selector->part) != NULL);
    return used && ns_field_find(model->inputs, selector->name) == NULL;
}

void ns_candidates_inputs(ns_candidates *list, const ns_model *model, const char *typed)
{
    for (const ns_field *f = model->inputs; f->kind != NS_FIELD_END; f++)
        ns_candidates_add(list, typed, f->name, "=", f->doc);
    for (int i = 0; i < SELECTORS; i++)
        if (selects(model, &selectors[i]))
            ns_candidates_add(list, typed, selectors[i].name, "=", "row of the machine's table");
}

void ns_candidates_choices(ns_candidates *list, const ns_model *model, const char *input, size_t length,
                           const char *typed)
{
    const char *const *words = NULL;
    for (int i = 0; i < SELECTORS; i++)
        if (strlen(selectors[i].name) == length && memcmp(selectors[i].name, input, length) == 0 &&
            selects(model, &selectors[i]))
            words = selectors[i].words;
    for (const ns_field *f = model->inputs; f->kind != NS_FIELD_END; f++)
        if (strlen(f->name) == length && memcmp(f->name, input, length) == 0 && f->kind == NS_FIELD_WORD)
            words = f->words;
    for (; words != NULL && *words != NULL; words++)
        ns_candidates_add(list, typed, *words, "", "");
}

enum { LINE = 4096, WORDS = 256, WORD = 200 };

typedef struct completer {
    const ns_program *program;
    ns_candidates *list;
    const ns_command *command;
    const char *word[WORDS]; /* the words before the one being typed, without the program's name */
    int words;
    const char *typed; /* the part being completed, after the fixed part: "--machine=", "lassen," */
    char *kept;        /* the fixed part */
} completer;

static void put(completer *c, const char *word, const char *doc)
{
    ns_candidates_add(c->list, c->typed, word, "", doc);
}

/* Fix the part of the word up to here. */
static void keep_to(completer *c, const char *end)
{
    strncat(c->kept, c->typed, (size_t)(end - c->typed));
    c->typed = end;
}

/* ---- kinds of values --------------------------------------------------------------------------------------------- */

enum kind {
    FILES,
    MODELS,
    MACHINES,
    MATRICES,
    STRATEGIES,
    TRANSPORTS,
    WAYS,
    FORMS,
    NETWORKS,
    TOOLS,
    TABLES,
    INPUTS,
    COMMANDS
};

static const struct {
    const char *option; /* its name */
    const char *word;   /* or a word of a usage */
    enum kind kind;
    bool list; /* several, separated by commas */
} kinds[] = {
    {"matrix", "NAME", MATRICES, false},
    {"machine", "MACHINE", MACHINES, true},
    {"check", "MACHINE|FILE", MACHINES, false},
    {"strategy", NULL, STRATEGIES, true},
    {"transport", NULL, TRANSPORTS, true},
    {"tool", NULL, TOOLS, false},
    {"over", NULL, INPUTS, false},
    {"model", NULL, FORMS, false},
    {"network", NULL, NETWORKS, false},
    {NULL, "MODEL", MODELS, false},
    {NULL, "LOG", FILES, false},
    {NULL, "STRATEGY/TRANSPORT", WAYS, false},
    {NULL, "TABLE", TABLES, false},
    {NULL, "COMMAND", COMMANDS, false},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void put_kind(completer *c, enum kind kind)
{
#define NS_LOG_TOOL(stem) #stem,
    static const char *const tools[] = {"auto",
#include "logs.def"
                                        NULL};
#undef NS_LOG_TOOL
    const ns_form *form[NS_FORMS_MAX];
    size_t forms;
    char word[WORD];
    switch (kind) {
    case FILES:
        c->list->files = true;
        break;
    case MODELS:
        ns_candidates_models(c->list, c->typed, "");
        break;
    case MACHINES:
        ns_candidates_machines(c->list, c->typed);
        break;
    case MATRICES:
        ns_candidates_matrices(c->list, c->typed);
        break;
    case STRATEGIES:
        for (const ns_strategy *const *s = ns_strategies(); *s != NULL; s++)
            put(c, (*s)->name, (*s)->title);
        break;
    case TRANSPORTS:
        for (int t = 0; t < NS_TRANSPORTS; t++)
            put(c, ns_transport_words[t], "transport");
        break;
    case WAYS: /* "three-step/host" */
        for (const ns_strategy *const *s = ns_strategies(); *s != NULL; s++)
            for (int t = 0; t < NS_TRANSPORTS; t++) {
                snprintf(word, sizeof word, "%s/%s", (*s)->name, ns_transport_words[t]);
                put(c, word, (*s)->title);
            }
        break;
    case FORMS:
        forms = ns_forms_by_rank(form, NS_FORMS_MAX);
        put(c, "auto", "the machine's own");
        for (size_t i = 0; i < forms; i++)
            put(c, form[i]->name, form[i]->title);
        break;
    case NETWORKS:
        for (const ns_network_kind *network = ns_network_kinds; network->name != NULL; network++)
            put(c, network->name, network->title);
        break;
    case TOOLS:
        for (const char *const *tool = tools; *tool != NULL; tool++)
            put(c, *tool, "benchmark");
        break;
    case TABLES:
        for (size_t i = 0; ns_reproduce_id(i, word, sizeof word) != NULL; i++)
            put(c, word, "published table");
        break;
    case COMMANDS:
        for (size_t i = 0; i < c->program->commands; i++)
            put(c, c->program->command[i]->name, c->program->command[i]->summary);
        break;
    case INPUTS: {
        /* of the models named before; the values, such as "protocol=eager", once the input's name is typed */
        const char *input = c->typed, *equals = strchr(input, '=');
        const size_t kept = strlen(c->kept);
        if (equals != NULL)
            keep_to(c, equals + 1);
        for (int i = 1; i < c->words; i++) {
            snprintf(word, sizeof word, "%.*s", (int)strcspn(c->word[i], ":"), c->word[i]);
            const ns_model *model = ns_model_find(word);
            if (model != NULL && equals != NULL)
                ns_candidates_choices(c->list, model, input, (size_t)(equals - input), c->typed);
            else if (model != NULL)
                ns_candidates_inputs(c->list, model, c->typed);
        }
        c->kept[kept] = '\0'; /* other words are also valid here */
        c->typed = input;
        break;
    }
    }
}

/* ---- options ----------------------------------------------------------------------------------------------------- */

static void put_value(completer *c, const ns_option *option)
{
    const char *comma = strrchr(c->typed, ',');
    for (size_t i = 0; i < KINDS; i++)
        if (kinds[i].option != NULL && strcmp(kinds[i].option, option->name) == 0) {
            if (kinds[i].list && comma != NULL)
                keep_to(c, comma + 1);
            put_kind(c, kinds[i].kind);
            return;
        }
    if (strncmp(option->argument + (*option->argument == '['), "FILE", 4) == 0 ||
        strcmp(option->argument, "FOLDER") == 0)
        put_kind(c, FILES);
    else {
        /* "table|json|csv", "[tree|latex|dot]" */
        for (const char *at = option->argument + (*option->argument == '['); *at != '\0';
             at += strcspn(at, "|]"), at += *at != '\0') {
            char word[WORD];
            snprintf(word, sizeof word, "%.*s", (int)strcspn(at, "|]"), at);
            if (islower((unsigned char)word[0]))
                put(c, word, "");
        }
    }
}

static void put_options(completer *c, const ns_option *o)
{
    char word[WORD], doc[NS_OPTION_DOC];
    for (; o->name != NULL; o++) {
        bool given = false;
        for (int i = 1; i < c->words; i++)
            given = given || ns_option_of_word(c->command, c->word[i]) == o;
        snprintf(word, sizeof word, "--%s", o->name);
        if (o->repeats || !given)
            put(c, word, ns_option_doc(o, doc, sizeof doc));
    }
}

/* ---- positional words -------------------------------------------------------------------------------------------- */

static void put_placeholder(completer *c, const char *text, size_t length)
{
    char word[WORD];
    size_t bare = length;
    while (bare > 0 && strchr(".]", text[bare - 1]) != NULL)
        bare--;
    snprintf(word, sizeof word, "%.*s", (int)bare - (*text == '['), text + (*text == '['));
    if (islower((unsigned char)word[0])) {
        put(c, word, "");
        return;
    }
    for (size_t i = 0; i < KINDS; i++)
        if (kinds[i].word != NULL && strcmp(kinds[i].word, word) == 0) {
            put_kind(c, kinds[i].kind);
            return;
        }
}

/* ---- the line ---------------------------------------------------------------------------------------------------- */

/* Complete a word of a command line: an option's value, an option, or a positional word by the usage. */
static void complete_in_command(completer *c)
{
    const char *last = c->word[c->words - 1], *equals = strchr(c->typed, '=');
    const ns_option *before = c->words > 1 && strchr(last, '=') == NULL ? ns_option_of_word(c->command, last) : NULL;
    const ns_option *here = ns_option_of_word(c->command, c->typed);
    const bool value = before != NULL && before->argument != NULL, may_miss = value && *before->argument == '[';
    if (value && !(may_miss && c->typed[0] == '-'))
        put_value(c, before);
    if (value && !may_miss)
        return;
    if (here != NULL && here->argument != NULL && equals != NULL) {
        keep_to(c, equals + 1);
        put_value(c, here);
        return;
    }
    if (c->typed[0] == '-') {
        put_options(c, c->command->options);
        put_options(c, ns_common_options);
        return;
    }
    /* The number of words before that are neither options nor options' values. */
    int index = 0;
    for (int i = 1; i < c->words; i++) {
        const ns_option *o = ns_option_of_word(c->command, c->word[i]);
        if (o != NULL && strchr(c->word[i], '=') == NULL && i + 1 < c->words && ns_option_takes(o, c->word[i + 1]))
            i++;
        index += o == NULL && c->word[i][0] != '-';
    }
    if (index > 0 && strstr(c->command->usage, "NAME=VALUE") != NULL)
        put_kind(c, INPUTS); /* of the models named before, whichever alternative is meant */
    /* "list | info NAME | get NAME": the first word selects the alternative. */
    const char *first = index > 0 && c->word[1] != NULL ? c->word[1] : "";
    for (const char *at = c->command->usage, *end; at != NULL; at = *end != '\0' ? end + 3 : NULL) {
        size_t length = strcspn(at, " ");
        end = strstr(at, " | ");
        end = end != NULL ? end : at + strlen(at);
        const bool fixed = islower((unsigned char)at[0]);
        if (index == 0 && fixed) {
            put_placeholder(c, at, length);
            continue;
        }
        if (fixed && (strncmp(first, at, length) != 0 || first[length] != '\0'))
            continue;
        /* The words of "MODEL... NAME=VALUE..." that may be at the index-th position, since "..." repeats. */
        bool reachable = true;
        for (int i = 0; at < end && *at != '-' && strncmp(at, "[-", 2) != 0 && reachable; i++) {
            length = strcspn(at, " ");
            const bool repeats =
                length > 3 && (strncmp(at + length - 3, "...", 3) == 0 || strncmp(at + length - 4, "...]", 4) == 0);
            if (i >= index || repeats)
                put_placeholder(c, at, length);
            reachable = i < index || repeats;
            at += length;
            at += strspn(at, " ");
        }
    }
}

void ns_complete_words(const ns_program *program, const char *line, ns_candidates *list)
{
    static const char blanks[] = " \t\n";
    char *text = ns_malloc(LINE), *kept = ns_calloc(LINE, 1);
    completer c = {.program = program, .list = list, .kept = kept};
    if (text != NULL && kept != NULL && strlen(line) < LINE) {
        strcpy(text, line);
        char *at = text + strcspn(text, blanks); /* skip the program's name */
        at += strspn(at, blanks);
        for (char *end; at[strcspn(at, blanks)] != '\0' && c.words < WORDS; at = end + 1 + strspn(end + 1, blanks)) {
            end = at + strcspn(at, blanks);
            *end = '\0';
            c.word[c.words++] = at;
        }
        c.typed = at;
        list->prefix = kept;
        if (c.words == 0 || (c.words == 1 && strcmp(c.word[0], "help") == 0))
            put_kind(&c, COMMANDS);
        if (c.words == 0) {
            put(&c, "help", "what a command does and takes");
            put(&c, "--help", "the commands");
            put(&c, "--version", "the version");
        } else {
            c.command = ns_program_find(program, c.word[0], strlen(c.word[0]));
            if (c.command != NULL)
                complete_in_command(&c);
        }
        list->prefix = NULL;
    }
    ns_free(kept);
    ns_free(text);
}
