#!/bin/sh
# transcript.sh PROGRAM PAGE.md -- run each "$ nsmodel ..." of the page's fenced blocks again and put what it prints below it; of the
# reference the first lines of it, and "..." where there are more.
# The commands see a folder with nothing but the example logs, nobody's caches and an empty standard input, like tests/test_tutorial.c
# and tests/test_docs.c, which say when a page is not current.
set -eu

program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
root=$(cd "$(dirname "$0")/.." && pwd)/ # paths below it are shown from there on
export root
page=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/empty"
cp "$(dirname "$0")"/../examples/*.log "$work/empty"
ln -s "$program" "$work/bin/nsmodel"
shared=$(cd "${NSMODEL_SHARED:-$(dirname "$0")/../../shared}" 2>/dev/null && pwd) || shared=
most=0
case $page in
  */commands.md) most=12 ;;
  *accuracy.md) # stands on the measured exchanges: left alone without them
    [ -f "$shared/data/end_to_end/records.csv" ] || exit 0
    ln -s "$shared"/data/end_to_end/*.csv "$work/empty"
    "$(dirname "$0")/../evidence/pages/exchanges.sh" "$shared/data/pingpong" "$work/empty" ;;
esac
cd "$work/empty"
# shellcheck disable=SC2016 # awk's own variables
env -u NSMODEL_MATRIX_PATH -u XDG_CACHE_HOME HOME=/users/you PATH="$work/bin:$PATH" awk -v most=$most '
    /^```/ { fenced = !fenced; shown = 0; print; next }
    fenced && /^\$ nsmodel / {
        print
        shown = 1
        command = "{ " substr($0, 3) "; } 2>&1 < /dev/null"
        lines = 0
        while ((command | getline line) > 0) {
            if (most > 0 && ++lines > most && command !~ /nsmodel doctor/) { # its end is what holds everywhere
                if (lines == most + 1)
                    print "..."
                continue
            }
            while ((at = index(line, ENVIRON["root"])) > 0)
                line = substr(line, 1, at - 1) substr(line, at + length(ENVIRON["root"]))
            print line
        }
        close(command)
        next
    }
    !(fenced && shown) { print }' "$page" > "$work/new"
cat "$work/new" > "$page"
