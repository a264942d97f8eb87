/* test_answer.c -- predict, advise and report say the same, what they suggest runs, and words follow from numbers */
#include "support/cli.h"
#include "support/values.h"

#include "price/change.h"
#include "study/answer.h"
#include "support/test.h"

static const char *const questions[] = {
    "rajat01 --gpus 4,16,64",
    "rajat01 --machine lassen --gpus 16,64",
    "rajat01 --machine dane --parts 64,448",
    "rajat01 --machine bluewaters --parts 16,64,256",
    "stencil9:60x60 --gpus 8,16 --incumbent three-step/device",
    "stencil27:24x24x24 --machine summit --gpus 36",
    "xenon1 --gpus 16,32 --set device.exchange.floor=2us",
    "--messages alltoall:4KiB --parts 48 --machine lcc3",
    "rajat01 --machine lassen,tioga --gpus 32",
    "audikw_1 --gpus 256 --strategy standard,split",
};
enum { QUESTIONS = sizeof questions / sizeof *questions };

static const ns_value *next_of(const ns_value *text)
{
    return text != NULL ? text->next : NULL;
}

/* Words of a list are in the text, whatever lines they were broken into: a command's end in a backslash. */
static void says_all(const char *shown, const ns_value *list, const char *question)
{
    char *flat = strdup(shown), *to = flat;
    ck_assert_ptr_nonnull(flat);
    for (const char *c = shown; *c != '\0'; c++) {
        const bool broken = strncmp(c, " \\\n", 3) == 0;
        *to++ = *c == '\n' ? ' ' : *c;
        c += broken ? 2 + strspn(c + 3, " ") : 0;
    }
    *to = '\0';
    ck_assert_ptr_nonnull(list->first);
    for (const ns_value *text = list->first; text != NULL; text = next_of(text))
        ck_assert_msg(strstr(flat, text->text) != NULL, "%s: no \"%s\" in %s", question, text->text, shown);
    free(flat);
}

static void same_texts(const ns_value *a, const ns_value *b)
{
    a = a->first, b = b->first;
    for (; a != NULL && b != NULL; a = a->next, b = b->next)
        ck_assert_str_eq(a->text, b->text);
    ck_assert(a == NULL && b == NULL);
}

static void same_rows(const ns_value *a, const ns_value *b)
{
    a = a->first, b = b->first;
    for (; a != NULL && b != NULL; a = a->next, b = b->next) {
        static const char *const words[] = {"parts", "way", "against", "may_lose", "is_best"};
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            ck_assert_str_eq(text_at(a, words[i]), text_at(b, words[i]));
    }
    ck_assert(a == NULL && b == NULL);
}

TEST_EACH(same_everywhere, QUESTIONS)
{
    const char *question = questions[_i];
    char line[400];
    snprintf(line, sizeof line, "predict %s", question);
    ns_value *predict = cli_json(line);
    cli_result p = cli(line);
    snprintf(line, sizeof line, "advise %s", question);
    ns_value *advise = cli_json(line);
    cli_result a = cli(line);
    ns_value *report = cli_json_with("report %s -o %s", question, cli_file("answer.html", ""));
    const ns_value *screen = ns_value_get(predict, "screen"), *other = ns_value_get(advise, "screen"),
                   *page = ns_value_at(report, "predict.screen");
    same_rows(ns_value_get(screen, "rows"), ns_value_get(other, "rows"));
    same_rows(ns_value_get(screen, "rows"), ns_value_get(page, "rows"));
    static const char *const texts[] = {"advice", "trust"};
    for (size_t i = 0; i < 2; i++) {
        same_texts(ns_value_get(screen, texts[i]), ns_value_get(other, texts[i]));
        same_texts(ns_value_get(screen, texts[i]), ns_value_get(page, texts[i]));
        says_all(p.out, ns_value_get(screen, texts[i]), question);
        says_all(a.out, ns_value_get(screen, texts[i]), question);
    }
    same_texts(ns_value_get(screen, "next"), ns_value_get(page, "next"));
    says_all(p.out, ns_value_get(screen, "next"), question);
}

