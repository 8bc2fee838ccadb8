// The report of a period: its rows, and what is said about them.
import { formatCount } from '../../../base/numbers.ts'
import { balanceTables, completeUntil, gapUntil } from '../../../ledger/completeness.ts'
import type { Copy } from '../../../ledger/copy.ts'
import { cardsOf } from '../../../ledger/movements.ts'
import {
  type Account,
  type BrokenCard,
  type ReportRow,
  rollForward,
  rowOf,
  type Valuation,
  type ValuedFigures,
  valued,
} from '../../../ledger/report.ts'
import { campaignsIn, soldBy } from './campaigns.ts'
import type { Period } from './period.ts'

/** What a report is asked for. */
export interface ReportQuestion extends Valuation {
  period: Period
  /** Where its days begin and end. */
  timeZone: string
  campaign: string | undefined
  /** What says that issued credit was sold. */
  sold: readonly string[] | undefined
}

export type ValuedRow = ReportRow & ValuedFigures

/** One campaign and unit: the whole period, and each month of it. */
export interface ReportedAccount {
  row: ValuedRow
  months: ValuedRow[]
}

export interface Report {
  accounts: ReportedAccount[]
  broken: BrokenCard[]
  /** What a reader must know that is missing. */
  gap: string | undefined
  /** What else a reader must know. */
  notes: string[]
}

/** Makes the report of a copy, its accounts by campaign and unit. Throws `usage` for a campaign that the copy has not. */
export function makeReport(copy: Copy, { period, timeZone, campaign, sold, ...said }: ReportQuestion): Report {
  const campaigns = campaignsIn(copy)
  const only = campaign === undefined ? undefined : campaigns.idOf(campaign)
  const isSold = soldBy(sold ?? [], campaigns)
  const until = completeUntil(copy, balanceTables)
  const { bounds } = period
  function* chosen() {
    for (const card of cardsOf(copy)) if (only === undefined || card.campaignId === only) yield card
  }
  const { accounts, broken } = rollForward(chosen(), { bounds, isSold, completeUntil: until })
  const rowFrom = (account: Account, start: number, end: number): ValuedRow => {
    const name = campaigns.nameOf(account.campaignId) ?? undefined
    const row = rowOf(account, { bounds, from: start, to: end, campaign: name, isSoldKnown: sold !== undefined })
    return { ...row, ...valued(row, said) }
  }
  const reported = accounts.map((account) => ({
    row: rowFrom(account, 0, bounds.length - 1),
    months: period.months.map((_, at) => rowFrom(account, at, at + 1)),
  }))
  return {
    accounts: reported.toSorted((one, other) => compare(nameIn(one.row), nameIn(other.row))),
    broken,
    gap: gapUntil(bounds.at(-1) ?? '', until),
    notes: [
      `${period.words} in ${timeZone}, by a copy that is complete until ${until ?? 'no instant'}.`,
      'Opening and all movements make closing. Credits are in the smallest unit.',
      'What expired or was switched off is not owed.',
      'A card that is off counts as switched off from its last change on.',
      ...(sold === undefined ? [] : [`Issued credit counts as sold by: ${sold.join(', ')}.`]),
      ...(said.pointValue === undefined ? [] : [`A point is valued at ${said.pointValue}, as asked for.`]),
      ...(said.breakage === undefined ? [] : [`Breakage is ${said.breakage} % of closing, as asked for.`]),
      ...(broken.length === 0 ? [] : [`${formatCount(broken.length, 'card')} did not add up.`]),
      'This is a calculation, and no accounting advice.',
    ],
  }
}

function nameIn({ campaign, campaign_id, unit }: ReportRow): string {
  return `${campaign ?? campaign_id ?? ''} ${unit}`
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
