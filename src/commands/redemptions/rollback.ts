import type { ZodType } from 'zod'
import type { Row } from '../../bulk/input/row.ts'
import { bulkCommand } from '../../cli/declared/bulk.ts'
import { asSourceIdFlag, reasonFlag } from '../../cli/flags/flags.ts'
import { argumentList, setting, switchFlag } from '../../cli/flags/kinds.ts'
import { customerCalls } from '../../cli/request/customers/flag.ts'
import { flagsOfMembers } from '../../cli/request/member-flags.ts'
import { bodiesOfRows } from '../../cli/request/row-body.ts'
import { choosingRedemptions } from '../../cli/topics/redemptions/filters.ts'
import { metadataFlag } from '../../cli/topics/vouchers/members.ts'
import { newRollback, rollBackRedemption, rollBackRedemptions } from '../../contract/redemptions.ts'

type IdInPath = Record<'redemptionId' | 'parentRedemptionId', string>

export default bulkCommand('Roll redemptions back: one, many, or a whole file', {
  description:
    'Credits and points go back to their cards, and a code can be used once more. Redemptions that were made together are rolled back together, with --stacked and the id that they share. For a part of an order use `vouchers balance add` or `loyalty points add`. Asks for confirmation even for one. If an answer is lost, promo reads the redemption to see whether it was rolled back.',
  examples: [
    'promo api POST /v1/vouchers/WELCOME-001/redemption --json --query id --profile sandbox | xargs promo redemptions rollback --reason "Double charge" --yes --profile sandbox',
    'promo redemptions rollback r_19b8d627a800000001 --reason "Order canceled" --dry-run --profile sandbox',
    'promo redemptions rollback r_19b8d627a800000001 --stacked --dry-run --profile sandbox',
  ],
  calls: [rollBackRedemption, rollBackRedemptions, ...customerCalls],
  instead: 'promo redemptions create --help',
  args: { id: argumentList('ids of redemptions') },
  asks: { id: { unless: ['from'], question: 'the id of the redemption:' } },
  flags: {
    ...reasonFlag,
    ...flagsOfMembers(metadataFlag),
    ...asSourceIdFlag,
    stacked: switchFlag('each id is of several redemptions, made by one request', setting('stacked')),
  },
  body: { takes: 'known', members: metadataFlag },
  words: {
    noun: 'redemption',
    verb: 'roll back',
    done: 'rolled back',
    unchanged: 'already rolled back',
    key: 'id',
    member: 'rollback',
  },
  results: { id: ['id', 'rollbacks.id'], parent_id: 'parent_rollback.id' },
  inputColumns: { also: ['stacked'] },
  onDuplicate: 'fold-identical',
  choosing: choosingRedemptions,
  async rows({ flags, body, run }) {
    const { reason, stacked } = flags
    const shared = { ...(body as object), ...(reason !== undefined && { reason }) }
    const bodyOf = await bodiesOfRows(newRollback as ZodType, shared, {
      flags,
      run,
      key: 'id',
      sendable: ({ stacked: _, ...row }) => row,
    })
    const isStacked = ({ fields }: Row) => stacked || fields.stacked === 'true' || fields.stacked === true
    const callOf = (isOfSeveral: boolean) => (isOfSeveral ? rollBackRedemptions : rollBackRedemption)
    // Each call has its own name for the id.
    const pathOf = (row: Row) =>
      (isStacked(row) ? { parentRedemptionId: row.key } : { redemptionId: row.key }) as unknown as IdInPath
    return {
      endpoint: callOf(stacked),
      callOf: (row) => callOf(isStacked(row)),
      request: (row) => ({ path: pathOf(row), body: bodyOf(row) }),
    }
  },
})
