#!/usr/bin/env bash
# Disables the vouchers of a list in several processes with GNU parallel, each of them one shard:
#   PROMO_PROFILE=live examples/parallel-shards.sh leaked-codes.csv journal 4
# Run it again after any failure: finished rows are not sent again. It exits with the worst code of the shards, which are all
# listed in journal/joblog.tsv; journal/report.csv has every row with its outcome.
set -euo pipefail

input=${1:?'which file?'}
journal=${2:?'which folder for the journals?'}
shards=${3:?'how many shards?'}
umask 077
mkdir -p "$journal"

# Not parallel's own --retries, which repeats any failure, also one that must be examined first. Tried again:
#   5 network, timeout, 429 or 5xx outlasted the retries; a list or a file is not complete
#  10 local I/O: disk full, output cannot be written
# 137 killed, or out of memory
one_shard() {
  local code attempt
  for attempt in $(seq "${ATTEMPTS:-3}"); do
    code=0
    promo vouchers disable --from "$1" --shard "$3/$4" --journal "$2" --yes --no-input || code=$?
    case $code in
      5 | 10 | 137) echo "shard $3/$4: attempt $attempt ended with exit code $code" >&2 ;;
      *) break ;;
    esac
  done
  return "$code"
}
export -f one_shard

seq 0 $((shards - 1)) |
  SHELL=$(type -P bash) parallel --quote --jobs "$shards" --joblog "$journal/joblog.tsv" --line-buffer \
    one_shard "$input" "$journal" {} "$shards" || true

# Worst first: what must be examined before anything is sent again, then what must be corrected, then what only needs time.
worst=0
for code in 1 6 9 7 2 4 11 3 10 8 5 143 130 137; do
  if cut -f 7 "$journal/joblog.tsv" | grep -qx "$code"; then worst=$code && break; fi
done

# All shards as one list. It ends with 6 when one of them never began: the outcome of its rows is unknown.
if compgen -G "$journal/shard-*.sqlite" >/dev/null; then
  report=0
  promo jobs report "$journal" --csv --out "$journal/report.csv" || report=$?
  if [ "$worst" -eq 0 ]; then worst=$report; fi
fi
exit "$worst"
