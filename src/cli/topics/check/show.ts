// How findings are shown, and which exit code they have.
import { counted } from '../../../base/grouped.ts'
import { isAtLeast } from '../../../check/check.ts'
import type { Severity } from '../../../check/rule.ts'
import { severities } from '../../../check/rule.ts'
import { EXIT, type ExitCode } from '../../../errors.ts'
import { findingColumns } from '../../../output/columns/findings.ts'
import { messagesTo } from '../../result/messages.ts'
import { isPlainTable, type OutputFlags, shapeOf, sinkOf } from '../../result/output.ts'
import type { Host } from '../../run/host.ts'
import type { Checked } from './open.ts'
import { findingText } from './text.ts'

/** Writes findings in the form that the flags ask for; returns 12 where one is as bad as `fail-on`. */
export async function showFindings(
  { findings, hidden, looked, unchecked }: Checked,
  flags: OutputFlags & { 'fail-on': Severity },
  host: Host,
): Promise<ExitCode> {
  const { emit, emitText } = await import('../../../output/emit.ts')
  const messages = messagesTo(host, flags)
  const shape = shapeOf(flags, host)
  const sink = sinkOf(flags, host)
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
  if (isPlainTable(flags) && flags.columns === undefined && findings.length > 0)
    await emitText(findingText(findings, sink.color), shape, sink)
  else await emit(rows, findingColumns, shape, sink, { nothing: '' })
  const counts = severities.flatMap((severity) => {
    const count = findings.filter((one) => one.severity === severity).length
    return count === 0 ? [] : severity === 'info' ? `${count} info` : counted(count, severity)
  })
  for (const line of unchecked) messages.say(`not checked: ${line}`)
  const ignored = hidden === 0 ? '' : `, ${counted(hidden, 'finding')} ignored by comments`
  messages.say(`${counts.length === 0 ? 'nothing found' : counts.join(', ')} in ${looked}${ignored}`)
  return findings.some((one) => isAtLeast(one, flags['fail-on'])) ? EXIT.no : EXIT.ok
}
