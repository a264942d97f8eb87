#!/bin/sh
# Print what failed, what was skipped and why, then Check's own summary lines last.  Usage: summary.sh DIR TEST...
# After a failure one more line names the programs that failed, for those who see only the end of a log.
dir=$1
shift
failed=
line_of() { grep -E '^[0-9]+%: Checks: [0-9]+, Failures: [0-9]+, Errors: [0-9]+' "$dir/$1.log" | tail -n 1; }
for t in "$@"; do
  if [ "$(cat "$dir/$t.rc")" != 0 ] || [ -z "$(line_of "$t")" ]; then
    failed="$failed $t"
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
  line=$(line_of "$t")
  echo "${line:-0%: Checks: 1, Failures: 0, Errors: 1 ($t printed no summary)}"
done
[ -z "$failed" ] || { echo "failed:$failed"; exit 1; }
