#!/bin/sh
# From a table to a fitted network: table.sh FOLDER. What is not given is learned or chosen.
set -eu
ridgelet fit data/airline_passengers.csv --x year --y passengers --seed 1 --out "$1/model.nc" --quiet
printf 'year\n1956\n' >"$1/new.csv"
ridgelet predict "$1/model.nc" "$1/new.csv" --quiet | awk -F, 'NR == 2 { print "mean", $2; print "sd", $3 }'
