/* test_completion.c -- completion: what the program answers, and what real shells make of it */
#include "core/memory.h"
#include "support/cli.h"
#include "support/needs.h"
#include "support/shell.h"
#include "support/terminal.h"
#include "support/test.h"

/* ---- what the program answers ------------------------------------------------------------------------ */

static const struct {
    const char *line;
    const char *words; /* all of them, each followed by a blank; ":files" for names of files */
} completions[] = {
    {"nsmodel pat", "pattern "},
    {"nsmodel --v", "--version "},
    {"nsmodel help pat", "pattern "},
    {"nsmodel xyz ", ""},
    {"nsmodel predict --gp", "--gpus "},
    {"nsmodel predict --gpus 8 --g", ""},
    {"nsmodel predict --set a=1 --se", "--set "},
    {"nsmodel predict --machine lass", "lassen lassen-spectrum :files "},
    {"nsmodel predict --machine bxi,lassen-", "bxi,lassen-spectrum :files "},
    {"nsmodel predict --machine=lassen-", "--machine=lassen-spectrum :files "},
    {"nsmodel predict --strategy standard,spl", "standard,split-md standard,split-dd "},
    {"nsmodel predict --transport ", "host device "},
    {"nsmodel predict --format ", "table wide json csv "},
    {"nsmodel predict --format=c", "--format=csv "},
    {"nsmodel predict --matrix audikw", ":files audikw_1 "},
    {"nsmodel predict --matrix HB/ash2", ":files HB/ash219 HB/ash292 "},
    {"nsmodel predict --matrix ", "stencil9: stencil27: :files "},
    {"nsmodel predict --partition ", ":files "},
    {"nsmodel predict --gpus ", ""},
    {"nsmodel eval post", "postal "},
    {"nsmodel eval postal ", "alpha= beta= s= locality= memory= protocol= "},
    {"nsmodel eval --machine lassen postal al", "alpha= "},
    {"nsmodel eval postal protocol=e", "protocol=eager "},
    {"nsmodel eval standard form=", "form=corrected form=printed "},
    {"nsmodel predict --explain --gp", "--gpus "},
    {"nsmodel predict --plot ", ":files "},
    {"nsmodel eval --explain max-r", "max-rate "},
    {"nsmodel cross three-step/", "three-step/host three-step/device "},
    {"nsmodel cross postal:protocol=eager max-rate m", "max-rate m= memory= multiplex multirail "},
    {"nsmodel sweep max-rate protocol=e", "protocol=eager "},
    {"nsmodel sweep max-rate s=", ""},
    {"nsmodel predict --matrix stencil2", "stencil27: :files "},
    {"nsmodel matrix ", "list info where get "},
    {"nsmodel matrix get ash2", ":files ash219 ash292 "},
    {"nsmodel matrix list --sort n", "name nnz "},
    {"nsmodel models rend", "rendezvous "},
    {"nsmodel machines fp", "fpspin :files "},
    {"nsmodel reproduce node-aware-table", "node-aware-table2 node-aware-table3 node-aware-table4 "},
    {"nsmodel fit --tool os", "osu "},
    {"nsmodel predict --model ", "auto postal max-rate queue contention full direct pairwise bruck "},
    {"nsmodel fit ", ":files "},
    {"nsmodel   eval    post", "postal "},
};

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Words in an order of their own: which comes first is not promised. */
static void sort_words(char *text)
{
    char *word[64], copy[2048];
    int count = 0;
    snprintf(copy, sizeof copy, "%s", text);
    for (char *at = strtok(copy, " "); at != NULL && count < 64; at = strtok(NULL, " "))
        word[count++] = at;
    qsort(word, (size_t)count, sizeof *word, by_text);
    *text = '\0';
    for (int i = 0; i < count; i++) {
        strcat(text, word[i]);
        strcat(text, " ");
    }
}

TEST_EACH(test_completions, sizeof completions / sizeof *completions)
{
    char quoted[400], found[2048] = "", wanted[2048];
    snprintf(quoted, sizeof quoted, "--complete '%s'", completions[_i].line);
    char *out = cli_output(quoted);
    for (char *at = out; *at != '\0'; at += strcspn(at, "\n") + 1)
        snprintf(found + strlen(found), sizeof found - strlen(found), "%.*s ", (int)strcspn(at, "\t"), at);
    snprintf(wanted, sizeof wanted, "%s", completions[_i].words);
    sort_words(found);
    sort_words(wanted);
    ck_assert_msg(strcmp(found, wanted) == 0, "%s: wanted \"%s\", got \"%s\"", completions[_i].line, wanted, found);
}

