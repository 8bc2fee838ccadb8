import { bulkCommand } from '../../cli/declared/bulk.ts'
import { bodyFrom, readerAt } from '../../cli/request/body.ts'
import { customerCalls } from '../../cli/request/customers/flag.ts'
import { flagsOfMembers, type MemberFlags } from '../../cli/request/member-flags.ts'
import { bodiesOfRows, changing, listedChanges } from '../../cli/request/row-body.ts'
import type { Asker, Keeper } from '../../cli/run/host.ts'
import { voucherCodes } from '../../cli/topics/vouchers/codes.ts'
import { voucherFilters } from '../../cli/topics/vouchers/filters.ts'
import { discountFlags, noteFlag, validityFlags } from '../../cli/topics/vouchers/members.ts'
import { sendableVoucher } from '../../cli/topics/vouchers/sendable.ts'
import { getCampaign } from '../../contract/campaigns.ts'
import { updatedVoucher, updateVoucher } from '../../contract/new-voucher.ts'
import { listVouchers } from '../../contract/voucher-lists.ts'

const members: MemberFlags = {
  ...discountFlags(),
  category: { about: 'the category, by name' },
  note: noteFlag,
  ...validityFlags,
}

const checkField = (text: string, host: Asker & Keeper) => bodyFrom({ set: [text] }, updatedVoucher, readerAt(host))

export default bulkCommand('Change vouchers: one, many, or a whole file', {
  description:
    'Fields that are not named keep their value. In a file, each column other than the code is a wire path, such as expiration_date or metadata.source. From a list that promo wrote, only the codes are read if flags say what changes. The JSON of `vouchers get` can be sent back: fields that an update does not change are left out.',
  examples: [
    'promo vouchers update MORNING --set additional_info="Until noon" --profile sandbox',
    'promo vouchers update MORNING WEEKEND --expires 2027-01-31 --yes --profile sandbox',
  ],
  calls: [updateVoucher],
  instead: (job) =>
    `promo jobs report ${job} --only ok --csv --out before.csv; promo vouchers update --from before.csv --dry-run`,
  args: voucherCodes,
  asks: {
    code: { unless: ['from'] },
    set: {
      unless: ['body', 'from', ...Object.keys(members)],
      question: 'a field and its value, like additional_info=VIP:',
      check: checkField,
    },
  },
  flags: flagsOfMembers(members),
  body: { takes: 'any', members },
  words: { noun: 'voucher', verb: 'update', done: 'updated', unchanged: 'already up to date', key: 'code' },
  onDuplicate: 'fold-identical',
  choosing: { ...voucherFilters, calls: [listVouchers, getCampaign, ...customerCalls] },
  async rows({ flags, body, run }) {
    const sendable = (row: Record<string, unknown>) => sendableVoucher(row, updatedVoucher, { isUpdate: true })
    const bodyOf = await bodiesOfRows(updatedVoucher, body, { flags, run, sendable, members })
    return {
      request: (row) => ({ path: { code: row.key }, body: changing(bodyOf(row)) }),
      inputColumns: listedChanges(body, { takesAnswers: true }),
    }
  },
})