/* A suggestion is pasted as it stands; the program's own name goes. */
TEST_EACH(what_is_next_runs, QUESTIONS)
{
    ns_value *root = cli_json_with("predict %s", questions[_i]);
    size_t ran = 0;
    for (const ns_value *one = ns_value_get(root, "cases")->first; one != NULL; one = one->next) {
        const ns_value *next = ns_value_at(one, "decision.next");
        for (const ns_value *text = next != NULL ? next->first : NULL; text != NULL; text = text->next, ran++) {
            ck_assert_int_eq(strncmp(text->text, "nsmodel ", 8), 0);
            cli_result r = cli(text->text + 8);
            ck_assert_msg(r.code == 0, "%s: %s", text->text, r.err);
        }
    }
    ck_assert_uint_gt(ran, 0);
}

/* The action follows from the numbers beside it and from the thresholds. */
TEST(action_follows)
{
    static const struct {
        const char *options;
        double sure, worth;
    } tried[] = {
        {"", .9, .05}, {" --sure 60%", .6, .05}, {" --worth .5", .9, .5}, {" --sure .99 --worth 0.01", .99, .01}};
    size_t actions[3] = {0};
    for (size_t t = 0; t < sizeof tried / sizeof *tried; t++) {
        ns_value *root = cli_json_with("predict audikw_1 --gpus 4,8,16,64,256%s", tried[t].options);
        for (const ns_value *one = ns_value_get(root, "cases")->first; one != NULL; one = one->next) {
            const double better = number_at(one, "decision.incumbent.p_better"),
                         gain = number_at(one, "decision.incumbent.gain_q50"),
                         kept = number_at(one, "decision.incumbent.expected_loss");
            const int action = better >= tried[t].sure && 1 - 1 / gain > tried[t].worth ? NS_DO_SWITCH
                               : kept < tried[t].worth                                  ? NS_DO_KEEP
                                                                                        : NS_DO_MEASURE;
            ck_assert_str_eq(text_at(one, "decision.action"), ns_action_words[action]);
            actions[action]++;
            if (action != NS_DO_KEEP && number_at(one, "decision.loss_q50") <= 1.1)
                ck_assert_double_ge(number_at(one, "decision.p_loss_10"), 0.5);
            else if (action != NS_DO_KEEP && number_at(one, "decision.loss_q90") > 1.1)
                ck_assert_double_lt(number_at(one, "decision.p_loss_10"), 0.9);
        }
    }
    ck_assert(actions[NS_DO_SWITCH] > 0 && actions[NS_DO_MEASURE] > 0);
}

/* P of a loss is the inverse of its quantile for the best way, and grows with the loss for all. */
TEST_EACH(loss_within, 3)
{
    const ns_way ways[] = {{1.0, 0, 0}, {1.2, 0, 0}, {1.1, 1, 0}, {3.7, 2, 0}, {1.0, 0, 1}};
    ns_decision d;
    ck_assert_int_eq(ns_decide(ways, 5, 2.385, 0.7, _i * 0.1, &d, NULL), NS_OK);
    for (double q = 0.55; q < 1; q += 0.05) {
        const double loss = ns_decision_loss(&d, ways, q);
        if (loss > 1)
            ck_assert_double_eq_tol(ns_decision_within(&d, ways, d.best, loss), q, 1e-9);
    }
    for (int i = 0; i < 4; i++) {
        ck_assert_double_eq_tol(ns_decision_within(&d, ways, i, 1), d.p_best[i], 1e-12);
        ck_assert_double_gt(ns_decision_within(&d, ways, i, 1.1), d.p_best[i]);
        ck_assert_double_eq_tol(ns_decision_within(&d, ways, i, 1e30), 1, 1e-6);
    }
}

/* A loss is not a share: one of nearly 100 % says so, since a larger one may follow in the next row. */
TEST(loss_of_all)
{
    static const struct {
        double loss;
        const char *text;
    } rows[] = {{0, "0 %"}, {0.002, "under 1 %"}, {0.2385, "24 %"}, {0.996, "100 %"}, {1.14, "114 %"}, {9.996, "11 x"}};
    char text[32];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ck_assert_str_eq(ns_loss_text(rows[i].loss, text, sizeof text), rows[i].text);
    ck_assert_str_eq(ns_percent(0.996, text, sizeof text), "over 99 %");
}

