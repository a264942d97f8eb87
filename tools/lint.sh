#!/bin/sh
# lint.sh [BUILD] -- what compilers, analysers and a few greps say about the sources.  BUILD holds the generated lists.
# One line per check, exit 1 when one fails; an analyser that is not installed is named and skipped.
set -eu

build=${1:-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
jobs=$(getconf _NPROCESSORS_ONLN)

standard='-std=c11 -D_POSIX_C_SOURCE=200809L'
warnings='-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Werror'
warnings="$warnings -Wno-missing-field-initializers" # rows of tables end where the rest is zero
folders='src integrations evidence models strategies include tests tools examples'
library='src integrations evidence/published evidence/ledger models strategies include'

# Folders may be absent.
sources() {
  pattern=$1
  shift
  for folder in "$@"; do
    [ ! -d "$folder" ] || find "$folder" -name "$pattern"
  done | sort
}

# check TEXT: standard input says what is wrong
check() {
  cat > "$work/found"
  if [ -s "$work/found" ]; then
    echo "FAIL $1" | tee -a "$work/failed"
    sed 's/^/       /' "$work/found"
  else
    echo "ok   $1"
  fi
}

# note TEXT: the same, but it only tells
note() {
  cat > "$work/found"
  [ ! -s "$work/found" ] || { echo "note $1"; sed 's/^/       /' "$work/found"; }
}

has() {
  command -v "$1" >/dev/null 2>&1 || { echo "skip $1 is not installed"; return 1; }
}

# The headers of an MPI, where one is installed; the compilers are not asked to check them.
has_mpi() {
  [ -n "$mpi" ]
}

has_slurm() {
  [ -f /usr/include/slurm/spank.h ]
}

# What integrations/mpi and the plugin of Slurm have is left out without them.
with_headers() {
  if has_mpi; then cat; else grep -v '^integrations/mpi'; fi | if has_slurm; then cat; else grep -v '^integrations/slurm/plugin.c$'; fi
}

# Programs that need a library which is not installed are left out.
compilable() {
  # shellcheck disable=SC2086 # a list of folders
  sources '*.c' $folders | while read -r file; do
    case $file in
      */cholmod_*) echo '#include <cholmod.h>' | cc -isystem /usr/include/suitesparse -E - >/dev/null 2>&1 || continue ;;
      */volumes.c) echo '#include <metis.h>' | cc -E - >/dev/null 2>&1 || continue ;;
      integrations/mpi/* | integrations/mpi_layer/* | */bench/layer.c) has_mpi || continue ;;
      integrations/slurm/plugin.c) has_slurm || continue ;;
      */starpu_*) continue ;; # more than C11, in its headers
      tests/hosts/programs/* | examples/hypre_*) continue ;; # built by their tests, where their hosts are installed
      tests/additions/*) continue ;; # compiled in a copy of the tree, where tests/test_additions.c puts them
    esac
    echo "$file"
  done
}

# Without optimisation gcc does not see what may be used uninitialised.
compilers() {
  for compiler in "gcc -O1 -c -o /dev/null" "clang -fsyntax-only"; do
    has "${compiler%% *}" || continue
    # shellcheck disable=SC2016,SC2086 # the inner shell expands them; a list of folders
    compilable |
      xargs -P "$jobs" -n 8 sh -c 'for f in "$@"; do '"$compiler $standard $warnings $includes"' "$f" 2>&1; done' sh |
      check "${compiler%% *}: no warnings"
  done
}

headers() {
  for compiler in "gcc $standard -x c" "g++ -std=c++17 -x c++" "clang $standard -x c" "clang++ -std=c++17 -x c++"; do
    has "${compiler%% *}" || continue
    # -include: a header as the main file would be warned of
    for header in include/nsmodel/*.h; do
      [ "${header##*/}" != mpi.h ] || continue # wants an MPI
      echo 'extern int nothing_else;' |
        $compiler -Wall -Wextra -Wpedantic -Werror -Iinclude -fsyntax-only -include "$header" - 2>&1 || true
    done | check "public headers stand alone: ${compiler%% *}"
  done
}

