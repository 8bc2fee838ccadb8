// Findings for people: by object, each in a sentence, with what to do.
import { styleText } from 'node:util'
import type { Placed } from '../../../check/ignores.ts'
import type { Severity } from '../../../check/rule.ts'

const colours = { error: 'red', warning: 'yellow', info: 'blue' } as const

/** Where a finding is: file and line, or the object of a project. */
export function placeOf({ file, line, object }: Placed): string {
  return file === undefined ? object : `${file}:${line}`
}

/** Yields findings as a text, an object after the other. */
export async function* findingText(findings: readonly Placed[], isColourful: boolean): AsyncGenerator<string> {
  const styled = (style: 'bold' | (typeof colours)[Severity], text: string) =>
    isColourful ? styleText(style, text, { validateStream: false }) : text
  let first = true
  for (const [object, same] of Map.groupBy(findings, ({ object }) => object)) {
    yield `${first ? '' : '\n'}${styled('bold', object)}\n`
    first = false
    for (const one of same) {
      yield `  ${styled(colours[one.severity], one.severity)} ${one.rule}${one.file === undefined ? '' : `  ${placeOf(one)}`}\n`
      yield `    ${one.message}\n`
      if (one.fix !== undefined) yield `    fix: ${one.fix}\n`
    }
  }
}