/* Trust is never left out: the machine's own exchanges, or that there are none. */
TEST(trust)
{
    ns_value *root = cli_json("predict rajat01 --gpus 64 --machine lassen-spectrum");
    const ns_value *one = ns_value_get(root, "cases")->first;
    ck_assert_str_eq(text_at(one, "decision.trust.machine"), "lassen-spectrum");
    ck_assert_double_eq(number_at(one, "decision.trust.cases"), 40);
    ck_assert_double_eq_tol(number_at(one, "decision.trust.loss"), .243, 5e-4); /* docs/evidence/accuracy.md */
    root = cli_json("predict rajat01 --gpus 64 --machine lassen");
    ck_assert_int_eq(ns_value_at(ns_value_get(root, "cases")->first, "decision.trust")->kind, NS_NULL);
    ck_assert_ptr_nonnull(strstr(ns_value_at(root, "screen.trust")->first->text, "No exchange measured"));
    root = cli_json("predict rajat01 --gpus 64 --set host.exchange.floor=9us");
    ck_assert_int_eq(ns_value_at(ns_value_get(root, "cases")->first, "decision.trust")->kind, NS_NULL);
}

/* What people write. */
TEST_EACH(as_people_write, 6)
{
    static const char *const same[][2] = {
        {"predict rajat01 --gpus 8-64", "predict rajat01 --gpus 8,16,32,64"},
        {"predict rajat01 --gpus 8..64:x4", "predict rajat01 --gpus 8,32"}, /* 128 would be beyond the last */
        {"predict rajat01 --gpus 8..24:+8,32-64", "predict rajat01 --gpus 8,16,24,32,64"},
        {"predict rajat01 --gpus 16 --confidence 95%", "predict rajat01 --gpus 16 --confidence 0.95"},
        {"predict rajat01 --gpus 16 --strategy three-step/device",
         "predict rajat01 --gpus 16 --strategy three-step --transport device"},
        {"predict rajat01 --gpus 16 --strategy three-step/host,split/host",
         "predict rajat01 --gpus 16 --strategy three-step,split --transport host"},
    };
    ns_value *a = cli_json(same[_i][0]), *b = cli_json(same[_i][1]);
    const ns_value *one = ns_value_get(a, "cases")->first, *other = ns_value_get(b, "cases")->first;
    for (; one != NULL && other != NULL; one = one->next, other = other->next) {
        const ns_value *way = ns_value_get(one, "strategies")->first, *to = ns_value_get(other, "strategies")->first;
        ck_assert_double_eq(number_at(one, "gpus"), number_at(other, "gpus"));
        for (; way != NULL && to != NULL; way = way->next, to = to->next) {
            ck_assert_str_eq(text_at(way, "transport"), text_at(to, "transport"));
            ck_assert_double_eq(number_at(way, "estimate_s"), number_at(to, "estimate_s"));
            ck_assert_double_eq(ns_value_get(way, "interval_s")->first->number,
                                ns_value_get(to, "interval_s")->first->number);
        }
        ck_assert(way == NULL && to == NULL);
    }
    ck_assert(one == NULL && other == NULL);
}

#define REFUSED_TRANSPORTS                                                                                             \
    "nsmodel: --strategy names transports of some strategies only, or different ones; wanted the same for all, or "    \
    "--transport\n"

static const cli_refusal refused[] = {
    {"predict rajat01 --gpus 64-8", 1, "nsmodel: --gpus: range \"64-8\" runs down; did you mean 8-64?\n"},
    {"predict rajat01 --gpus 4,64..8:x2", 1, "nsmodel: --gpus: range \"64..8:x2\" runs down; did you mean 8..64:x2?\n"},
    {"predict rajat01 --confidence 0.95%", 1, "nsmodel: --confidence 0.95% is less than 1 %; wanted 0.95 or 95%\n"},
    {"predict rajat01 --strategy three-step/device,standard/host", 2, REFUSED_TRANSPORTS},
    {"predict rajat01 --strategy three-step,standard/host", 2, REFUSED_TRANSPORTS},
    {"predict rajat01 --sure 2", 1, "nsmodel: --sure wants a number between 0 and 1, as 0.9 or 90%, got \"2\"\n"},
    {"advise rajat01 --worth 0", 1, "nsmodel: --worth wants a number between 0 and 1, as 0.9 or 90%, got \"0\"\n"},
};

