// How findings are shown, and which exit code they have.
import { formatCount } from '../../../base/numbers.ts'
import { isAtLeast } from '../../../check/check.ts'
import type { Severity } from '../../../check/rule.ts'
import { severities } from '../../../check/rule.ts'
import { EXIT, type ExitCode, usageError } from '../../../errors.ts'
import { findingColumns } from '../../../output/columns/findings.ts'
import type { Format } from '../../../output/shape.ts'
import type { Showing } from '../../result/output.ts'
import type { Checked } from './open.ts'
import { type ReportFormat, reportFormats, reportOf } from './reports.ts'
import { findingText } from './text.ts'

/** The format of findings, as a flag names it; absent: rows in the form of the other flags. */
export type FindingFormat = Format | ReportFormat | undefined

/** Says whether a report is asked for, or a text: a table of sentences is narrow, and is a text where nobody names the format. */
export function formOf(format: FindingFormat, { isTable, shape }: Showing) {
  const report = reportFormats.find((one) => one === format)
  return { report, isText: format === undefined && isTable && shape.columns === undefined }
}

/** Writes findings in the form that is asked for; returns 12 where one is as bad as `failsOn`. */
export async function showFindings(
  { findings, hidden, looked, unchecked }: Checked,
  { format, failsOn, version }: { format: FindingFormat; failsOn: Severity; version: string },
  show: Showing,
): Promise<ExitCode> {
  const { report, isText } = formOf(format, show)
  const rows = findings.map(({ severity, rule, object, file, line, message, fix }) => ({
    severity,
    rule,
    object,
    file: file ?? null,
    line: line ?? null,
    message,
    fix: fix ?? null,
    docs: `docs/checks.md#${rule}`,
  }))
  if (report !== undefined) await writeReport(report, reportOf(report, findings, version), show)
  else if (isText && findings.length > 0) await show.text(findingText(findings, show.isColourful))
  else await show.rows(rows, findingColumns, { nothing: '' })
  const counts = severities.flatMap((severity) => {
    const count = findings.filter((one) => one.severity === severity).length
    return count === 0 ? [] : severity === 'info' ? `${count} info` : formatCount(count, severity)
  })
  for (const line of unchecked) show.say(`not checked: ${line}`)
  const ignored = hidden === 0 ? '' : `, ${formatCount(hidden, 'finding')} ignored by comments`
  show.say(`${counts.length === 0 ? 'nothing found' : counts.join(', ')} in ${looked}${ignored}`)
  return findings.some((one) => isAtLeast(one, failsOn)) ? EXIT.no : EXIT.ok
}

/** Writes a report. Throws `usage` for flags that shape rows. */
export async function writeReport(
  report: ReportFormat,
  text: string,
  { shape: { columns, query }, text: write }: Showing,
): Promise<void> {
  if ((columns ?? query) !== undefined)
    throw usageError(`--columns and --query need rows, but ${report} has none`, '--json')
  await write(once(text))
}

async function* once(text: string): AsyncGenerator<string> {
  yield text
}
