#!/bin/sh
# pages.sh PROGRAM FOLDER -- the manual pages and completion scripts, as the program makes them from its tables
set -eu

program=${1:?usage: pages.sh PROGRAM FOLDER}
folder=${2:?usage: pages.sh PROGRAM FOLDER}
mkdir -p "$folder"
rm -f "$folder"/*
"$program" --man > "$folder/nsmodel.1"
"$program" --commands | sed -n 's/^| \[\([a-z-]*\)\].*/\1/p' | while read -r command; do
  "$program" --man "$command" > "$folder/nsmodel-$command.1"
done
"$program" --completion bash > "$folder/nsmodel"
"$program" --completion zsh > "$folder/_nsmodel"
