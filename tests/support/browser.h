/* browser.h -- a real Chromium without a window, driven over WebDriver: one for a test program, every wait bounded */
#ifndef TESTS_SUPPORT_BROWSER_H
#define TESTS_SUPPORT_BROWSER_H

#include <stdbool.h>
#include <stddef.h>

#include "core/value.h"

/* Are chromium and chromedriver installed?  If not, a line says so. */
bool browser_ready(void);

/* Begin and end the session: an unchecked fixture.  Only what begin started is ended. */
void browser_begin(void);
void browser_end(void);

/* Send a WebDriver command of the session, free body, and return the command's value, to be freed by ns_value_free.  An
 * error of the driver fails the test. */
ns_value *browser_call(const char *method, const char *path, ns_value *body);
/* A command of the browser's own protocol, parameters as JSON text. */
void browser_order(const char *command, const char *parameters);

void browser_open_file(const char *path);
/* The body of a function: "return document.title". */
ns_value *browser_eval(const char *script);
double browser_number(const char *script);
bool browser_true(const char *script);
/* Static; overwritten by the next but seven. */
const char *browser_text(const char *script);
/* Until the script returns something true. */
void browser_wait(const char *script);

/* Entries of the "browser" (console) or "performance" log since the last call. */
ns_value *browser_log(const char *kind);
/* "screenshot" or "print" to a file; returns its bytes. */
size_t browser_save(const char *command, const char *path);

void browser_point(double x, double y);
void browser_keys(const char *keys);

#endif
