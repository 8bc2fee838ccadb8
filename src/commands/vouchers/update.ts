import { PromoCommand } from '../../cli/command.ts'
import { calledWith } from '../../cli/declared.ts'
import { allowUnknownFlag, bodyFlags, bulkFlags, callFlags, writeFlags } from '../../cli/flags/flags.ts'
import { bodyFrom, fieldReader } from '../../cli/request/body.ts'
import { rowBodies } from '../../cli/request/row-body.ts'
import type { Host } from '../../cli/run/host.ts'
import { voucherCodes } from '../../cli/topics/vouchers/codes.ts'
import { sendableVoucher } from '../../cli/topics/vouchers/sendable.ts'
import type { JobUndo } from '../../cli/undo.ts'
import { updatedVoucher, updateVoucher } from '../../contract/new-voucher.ts'

const checkField = (text: string, host: Host) => bodyFrom({ set: [text] }, updatedVoucher, host)

export default class Update extends PromoCommand {
  static override summary = 'Change vouchers: one, many, or a whole file'
  static override description =
    'Fields that are not named keep their value. In a file, each column other than the code is a wire path, such as expiration_date or metadata.source. What vouchers get --json prints can be sent back: the fields that an update does not change are left out.'
  static override examples = [
    'promo vouchers update MORNING --set additional_info="Until noon" --profile sandbox',
    'promo vouchers update MORNING WEEKEND --set expiration_date=2027-01-31T00:00:00Z --yes --profile sandbox',
  ]
  static override effect = 'write' as const
  static override undo: JobUndo = {
    because: 'its journal does not have the values from before, which have to be put into its report',
    instead: (job) =>
      `promo jobs report ${job} --only ok --csv --out before.csv; promo vouchers update --from before.csv --dry-run`,
  }
  static override calls = [updateVoucher]
  static override args = voucherCodes
  static override asks = {
    code: { unless: ['from'] },
    set: { unless: ['body', 'from'], question: 'a field and its value, like additional_info=VIP:', check: checkField },
  }
  static override flags = { ...callFlags, ...bodyFlags, ...allowUnknownFlag, ...bulkFlags, ...writeFlags }

  async run() {
    const { args, flags } = await this.input(Update)
    const shared = await bodyFrom(flags, updatedVoucher, this.host)
    const bodyOf = rowBodies(
      shared,
      await fieldReader(updatedVoucher, flags, this.host),
      flags.column ?? 'code',
      (row) => sendableVoucher(row, updatedVoucher, { isUpdate: true }),
    )
    await this.runBulk(args.code, flags, {
      words: { noun: 'voucher', verb: 'update', done: 'updated', unchanged: 'already up to date', key: 'code' },
      endpoint: await calledWith(updateVoucher, flags),
      request: (row) => ({ path: { code: row.key }, body: bodyOf(row) }),
      onDuplicate: 'fold-identical',
    })
  }
}
