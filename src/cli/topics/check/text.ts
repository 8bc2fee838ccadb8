// Findings for people: by object, each in a sentence, with what to do.
import { styleText } from 'node:util'
import { sanitize } from '../../../base/text/sanitize.ts'
import type { Placed } from '../../../check/ignores.ts'

/** Where a finding is: file and line, or the object of a project. */
export function placeOf({ file, line, object }: Placed): string {
  return file === undefined ? object : `${file}:${line}`
}

/** Yields findings as a text, an object after the other. What comes from the project or its files is sanitised. */
export async function* findingText(findings: readonly Placed[], isColourful: boolean): AsyncGenerator<string> {
  let first = true
  for (const [object, same] of Map.groupBy(findings, ({ object }) => object)) {
    const title = sanitize(object)
    yield `${first ? '' : '\n'}${isColourful ? styleText('bold', title, { validateStream: false }) : title}\n`
    first = false
    for (const one of same) {
      yield `  ${one.severity} ${one.rule}${one.file === undefined ? '' : `  ${sanitize(placeOf(one))}`}\n`
      yield `    ${sanitize(one.message)}\n`
      if (one.fix !== undefined) yield `    fix: ${sanitize(one.fix)}\n`
    }
  }
}
