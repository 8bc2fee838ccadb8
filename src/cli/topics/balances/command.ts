// Commands that put points or credits on cards, or take them off: one card, many, or a file. They differ in their words,
// their calls and the sign.

import { Flags } from '@oclif/core'
import type { ZodType } from 'zod'
import type { RequestOf } from '../../../api/client.ts'
import { counted, grouped } from '../../../base/grouped.ts'
import type { Row } from '../../../bulk/input/row.ts'
import { listCardTransactions } from '../../../contract/loyalty.ts'
import { changeCampaignMemberBalance, changeMemberBalance } from '../../../contract/loyalty-programs.ts'
import { changeVoucherBalance, listVoucherTransactions } from '../../../contract/voucher-transactions.ts'
import { usageError } from '../../../errors.ts'
import { balanceColumns } from '../../../output/columns/resources/redemptions.ts'
import { type CommandClass, PromoCommand } from '../../command.ts'
import { bulkFlags, callFlags, writeFlags } from '../../flags/flags.ts'
import { argumentList } from '../../flags/kinds.ts'
import { wholeNumber } from '../../flags/values.ts'
import { fieldReader } from '../../request/body.ts'
import { amountOf } from '../../request/cart.ts'
import { rowBodies } from '../../request/row-body.ts'
import { type Inverse, undoReason, undoSourceId } from '../../undo.ts'
import { transactionProof } from './proof.ts'

/** What a command of this kind declares. */
export interface BalanceCommand {
  /** Points of loyalty cards, or credits of gift cards. */
  of: 'points' | 'credits'
  verb: 'add' | 'remove'
  summary: string
  examples: readonly string[]
}

const words = {
  add: { sign: 1, to: 'to', done: 'added' },
  remove: { sign: -1, to: 'from', done: 'removed' },
} as const

/** The most points that one change may have. */
export const mostPoints = 1_000_000_000_000

const kinds = {
  points: {
    member: 'points',
    noun: 'loyalty card',
    read: (text: string) => wholeNumber(text, 1, mostPoints),
    topic: 'loyalty:points',
    calls: [changeMemberBalance, changeCampaignMemberBalance, listCardTransactions],
    description: 'how many points, for every card; in a file, the column "points" overrides it',
    flags: {
      campaign: Flags.string({ description: 'the campaign the cards must belong to, by id or name' }),
    },
  },
  credits: {
    member: 'amount',
    noun: 'gift card',
    read: (text: string) => amountOf(text, 1),
    topic: 'vouchers:balance',
    calls: [changeVoucherBalance, listVoucherTransactions],
    description:
      'the amount in the smallest currency unit, for every card; in a file, the column "amount" overrides it',
    flags: {},
  },
} as const

const description =
  'Asks for confirmation even for a single card. Nothing is sent twice: if an answer is lost, the outcome is unknown (exit 6), unless the change has a source id of its own, by which the transactions of the card show that it arrived. Columns of a file are wire paths (reason, source_id); equal rows are equal changes, and all of them are made.'