/* What is in use, what to do, how far to trust it and what to run next: all on the first screen. */
TEST(first_screen)
{
    static const struct {
        const char *question;
        int most;
    } of[] = {{"predict audikw_1 --gpus 16,64,256", 20},
              {"predict stencil9:300x300 --gpus 8,12,16,24,32,48,64,96,128,256", 24},
              {"predict rajat01 --machine bluewaters --gpus 16,32,48,64,96,128,192,256,384,512", 24}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        cli_result r = cli(of[i].question);
        ck_assert_int_eq(r.code, 0);
        int lines = 0;
        const char *at = r.out;
        for (; *at != '\0' && lines < of[i].most; at += strcspn(at, "\n") + 1, lines++)
            ck_assert_msg(strcspn(at, "\n") <= 80, "%s", r.out);
        ck_assert_msg(*at == '\0' || *at == '\n', "%s: more than %d lines:\n%s", of[i].question, of[i].most, r.out);
        ck_assert_msg(strstr(r.out, "\nagainst standard/host, as most programs exchange\n") != NULL, "%s", r.out);
        ck_assert_msg(strstr(r.out, "witch ") != NULL || strstr(r.out, "eep ") != NULL, "%s", r.out);
        ck_assert_msg(strstr(r.out, " measured exchanges of ") != NULL, "%s", r.out);
        ck_assert_msg(strstr(r.out, "\nNext: nsmodel ") != NULL, "%s", r.out);
    }
}

/* Machines of one advice share its lines, and what each step of a measurement gains is for --all. */
TEST(several_machines_fit)
{
    cli_result r = cli("advise rajat01 --machine lassen,lassen-spectrum,summit,tioga -n 16,64");
    ck_assert_int_eq(r.code, 0);
    int lines = 0;
    for (const char *at = r.out; *at != '\0'; at += strcspn(at, "\n") + 1)
        lines++;
    ck_assert_msg(lines <= 24, "%d lines:\n%s", lines, r.out);
    ck_assert_msg(strstr(r.out, "\nOn lassen, summit and tioga: ") != NULL, "%s", r.out);
    ck_assert_msg(strstr(r.out, "\nNext: nsmodel advise rajat01 --machine lassen -n 16") != NULL, "%s", r.out);
    r = cli("advise rajat01 --machine lassen,summit -n 16 --all");
    ck_assert_msg(strstr(r.out, "At 16 on summit: the loss of ") != NULL, "%s", r.out);
}

TEST_EACH(refusals, sizeof refused / sizeof *refused)
{
    cli_refused(refused[_i]);
}

TEST(eval_asks_the_usual_machine)
{
    cli_result given = cli("eval max-rate --machine lassen m=10 s=1MiB ppn=40");
    ck_assert_int_eq(setenv("NSMODEL_MACHINE", "lassen", 1), 0);
    cli_result usual = cli("eval max-rate m=10 s=1MiB ppn=40");
    (void)unsetenv("NSMODEL_MACHINE");
    ck_assert_int_eq(usual.code, 0);
    ck_assert_str_eq(usual.out, given.out);
}

/* From a bare cluster to an answer of its own, as advise prints it: with the launcher where both are there. */
TEST(steps_run)
{
    char line[900];
    const char *bin = getenv("NSMODEL_BIN");
    snprintf(line, sizeof line, "%s-mpi", bin != NULL ? bin : "bin/nsmodel");
    FILE *built = fopen(line, "r");
    if (built == NULL || system("mpirun --version > /dev/null 2>&1") != 0) {
        printf("left out: nsmodel-mpi or mpirun is not there\n");
        if (built != NULL)
            fclose(built);
        return;
    }
    fclose(built);
    ns_value *root = cli_json("advise rajat01 --gpus 4");
    for (const ns_value *step = ns_value_get(root, "steps")->first; step != NULL; step = step->next) {
        const bool job = strncmp(step->text, "mpirun -n 4 nsmodel-mpi", 23) == 0;
        char rest[500];
        snprintf(rest, sizeof rest, "%s", step->text + (job ? 23 : 7));
        /* this host has few cores: the launcher is told so, and the benchmark is kept short */
        snprintf(line, sizeof line,
                 "cd '%s' && export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
                 "OMPI_MCA_rmaps_base_oversubscribe=1"
                 " && %s%s%s%s%s > step.out 2>&1",
                 getenv("NSMODEL_TEST_TMP"), job ? "mpirun -n 4 " : "", bin, job ? "-mpi" : "", rest,
                 strstr(rest, "measure") != NULL ? " --most 64KiB --seconds 0.02" : "");
        ck_assert_msg(system(line) == 0, "%s", line);
    }
}

TEST_TIMEOUT(120)
