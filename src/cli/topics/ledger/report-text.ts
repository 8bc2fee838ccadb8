// The report for people: as text on a terminal, and as a page.
import { formatCount, formatNumber } from '../../../base/numbers.ts'
import { sanitize } from '../../../base/text/sanitize.ts'
import { lineWords, type PageAccount, signed } from '../../../ledger/html.ts'
import { movedLines, product, type ReportStep, stepsOf, type Valuation } from '../../../ledger/report.ts'
import { columnsFrom } from '../../../output/columns-of.ts'
import type { Section } from '../../../output/emit.ts'
import { type Step, sparkline, waterfallChart } from '../../../output/form/bars.ts'
import type { ReportedAccount, ValuedRow } from './report.ts'

const lineColumns = columnsFrom('line amount:number')

/** Returns each account as a statement: opening, every line that is not zero, closing. */
export function statements(accounts: readonly ReportedAccount[], said: Valuation): Section[] {
  return accounts.map(({ row }) => ({
    title: titleOf(row),
    content: [
      { line: 'opening', amount: formatNumber(row.opening) },
      ...movedLines(row).map(({ line, amount, isPart }) => ({
        line: isPart ? `  ${lineWords(line)}` : lineWords(line),
        amount: isPart ? formatNumber(amount) : signed(amount),
      })),
      { line: 'closing', amount: formatNumber(row.closing) },
      ...remarkLines(row, said),
    ],
    columns: lineColumns,
    nothing: '',
  }))
}

function titleOf({ campaign, campaign_id, unit }: ValuedRow): string {
  return `${campaign ?? campaign_id ?? 'no campaign'} · ${unit}`
}

function remarkLines(row: ValuedRow, { pointValue }: Valuation): { line: string; amount: string }[] {
  const { breakage, expected_use, unit, closing } = row
  return [
    ...(breakage === null ? [] : [{ line: 'breakage', amount: formatNumber(breakage) }]),
    ...(expected_use === null ? [] : [{ line: 'expected use', amount: formatNumber(expected_use) }]),
    ...(pointValue === undefined || unit !== 'points'
      ? []
      : [{ line: 'closing value', amount: product(closing, pointValue) }]),
  ]
}

/** Draws each account as bars from opening to closing, and what was owed month by month; lines of at most `width` columns. */
export function chartLines(accounts: readonly ReportedAccount[], width: number): string[] {
  return accounts.flatMap(({ row, months }, at) => {
    const closings = [row.opening, ...months.map(({ closing }) => closing)]
    const trend = `by month  ${formatNumber(row.opening)} ${sparkline(closings, width - 40)} ${formatNumber(row.closing)}`
    return [
      ...(at === 0 ? [] : ['']),
      sanitize(titleOf(row)),
      ...waterfallChart(stepsOf(row).map(drawnStep), width),
      ...(months.length > 1 ? [trend] : []),
    ]
  })
}

/** What adds is dark, what takes off is light. */
function drawnStep({ line, from, to }: ReportStep): Step {
  const label = lineWords(line)
  if (line === 'opening' || line === 'closing') return { label, from, to, text: formatNumber(to), fill: '█' }
  return { label, from, to, text: signed(to - from), fill: to > from ? '▓' : '░' }
}

/** Returns an account as the page shows it. */
export function pageAccount({ row, months }: ReportedAccount, labels: readonly string[], said: Valuation): PageAccount {
  return {
    row,
    remarks: [
      `${formatCount(row.cards, 'card')} with a balance at the end.`,
      ...remarkLines(row, said).map(({ line, amount }) => `${line}: ${amount}`),
    ],
    months: months.map(({ closing }, at) => ({ label: labels[at] ?? '', closing })),
  }
}