/** Makes a command that changes balances by a number of points, or by an amount in the smallest currency unit. */
export function balanceCommand({ of, verb, summary, examples }: BalanceCommand): CommandClass {
  const { member, noun, read, topic, calls, flags: own, description: ofAmount } = kinds[of]
  const { sign, to, done } = words[verb]

  return class ChangeBalance extends PromoCommand {
    static override summary = summary
    static override description = description
    static override examples = [...examples]
    static override effect = 'write' as const
    static override undo: Inverse = {
      command: `${topic}:${verb === 'add' ? 'remove' : 'add'}`,
      of: 'applied',
      columns: ['code', member, 'source_id'],
      flags: (job) => ({
        reason: undoReason(job),
        ...('campaign' in own && { campaign: job.flags.campaign }),
      }),
      row({ row }, job) {
        const { line, key, fields } = row
        const size = isGiven(fields[member]) ? fields[member] : job.flags[member]
        return { line, key, fields: { code: key, [member]: String(size), source_id: undoSourceId(job, row) } }
      },
    }
    static override calls = calls
    static override columns = balanceColumns
    static override args = { code: argumentList(`the codes of ${noun}s; one that starts with - goes after --`) }
    static override asks = {
      code: { unless: ['from'] },
      [member]: { unless: ['from'], question: `how many ${of}:`, check: read },
    }
    static override flags = {
      ...callFlags,
      [member]: Flags.custom<number>({ parse: async (text) => read(text) })({
        description: ofAmount,
        helpValue: 'N',
      }),
      reason: Flags.string({ description: 'why, as the transaction will say', helpValue: 'TEXT' }),
      'source-id': Flags.string({
        description:
          'your own id of a single change, kept with the transaction; in a file, each row has its own in source_id',
        helpValue: 'ID',
      }),
      ...own,
      ...bulkFlags,
      ...writeFlags,
    }

    async run() {
      const { args, flags } = await this.input(ChangeBalance)
      const given = flags as typeof flags & Record<string, unknown> & { campaign?: string }
      const endpoint = of === 'credits' ? changeVoucherBalance : memberCall(given.campaign)
      const { reason, 'source-id': source_id, column = 'code' } = flags
      const shared = { ...(reason !== undefined && { reason }), ...(source_id !== undefined && { source_id }) }
      const cells = rowBodies(
        { ...shared, [member]: given[member] },
        await fieldReader(endpoint.body as ZodType, flags, this.host),
        column,
      )

      const bodyOf = (row: Row) => {
        const body: Record<string, unknown> = cells(row)
        const size = body[member]
        if (size === undefined) throw usageError(`no ${of} given`, `--${member} 50, or a column "${member}"`)
        if (typeof size === 'number' && size < 1) {
          throw usageError(
            `"${member}" must be at least 1, not ${size}: the command says whether it is added or removed`,
          )
        }
        return typeof size === 'number' ? { ...body, [member]: sign * size } : body
      }
      const requestOf = (row: Row) => {
        const path =
          of === 'credits'
            ? { code: row.key }
            : { memberId: row.key, ...(given.campaign !== undefined && { campaignId: given.campaign }) }
        // The contract checks the body before anything is sent.
        return { path, body: bodyOf(row) } as unknown as RequestOf<typeof endpoint>
      }
      const proofOf = (row: Row) => {
        const { source_id: sourceId, [member]: change } = bodyOf(row) as Record<string, unknown>
        const sought = { change: Number(change), sourceId }
        return of === 'credits'
          ? transactionProof(listVoucherTransactions, { path: { code: row.key } }, sought)
          : transactionProof(listCardTransactions, { path: { memberId: row.key } }, sought)
      }
      const action = (rows: Iterable<Row>) => {
        let sum = 0
        let count = 0
        let last = ''
        for (const row of rows) {
          sum += Math.abs(Number((bodyOf(row) as Record<string, unknown>)[member]))
          count += 1
          last = row.key
        }
        const unit = sum === 1 ? of.slice(0, -1) : of
        const cards = count === 1 ? `${noun} ${last}` : `${noun}s, in ${counted(count, 'change')}`
        return `${verb} ${grouped(sum)} ${unit} ${to} ${cards}`
      }

      if (flags.from === undefined && args.code?.length === 1) {
        const row = { line: 1, key: args.code[0] as string, fields: {} }
        await this.writeOne(flags, {
          endpoint,
          request: requestOf(row),
          columns: balanceColumns,
          question: action([row]),
          isFinal: false,
          proof: proofOf(row),
        })
        return
      }
      await this.runBulk(args.code, flags, {
        words: {
          noun,
          verb: `${verb} ${of} ${to}`,
          done: `${done} ${of} ${to}`,
          unchanged: 'already changed',
          key: 'code',
          member: 'balance',
        },
        endpoint,
        request: requestOf,
        proof: proofOf,
        // No answer names the transaction: only a search after a lost answer does.
        results: { transaction_id: [] },
        action,
        asksForOne: true,
        // The opposite change brings the balance back.
        isFinal: false,
        onDuplicate: 'keep',
      })
    }
  }
}

/** An empty cell of a file says nothing. */
function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}

function memberCall(campaign: string | undefined) {
  return campaign === undefined ? changeMemberBalance : changeCampaignMemberBalance
}
