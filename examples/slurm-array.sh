#!/usr/bin/env bash
# Disables the vouchers of a list in eight tasks of a Slurm array, each of them one shard:
#   sbatch examples/slurm-array.sh leaked-codes.csv
# The input and the journals are on the file system that the nodes share; it must have file locks.
#SBATCH --job-name=promo-disable-leaked
#SBATCH --array=0-7
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=promo-%A-%a.log
#SBATCH --cpus-per-task=1
#SBATCH --mem=256M
#SBATCH --time=06:00:00
set -euo pipefail

input=${1:?'which file?'}
journal=${JOURNAL:-$PWD/promo-journal}
export PROMO_APP_ID_FILE=${PROMO_APP_ID_FILE:-$HOME/.promo/app-id}
export PROMO_APP_TOKEN_FILE=${PROMO_APP_TOKEN_FILE:-$HOME/.promo/app-token}

code=0
promo vouchers disable --from "$input" --shard auto/8 --journal "$journal" --rate 80/s --yes --no-input || code=$?

# --requeue is for lost nodes. What another attempt can solve is requeued here; everything else must be examined first.
#   5 network, timeout, 429 or 5xx outlasted the retries; a list or a file is not complete
#  10 local I/O: disk full, output cannot be written
# 137 killed, or out of memory
case $code in
  5 | 10 | 137)
    if [ "${SLURM_RESTART_COUNT:-0}" -lt 5 ]; then
      scontrol requeue "${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}"
    fi
    ;;
esac
exit "$code"
