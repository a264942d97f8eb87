/* version.h -- version of the header a program was compiled with, and of the library it runs with */
#ifndef NSMODEL_VERSION_H
#define NSMODEL_VERSION_H

#include <nsmodel/status.h>

#define NS_VERSION "1.0.0"

#ifdef __cplusplus
extern "C" {
#endif

/* Of the library: NS_VERSION of its own headers; and 10000 major + 100 minor + patch. */
NS_API const char *ns_version(void);
NS_API int ns_version_number(void);

#ifdef __cplusplus
}
#endif
#endif
