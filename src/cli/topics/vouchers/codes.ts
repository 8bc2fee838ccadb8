// The argument of every command that works on existing vouchers.

import { argumentList } from '../../flags/kinds.ts'
/** Voucher codes or ids; none when they come from a file. */
export const voucherCodes = { code: argumentList('voucher codes or ids; a code that starts with - goes after --') }
