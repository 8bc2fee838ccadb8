// How findings are shown, and which exit code they have.
import { counted } from '../../../base/grouped.ts'
import { isAtLeast } from '../../../check/check.ts'
import type { Severity } from '../../../check/rule.ts'
import { severities } from '../../../check/rule.ts'
import { EXIT, type ExitCode, usageError } from '../../../errors.ts'
import { findingColumns } from '../../../output/columns/findings.ts'
import type { Format } from '../../../output/shape.ts'
import { isColourful } from '../../colours.ts'
import { isPlainTable, type OutputFlags, showingOf } from '../../result/output.ts'
import type { Host } from '../../run/host.ts'
import type { Checked } from './open.ts'
import { type ReportFormat, reportFormats, reportOf } from './reports.ts'
import { findingText } from './text.ts'

/** The flags of a check; some formats are those of a report. */
export type CheckFlags = Omit<OutputFlags, 'format'> & { format?: Format | ReportFormat | undefined }

/** Says whether flags ask for a report, and how they shape rows; a table of sentences is narrow, and is a text where nobody names the format. */
export function shapeOf(format: CheckFlags['format'], flags: Omit<OutputFlags, 'format'>) {
  const report = reportFormats.find((one) => one === format)
  const isOfRows = format !== undefined && report === undefined
  const shaped: OutputFlags = { ...flags, ...(isOfRows && { format: format as Format }) }
  return { report, shaped, isText: format === undefined && isPlainTable(shaped) && flags.columns === undefined }
}

/** Writes findings in the form that the flags ask for; returns 12 where one is as bad as `fail-on`. */
export async function showFindings(
  { findings, hidden, looked, unchecked }: Checked,
  { format, ...flags }: CheckFlags & { 'fail-on': Severity },
  host: Host,
  version: string,
): Promise<ExitCode> {
  const { report, shaped, isText } = shapeOf(format, flags)
  const show = showingOf(shaped, host)
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
  if (report !== undefined) await writeReport(report, reportOf(report, findings, version), flags, host)
  else if (isText && findings.length > 0) await show.text(findingText(findings, isColourful(host.stdout, host, flags)))
  else await show.rows(rows, findingColumns, { nothing: '' })
  const counts = severities.flatMap((severity) => {
    const count = findings.filter((one) => one.severity === severity).length
    return count === 0 ? [] : severity === 'info' ? `${count} info` : counted(count, severity)
  })
  for (const line of unchecked) show.say(`not checked: ${line}`)
  const ignored = hidden === 0 ? '' : `, ${counted(hidden, 'finding')} ignored by comments`
  show.say(`${counts.length === 0 ? 'nothing found' : counts.join(', ')} in ${looked}${ignored}`)
  return findings.some((one) => isAtLeast(one, flags['fail-on'])) ? EXIT.no : EXIT.ok
}

/** Writes a report. Throws `usage` for flags that shape rows. */
export async function writeReport(
  report: ReportFormat,
  text: string,
  flags: Omit<OutputFlags, 'format'>,
  host: Host,
): Promise<void> {
  if ((flags.columns ?? flags.query) !== undefined)
    throw usageError(`--columns and --query need rows, but ${report} has none`, '--json')
  await showingOf({ ...flags, format: 'text' }, host).text(once(text))
}

async function* once(text: string): AsyncGenerator<string> {
  yield text
}
