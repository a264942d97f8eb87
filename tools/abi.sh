#!/bin/sh
# abi.sh check|baseline LIBRARY.so FILE.abi.gz [HEADERS] -- the binary interface of a shared library against the one on record
#
# On record: functions, variables and types of the public headers (HEADERS: include/nsmodel), by abidw from the debug information.
# check fails where a program built against the record could misbehave: something gone, a type of another size or order.
# Additions pass, and so do fields at the end of a struct that begins with its size.  A break needs another soname.
# Exit code 77: abidiff is not installed.
set -eu

usage='usage: tools/abi.sh check|baseline LIBRARY.so FILE.abi.gz [HEADERS]'
[ $# = 3 ] || [ $# = 4 ] || { echo "$usage" >&2; exit 2; }
library=$2
record=$3
headers=${4:-include/nsmodel}
if ! command -v abidiff > /dev/null 2>&1; then
  echo "skipped: the binary interface is not compared (abidiff is not installed; Debian: abigail-tools)"
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Every exported symbol has to be there with its type: what abidw leaves out, abidiff could not miss.
dump() {
  abidw --exported-interfaces-only --headers-dir "$headers" --drop-private-types --no-corpus-path --no-show-locs --no-comp-dir-path --no-elf-needed --no-architecture \
    --no-parameter-names --type-id-style hash --out-file "$1" "$library"
  sed -n "s/.*elf-symbol-id='\([^@']*\)[@'].*/\1/p" "$1" | LC_ALL=C sort -u > "$work/typed"
  tools=${0%/*}
  "$tools/symbols.sh" "$library" | sed 's/@.*//' | LC_ALL=C sort -u | LC_ALL=C comm -23 - "$work/typed" > "$work/untyped"
  if [ -s "$work/untyped" ]; then
    echo "abi.sh: $library tells no types of these; it wants debug information (-g): $(tr '\n' ' ' < "$work/untyped")" >&2
    exit 1
  fi
}

soname() {
  sed -n "s/^<abi-corpus .*soname='\([^']*\)'.*/\1/p" "$1"
}

# Structs that begin with their size may grow at their end: who was built before says so by that size.
growing() {
  awk '/^typedef struct [a-z_0-9]+ \{$/ { name = $3; next }
       name != "" && /^ *size_t size;/ {
         printf "[suppress_type]\n type_kind = struct\n name = %s\n has_data_member_inserted_at = end\n\n", name }
       { name = "" }' "$headers"/*.h
}

# Handles of which the headers only declare that there are such: nobody outside knows their members.
opaque() {
  awk '/^typedef struct [a-z_0-9]+ [a-z_0-9]+;/ { declared[$3] = 1 }
       /^(typedef )?struct [a-z_0-9]+ \{/ { for (i = 1; i < NF; i++) if ($i == "struct") defined[$(i + 1)] = 1 }
       END { for (name in declared) if (!(name in defined)) printf "[suppress_type]\n type_kind = struct\n name = %s\n\n", name }
      ' "$headers"/*.h
}

check() {
  gzip -dc "$record" > "$work/record.abi"
  was=$(soname "$work/record.abi")
  is=$(soname "$work/now.abi")
  if [ "$was" != "$is" ]; then
    echo "$is: another interface than $was, as its name says; make abi-baseline puts it on record"
    exit 0
  fi
  { growing; opaque; } > "$work/growing"
  code=0
  abidiff --no-added-syms --suppressions "$work/growing" "$work/record.abi" "$work/now.abi" > "$work/said" || code=$?
  if [ "$code" != 0 ]; then
    cat "$work/said"
    echo "$is: programs built against $record break: put it back, or give the library another soname"
    exit 1
  fi
  echo "$is: as in $record"
}

dump "$work/now.abi"
case $1 in
  check) check ;;
  baseline)
    mkdir -p "$(dirname "$record")"
    gzip -9nc "$work/now.abi" > "$work/record.gz"
    mv "$work/record.gz" "$record"
    ;;
  *) echo "$usage" >&2; exit 2 ;;
esac
