#!/bin/sh
# symbols.sh LIBRARY.so -- what a shared library exports, NAME@NODE, a line each, sorted
set -eu

[ $# = 1 ] || { echo "usage: tools/symbols.sh LIBRARY.so" >&2; exit 2; }
nm -D --defined-only --with-symbol-versions "$1" | awk '$2 != "A" { sub(/@@/, "@", $3); print $3 }' | LC_ALL=C sort
