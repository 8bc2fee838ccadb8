// The argument of every command that works on existing vouchers.
import { Args } from '@oclif/core'

/** Voucher codes or ids; none when they come from a file. */
export const voucherCodes = {
  code: Args.string({
    description: 'voucher codes or ids; a code that starts with - goes after --',
    ignoreStdin: true,
    multiple: true,
  }),
}
