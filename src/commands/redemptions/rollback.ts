import { Flags } from '@oclif/core'
import type { ZodType } from 'zod'
import type { Row } from '../../bulk/input/row.ts'
import { PromoCommand } from '../../cli/command.ts'
import { bodyFlags, bulkFlags, callFlags, writeFlags } from '../../cli/flags/flags.ts'
import { argumentList } from '../../cli/flags/kinds.ts'
import { bodyFrom, fieldReader } from '../../cli/request/body.ts'
import { rowBodies } from '../../cli/request/row-body.ts'
import { inferredRollback } from '../../cli/topics/redemptions/rolled-back.ts'
import type { JobUndo } from '../../cli/undo.ts'
import { getRedemption, newRollback, rollBackRedemption, rollBackRedemptions } from '../../contract/redemptions.ts'

type IdInPath = Record<'redemptionId' | 'parentRedemptionId', string>

export default class Rollback extends PromoCommand {
  static override summary = 'Roll redemptions back: one, many, or a whole file'
  static override description =
    'Credits and points go back to their cards, and a code can be used once more. What was redeemed together is rolled back together: with --stacked, by the id that its redemptions are part of. Asks for confirmation even for a single one. Further columns of a file are wire paths (reason, metadata.ticket); "stacked" is true for the ids that --stacked is for. After a lost answer the redemption itself is read, to see whether it was rolled back.'
  static override examples = [
    'promo api POST /v1/vouchers/WELCOME-001/redemption --json --query id --profile sandbox | xargs promo redemptions rollback --reason "Double charge" --yes --profile sandbox',
    'promo redemptions rollback r_19b8d627a800000001 --reason "Order canceled" --dry-run --profile sandbox',
    'promo redemptions rollback r_19b8d627a800000001 --stacked --dry-run --profile sandbox',
  ]
  static override effect = 'write' as const
  static override undo: JobUndo = {
    because: 'a redemption that was rolled back stays so; another can be made',
    instead: () => 'promo redemptions create --help',
  }
  static override calls = [rollBackRedemption, rollBackRedemptions, getRedemption]
  static override args = { id: argumentList('ids of redemptions') }
  static override asks = { id: { unless: ['from'], question: 'the id of the redemption:' } }
  static override flags = {
    ...callFlags,
    reason: Flags.string({ description: 'why, as the rollback will say', helpValue: 'TEXT' }),
    stacked: Flags.boolean({ description: 'the ids are of several redemptions each, made by one request' }),
    ...bodyFlags,
    ...bulkFlags,
    ...writeFlags,
  }

  async run() {
    const { args, flags } = await this.input(Rollback)
    const { reason, stacked, column = 'id' } = flags
    const schema = newRollback as ZodType
    const shared = { ...(await bodyFrom(flags, schema, this.host)), ...(reason !== undefined && { reason }) }
    const bodyOf = rowBodies(
      shared,
      await fieldReader(schema, flags, this.host),
      column,
      ({ stacked: _, ...row }) => row,
    )
    const isStacked = ({ fields }: Row) => stacked || fields.stacked === 'true' || fields.stacked === true
    // Each call has its own name for the id.
    const pathOf = (row: Row) =>
      (isStacked(row) ? { parentRedemptionId: row.key } : { redemptionId: row.key }) as unknown as IdInPath
    await this.runBulk(args.id, flags, {
      words: {
        noun: 'redemption',
        verb: 'roll back',
        done: 'rolled back',
        unchanged: 'already rolled back',
        key: 'id',
        member: 'rollback',
      },
      endpoint: stacked ? rollBackRedemptions : rollBackRedemption,
      callOf: (row) => (isStacked(row) ? rollBackRedemptions : rollBackRedemption),
      results: { id: ['id', 'rollbacks.id'], parent_id: 'parent_rollback.id' },
      request: (row) => ({ path: pathOf(row), body: bodyOf(row) }),
      onDuplicate: 'fold-identical',
      asksForOne: true,
      isFinal: true,
      inferred: (client, row) => inferredRollback(client, row.key, bodyOf(row).reason),
    })
  }
}
