#!/usr/bin/env bash
# Disables the vouchers of a list, for cron:
#   @daily PROMO_PROFILE=live /srv/promo/nightly.sh /srv/promo/leaked-codes.csv
# It prints only what needs attention, because cron mails what a job prints. Problems that may pass by themselves are tried
# again after a pause; the journal knows which rows are left.
#   5 network, timeout, 429 or 5xx outlasted the retries
#   8 the job is held by another live process
#  10 local I/O: disk full, output cannot be written
set -euo pipefail

for pause in 0 60 300 900 3600; do
  sleep "$pause"
  code=0
  promo vouchers disable --from "${1:?'which file?'}" --yes --no-input --quiet || code=$?
  case $code in
    5 | 8 | 10) ;;
    *) break ;;
  esac
done
exit "$code"
