#!/bin/sh
# sources.sh FOLDER -- zlib from Debian's source package, for the compiler of the web page
#
# Lists and packages are kept in FOLDER: what apt knows of this machine stays as it is, and no root is needed.
# apt checks the signatures as always.
set -eu

[ $# = 1 ] || { echo "usage: integrations/web/sources.sh FOLDER" >&2; exit 2; }
if [ -f "$1/zlib/zlib.h" ]; then
  exit 0
fi
mkdir -p "$1"
folder=$(cd "$1" && pwd)
work=$folder/.apt
mkdir -p "$work/lists/partial" "$work/archives/partial" "$work/unpacked"

# The places that Debian's binary packages come from have the sources too.
# shellcheck disable=SC2016 # apt's own words
apt-get indextargets --format '$(ORIGIN) deb-src $(REPO_URI) $(CODENAME) $(COMPONENT)' 'Created-By: Packages' |
  awk 'sub(/^Debian /, "") && !seen[$0]++' > "$work/sources.list"
[ -s "$work/sources.list" ] || { echo "sources.sh: apt knows no Debian here; run apt-get update" >&2; exit 1; }

apt() {
  apt-get -q -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts=/dev/null \
    -o Dir::State::lists="$work/lists" -o Dir::Cache::archives="$work/archives" \
    -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o Acquire::Retries=3 -o APT::Sandbox::User=root "$@" >&2
}

# unpack PACKAGE HEADER NAME: the sources, found by a header of theirs, become FOLDER/NAME
unpack() {
  (cd "$work/unpacked" && apt source "$1")
  header=$(find "$work/unpacked" -name "$2" -path "*/$1-*" |
    awk '{ print length, $0 }' | sort -n | sed 's/^[0-9]* //;q') # the outermost
  rm -rf "${folder:?}/$3"
  mkdir -p "$folder/$3"
  cp "$(dirname "$header")"/*.[ch] "$folder/$3/"
}

apt update
unpack zlib zlib.h zlib
rm -rf "$work"
