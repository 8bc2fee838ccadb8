import { formatCount } from '../../../base/numbers.ts'
import type { Row } from '../../../bulk/input/row.ts'
import { bulkCommand } from '../../../cli/declared/bulk.ts'
import { reasonFlag } from '../../../cli/flags/flags.ts'
import { argumentList, cardIn, count, setting, textFlag } from '../../../cli/flags/kinds.ts'
import { wholeNumber } from '../../../cli/flags/values.ts'
import { mostPoints } from '../../../cli/topics/balances/command.ts'
import { listCardTransactions } from '../../../contract/loyalty.ts'
import { transferPoints } from '../../../contract/loyalty-programs.ts'
import { getVoucher } from '../../../contract/vouchers.ts'
import { usageError } from '../../../errors.ts'

interface TransferFlags {
  to?: string | undefined
  points?: number | undefined
  reason?: string | undefined
  'source-id'?: string | undefined
  column?: string | undefined
}

/** Points to move from the card `code` to the card `to`. */
interface Transfer {
  code: string
  to: string
  points: number
  /** Drawn for a row that has none. */
  source_id?: string
  reason?: string
}

/** The columns of a file of transfers, beside the card that the points come from. */
const transferColumns = ['to', 'points', 'reason', 'source_id']

/**
 * Returns the function that reads the transfer of a row, which has a source id of its own unless the flags give one.
 *
 * It throws `usage` for a column that a transfer does not have, and for a row without card or points.
 */
function transfersFrom(flags: TransferFlags): (row: Row) => Transfer {
  const { column = 'code' } = flags
  return ({ key, fields }) => {
    const given = Object.entries(fields).filter(([name, value]) => name !== column && value !== '' && value !== null)
    const strange = given.find(([name]) => !transferColumns.includes(name))
    if (strange)
      throw usageError(
        `a transfer has no field "${strange[0]}"`,
        `the columns are ${column}, ${transferColumns.join(', ')}`,
      )
    const cells = Object.fromEntries(given.map(([name, value]) => [name, String(value)]))
    const to = cells.to ?? flags.to
    const points = cells.points === undefined ? flags.points : wholeNumber(cells.points, 1, mostPoints)
    const reason = cells.reason ?? flags.reason
    if (to === undefined) throw usageError('no card given that gets the points', '--to CLUB-002, or a column "to"')
    if (points === undefined) throw usageError('no points given', '--points 50, or a column "points"')
    const source_id = cells.source_id ?? flags['source-id']
    return {
      code: key,
      to,
      points,
      ...(source_id !== undefined && { source_id }),
      ...(reason !== undefined && { reason }),
    }
  }
}

export default bulkCommand('Move points from loyalty cards to another card', {
  description:
    "Asks for confirmation even for one card. Nothing is sent twice. If an answer is lost, the card's transactions show by the source id whether it arrived; without one the outcome is unknown (exit 6). In a file, code is the card that the points leave. Each row is a transfer, also where rows are equal.",
  examples: [
    'promo loyalty points transfer CLUB-004 --to CLUB-002 --points 20 --reason "Lost card" --yes --profile sandbox',
    'promo loyalty points transfer CLUB-004 --to CLUB-002 --points 20 --campaign "Bean Club" --dry-run --profile sandbox',
  ],
  calls: [transferPoints, listCardTransactions, getVoucher],
  undo: 'loyalty:points:transfer',
  args: { code: argumentList('the cards the points come from, by code; one that starts with - goes after --') },
  asks: {
    code: { unless: ['from'] },
    to: { unless: ['from'], question: 'the card that gets the points:' },
    points: {
      unless: ['from'],
      question: 'how many points:',
      check: (text: string) => wholeNumber(text, 1, mostPoints),
    },
  },
  flags: {
    campaign: textFlag('the campaign of the card, by id or name', undefined, {
      [cardIn]: 'to',
    }),
    to: textFlag('the card that gets the points, by code or id', 'CODE', setting('to')),
    points: count('points per card; the column "points" overrides it', 1, mostPoints, setting('points')),
    ...reasonFlag,
    'source-id': textFlag('your own id (in a file: the column "source_id")', 'ID', setting('source_id')),
  },
  words: {
    noun: 'loyalty card',
    verb: 'move points from',
    done: 'moved points from',
    unchanged: 'already moved',
    key: 'code',
    member: 'receiver',
  },
  // No answer names the transaction: only a search after a lost answer does. The answer is the card that got the points.
  results: { transaction_id: [], code: 'code' },
  inputColumns: { also: transferColumns },
  onDuplicate: 'keep',
  rows({ flags }) {
    const transferOf = transfersFrom(flags)
    const { campaign: campaignId } = flags
    // In a file each row may name another card, and the call wants the program that they share.
    if (campaignId === undefined) throw usageError('no program given', '--campaign NAME, or --to CODE for all rows')
    return {
      request(row) {
        const { to, source_id = '', ...transfer } = transferOf(row)
        return { path: { campaignId, memberId: to }, body: [{ ...transfer, source_id }] }
      },
      // Every transfer has the id of the command line.
      ...(flags['source-id'] !== undefined && { endpoint: { ...transferPoints, drawn: [] } }),
      action(rows) {
        let points = 0
        let count = 0
        let last = ''
        const codes = new Set<string>()
        for (const row of rows) {
          const transfer = transferOf(row)
          points += transfer.points
          count += 1
          codes.add(transfer.code)
          last = `loyalty card ${transfer.code} to ${transfer.to}`
        }
        const cards =
          count === 1 ? last : `${formatCount(codes.size, 'loyalty card')}, in ${formatCount(count, 'transfer')}`
        return `move ${formatCount(points, 'point')} from ${cards}`
      },
    }
  },
})
