// The report as one page: nothing is loaded from elsewhere, nothing runs, and it is as clear in black and white and on paper.
import { formatNumber } from '../base/numbers.ts'
import { movedLines, type ReportRow, stepsOf } from './report.ts'

/** What a page shows. */
export interface ReportPage {
  project: string
  /** The period in words: `September 2026`. */
  period: string
  /** When the copy was complete, and everything else that a reader must know. */
  notes: readonly string[]
  accounts: readonly PageAccount[]
}

/** One campaign and unit: the whole period, and what was owed at the end of each part of it. */
export interface PageAccount {
  row: ReportRow
  /** Its value and breakage in words: `worth 120.00 at 0.01 a point`. */
  remarks: readonly string[]
  months: readonly { label: string; closing: number }[]
}

/** Returns the page as HTML. */
export function reportPage({ project, period, notes, accounts }: ReportPage): string {
  const title = `What is owed on cards, ${period}: ${project}`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
<svg width="0" height="0" aria-hidden="true"><defs><pattern id="less" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="6" height="6" fill="#fff"/><line x1="0" y1="0" x2="0" y2="6" stroke="#333" stroke-width="2.5"/></pattern></defs></svg>
<h1>What is owed on cards</h1>
<p class="period">${escaped(period)} · ${escaped(project)}</p>
${accounts.length === 0 ? '<p>No card had a balance.</p>' : overview(accounts)}
${accounts.map(section).join('\n')}
<section class="notes"><h2>Notes</h2><ul>${notes.map((note) => `<li>${escaped(note)}</li>`).join('')}</ul></section>
</body>
</html>
`
}

const style = `
:root { color: #111; background: #fff; font: 15px/1.5 system-ui, "Segoe UI", Helvetica, Arial, sans-serif; }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.7rem; margin: 0; } h2 { font-size: 1.2rem; margin: 2.2rem 0 .4rem; } .period { margin: 0 0 1rem; color: #444; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .5rem; text-align: right; border-bottom: 1px solid #ccc; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; white-space: normal; } .overview :is(th, td):nth-child(2) { text-align: left; } thead th { border-bottom: 2px solid #333; }
tr.part td:first-child, tr.part th:first-child { padding-left: 1.6rem; font-weight: normal; } tbody th { font-weight: normal; } tr.sum th, tr.sum td { font-weight: 600; border-bottom: 2px solid #333; }
figure { margin: 1rem 0; } figcaption { color: #444; font-size: .9rem; } svg { width: 100%; height: auto; } svg text { font-size: 13px; fill: #111; paint-order: stroke; stroke: #fff; stroke-width: 4px; } svg .small { font-size: 11px; } .notes li { margin: .2rem 0; }
@media print { :root { font-size: 11px; } body { margin: 0; max-width: none; } section { break-inside: avoid; } @page { margin: 15mm; } }
`

/** The words of the lines, in the page and on a terminal. */
export function lineWords(line: string): string {
  const words: Readonly<Record<string, string>> = {
    added: 'added by hand',
    removed: 'removed by hand',
    sold: 'of it sold',
    given: 'of it given away',
    unknown: 'of unknown cause',
  }
  return words[line] ?? line.replaceAll('_', ' ')
}

function overview(accounts: readonly PageAccount[]): string {
  const rows = accounts.map(({ row }) => {
    const cells = [row.opening, row.closing - row.opening, row.closing].map((number, at) => figure(number, at === 1))
    return `<tr><th scope="row">${escaped(nameOf(row))}</th><td>${row.unit}</td>${cells.join('')}<td>${formatNumber(row.cards)}</td></tr>`
  })
  const heads = ['Campaign', 'Unit', 'Opening', 'Change', 'Closing', 'Cards'].map(
    (head) => `<th scope="col">${head}</th>`,
  )
  return `<table class="overview"><thead><tr>${heads.join('')}</tr></thead><tbody>${rows.join('')}</tbody></table>`
}

function nameOf({ campaign, campaign_id }: ReportRow): string {
  return campaign ?? campaign_id ?? 'no campaign'
}

function section({ row, remarks, months }: PageAccount): string {
  const lines = movedLines(row).map(({ line, amount, isPart }) => tableLine(line, amount, isPart ? 'part' : 'moved'))
  return `<section data-campaign="${escaped(row.campaign_id ?? '')}" data-unit="${row.unit}">
<h2>${escaped(nameOf(row))} · ${row.unit}</h2>
<table class="rollforward"><tbody>
${[tableLine('opening', row.opening, 'sum'), ...lines, tableLine('closing', row.closing, 'sum')].join('\n')}
</tbody></table>
${remarks.map((remark) => `<p>${escaped(remark)}</p>`).join('')}
${waterfall(row)}
${months.length > 1 ? lineChart(months) : ''}
</section>`
}

function tableLine(line: string, number: number, kind: 'sum' | 'moved' | 'part'): string {
  return `<tr class="${kind}"><th scope="row">${lineWords(line)}</th>${figure(number, kind === 'moved')}</tr>`
}

function figure(number: number, isSigned: boolean): string {
  return `<td data-figure="${number}">${isSigned ? signed(number) : formatNumber(number)}</td>`
}

/** Returns a change with its sign, of which the minus is one that is as wide as a plus. */
export function signed(number: number): string {
  return number > 0 ? `+${formatNumber(number)}` : formatNumber(number).replace('-', '−')
}

const width = 720
const lineHeight = 24

/** Bars from opening to closing: what adds is empty, what takes off is hatched, so that colours are not needed. */
function waterfall(row: ReportRow): string {
  const steps = stepsOf(row)
  const ends = steps.map(({ to }) => to)
  const [least, most] = [Math.min(0, ...ends), Math.max(0, ...ends)]
  const [left, right] = [150, 110]
  const x = (number: number) => left + ((number - least) / (most - least || 1)) * (width - left - right)
  const bars = steps.map(({ line, from, to }, at) => {
    const isSum = line === 'opening' || line === 'closing'
    const y = at * lineHeight + 4
    const fill = isSum ? '#111' : to < from ? 'url(#less)' : '#fff'
    const link = at === 0 || isSum ? to : from
    return `<line x1="${px(x(link))}" y1="${at === 0 ? y : y - 8}" x2="${px(x(link))}" y2="${y}" stroke="#777"/>
<text x="${left - 8}" y="${y + 12}" text-anchor="end">${lineWords(line)}</text>
<rect x="${px(x(Math.min(from, to)))}" y="${y}" width="${px(Math.max(Math.abs(x(to) - x(from)), 1))}" height="16" fill="${fill}" stroke="#111"/>
<text x="${width}" y="${y + 12}" text-anchor="end">${isSum ? formatNumber(to) : signed(to - from)}</text>`
  })
  const height = bars.length * lineHeight + 4
  return `<figure><svg viewBox="0 0 ${width} ${height}" role="img" aria-label="From opening to closing">${bars.join('')}</svg>
<figcaption>From opening to closing. Empty bars add, hatched bars take off.</figcaption></figure>`
}

/** What was owed at the end of each month, with its figure at each point as long as there is room. */
function lineChart(months: PageAccount['months']): string {
  const [left, right, top, bottom] = [30, 40, 30, 150]
  const numbers = months.map(({ closing }) => closing)
  const [least, most] = [Math.min(0, ...numbers), Math.max(0, ...numbers)]
  const x = (at: number) => left + (at / (months.length - 1)) * (width - left - right)
  const y = (number: number) => bottom - ((number - least) / (most - least || 1)) * (bottom - top)
  const every = Math.ceil(months.length / 12)
  const isLabelled = (at: number) => at === months.length - 1 || (at % every === 0 && at < months.length - every)
  const marks = months.map(({ label, closing }, at) => {
    const place = `${px(x(at))}" cy="${px(y(closing))}`
    const texts = isLabelled(at)
      ? `<text x="${px(x(at))}" y="${px(y(closing) - 9)}" text-anchor="middle" class="small">${formatNumber(closing)}</text><text x="${px(x(at))}" y="${bottom + 18}" text-anchor="middle" class="small">${escaped(label)}</text>`
      : ''
    return `<circle cx="${place}" r="3.5" fill="#111"/>${texts}`
  })
  const path = months.map(({ closing }, at) => `${px(x(at))},${px(y(closing))}`).join(' ')
  return `<figure><svg viewBox="0 0 ${width} ${bottom + 26}" role="img" aria-label="What was owed at the end of each month"><line x1="${left}" y1="${px(y(0))}" x2="${width - right}" y2="${px(y(0))}" stroke="#999"/><polyline points="${path}" fill="none" stroke="#111" stroke-width="2"/>${marks.join('')}</svg><figcaption>What was owed at the end of each month.</figcaption></figure>`
}

function px(number: number): string {
  return String(Math.round(number * 10) / 10)
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
