// The argument of every command that works on existing vouchers.

import { argumentList } from '../../flags/kinds.ts'
/** Voucher codes or ids; none when they come from a file. */
export const voucherCodes = { code: argumentList('voucher codes or ids; a code that starts with - goes after --') }

/** Returns how the vouchers of a job are removed again: from its report, once the user looked at it. */
export function deletingMade(job: string): string {
  return `promo jobs report ${job} --only ok --csv --out created.csv; promo vouchers delete --from created.csv --dry-run`
}
