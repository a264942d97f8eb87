/* result.h -- an answer printed or saved: as a table, JSON, CSV or a page */
#ifndef NS_CLI_RESULT_H
#define NS_CLI_RESULT_H

#include "cli/front/command.h"
#include "report/report.h"

typedef struct ns_format ns_format;

/* The format selected by --format, --json and --wide. */
ns_status ns_format_choose(const ns_args *args, const ns_format **format, ns_error *err);
bool ns_format_is_csv(const ns_format *format);
ns_status ns_result_write(const ns_value *result, const ns_format *format, FILE *out, const ns_screen *screen,
                          ns_error *err);
/* A terminal's width, and the effect of --wide, --color and NO_COLOR; a pipe or a file has no width. */
ns_status ns_screen_read(const ns_args *args, FILE *out, ns_screen *screen, ns_error *err);
/* In the format of the file's extension; JSON when it has none that is known. */
ns_status ns_result_save(const ns_value *result, const char *path, ns_error *err);
ns_status ns_save_json(const ns_value *root, const char *path, ns_error *err);

/* Does the name end in .nsp? */
bool ns_is_structure_file(const char *path);

#endif
