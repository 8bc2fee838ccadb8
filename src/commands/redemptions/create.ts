import type { Row } from '../../bulk/input/row.ts'
import { bulkCommand } from '../../cli/declared/bulk.ts'
import { bodyFlags, groupFlags } from '../../cli/flags/flags.ts'
import { argumentList, names, setting, textFlag } from '../../cli/flags/kinds.ts'
import { cartFlags } from '../../cli/request/cart.ts'
import { type MemberFlags, membersSetBy } from '../../cli/request/member-flags.ts'
import { bodiesOfRows } from '../../cli/request/row-body.ts'
import { takenOff } from '../../cli/topics/redemptions/taken-off.ts'
import { told } from '../../cli/topics/redemptions/told.ts'
import { contextFrom, someRedeemable, withRedeemables } from '../../cli/topics/validation/body.ts'
import { redeemableForms, redeemableFrom } from '../../cli/topics/validation/redeemable.ts'
import { newRedemption, redeem } from '../../contract/redemptions.ts'
import { redemptionColumns } from '../../output/columns/resources/redemptions.ts'

const session = 'the key of the session that locked the redeemables'
const flags = {
  expand: names('also include in the answer: order, redeemable, category, redemption', 'a,b'),
  ...cartFlags,
  ...groupFlags('CART', {
    'tracking-id': textFlag('the source id of a customer to track', undefined, setting('tracking_id')),
    'session-key': textFlag(session, undefined, setting('session.key')),
  }),
  ...bodyFlags,
}
const members: MemberFlags = {
  ...membersSetBy(flags),
  'session-key': { about: session, path: 'session.key', implies: ['session.type=LOCK'] },
}

export default bulkCommand('Redeem vouchers, tiers or a stack for a cart, as a till does', {
  description:
    'Takes up to 30 redeemables, each once, in the order in which they apply; a stack goes alone. With --from, each row is a redemption, also where rows are equal. It is never sent twice: without an answer the outcome is unknown (exit 6), and `redemptions list` shows whether it arrived. Ask beforehand with `validate redeemables`, reverse with `redemptions rollback`.',
  examples: [
    'promo redemptions create BEANS10 --amount 5000 --customer source_id=shop-1001 --profile sandbox',
    'promo redemptions create gift:GIFT-001=1500 --amount 5000 --set order.source_id=till-88 --dry-run --profile sandbox',
    'printf "code,order.amount\\nBEANS10,5000\\nBEANS10,3200\\n" > sales.csv; promo redemptions create --from sales.csv --dry-run --profile sandbox',
  ],
  calls: [redeem],
  columns: redemptionColumns,
  undo: 'redemptions:rollback',
  args: { redeemable: argumentList(redeemableForms) },
  asks: {
    redeemable: {
      unless: ['body', 'set', 'from'],
      question: 'a redeemable, like BEANS10 or tier:ID:',
      check: redeemableFrom,
    },
  },
  flags,
  isFileOnly: true,
  words: {
    noun: 'code',
    verb: 'redeem',
    done: 'redeemed',
    unchanged: 'already redeemed',
    key: 'code',
    member: 'answer',
  },
  results: { id: 'redemptions.id', parent_id: 'parent_redemption.id', customer_id: 'redemptions.customer_id' },
  onDuplicate: 'keep',
  tell: ({ say }, answer) => say(takenOff(answer)),
  async rows({ args, flags, run }) {
    const context = await contextFrom(flags, newRedemption, run)
    const bodyOf = await bodiesOfRows(newRedemption, context, { flags, run, members })
    const request = (row: Row) => ({ body: withRedeemables(bodyOf(row), [row.key]) })
    if (flags.from !== undefined) return { request }
    const body = someRedeemable(withRedeemables(context, args.redeemable ?? []))
    return {
      request,
      one: {
        request: { body },
        rows: ({ redemptions }) => redemptions.map((one) => ({ ...one, ...told(one) })),
      },
    }
  },
})
