#!/bin/sh
# Print what failed, what was skipped and why, then Check's own summary lines last.  Usage: summary.sh DIR TEST...
dir=$1
shift
bad=0
for t in "$@"; do
  if [ "$(cat "$dir/$t.rc")" != 0 ]; then
    bad=1
    echo "---- $t"
    cat "$dir/$t.log"
  fi
done
echo "---- skipped"
for t in "$@"; do
  sed -n "s|^skipped: |skipped: $t/|p" "$dir/$t.log" | sort -u
done
echo "---- summary"
for t in "$@"; do
  line=$(grep -E '^[0-9]+%: Checks: [0-9]+, Failures: [0-9]+, Errors: [0-9]+' "$dir/$t.log" | tail -n 1)
  if [ -z "$line" ]; then
    echo "0%: Checks: 1, Failures: 0, Errors: 1 ($t printed no summary)"
    bad=1
  else
    echo "$line"
  fi
done
exit $bad
