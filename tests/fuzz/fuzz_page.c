/* fuzz_page.c -- any texts in a report: none of them leaves the place that it was put in
 *
 * Input: two bytes that choose texts of report.json | the section | the text that stands there instead.  It is written
 * twice, the second time with x for every byte of it: all tags are the same, scripts hold data without < > &, and no
 * text holds a control character.  In memory; the stylesheet and the scripts of the page, which no input reaches, are
 * left out.
 */
#include "take.h"

#include <report/page.h>

static const ns_value *page_template(void)
{
    static char text[1 << 15];
    static ns_value *root;
    if (root != NULL)
        return root;
    FILE *file = fopen("tests/fuzz/report.json", "rb");
    REQUIRE(file != NULL && fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
    REQUIRE(ns_json_parse(text, "report.json", &root, NULL) == NS_OK);
    return root;
}

typedef struct page_given {
    unsigned every, from; /* of the texts, one in `every`, beginning with the one of number `from` */
    const char *text;
    unsigned seen;
} page_given;

static void page_copy(const ns_value *from, ns_value *to, page_given *given);

static void page_put(const ns_value *v, ns_value *to, const char *name, page_given *given)
{
    switch (v->kind) {
    case NS_NULL:
        ns_value_null(to, name);
        break;
    case NS_BOOL:
        ns_value_bool(to, name, v->truth);
        break;
    case NS_NUMBER:
        ns_value_count(to, name, v->number);
        break;
    case NS_TEXT:
        ns_value_text(to, name, given->seen++ % given->every == given->from ? given->text : v->text);
        break;
    case NS_LIST:
        page_copy(v, ns_value_list(to, name), given);
        break;
    case NS_OBJECT:
        page_copy(v, ns_value_object(to, name), given);
        break;
    }
}

static void page_copy(const ns_value *from, ns_value *to, page_given *given)
{
    for (const ns_value *v = from->first; v != NULL; v = v->next)
        page_put(v, to, from->kind == NS_OBJECT ? v->name : NULL, given);
}

static char *page_write(page_given given, unsigned which, const char *text)
{
    unsigned sections = 0;
    while (ns_page_sections[sections].id != NULL)
        sections++;
    char *page;
    size_t length;
    ns_value *report = ns_value_new();
    FILE *out = open_memstream(&page, &length);
    ns_error err = {0};
    REQUIRE(report != NULL && out != NULL);
    given.text = text;
    page_copy(page_template(), report, &given);
    ns_page writer = {.out = out, .report = report, .err = &err};
    fuzz_check_error(ns_page_sections[which % sections].write(&writer), &err);
    REQUIRE(fclose(out) == 0 && strlen(page) == length);
    ns_value_free(report);
    return page;
}

/* Past a script element, which holds data. */
static const char *page_data(const char *c)
{
    const char *end = strstr(c, "</script>");
    ns_value *root;
    REQUIRE(end != NULL);
    for (const char *d = c; d < end; d++)
        REQUIRE(*d != '<' && *d != '>' && *d != '&');
    char *json = fuzz_text((const uint8_t *)c, (size_t)(end - c));
    REQUIRE(ns_json_parse(json, "data", &root, NULL) == NS_OK);
    ns_value_free(root);
    ns_free(json);
    return end;
}

/* The tags of a page, in place, without what stands between them and in quotes. */
static void page_skeleton(char *page)
{
    char *kept = page, *open = NULL; /* open: the tag that is being read */
    bool quoted = false;
    for (const char *c = page; *c != '\0'; c++) {
        REQUIRE(((unsigned char)*c >= 0x20 || *c == '\n') && (unsigned char)*c != 0x7f && *c != '\'');
        REQUIRE(!quoted || (*c != '<' && *c != '>'));
        REQUIRE(open != NULL || *c != '>');
        if (open == NULL && *c == '<')
            open = kept;
        if (open == NULL)
            continue;
        if (*c == '"')
            quoted = !quoted;
        if (!quoted)
            *kept++ = *c;
        if (*c != '>')
            continue;
        if (strncmp(open, "<script", 7) == 0)
            c = page_data(c + 1) - 1;
        open = NULL;
    }
    REQUIRE(open == NULL && !quoted);
    *kept = '\0';
}

FUZZ(page)
{
    if (size < 4)
        return;
    page_given given = {.every = 1u + data[0] % 64};
    given.from = data[1] % given.every;
    char *text = fuzz_text(data + 3, size - 3 < 200 ? size - 3 : 200);
    char *one = page_write(given, data[2], text);
    memset(text, 'x', strlen(text));
    char *other = page_write(given, data[2], text);
    page_skeleton(one);
    page_skeleton(other);
    REQUIRE(strcmp(one, other) == 0);
    free(one);
    free(other);
    ns_free(text);
}
