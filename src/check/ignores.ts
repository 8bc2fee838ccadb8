// Comments in files that hide findings: `# check: ignore ID because …`. Source: docs/checks.md#ignoring-a-finding.
import { nearest } from '../base/nearest.ts'
import { type Choice, chosenRules } from './check.ts'
import type { Severity } from './rule.ts'
import { rules } from './rules.ts'

/** A finding with its place; offline the file and line, else neither. */
export interface Placed {
  severity: Severity
  rule: string
  object: string
  file?: string | undefined
  line?: number | undefined
  message: string
  fix?: string | undefined
}

/** A comment that hides findings about one object and its parts. */
export interface Ignore {
  rule: string
  reason: string
  file: string
  line: number
  /** The object in whose part of the file it is. */
  address: string
}

const comment = /(?:^|\s)#\s*check:\s*ignore\b\s*([^\s]*)(?:\s+(?:because\b)?\s*(.*?))?\s*$/

/** Finds the comments of a file. `starts` are the lines on which its objects begin, the whole one first. */
export function ignoresIn(
  file: string,
  text: string,
  starts: () => readonly { address: string; line: number }[],
): Ignore[] {
  if (!text.includes('check:')) return []
  return text.split('\n').flatMap((content, index) => {
    const [found, rule = '', reason = ''] = comment.exec(content) ?? []
    if (found === undefined) return []
    const line = index + 1
    // A comment on a line of its own is about what begins on the next one.
    const reach = /^\s*#/.test(content) ? line + 1 : line
    const [whole, ...parts] = starts()
    const part = parts.findLast((one) => one.line <= reach)
    return {
      rule,
      reason: /\bbecause\b/.test(content) ? reason : '',
      file,
      line,
      address: (part ?? whole)?.address ?? '',
    }
  })
}

/** Hides what is ignored, and reports the comments that hide nothing or say no reason. */
export function withoutIgnored(
  findings: readonly Placed[],
  ignores: readonly Ignore[],
  choice: Choice,
): { shown: Placed[]; hidden: number } {
  const asked = chosenRules(choice)
  const hides = ({ rule, reason, file, address }: Ignore, finding: Placed) =>
    reason !== '' &&
    finding.file === file &&
    finding.rule === rule &&
    (finding.object === address || finding.object.startsWith(`${address}/`))
  const shown = findings.filter((finding) => !ignores.some((one) => hides(one, finding)))
  const report = (id: string, { file, line, address }: Ignore, message: string, fix: string): Placed[] => {
    const rule = asked.find((one) => one.id === id)
    const own = choice.severities?.[id]
    const severity = own === undefined || own === 'off' ? rule?.severity : own
    return severity && rule ? [{ severity, rule: id, object: address, file, line, message, fix }] : []
  }
  const problems = ignores.flatMap((one) => {
    const known = rules.find(({ id }) => id === one.rule)
    const says = `The comment ignores ${known === undefined ? JSON.stringify(one.rule) : one.rule}`
    if (known === undefined) {
      const meant = nearest(
        one.rule,
        rules.map(({ id }) => id),
      )
      const message = `${says}, and no rule is called that${meant === undefined ? '' : `; did you mean ${meant}?`}.`
      return report('ignore-of-nothing', one, message, 'correct the name of the rule, or remove the comment')
    }
    if (one.reason === '') {
      const message = `${says} and does not say why, so it hides nothing.`
      return report('ignore-without-reason', one, message, `# check: ignore ${one.rule} because …`)
    }
    if (known.needs !== undefined || !asked.includes(known) || findings.some((finding) => hides(one, finding)))
      return []
    return report(
      'ignore-of-nothing',
      one,
      `${says}, of which there is no finding here any more.`,
      'remove the comment',
    )
  })
  return { shown: [...shown, ...problems], hidden: findings.length - shown.length }
}
