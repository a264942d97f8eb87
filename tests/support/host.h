/* host.h -- other people's programs that nsmodel works inside of: what is installed, and programs built against it
 *
 * `make check-hosts` runs these tests; each is left out, and says so, where its host is not installed.
 */
#ifndef TESTS_SUPPORT_HOST_H
#define TESTS_SUPPORT_HOST_H

#include <stdbool.h>

/* Is there a module of pkg-config, a file, a command?  If not, a line says what is left out.  May be asked outside of a
 * test too. */
bool host_module(const char *test, const char *module);
bool host_file(const char *test, const char *path);
bool host_command(const char *test, const char *command);

/* Build tests/hosts/programs/SOURCE as NAME in the scratch folder by a compiler, with more arguments for it. */
void host_build(const char *compiler, const char *source, const char *name, const char *arguments);

#endif
