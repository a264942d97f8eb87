#!/bin/sh
# layers.sh BUILD -- who knows whom, proved from the object files and the includes: one line per rule, exit 1 when one is broken.
# tests/test_layers.c breaks the rules one by one, since a rule that cannot fail proves nothing.
set -eu

build=${1:?usage: layers.sh BUILD}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A room, low to high, and the rooms that it may know besides itself: their symbols, and their private headers.  A room is
# a folder; what stands in the lists that make writes (models, strategies, ...) is known to the list's own room alone.
knows() {
  [ -z "${LAYERS_TABLE-}" ] || { cat "$LAYERS_TABLE"; return; } # another table, to see this rule fail
  cat <<'END'
src/core               -
embedded               -
src/bytes              src/core
src/io                 src/core
src/machine            src/core
src/model              src/core src/machine
src/model/parts        src/core src/machine
models                 src/core src/machine src/model/parts
src/price/forms        src/core src/machine src/model/parts
src/registry           src/core src/machine models src/price/forms
src/machine_file       embedded src/core src/io src/machine src/model src/registry
src/matrix             src/core src/bytes
src/matrix/market      src/core src/bytes src/matrix
src/matrix/nsp         src/core src/bytes src/io src/matrix
src/surrogate          src/core src/matrix
src/surrogate/named    src/core src/matrix src/surrogate
src/collection         embedded src/core src/bytes src/matrix src/matrix/market src/matrix/nsp src/surrogate src/surrogate/named
src/pattern            src/core src/bytes src/matrix
src/schedule           src/core src/machine src/pattern
strategies             src/core src/schedule
src/strategy           src/core src/schedule strategies
src/price              src/core src/machine src/machine_file src/model src/registry src/pattern src/schedule src/strategy
src/place              src/core src/machine src/pattern src/registry src/schedule src/strategy src/price
src/plan               src/core src/io
src/records            embedded src/core src/machine src/machine_file src/registry src/pattern src/schedule src/strategy src/price src/plan
src/netsparse          src/core src/machine src/machine_file src/model src/registry src/matrix src/pattern
src/network            src/core src/machine src/machine_file src/model src/model/parts src/registry src/matrix src/pattern src/schedule src/strategy src/price src/netsparse
src/study              embedded src/core src/io src/machine src/machine_file src/model src/registry src/matrix src/collection src/pattern src/schedule src/strategy src/price src/netsparse src/network
src/calc               src/core src/machine src/machine_file src/model src/registry
src/api                src/core src/machine src/model src/registry src/matrix src/collection src/pattern src/schedule src/strategy src/price src/records src/netsparse src/network src/study src/calc
src/num                src/core
src/logs               src/core src/io src/machine
src/fit                src/core src/io src/machine src/machine_file src/num src/logs
page                   -
evidence               -
src/report             src/core src/io page
src/fetch              src/core src/bytes src/io
integrations/scotch    src/core src/pattern
evidence/published     library evidence
src/cli/front          library evidence/published src/report
src/cli/inputs         library fit src/report integrations/scotch src/cli/front
src/cli/show           library fit evidence/published src/report src/fetch src/cli/front src/cli/inputs
src/cli/repl           library fit src/report src/cli/front src/cli/inputs src/cli/show
evidence/ledger        library evidence evidence/published src/report src/cli/front
src/cli/commands       library fit evidence/published src/report src/fetch integrations/scotch src/cli/front src/cli/inputs src/cli/show src/cli/repl evidence/ledger
src/cli/program        library fit src/report src/cli/front src/cli/inputs src/cli/show src/cli/commands
integrations/mpi       library fit src/report src/cli/front src/cli/inputs src/cli/show src/cli/commands src/cli/program
integrations/mpi_layer -
integrations/slurm     library
integrations/nccl      library
integrations/web       library src/report src/cli/program src/cli/repl src/cli/show
END
}

# Every room of the library, one word for it in the table above.
library=$(knows | awk '$1 == "src/num" { exit } { printf "%s%s", sep, $1; sep = " " }')
fit='src/num src/logs src/fit' # libnsmodel-fit: the same rules, but src/num may know GSL
cli=$(knows | awk '$1 ~ /^src.cli/ { printf "%s%s", sep, $1; sep = " " }')

# Never in the library: ending the process, printing, the environment, the locale, hidden state.
forbidden='exit _exit _Exit quick_exit atexit abort raise signal
  printf vprintf puts putchar putchar_unlocked putc_unlocked perror dprintf vdprintf syslog
  __printf_chk __vprintf_chk __dprintf_chk __vdprintf_chk stdout stderr stdin
  getenv secure_getenv setenv unsetenv putenv environ __environ clearenv
  setlocale localeconv nl_langinfo
  strtok rand srand random srandom drand48 lrand48 srand48 localtime gmtime ctime asctime tmpnam system popen'

# What the locale changes: met in core/number.c, which leaves the locale alone and comes back with the same digits anywhere.
localised='newlocale uselocale strtod strtof strtold atof sscanf fscanf __isoc99_sscanf __isoc99_fscanf
  __ctype_b_loc tolower toupper __ctype_tolower_loc __ctype_toupper_loc strcasecmp strncasecmp strcoll strxfrm strerror strftime'

