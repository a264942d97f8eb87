/* fetching.h -- nsmodel matrix get of one small matrix from a server on loopback into a cache of the test's own */
#ifndef TESTS_SUPPORT_FETCHING_H
#define TESTS_SUPPORT_FETCHING_H

#include "archive.h"
#include "cli.h"
#include "server.h"

#include <stdbool.h>

/* HB/ash219 of the catalogue: 219 x 85, 438 entries. */
enum { ROWS = 219, COLS = 85, ENTRIES = 438, NOISE = 40000, CUT = 10000 };
#define NAME      "HB/ash219"
#define FILE_NAME "HB/ash219.tar.gz"
#define REQUEST   "GET /MM/HB/ash219.tar.gz"

/* The archive as it should come, the cache, the file in it, and the same while it grows. */
extern archive fetching_good;
extern char fetching_cache[1200], fetching_path[1400], fetching_part[1500];

void fetching_setup(void);
void fetching_teardown(void);

/* The server's good answer. */
server_answer fetching_whole(void);
/* Leave this much of a growing file behind, as a cut connection does, with its version where one is given. */
void fetching_leave_part(const unsigned char *bytes, size_t size, const char *tag);
cli_result fetching_get(const char *base);

/* What the server is asked, in all. */
void fetching_asked(const char *lines);
bool fetching_there(const char *file);
/* The file stands in the cache, byte for byte, and nothing else is left. */
void fetching_expect_file(void);
void fetching_expect_part(size_t size);
/* The command succeeds and says so; it fails and leaves no file in the cache.  The result is freed. */
void fetching_expect_status(cli_result *result, const char *status);
void fetching_expect_failure(cli_result *result, int code, const char *words);

#endif
