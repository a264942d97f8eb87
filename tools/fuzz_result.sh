#!/bin/sh
# fuzz_result.sh TARGET LOG SEED EXIT TIMES -- one line about a target's run: date, commit, seed, target, executions,
# seconds, finding or none, seconds of processor time
#
# TIMES: what the shell's `times` said after it; its second line is of the children, user and system.
set -eu

commit=$(git rev-parse --short HEAD 2>/dev/null || echo unknown)
done=$(grep -Eo '^Done [0-9]+ runs in [0-9]+ second' "$2" || true)
# A run that was ended says with its last line how far it was, and not for how long.
if [ -n "$done" ]; then
  runs=$(echo "$done" | cut -d ' ' -f 2)
  seconds=$(echo "$done" | cut -d ' ' -f 5)
else
  runs=$(grep -Eo '^#[0-9]+' "$2" | tail -n 1 | tr -d '#' || true)
  seconds=0
fi
found=none
[ "$4" = 0 ] || [ "$4" = 124 ] || found="exit $4"
used=$(sed -n 2p "$5" | tr 'ms' '  ' | awk '{ printf "%.2f", 60 * $1 + $2 + 60 * $3 + $4 }')
printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$(date -u +%Y-%m-%dT%H:%MZ)" "$commit" "$3" "$1" "${runs:-0}" "$seconds" "$found" "$used"
