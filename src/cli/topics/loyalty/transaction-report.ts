// What is reported about a listing of transactions apart from its rows: how many were read, broken balances, a chart.
import { formatNumber } from '../../../base/numbers.ts'
import { balanceCheck, brokenBalanceText } from '../../../ledger/running-balance.ts'
import { sparkline } from '../../../output/form/bars.ts'

export interface TransactionReport {
  /** Takes every transaction that is read, including those that a filter drops. */
  read: (transaction: unknown) => void
  /** Takes every transaction that is shown. */
  show: (transaction: object) => void
  /** `read 120, shown 3` */
  counts: () => string
  /** One sentence for each place where the card's balance breaks, the first few of them. */
  warnings: () => string[]
  /** A chart of the balance, oldest first, of the given width; undefined when no balance was shown. */
  chart: (width: number) => string | undefined
}

interface Wanted {
  newestFirst: boolean
  /** All transactions belong to one card, so each balance must follow from the one before. */
  isOneCard: boolean
  /** The balances of shown transactions are kept for a chart. */
  isCharted: boolean
}

const warningsShown = 5

/** Creates the report of one listing. Keeps one number per transaction for a chart, and nothing else that grows. */
export function transactionReport({ newestFirst, isOneCard, isCharted }: Wanted): TransactionReport {
  const check = isOneCard ? balanceCheck({ newestFirst }) : undefined
  const found: string[] = []
  const balances: number[] = []
  let read = 0
  let shown = 0
  let breaks = 0

  return {
    read(transaction) {
      read += 1
      const broken = check?.take(transaction)
      if (broken === undefined) return
      breaks += 1
      if (breaks <= warningsShown) found.push(brokenBalanceText(broken))
    },
    show(transaction) {
      shown += 1
      const balance = isCharted ? balanceOf(transaction) : undefined
      if (balance !== undefined) balances.push(balance)
    },
    counts: () => `read ${formatNumber(read)}, shown ${formatNumber(shown)}`,
    warnings: () => (breaks > warningsShown ? [...found, `and ${breaks - warningsShown} more such breaks`] : found),
    chart(width) {
      if (balances.length === 0) return undefined
      const inTime = newestFirst ? balances.toReversed() : balances
      return `balance ${inTime[0]} ${sparkline(inTime, width)} ${inTime.at(-1)}`
    },
  }
}

function balanceOf(transaction: object): number | undefined {
  const { details } = transaction as { details?: { balance?: { balance?: unknown } | null } | null }
  const balance = details?.balance?.balance
  return typeof balance === 'number' ? balance : undefined
}