tidy() {
  has clang-tidy || return 0
  # shellcheck disable=SC2016,SC2086 # the inner shell expands them; a list of folders
  sources '*.c' src integrations evidence/published evidence/ledger models strategies | grep -v '^src/core/status.c$' | with_headers |
    xargs -P "$jobs" -n 2 \
      sh -c 'clang-tidy --quiet "$@" -- -include tools/analyzer.h '"$standard $includes"' 2>/dev/null' sh |
    grep -E '(warning|error):' | sed "s|^$PWD/||" | sort -u | check "clang-tidy and clang's analyser"
}

# Leaks are left to `make asan`: gcc 12 takes a pointer that is kept in an array of structs for lost.  memory.c is not
# read: it defines what ns_malloc is paired with, and the analyser takes a call of that for a free before its first line.
# NS_OWN(ns_free) reads a variable of any pointer type, which the analyser takes as not initialised: "variables that are
# owned" below looks for that.
gcc_analyser() {
  has gcc || return 0
  echo 'int nothing;' | gcc -fanalyzer -fsyntax-only -x c - 2>/dev/null || { echo "skip this gcc has no -fanalyzer"; return 0; }
  # shellcheck disable=SC2016,SC2086 # the inner shell expands them; a list of folders
  sources '*.c' $library | grep -v -e '^src/core/status.c$' -e '^src/core/memory.c$' | with_headers |
    xargs -P "$jobs" -n 4 sh -c 'for f in "$@"; do gcc -O1 -fanalyzer -Wno-analyzer-malloc-leak -fdiagnostics-plain-output \
      -ftrack-macro-expansion=0 -c -o /dev/null -include tools/analyzer.h '"$standard $includes"' "$f" 2>&1; done' sh |
    grep -E '(warning|error):' | grep -v 'src/core/own.h:.*-Wanalyzer-use-of-uninitialized-value' | sort -u | check "gcc's analyser"
}

# A line that it is wrong about says so: // cppcheck-suppress NAME ; why
cpp_check() {
  has cppcheck || return 0
  # shellcheck disable=SC2086 # a list of options
  cppcheck -q -j "$jobs" --std=c11 --enable=warning,performance,portability --inline-suppr -D__GNUC__ -D_POSIX_C_SOURCE=200809L \
    --suppress=missingIncludeSystem --template='{file}:{line}: {severity}: {message} [{id}]' -Iinclude -Isrc -Iintegrations -Ievidence "-I$build" $library 2>&1 |
    check "cppcheck"
}

shells() {
  { sources '*.sh' tools tests integrations evidence; ls setup.sh .ci/run; } > "$work/scripts"
  while read -r script; do sh -n "$script" 2>&1 || true; done < "$work/scripts" | check "shell scripts parse"
  has shellcheck || return 0
  xargs shellcheck < "$work/scripts" 2>&1 | check "shellcheck"
}

# shellcheck disable=SC2016,SC2086 # awk's own variables; lists of folders
text() {
  sources '*.[ch]' $folders > "$work/files"
  LC_ALL=C.UTF-8 xargs grep -nE '^.{121,}' < "$work/files" | cut -c 1-100 | check "no line over 120 columns"
  xargs grep -nE "[[:blank:]]+\$|$(printf '\t')" < "$work/files" | check "no tabs, no blanks at line ends"
  xargs grep -nE '^ +NS_(OWN|CLOSE)\([a-z_]+\) [^=]*;' < "$work/files" | check "variables that are owned have a first value"
  { cat "$work/files" "$work/scripts"; echo Makefile; } | xargs grep -nwE 'TO''DO|FIX''ME|X''XX' | check "nothing left to do"
  { cat "$work/files" "$work/scripts"; echo Makefile; } |
    xargs grep -nE '(^|[^[:alnum:]_.*)}])/(work|tmp|home|root)/' | check "no paths of one machine"
  sources '*.c' $library | while read -r file; do
    head -n 1 "$file" | grep -qF "/* ${file##*/} -- " || echo "$file"
  done | check "each file says what it is"
}

# The compilers' view of the folders: the generated lists stand in the build directory.
includes="-Iinclude -Isrc -Iintegrations -Ievidence -Itests -I$build $(pkg-config --cflags-only-I zlib check gsl libcurl 2>/dev/null)"
mpi=$(mpicc.openmpi --showme:incdirs 2>/dev/null || true)
for folder in $mpi; do includes="$includes -isystem $folder"; done
[ ! -d /usr/include/suitesparse ] || includes="$includes -isystem /usr/include/suitesparse"

headers
compilers
shells
text
cpp_check
gcc_analyser
tidy
[ ! -e "$work/failed" ]
