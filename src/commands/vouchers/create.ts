import { bulkCommand } from '../../cli/declared/bulk.ts'
import { argumentList, choiceFlag, setting, textFlag } from '../../cli/flags/kinds.ts'
import { bodyFrom, readerAt } from '../../cli/request/body.ts'
import { ifExistsSaying } from '../../cli/request/if-exists.ts'
import { flagsOfMembers, type MemberFlags } from '../../cli/request/member-flags.ts'
import { bodiesOfRows } from '../../cli/request/row-body.ts'
import type { Asker, Keeper } from '../../cli/run/host.ts'
import { deletingMade } from '../../cli/topics/vouchers/codes.ts'
import { existingVoucher } from '../../cli/topics/vouchers/existing.ts'
import { amounts, noteFlag, rulesFlag, usesFlag, validityFlags, worthFlags } from '../../cli/topics/vouchers/members.ts'
import { sendableVoucher } from '../../cli/topics/vouchers/sendable.ts'
import { createVoucher, newVoucher, updateVoucher } from '../../contract/new-voucher.ts'
import { getVoucher, voucherTypes } from '../../contract/vouchers.ts'

const members: MemberFlags = {
  ...worthFlags({ isNew: true }),
  ...usesFlag(),
  ...rulesFlag,
  note: noteFlag,
  active: { about: 'switched on from the start', takes: 'switch' },
  ...validityFlags,
}

export default bulkCommand('Create vouchers under codes of your choice: one, many, or a whole file', {
  description:
    'Flags, --body and --set describe every voucher; a column of a file overrides them for its row. A code that is taken is a conflict; --if-exists says what else to do. To limit uses per customer, make a rule with `rules create --per-customer`, and name it with --rules. The JSON of `vouchers get` can be sent back; computed fields are left out.',
  examples: [
    'promo vouchers create TENOFF --percent-off 10 --expires 2027-12-31 --uses 1 --profile sandbox',
    'promo vouchers create CARD-1 CARD-2 --gift-amount 5000 --metadata source=desk --yes --profile sandbox',
    'promo vouchers create FIVEOFF --type DISCOUNT_VOUCHER --set discount.type=AMOUNT --set discount.amount_off=500 --profile sandbox',
    `echo '{"code":"SORRY-2026-1","type":"GIFT_VOUCHER","gift":{"amount":500}}' | promo vouchers create --from - --yes --profile sandbox`,
  ],
  calls: [createVoucher, getVoucher, updateVoucher],
  instead: deletingMade,
  args: { code: argumentList('the new codes; one that starts with - goes after --') },
  asks: {
    code: { unless: ['from'], question: 'the new code:' },
    type: { unless: ['body', 'set', 'campaign', 'from', ...amounts] },
    // A campaign gives its vouchers their amounts; all others need them.
    set: {
      unless: ['body', 'campaign', 'from', ...amounts],
      question: 'what it holds, like gift.amount=5000:',
      check: (text: string, host: Asker & Keeper) => bodyFrom({ set: [text] }, newVoucher, readerAt(host)),
    },
  },
  flags: {
    type: choiceFlag('the type of the vouchers', voucherTypes, setting('type')),
    campaign: textFlag('the campaign of the vouchers, by name', undefined, setting('campaign')),
    category: textFlag('the category, by name', undefined, setting('category')),
    ...flagsOfMembers(members),
    ...ifExistsSaying('if a code is taken: fail, reuse it if it is as asked for, or update it'),
  },
  body: { takes: 'any', members },
  words: { noun: 'voucher', verb: 'create', done: 'created', unchanged: 'already there', key: 'code' },
  results: { id: 'id' },
  inputColumns: { fromList: 'fields', takesAnswers: true },
  onDuplicate: 'fold-identical',
  async rows({ flags, body, run }) {
    const { type, campaign, category, 'if-exists': ifExists } = flags
    const shared = { ...(body as object), ...omitUndefined({ type, campaign, category }) }
    const bodyOf = await bodiesOfRows(newVoucher, shared, {
      flags,
      run,
      isNew: true,
      members,
      sendable: (row) => sendableVoucher(row, newVoucher),
    })
    return {
      request: (row) => ({ path: { code: row.key }, body: bodyOf(row) }),
      ...(ifExists !== 'fail' && {
        write: (client, row) => ({
          ifTaken: (conflict) => existingVoucher(client, row.key, bodyOf(row), conflict, ifExists),
        }),
      }),
    }
  },
})

function omitUndefined(fields: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined))
}
