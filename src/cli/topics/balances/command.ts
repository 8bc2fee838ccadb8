// Commands that put points or credits on cards, or take them off: one card, many, or a file. They differ in their words,
// their calls and the sign.

import { Flags } from '@oclif/core'
import type { ZodType } from 'zod'
import { formatCount, formatNumber } from '../../../base/numbers.ts'
import { shellWord } from '../../../base/shell-word.ts'
import type { Row } from '../../../bulk/input/row.ts'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { listCardTransactions } from '../../../contract/loyalty.ts'
import { changeCampaignMemberBalance, changeMemberBalance } from '../../../contract/loyalty-programs.ts'
import { changeVoucherBalance, listVoucherTransactions } from '../../../contract/voucher-transactions.ts'
import { usageError } from '../../../errors.ts'
import { balanceColumns } from '../../../output/columns/resources/redemptions.ts'
import type { CommandClass } from '../../command.ts'
import { bulkCommand } from '../../declared/bulk.ts'
import { reasonFlag } from '../../flags/flags.ts'
import { argumentList, setting, textFlag } from '../../flags/kinds.ts'
import { wholeNumber } from '../../flags/values.ts'
import { shownValue } from '../../prompt/asked-value.ts'
import { amountOf } from '../../request/cart.ts'
import { bodiesOfRows } from '../../request/row-body.ts'
import { cardFilters, voucherFilters } from '../vouchers/filters.ts'

/** What a command of this kind declares. */
export interface BalanceCommand {
  /** Points of loyalty cards, or credits of gift cards. */
  of: 'points' | 'credits'
  verb: 'add' | 'remove'
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
    description: 'points per card; the column "points" overrides it',
    flags: { campaign: textFlag('the campaign of the card, by id or name') },
    choosing: { ...cardFilters, also: ['campaign'] },
  },
  credits: {
    member: 'amount',
    noun: 'gift card',
    read: (text: string) => amountOf(text, 1),
    topic: 'vouchers:balance',
    calls: [changeVoucherBalance, listVoucherTransactions],
    description: 'amount per card in minor units (cents); the column "amount" overrides it',
    flags: {},
    choosing: voucherFilters,
  },
} as const

const description =
  "Asks for confirmation even for one card. Without codes, filters choose the cards. For points, they need --campaign, which alone means all its cards. Nothing is sent twice: if an answer is lost, the outcome is unknown (exit 6). With a source id of your own, the card's transactions show whether it arrived. Each row of a file is a change, also where rows are equal."

/** Makes a command that changes balances by a number of points, or by an amount in the smallest currency unit. */
export function balanceCommand(summary: string, { of, verb, examples }: BalanceCommand): CommandClass {
  const { member, noun, read, topic, calls, flags: own, choosing, description: ofAmount } = kinds[of]
  const { sign, to, done } = words[verb]

  return bulkCommand(summary, {
    description,
    examples,
    calls: [calls[0] as Endpoint, ...calls.slice(1)],
    columns: balanceColumns,
    undo: `${topic}:${verb === 'add' ? 'remove' : 'add'}`,
    args: { code: argumentList(`the codes of ${noun}s; one that starts with - goes after --`) },
    asks: {
      code: { unless: ['from'] },
      [member]: { unless: ['from'], question: `how many ${of}:`, check: read },
    },
    flags: {
      [member]: Flags.custom<number>({ parse: async (text) => read(text) })({
        description: ofAmount,
        helpValue: 'N',
        ...setting(member),
      }),
      ...reasonFlag,
      'source-id': textFlag('your own id (in a file: the column "source_id")', 'ID', setting('source_id')),
      ...own,
    },
    words: {
      noun,
      verb: `${verb} ${of} ${to}`,
      done: `${done} ${of} ${to}`,
      unchanged: 'already changed',
      key: 'code',
      member: 'balance',
    },
    // No answer names the transaction: only a search after a lost answer does.
    results: { transaction_id: [] },
    onDuplicate: 'keep',
    choosing,
    async rows({ args, flags, run }) {
      const given = flags as Omit<typeof flags, 'campaign'> & Record<string, unknown> & { campaign?: string }
      const { reason, 'source-id': source_id, campaign } = given
      const shared = { ...(reason !== undefined && { reason }), ...(source_id !== undefined && { source_id }) }
      const endpoint = of === 'points' && campaign !== undefined ? changeCampaignMemberBalance : (calls[0] as Endpoint)
      const cells = await bodiesOfRows(endpoint.body as ZodType, { ...shared, [member]: given[member] }, { flags, run })

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
      const request = (row: Row) => {
        const path =
          of === 'credits'
            ? { code: row.key }
            : { memberId: row.key, ...(campaign !== undefined && { campaignId: campaign }) }
        return { path, body: bodyOf(row) } as never
      }
      const action = (rows: Iterable<Row>) => {
        let sum = 0
        let count = 0
        const codes = new Set<string>()
        for (const row of rows) {
          sum += Math.abs(Number((bodyOf(row) as Record<string, unknown>)[member]))
          count += 1
          codes.add(row.key)
        }
        const unit = sum === 1 ? of.slice(0, -1) : of
        const cards =
          count === 1
            ? `${noun} ${shownValue([...codes].join())}`
            : `${formatCount(codes.size, noun)}, in ${formatCount(count, 'change')}`
        return `${verb} ${formatNumber(sum)} ${unit} ${to} ${cards}`
      }
      const rows = { endpoint, request, action }
      if (flags.from !== undefined || args.code?.length !== 1) return rows
      const row = { line: 1, key: args.code[0] as string, fields: {} }
      return { ...rows, one: { request: request(row), question: action([row]) } }
    },
    // A change of credits was one of points, which the service allows.
    tell({ say }, answer, { args: { code: [code = ''] = [] } }) {
      if (of === 'credits' && (answer as { type?: unknown }).type === 'loyalty_card')
        say(
          `${code} is a loyalty card, so these were points: promo loyalty transactions list --card ${shellWord(code)}`,
        )
    },
  })
}
