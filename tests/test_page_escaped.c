/* test_page_escaped.c -- what people type stands on the page of nsmodel report as text */
#include "core/memory.h"
#include "support/files.h"
#include "support/page.h"
#include "support/test.h"

static const struct {
    const char *title, *shown;
} titles[] = {
    {"a<b>&c\"d", "<h1>a&lt;b&gt;&amp;c&quot;d</h1>"},
    {"</title><script>alert(1)</script>", "<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;</title>"},
    {"\xe2\x80\xae"
     "drawkcab",
     "<h1>\xef\xbf\xbd"
     "drawkcab</h1>"}, /* right-to-left override */
    {"bad \xff\xc3 utf", "<h1>bad \xef\xbf\xbd\xef\xbf\xbd utf</h1>"},
    {"bell \a and \x7f", "<h1>bell \xef\xbf\xbd and \xef\xbf\xbd</h1>"},
    {"next \xc2\x85 line", "<h1>next \xef\xbf\xbd line</h1>"}, /* a control of ISO 6429 */
    {"Gr\xc3\xb6\xc3\x9f"
     "e \xf0\x9f\x93\x88",
     "<h1>Gr\xc3\xb6\xc3\x9f"
     "e \xf0\x9f\x93\x88</h1>"},
    {"", "<h1>stencil9:40x40 on lassen-spectrum</h1>"},
    {"100 %s %d %n", "<h1>100 %s %d %n</h1>"},
};

TEST_EACH(test_escaped, sizeof titles / sizeof *titles)
{
    char line[400];
    snprintf(line, sizeof line, PAGE_SMALL "--netsparse none --title '%s'", titles[_i].title);
    char *page = page_of(line);
    page_holds(page, titles[_i].shown);
    ck_assert_uint_eq(times_in(page, "<script"), 3); /* one figure's data, uPlot, page.js */
    ck_assert_uint_eq(times_in(page, "</script>"), 3);
    ns_free(page);
}

/* A title with quotes comes back from the command line shown on the page. */
TEST(test_command_line)
{
    char *page = page_of(PAGE_SMALL "--title \"x\"");
    page_holds(page, "--title &#39;&quot;x&quot;&#39;");
    ns_free(page);
}
