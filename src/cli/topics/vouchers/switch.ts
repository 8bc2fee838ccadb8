// The commands that switch vouchers on and off.
import { disableVoucher, enableVoucher, getVoucher } from '../../../contract/vouchers.ts'
import { bulkCommand } from '../../declared/bulk.ts'
import { proveFlag } from '../../flags/flags.ts'
import { proofOfChange } from './changed.ts'
import { voucherCodes } from './codes.ts'
import { voucherFilters } from './filters.ts'

const ways = {
  enable: { state: 'on', summary: 'on again', opposite: 'disable', endpoint: enableVoucher },
  disable: { state: 'off', summary: 'off', opposite: 'enable', endpoint: disableVoucher },
} as const

/** Makes the command that switches vouchers one way. */
export function switchCommand(verb: keyof typeof ways) {
  const { state, summary, opposite, endpoint } = ways[verb]
  return bulkCommand(`Switch vouchers ${summary}: one, many, or a whole file`, {
    description: `A file is checked before the first request. Vouchers that are already ${state} are left alone. The exit code is that of the worst row.`,
    examples: [
      `promo vouchers ${verb} WELCOME-001 --profile sandbox`,
      `promo vouchers ${verb} --campaign Welcome --unused --created-before 30d --dry-run --profile sandbox`,
      `(echo code; seq -f GIFT-%03g 1 8) > codes.csv; promo vouchers ${verb} --from codes.csv --profile sandbox --yes`,
      `seq -f GIFT-%03g 1 8 | promo vouchers ${verb} --from - --input-format lines --dry-run --profile sandbox`,
    ],
    calls: [endpoint as typeof enableVoucher, getVoucher],
    undo: `vouchers:${opposite}`,
    args: voucherCodes,
    asks: { code: { unless: ['from'] } },
    flags: proveFlag,
    words: { noun: 'voucher', verb, done: `${verb}d`, unchanged: `already ${state}`, key: 'code' },
    results: { updated_at: 'updated_at' },
    onDuplicate: 'fold',
    choosing: voucherFilters,
    rows: ({ flags }) => ({
      request: ({ key }) => ({ path: { code: key } }),
      write: (client, row, isUndo) => ({
        ...proofOfChange(client, row, flags['prove-change']),
        expects: isUndo && (async () => (await import('./stamps.ts')).leftAlone(client, row, verb === 'enable')),
      }),
    }),
  })
}
