/* version.h of the first 1.0: its declarations */
#ifndef NSMODEL_VERSION_H
#define NSMODEL_VERSION_H

#include <nsmodel/status.h>

#define NS_VERSION "1.0.0"

#ifdef __cplusplus
extern "C" {
#endif

NS_API const char *ns_version(void);
NS_API int ns_version_number(void);

#ifdef __cplusplus
}
#endif
#endif
