#!/bin/sh
# likeness.sh PROGRAM FOLDER -- tests/data/likeness.tsv: the surrogates, and real matrices of the same kinds from FOLDER
#
# Takes some minutes: every matrix is scanned six times, one after the other.
set -eu

program=$1
real=$2/data/matrices
record=tests/data/likeness.tsv

{
  "$program"
  for name in GHS_psdef/audikw_1 Janna/Serena Janna/Geo_1438 GHS_psdef/ldoor Oberwolfach/bone010 Schmid/thermal2 \
    Janna/Queen_4147 VLSI/stokes DIMACS10/europe_osm LAW/uk-2002 LAW/arabic-2005; do
    "$program" "$name" "$name"
  done
  for name in DNVS/ship_001 HB/bcsstk29 AG-Monien/wave GHS_psdef/copter2 DIMACS10/delaunay_n16 Szczerba/Ill_Stokes Ronis/xenon1 \
    DIMACS10/luxembourg_osm LAW/cnr-2000 Barabasi/NotreDame_www; do
    "$program" "$real/${name#*/}.mtx.gz" "$name"
  done
} > "$record.new"
mv "$record.new" "$record"
