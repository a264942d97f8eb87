#!/bin/sh
# policy.sh FILE... -- the content security policy of a page that holds these scripts (.js) and styles (.css) and nothing else
#
# Scripts and styles run by their hashes alone, and nothing may be fetched: what slipped through the escaping could neither run
# nor call home.
set -eu

# sources ENDING FILE...
sources() {
  ending=$1
  shift
  for file; do
    case $file in
      *"$ending") printf " 'sha256-%s'" "$(sha256sum < "$file" | cut -c 1-64 | tr a-f A-F | basenc --base16 -d | base64)" ;;
    esac
  done
}

printf "default-src 'none'; script-src%s; style-src%s; img-src data:; base-uri 'none'; form-action 'none'" \
  "$(sources .js "$@")" "$(sources .css "$@")"
