// A validation explained: each redeemable with its reason, then the order as a waterfall.

import { sanitize } from '../../../base/text/sanitize.ts'
import type { Validation } from '../../../contract/validations.ts'
import { tableText } from '../../../output/form/table.ts'
import { valueAt } from '../../../output/path.ts'
import { type Result, resultsOf, titleOf } from './answer.ts'
import { waterfall } from './waterfall.ts'
import { whyOf } from './why.ts'

/**
 * Yields the explanation as lines of text, each ending with a newline. Text from the service is sanitised.
 *
 * `detailed` may return a better reason for a redeemable than the answer has.
 */
export async function* explanationOf(
  answer: Validation,
  detailed: (result: Result) => Promise<string | undefined> = async () => undefined,
): AsyncGenerator<string> {
  yield `${answer.valid ? 'valid' : 'not valid'}${modeInWords(answer)}\n`
  for (const result of resultsOf(answer)) {
    yield `\n${sanitize(`${titleOf(result)}: ${result.status}`)}\n`
    yield `  ${sanitize((await detailed(result)) ?? whyOf(result, answer))}\n`
  }
  yield '\n'
  const steps = waterfall(answer)
  if (steps.length === 0) {
    yield 'The service calculated no order.\n'
    return
  }
  yield* tableText(once(steps), columns, { header: false, color: false, timeZone: 'UTC' })
}

const columns = [
  { name: 'step', kind: 'identifier' },
  { name: 'change', kind: 'number' },
  { name: 'left', kind: 'number' },
] as const

function modeInWords({ stacking_rules }: Validation): string {
  const mode = valueAt(stacking_rules, 'redeemables_application_mode')
  if (mode === 'ALL') return ': in this project every redeemable must apply'
  if (mode === 'PARTIAL') return ': in this project it is enough if one applies'
  return ''
}

async function* once<Row>(rows: Row[]): AsyncGenerator<Row[]> {
  yield rows
}
