#!/bin/sh
# check_deb.sh FOLDER -- the packages that tools/deb.sh made: examined by lintian, unpacked, and used without anything else of ours;
# the libraries in them have the binary interface on record
set -eu

[ $# = 1 ] || { echo "usage: tools/check_deb.sh FOLDER" >&2; exit 2; }
folder=$(cd "$1" && pwd)
sources=$PWD
root=$folder/root
triplet=$(dpkg-architecture -qDEB_HOST_MULTIARCH)
version=$(sed -n 's/.*NS_VERSION "\(.*\)".*/\1/p' include/nsmodel/version.h)

fail() {
  echo "check_deb.sh: $*" >&2
  exit 1
}

# expect TEXT COMMAND...: what it says begins so
expect() {
  wanted=$1
  shift
  said=$("$@") || fail "$*: exit code $?"
  case $said in
    "$wanted"*) ;;
    *) fail "$*: wanted \"$wanted\", got \"$said\"" ;;
  esac
}

lintian --fail-on error --allow-root "$folder"/nsmodel_*.changes
echo "lintian: no errors"

rm -rf "$root"
mkdir "$root"
for package in libnsmodel1 libnsmodel-dev libnsmodel-fit1 libnsmodel-fit-dev libnsmodel-mpi0 libnsmodel-mpi-dev nsmodel \
  nsmodel-mpi nsmodel-plugins python3-nsmodel; do
  set -- "$folder/${package}_"*.deb
  [ -f "$1" ] || fail "there is no package $package"
  dpkg-deb -x "$1" "$root"
  expect "$version" dpkg-deb -f "$1" Version
done
# Nothing of the fits, and with them of the GPL, comes with the library.
dpkg-deb -f "$folder"/libnsmodel1_*.deb Depends | grep -q gsl && fail "libnsmodel1 wants GSL"
dpkg-deb -c "$folder"/libnsmodel-dev_*.deb | grep -q fit && fail "libnsmodel-dev has a file of libnsmodel-fit"
dpkg-deb -c "$folder"/libnsmodel-dev_*.deb | grep -q mpi.h && fail "libnsmodel-dev has a file of libnsmodel-mpi"
dpkg-deb -c "$folder"/nsmodel_*.deb | grep -q nsmodel-mpi && fail "nsmodel has a file of nsmodel-mpi"

expect "nsmodel $version" "$root/usr/bin/nsmodel" --version
"$root/usr/bin/nsmodel" predict --matrix audikw_1 --gpus 16 > "$folder/predict.txt"
gzip -t "$root/usr/share/man/man1/nsmodel.1.gz" "$root/usr/share/man/man1/nsmodel-predict.1.gz"
expect "nsmodel-mpi $version" "$root/usr/bin/nsmodel-mpi" --version
man -M "$root/usr/share/man" nsmodel-mpi | grep -q 'COMMAND measure' || fail "no manual page of nsmodel-mpi"
nm -D "$root/usr/lib/$triplet/slurm/spank_nsmodel.so" | grep -q ' plugin_name' || fail "no plugin of Slurm"
nm -D "$root/usr/lib/$triplet/libnccl-tuner-nsmodel.so" | grep -q ' ncclTunerPlugin_v' || fail "no tuner of NCCL"
[ -s "$root/usr/share/bash-completion/completions/nsmodel" ] || fail "no completion for bash"
[ -s "$root/usr/share/bash-completion/completions/nsmodel-mpi" ] || fail "no completion of nsmodel-mpi for bash"
[ -s "$root/usr/share/zsh/vendor-completions/_nsmodel" ] || fail "no completion for zsh"

# A program built against them, as on a machine where they are installed.
export PKG_CONFIG_PATH="$root/usr/lib/$triplet/pkgconfig"
export PKG_CONFIG_SYSROOT_DIR="$root"
for module in nsmodel nsmodel-fit; do
  program=price
  [ $module = nsmodel ] || program=fit
  # shellcheck disable=SC2046 # lists of options
  cc -o "$folder/$program" "tests/consumers/$program.c" $(pkg-config --cflags --libs $module) \
    -Wl,-rpath-link,"$root/usr/lib/$triplet" -lm
done
# shellcheck disable=SC2046 # lists of options
mpicc.openmpi -o "$folder/own_exchange" "$root/usr/share/doc/libnsmodel-dev/examples/own_exchange.c" \
  $(pkg-config --cflags --libs nsmodel-mpi)
export LD_LIBRARY_PATH="$root/usr/lib/$triplet"
expect "ten times the exchange arrived" "$folder/own_exchange"
expect "lassen" env PYTHONPATH="$root/usr/lib/python3/dist-packages" PYTHONDONTWRITEBYTECODE=1 \
  /usr/bin/python3 -c 'import nsmodel; print(nsmodel.Machine("lassen").name)'
expect "$version lassen 7.76e-06" "$folder/price"
expect "23 samples, 3 classes, last alpha in the machine" "$folder/fit" "$sources/examples/osu_latency.log"
for library in libnsmodel libnsmodel-fit; do
  tools/abi.sh check "$folder/nsmodel-$version/build/$library.so" "tests/abi/$library.abi.gz"
done
echo "packages of nsmodel $version: built, examined, unpacked, used"