TEST(test_strange_lines)
{
    char line[9000];
    memset(line, 'x', sizeof line - 1);
    line[sizeof line - 1] = '\0';
    memcpy(line, "--complete 'nsmodel eval ", 25);
    line[sizeof line - 2] = '\'';
    ns_free(cli_output(line));
    memcpy(line, "--complete 'nsmodel e e e e e e e e ", 36);
    for (size_t i = 36; i + 3 < sizeof line; i += 2)
        line[i] = ' ';
    ns_free(cli_output(line));
    cli_result r = cli("--completion fish");
    ck_assert_int_eq(r.code, 2);
    ck_assert_str_eq(r.err, "nsmodel: --completion wants bash or zsh, got fish\n");
    r = cli("--man xyz");
    ck_assert_int_eq(r.code, 2);
}

/* ---- in the shells ----------------------------------------------------------------------------------- */

/* Typed after the prompt, with a tab; what the line then is.  Files: plan.csv and mine.json are there. */
static const struct {
    const char *typed, *becomes;
} tabs[] = {
    {"nsmodel patt\t", "nsmodel pattern "},
    {"nsmodel predict --explain --gp\t", "nsmodel predict --explain --gpus "},
    {"nsmodel eval max-r\t", "nsmodel eval max-rate "},
    {"nsmodel eval postal alph\t1us", "nsmodel eval postal alpha=1us"},
    {"nsmodel eval postal protocol=rend\t", "nsmodel eval postal protocol=rendezvous "},
    {"nsmodel cross postal:protocol=eager loc\t", "nsmodel cross postal:protocol=eager locality="},
    {"nsmodel predict --format=js\t", "nsmodel predict --format=json "},
    {"nsmodel predict --machine bluew\t", "nsmodel predict --machine bluewaters "},
    {"nsmodel predict --machine mine\t", "nsmodel predict --machine mine.json "},
    {"nsmodel predict --messages pl\t", "nsmodel predict --messages plan.csv "},
    {"nsmodel matrix get GHS_psdef/audik\t", "nsmodel matrix get GHS_psdef/audikw_1 "},
    {"nsmodel predict --matrix stencil2\t3x3", "nsmodel predict --matrix stencil27:3x3"},
};

/* Type each line, a mark, and at its beginning a command that prints it: the shell itself says what the line has
 * become. */
static void try_tabs(terminal *t)
{
    for (size_t i = 0; i < sizeof tabs / sizeof *tabs; i++) {
        char wanted[200];
        terminal_type(t, tabs[i].typed);
        terminal_type(t, "@\x01"
                         "printf '<%s>' '\x05'\r");
        snprintf(wanted, sizeof wanted, "<%s@>", tabs[i].becomes);
        terminal_wait(t, wanted);
    }
}

static void make_site(const char *folder)
{
    shell_ok(
        "tools/pages.sh '%s' '%s/pages' && mkdir '%s/bin' '%s/here' && touch '%s/here/plan.csv' '%s/here/mine.json' && "
        "ln -s \"$(cd \"$(dirname '%s')\" && pwd)/$(basename '%s')\" '%s/bin/nsmodel'",
        shell_program(), folder, folder, folder, folder, folder, shell_program(), shell_program(), folder);
}

static void try_shell(const char *shell_name, const char *start, const char *setup)
{
    terminal t;
    char keys[4096];
    if (lacks(shell_name, shell_name))
        return;
    const char *folder = scratch_open();
    make_site(folder);
    terminal_open(&t, start);
    snprintf(keys, sizeof keys, "site='%s'; PS1='> '; PATH=$site/bin:$PATH; cd $site/here; %s && echo rea''dy\r",
             folder, setup);
    terminal_type(&t, keys);
    terminal_wait(&t, "ready");
    try_tabs(&t);
    terminal_type(&t, "exit\r");
    (void)terminal_close(&t);
    scratch_close();
}

TEST(test_bash)
{
    try_shell("bash", "exec bash --norc --noprofile -i",
              "bind 'set enable-bracketed-paste off'; source $site/pages/nsmodel");
}

TEST(test_zsh)
{
    try_shell(
        "zsh", "exec zsh -f -i",
        "unset zle_bracketed_paste; bindkey -e; fpath=($site/pages $fpath); autoload -Uz compinit; compinit -u -D");
}

TEST_TIMEOUT(120)
