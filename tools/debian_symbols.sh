#!/bin/sh
# debian_symbols.sh src/LIBRARY.symbols > debian/PACKAGE.symbols -- the list of a library's symbols as Debian wants it
#
# A symbol is as old as the release that its node is named after: NSMODEL_1.0 means version 1.0.
set -eu

[ $# = 1 ] || { echo "usage: tools/debian_symbols.sh src/LIBRARY.symbols" >&2; exit 2; }
library=$(basename "$1" .symbols)
major=$(sed -n 's/.*NS_VERSION "\([0-9]*\).*/\1/p' include/nsmodel/version.h)
echo "$library.so.$major $library$major #MINVER#"
{ sed 's/.*@\(.*\)/\1@\1/' "$1" | LC_ALL=C sort -u; cat "$1"; } | sed 's/.*_\([0-9.]*\)$/ & \1/'
