#!/bin/sh
# bare_check.sh [GOAL...] -- the README's commands in a Debian that has nothing but Debian's smallest system
#
# Makes a bare root with debootstrap, from this machine's own package sources, clones HEAD into it, without the data
# folder beside it, and runs `./setup.sh demo` and `./setup.sh check` there, or the goals given.  Nothing that this
# machine happens to have installed can help.  It needs root, for chroot and mounts, and takes some ten minutes.  The
# root is kept for the next run: BARE_ROOT, or nsmodel-bare below TMPDIR.
set -eu
root=${BARE_ROOT:-${TMPDIR:-/tmp}/nsmodel-bare}
[ $# -gt 0 ] || set -- demo check
[ "$(id -u)" = 0 ] || { echo "bare_check.sh: run it as root: it uses chroot" >&2; exit 2; }
top=$(git rev-parse --show-toplevel)
command -v debootstrap > /dev/null || apt-get install -y -qq --no-install-recommends debootstrap > /dev/null

release() {
  for mount in dev/pts dev/shm dev sys proc; do
    umount -l "$root/$mount" 2> /dev/null || true # lazily: what still runs there must not keep it
  done
}
trap release EXIT
trap 'exit 1' INT TERM

# Where packages come from, and how this machine reaches them.
make_root() {
  uri=$(cat /etc/apt/sources.list.d/*.sources 2> /dev/null | awk '/^URIs:/ { print $2; exit }')
  [ -n "$uri" ] || uri=$(awk '$1 == "deb" { print $2; exit }' /etc/apt/sources.list)
  # shellcheck disable=SC1091 # of the machine
  suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
  mkdir -p "$root"
  debootstrap --variant=minbase "$suite" "$root" "$uri" > "$root.log" 2>&1 || { tail -n 3 "$root.log" >&2; exit 1; }
  for file in /etc/apt/sources.list.d/*.sources /etc/apt/sources.list; do
    [ ! -e "$file" ] || cp "$file" "$root$file"
  done
  cp -r /usr/share/keyrings/. "$root/usr/share/keyrings/"
  for file in /etc/apt/apt.conf.d/*; do
    if grep -qiE 'proxy|http' "$file" 2> /dev/null; then
      cp "$file" "$root/etc/apt/apt.conf.d/"
    fi
  done
}

[ -e "$root/etc/debian_version" ] || make_root
cp /etc/resolv.conf "$root/etc/resolv.conf"
release
mount -t proc proc "$root/proc"
mount -t sysfs sysfs "$root/sys"
mount --bind /dev "$root/dev"
mount --bind /dev/pts "$root/dev/pts"
mkdir -p "$root/dev/shm"
mount -t tmpfs tmpfs "$root/dev/shm"
rm -rf "$root/srv/project"
git clone -q "$top" "$root/srv/project"
for goal; do
  echo "bare_check.sh: ./setup.sh $goal"
  status=0
  chroot "$root" /usr/bin/env -i HOME=/srv PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb \
    sh -c "cd ~/project && ./setup.sh $goal" > "$root-$goal.log" 2>&1 || status=$?
  if [ $status != 0 ]; then
    grep -hE ':[FE]:|\*\*\*|[0-9]%: Checks' "$root-$goal.log" | grep -v '100%' | sort -u | head -n 20 >&2 || true
    echo "bare_check.sh: ./setup.sh $goal fails ($status); its output: $root-$goal.log" >&2
    exit 1
  fi
  grep '^skipped: ' "$root-$goal.log" || true
done
echo "bare_check.sh: holds ($*)"
