#!/bin/sh
# command_table.sh PROGRAM PAGE.md -- put the program's table of commands between the page's two marks
set -eu

program=$1
page=$2
new=$(mktemp)
trap 'rm -f "$new"' EXIT
{
  sed '/^<!-- commands/q' "$page"
  "$program" --commands
  sed -n '/^<!-- end of commands/,$p' "$page"
} > "$new"
cat "$new" > "$page"
