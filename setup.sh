#!/bin/sh
# setup.sh -- from a fresh Debian to the demo, the tests, the programs for clusters or packages; installs what is missing, and only then uses the network
set -eu

usage() {
  cat <<'END'
usage: ./setup.sh demo    install what is missing, build, and show the main job on embedded data
       ./setup.sh check   install what is missing, build, and run every test
       ./setup.sh web     install what is missing, get the sources of zlib, and build web/nsmodel.html
       ./setup.sh mpi     install three MPIs where they are missing, and build all, nsmodel-mpi with each
       ./setup.sh check-deb   install what is missing, make Debian's packages in build-deb, and examine and use them
       ./setup.sh check-hosts  install the solvers and runtimes that nsmodel works inside of, and run the tests with them
END
}

# One list: what for, Debian package, how to see that it is there already.
packages() {
  cat <<'END'
build gcc             command cc
build libc6-dev       header stdio.h
build make            command make
build pkg-config      command pkg-config
build zlib1g-dev      module zlib
build libgsl-dev      module gsl
build libreadline-dev module readline
build libcurl4-openssl-dev module libcurl
build gnuplot-nox     command gnuplot
check check           module check
check valgrind        command valgrind
check openssl         command openssl
check groff-base      command groff
check man-db          command man
check zsh             command zsh
check python3-jsonschema file /usr/lib/python3/dist-packages/jsonschema/__init__.py
check metis           command gpmetis
check chromium        command chromium
check chromium-driver command chromedriver
web emscripten        command emcc
web node-acorn        folder /usr/share/nodejs/acorn
web dpkg-dev          command dpkg-source
mpi openmpi-bin       command mpirun.openmpi
mpi libopenmpi-dev    command mpicc.openmpi
mpi mpich             command mpirun.mpich
mpi libmpich-dev      command mpicc.mpich
mpi libsimgrid-dev    command smpicc
mpi g++               command g++
mpi iproute2          command ip
check-deb debhelper     command dh
check-deb dpkg-dev      command dpkg-buildpackage
check-deb lintian       command lintian
check-deb dh-python     command dh_python3
check-deb python3       command python3
check-deb python3-numpy file /usr/lib/python3/dist-packages/numpy/__init__.py
check-deb man-db        command man
check-deb libopenmpi-dev command mpicc.openmpi
check-deb libslurm-dev  header slurm/slurm.h
check abigail-tools   command abidiff
hosts libpetsc-real-dev module PETSc
hosts libhypre-dev    folder /usr/include/hypre
hosts slurmctld       file /usr/sbin/slurmctld
hosts slurmd          file /usr/sbin/slurmd
hosts slurm-client    command srun
hosts slurm-wlm-basic-plugins file /usr/lib/*/slurm-wlm/auth_none.so
hosts libslurm-dev    header slurm/slurm.h
hosts libstarpu-dev   module starpu-1.3
hosts python3-numpy   file /usr/lib/python3/dist-packages/numpy/__init__.py
hosts python3-scipy   file /usr/lib/python3/dist-packages/scipy/__init__.py
END
}

# present HOW NAME
present() {
  case $1 in
    command) command -v "$2" >/dev/null 2>&1 ;;
    module) pkg-config --exists "$2" >/dev/null 2>&1 ;;
    folder) [ -d "$2" ] ;;
    file) # shellcheck disable=SC2086 # a pattern
      set -- $2 && [ -f "$1" ] ;;
    header) echo "#include <$2>" | cc -E - >/dev/null 2>&1 ;;
  esac
}

# missing GOAL: the packages that this goal needs and that are not there
missing() {
  case $1 in
    check-hosts) purposes=" build check mpi hosts " ;;
    *) purposes=" build $1 " ;;
  esac
  packages | while read -r purpose package how name; do
    case $purposes in *" $purpose "*) present "$how" "$name" || echo "$package" ;; esac
  done
}

# as_root COMMAND...: as root, or through a sudo that asks nothing; else the line to paste
as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    sudo "$@"
  else
    echo "setup.sh: installing needs root. Run this line, then ./setup.sh $goal again:" >&2
    echo "sudo apt-get install -y --no-install-recommends $wanted" >&2
    exit 1
  fi
}

apt() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 "$@" >&2
}

install_missing() {
  wanted=$(missing "$1" | tr '\n' ' ')
  [ -n "$wanted" ] || return 0
  if ! command -v apt-get >/dev/null 2>&1; then
    echo "setup.sh: no apt-get here; please install what Debian calls: $wanted" >&2
    exit 1
  fi
  echo "setup.sh: installing $wanted" >&2
  apt update || echo "setup.sh: the package lists could not be refreshed; trying with those at hand" >&2
  # shellcheck disable=SC2086 # a list of package names
  apt install -y --no-install-recommends $wanted || {
    echo "setup.sh: could not install: $wanted" >&2
    exit 1
  }
  wanted=$(missing "$1" | tr '\n' ' ')
  if [ -n "$wanted" ]; then
    echo "setup.sh: installed, yet still not found: $wanted" >&2
    exit 1
  fi
}

# ISA-L unpacks gzip faster, but not every architecture has it: zlib does the same work alone.
install_faster() {
  wanted=libisal-dev
  if ! present module libisal && command -v apt-get >/dev/null 2>&1; then
    (apt install -y --no-install-recommends $wanted) || echo "setup.sh: going on without $wanted" >&2
  fi
}

goal=${1-}
case $#:$goal in
  1:demo | 1:check | 1:web | 1:mpi | 1:check-deb | 1:check-hosts) ;;
  1:-h | 1:--help) usage; exit 0 ;;
  *) usage >&2; exit 2 ;;
esac
cd "$(dirname "$0")"
install_missing "$goal"
install_faster
[ "$goal" != web ] || integrations/web/sources.sh build-web/sources
exec make -j2 "$goal"