# An object belongs to the room of its folder, and counts only while its source is there.
room_of() {
  case $1 in
    embedded.o) echo embedded ;;
    page_files.o) echo page ;;
    evidence_files.o) echo evidence ;;
    *) echo "${1%/*}" ;;
  esac
}

# One row per symbol: layer, object, symbol, type as nm prints it.
symbols() {
  { find "$build/models" "$build/strategies" "$build/src" "$build/integrations" "$build/evidence/published" "$build/evidence/ledger" -name '*.o'; ls "$build/embedded.o" "$build/page_files.o" "$build/evidence_files.o"; } 2>/dev/null |
    sort | while read -r object; do
    stem=${object#"$build"/}
    case $stem in
      embedded.o | page_files.o | evidence_files.o) ;;
      *) [ -f "${stem%.o}.c" ] || continue ;;
    esac
    nm -P "$object" | awk -v room="$(room_of "$stem")" -v object="$stem" '{ print room, object, $1, $2 }'
  done
}

# rule TEXT: standard input names what breaks it
rule() {
  sort -u > "$work/found"
  if [ -s "$work/found" ]; then
    echo "FAIL $1" | tee -a "$work/failed"
    sed 's/^/       /' "$work/found"
  else
    echo "ok   $1"
  fi
}

# What libm defines, one name a line.
libm() {
  nm -D --defined-only "$(${CC:-cc} -print-file-name=libm.so.6)" | awk '$2 ~ /^[TWi]$/ { sub(/@.*/, "", $3); print $3 }'
}

# imports LAYERS PATTERN: symbols matching it that an object of these layers imports
imports() {
  awk -v layers=" $1 " -v pattern="$2" \
    'index(layers, " " $1 " ") && $4 ~ /^[Uwv]$/ && $3 ~ pattern { print $2 " imports " $3 }' "$work/symbols"
}

# The table with its words for several rooms written out.
table() {
  knows | awk -v library="$library" -v fit="$fit" '{
    for (i = 2; i <= NF; i++) { if ($i == "library") $i = library; if ($i == "fit") $i = fit }
    print }'
}

# Every arrow of the table goes to a room above it in the list, so that no two rooms can know each other.
rule_table() {
  awk '{ for (i = 2; i <= NF; i++) if ($i != "-" && !($i in seen)) print $1 " knows " $i ", which does not stand before it"
         seen[$1] = 1 }' "$work/table" | rule "the table of rooms has no circle"
}

rule_arrows() {
  awk 'FILENAME ~ /table$/ { bounded[$1] = 1; may[$1, $1] = 1; for (i = 2; i <= NF; i++) may[$1, $i] = 1; next }
       !known[$2]++ && !($1 in bounded) { print $2 " stands in no room" }
       $4 ~ /^[A-TV-Zu]$/ { home[$3] = $1; where[$3] = $2; next }
       $4 ~ /^[Uwv]$/ { importer[++n] = $2; room[n] = $1; symbol[n] = $3 }
       END { for (i = 1; i <= n; i++)
               if ((symbol[i] in home) && (room[i] in bounded) && !((room[i], home[symbol[i]]) in may))
                 print importer[i] " (" room[i] ") imports " symbol[i] " from " where[symbol[i]] }' \
    "$work/table" "$work/symbols" | rule "arrows between rooms only go down"
}

