#!/bin/sh
# deb.sh FOLDER -- Debian's packages of these sources into FOLDER; the tree itself stays as it is
#
# Needs dpkg-dev, debhelper and what debian/control names; ./setup.sh check-deb installs them.
set -eu

[ $# = 1 ] || { echo "usage: tools/deb.sh FOLDER" >&2; exit 2; }
for tool in dh dpkg-buildpackage; do
  if ! command -v $tool > /dev/null 2>&1; then
    echo "deb.sh: there is no $tool; ./setup.sh check-deb installs it (Debian: debhelper dpkg-dev)" >&2
    exit 1
  fi
done
version=$(sed -n 's/.*NS_VERSION "\(.*\)".*/\1/p' include/nsmodel/version.h)
rm -rf "$1"
mkdir -p "$1/nsmodel-$version"
# What git knows, or a source archive without what was built.
if git rev-parse --is-inside-work-tree > /dev/null 2>&1; then
  git ls-files -z | xargs -0 tar cf - --no-recursion
else
  tar cf - --exclude='./build*' --exclude=./bin .
fi | tar xf - -C "$1/nsmodel-$version"
cd "$1/nsmodel-$version"
env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL dpkg-buildpackage -us -uc -b
