#!/bin/sh
# page.sh FOLDER SOURCES > page -- one page of page.html: styles, scripts, the worker and the program inside it
#
# FOLDER has the compiled nsmodel.js and nsmodel.wasm, SOURCES zlib.
set -eu
folder=$1
sources=$2
styles='third_party/uplot/uPlot.min.css src/report/page/page.css integrations/web/app.css'
scripts='third_party/uplot/uPlot.iife.min.js src/report/page/page.js integrations/web/engine.js integrations/web/app.js'

# The report's policy, and what a program in a worker wants beside it.
policy() {
  # shellcheck disable=SC2086 # lists of files
  tools/policy.sh $styles $scripts | sed "s/script-src/script-src 'wasm-unsafe-eval'/"
  printf "; worker-src blob:"
}

# Text between tags.
text() {
  sed -e 's/&/\&amp;/g' -e 's/</\&lt;/g' "$@"
}

# element TAG FILE...: each file in an element of its own
element() {
  tag=$1
  shift
  for file; do
    printf '<%s>' "$tag"
    cat "$file"
    printf '</%s>\n' "${tag%% *}"
  done
}

# Those that the page has whole, and those that it has a stand-in for.
matrices() {
  for file in params/matrices/*.nsp; do basename "$file" .nsp; done
  sed -n 's/^    \.name = "\(.*\)".*/\1/p' src/surrogate/named/*.c
  printf '%s\n' stencil9:3200x3200 stencil27:68x68x68
}

# Each by its name, with its title.
machines() {
  for file; do
    name=${file#params/}
    title=$(sed -n 's/^  "title": "\(.*\)",*$/\1/p' "$file" | text | sed 's/"/\&quot;/g')
    printf '<option data-title="%s">%s</option>\n' "$title" "${name%.json}"
  done
}

# The comment at the end of zlib.h's beginning is its licence.
licences() {
  echo 'nsmodel'; text LICENSE
  printf '\nuPlot\n'; text third_party/uplot/LICENSE
  printf '\nzlib\n'; sed -n '/Copyright (C)/,/\*\//p' "$sources/zlib/zlib.h" | sed '/\*\//,$d' | text
  printf '\nemscripten and its C library musl\n'; text integrations/web/EMSCRIPTEN-LICENSE
}

worker() {
  cat "$folder/nsmodel.js" integrations/web/worker.js
}

if worker | grep -q '</script\|<!--'; then
  echo "page.sh: the worker's code would end its element" >&2
  exit 1
fi
version=$(sed -n 's/.*NS_VERSION "\(.*\)".*/\1/p' include/nsmodel/version.h)
while IFS= read -r line; do
  case $line in
    '@styles@') # shellcheck disable=SC2086 # a list of files
      element style $styles ;;
    '@scripts@') # shellcheck disable=SC2086 # a list of files
      element script $scripts ;;
    '@worker@') printf '<script type="text/plain" id="worker">'; worker; echo '</script>' ;;
    '@program@') printf '<script type="text/plain" id="program">'
      gzip -9 -n -c "$folder/nsmodel.wasm" | base64 -w 0
      echo '</script>' ;;
    '@matrices@') matrices | sed 's/.*/<option value="&">/' ;;
    '@machines@') machines params/*.json ;;
    '@exchange-machines@') # shellcheck disable=SC2046 # names of ours, without blanks
      machines $(grep -l '"off-node"' params/*.json) ;;
    '@licences@') licences ;;
    *@policy@*) printf '%s\n' "$line" | sed "s|@policy@|$(policy)|" ;;
    *) printf '%s\n' "$line" | sed "s|@version@|$version|" ;;
  esac
done < integrations/web/page.html
