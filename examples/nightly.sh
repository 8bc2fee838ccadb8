#!/usr/bin/env bash
# Disables the vouchers of a list, for cron:
#   @daily PROMO_PROFILE=live /srv/promo/nightly.sh /srv/promo/leaked-codes.csv
# It prints only what needs attention, because cron mails what a job prints. Problems that may pass by themselves are tried
# again after a pause; the journal knows which rows are left.
#   5 network, timeout, 429 or 5xx outlasted the retries; a list or a file is not complete
#   8 the job is held by another live process
#  10 local I/O: disk full, output cannot be written
# Every night has a journal of its own, so a job that stopped does not stop the next night. What one night left is sent with
# promo jobs resume FOLDER, or given up with promo jobs discard FOLDER.
set -euo pipefail

journal=${PROMO_NIGHTS:-$HOME/promo-nights}/$(date +%F)
for pause in 0 60 300 900 3600; do
  sleep "$pause"
  code=0
  promo vouchers disable --from "${1:?'which file?'}" --journal "$journal" --yes --no-input --quiet || code=$?
  case $code in
    5 | 8 | 10) ;;
    *) break ;;
  esac
done
exit "$code"
