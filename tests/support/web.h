/* web.h -- the page web/nsmodel.html in the browser: open it, choose files, ask, read the answer */
#ifndef TESTS_SUPPORT_WEB_H
#define TESTS_SUPPORT_WEB_H

#include "api/library.h"

#include <check.h>

/* Are the page, as new as the program, and a browser there?  If not, a line says why. */
bool web_ready(void);

/* A copy of the page alone in the folder, and a browser: for an unchecked fixture.  browser_end ends it. */
void web_begin(void);

/* The page with what stands behind it in its address: "#exchange?matrix=rajat01", or ""; until it can be used. */
void web_open(const char *hash);
/* The same from another place, and the file itself. */
void web_open_at(const char *base, const char *hash);
const char *web_path(void);

/* A field's text, as typed; no event but input. */
void web_type(const char *id, const char *text);
/* A file into a field for files. */
void web_choose(const char *id, const char *path);
/* Submit a part's form. */
void web_submit(const char *part);

/* Until the part has an answer or says why not. */
void web_wait(const char *part);
/* What the exchange answered as JSON; free it with ns_value_free. */
ns_value *web_answer(void);

#endif
