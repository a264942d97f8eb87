#!/bin/sh
# cjson_names.sh HEADER > ns_cjson.h -- a name of ours for every function that cJSON's header declares
#
# A host program may have a cJSON of its own; two libraries of one name would share its functions.
set -eu

[ $# = 1 ] || { echo "usage: tools/cjson_names.sh cJSON.h" >&2; exit 2; }
cat <<'END_OF_HEAD'
/* ns_cjson.h -- cJSON under names of ours; made by tools/cjson_names.sh */
#ifndef NS_CJSON_H
#define NS_CJSON_H
END_OF_HEAD
sed -n 's/^CJSON_PUBLIC(.*) cJSON_\([A-Za-z]*\)(.*/#define cJSON_\1 ns_cjson_\1/p' "$1"
cat <<'END_OF_FOOT'
#include <cjson/cJSON.h>
#endif
END_OF_FOOT
