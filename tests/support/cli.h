/* cli.h -- run the program inside a test, without a shell */
#ifndef NS_TESTS_CLI_H
#define NS_TESTS_CLI_H

#include "api/library.h"

typedef struct cli_result {
    int code;
    char *out, *err; /* kept, as all texts and values from here: nobody frees them */
} cli_result;

/* line is split at blanks; 'single quotes' keep blanks together; TMP/ stands for the test's own folder.  The program's
 * name is added. */
cli_result cli(const char *line);
/* The same with words as they are, the program's name not among them. */
cli_result cli_words(int words, const char *const *word);

/* Cut a line, in place, into at most so many words, the program's name first; returns how many. */
int cli_split(char *line, char **word, int most);

/* Run with --format json added and parse what comes; the code has to be 0.  */
ns_value *cli_json(const char *line);

/* The same of lines that printf makes. */
cli_result cli_with(const char *format, ...) NS_PRINTF(1, 2);
ns_value *cli_json_with(const char *format, ...) NS_PRINTF(1, 2);

/* What a line answers, as text; the code has to be 0. */
char *cli_output(const char *line);

/* A command line that is refused. */
typedef struct cli_refusal {
    const char *line;
    int code;
    const char *words; /* of the message */
} cli_refusal;

/* It ends with this code, says one line with these words in it, and answers nothing. */
void cli_refused(cli_refusal wanted);
/* The same of a result. */
void cli_result_refused(cli_result *result, cli_refusal wanted);

/* The path of that name in the test's own folder (static, one of eight). */
const char *cli_path(const char *name);
/* A file of that name there, with this content; returns its path. */
const char *cli_file(const char *name, const char *content);

#endif