# Private headers follow the same table; include/nsmodel is for everyone.
rule_includes() {
  find models strategies src integrations evidence/published evidence/ledger -name '*.[ch]' 2>/dev/null | sort | while read -r file; do
    sed -n "s|^#include \"\([^\"]*/\)[^\"/]*\".*|$file ${file%/*} \1|p" "$file"
  done > "$work/includes"
  ls -d integrations/* evidence/* > "$work/outside" 2> /dev/null || true
  awk 'FILENAME ~ /table$/ { may[$1, $1] = 1; for (i = 2; i <= NF; i++) may[$1, $i] = 1; next }
       FILENAME ~ /outside$/ { name = $1; sub(/.*\//, "", name); outside[name] = $1; next }
       { room = $3; sub(/\/$/, "", room)
         if (room in outside) room = outside[room]; else if (room !~ /^(models|strategies)/) room = "src/" room
         if (!(($2, room) in may)) print $1 " includes a header of " room }' \
    "$work/table" "$work/outside" "$work/includes" | rule "headers of other rooms are included by the same table"
}

rule_models() {
  libm > "$work/libm"
  awk 'FILENAME ~ /libm$/ { may[$1] = 1; next }
       $1 == "models" && $4 ~ /^[Uwv]$/ && $3 !~ /^ns_/ && !($3 in may) &&
       $3 !~ /^(__assert_fail|memcpy|memset|_GLOBAL_OFFSET_TABLE_|__stack_chk_fail)$/ { print $2 " imports " $3 }' \
    "$work/libm" "$work/symbols" | rule "models import only ns_*, libm, assert, memcpy"
}

# any WORDS: a pattern for one of them
any() {
  # shellcheck disable=SC2086 # a list of words
  printf '^(%s)$' "$(echo $1 | tr ' ' '|')"
}

rule_library() {
  imports "$library $fit" "$(any "$forbidden")" | rule "the library never ends the process, prints or reads the environment"
  imports "$library $fit" "$(any "$localised")" | grep -v '^src/core/number.o ' | rule "the library's answers know no locale"
  imports "$library $fit" '^(malloc|calloc|realloc|reallocarray|free|strn?dup|aligned_alloc|posix_memalign|open_memstream|getline|getdelim|v?asprintf)$' |
    grep -Ev '^src/core/(memory|context).o ' | rule "the library's memory is that of the context"
  imports "$library" '^(gsl_|rl_|readline|add_history|curl_|SCOTCH_|MPI_)' |
    rule "no library object imports GSL, readline, libcurl, Scotch or MPI"
  awk '$3 ~ /^gsl_/ && $4 == "U" && $1 != "src/num" { print $2 " imports " $3 }' "$work/symbols" | rule "GSL is known to num only"
  awk '$3 ~ /^(curl_|SCOTCH_|dlopen$|dlsym$)/ && $4 == "U" && !($2 ~ /^(src\/fetch\/fetch|integrations\/scotch\/map).o$/ && $3 ~ /^dl/) { print $2 " imports " $3 }' \
    "$work/symbols" | rule "nothing is linked to libcurl or Scotch: fetch and scotch load them, and nothing else loads anything"
  awk '$3 ~ /^(rename|renameat2?|creat|mkstemp|mkostemp|write_history|append_history|history_truncate_file)$/ &&
       $2 != "src/io/whole_file.o" { print $2 " imports " $3 }' "$work/symbols" | rule "files are written by io/whole_file.c"
  awk '$3 ~ /^(system|popen)$/ && $4 == "U" { print $2 " imports " $3 }' "$work/symbols" | rule "nothing runs a shell"
  awk -v layers=" $library $fit src/report src/fetch " \
    'index(layers, " " $1 " ") && $4 ~ /^[A-TV-Zu]$/ && $3 !~ /^ns_/ { print $2 " defines " $3 }' "$work/symbols" |
    rule "every external symbol begins with ns_"
  awk -v layers=" $library $fit src/report src/fetch $cli " \
    'index(layers, " " $1 " ") && $4 ~ /^[A-TV-Z]$/ { if ($3 in by && by[$3] != $2) print $3 " is defined by " by[$3] " and " $2; by[$3] = $2 }' \
    "$work/symbols" | rule "every external symbol is defined once"
}

# Constant tables of pointers stand in .data.rel.ro, which the loader makes read-only.
rule_data() {
  awk -v layers=" $library $fit " 'index(layers, " " $1 " ") { print $2 }' "$work/symbols" | sort -u | while read -r object; do
    size -A "$build/$object" | awk -v object="$object" \
      '$1 ~ /^\.(t?data|t?bss)/ && $1 !~ /^\.data\.rel\.ro/ && $2 > 0 { print object " has " $2 " bytes of " $1 }'
  done > "$work/writable"
  awk -v layers=" $library $fit " 'index(layers, " " $1 " ") && $4 == "C" { print $2 " has common " $3 }' "$work/symbols" \
    >> "$work/writable"
  # core/context.c alone: which context a thread uses, and when it was asked last
  grep -Ev '^src/core/context.o has [0-9]* bytes of .tbss$' "$work/writable" | rule "the library keeps no mutable globals"
}

# exports LIBRARY WORD: what the library exports, and what the headers mark with this word
exports() {
  "${0%/*}/symbols.sh" "$build/$1.so" | sed 's/@.*//' | sort -u > "$work/exported"
  # a declaration may take several lines
  cat include/nsmodel/*.h | sed 's/^#.*//' | awk -v RS=';' -v word="$2" '$0 ~ word { sub(".*" word, ""); sub(/[[(].*/, "")
    while (match($0, /ns_[a-z0-9_A-Z]*/)) { name = substr($0, RSTART, RLENGTH); $0 = substr($0, RSTART + RLENGTH) }; print name }' |
    sort -u > "$work/declared"
  comm -23 "$work/exported" "$work/declared" | sed "s/\$/ is exported by $1 but no header declares it/"
  comm -13 "$work/exported" "$work/declared" | sed "s/\$/ is declared but not exported by $1/"
}

rule_shared() {
  { exports libnsmodel NS_API; [ ! -f "$build/libnsmodel-fit.so" ] || exports libnsmodel-fit NS_FIT_API; } |
    rule "the shared libraries export exactly what the headers declare"
}

table > "$work/table"
symbols > "$work/symbols"
[ -s "$work/symbols" ] || { echo "layers.sh: no objects in $build" >&2; exit 1; }
rule_table
rule_arrows
rule_includes
rule_models
rule_library
rule_data
rule_shared
[ ! -e "$work/failed" ]
