// The error about an input with bad rows; a module of its own, because most inputs have none.
import { formatNumber } from '../../base/numbers.ts'
import { inputError, visible } from './input-error.ts'

/** What was counted while an input was read. */
export interface Counts {
  /** The first next step that a bad row has of its own. */
  remedy?: string | undefined
  /** Bad rows whose key only has white space around it. */
  untrimmed: number
  /** Bad rows of which the problems say something. */
  shown: number
  total: number
  others: number
  duplicates: number
  bad: number
  warnings: string[]
}

/** Makes the error: how many rows are bad, what is wrong with the first ones, and what to do. */
export function badInput(
  { rows, of, skipFlag }: InputWords & { skipFlag?: string | undefined },
  problems: string[],
  { bad, shown: rowsShown, untrimmed, remedy, ...counts }: Counts,
  isCutShort: boolean,
) {
  const total = counts.total + counts.others
  const shown = problems.map((problem) => `\n  ${problem}`).join('')
  const more = bad > rowsShown ? `\n  and ${formatNumber(bad - rowsShown)} more` : ''
  const rest = isCutShort ? ', and what follows cannot be read' : ''
  const all = isCutShort ? `the first ${formatNumber(total)}` : formatNumber(total)
  const bads = total === 1 ? `the ${isCutShort ? 'first' : 'only'} ${rows}` : `${formatNumber(bad)} of ${all} ${rows}s`
  const verb = bad === 1 ? 'is' : 'are'
  return inputError(
    `${bads}${of} ${verb} bad${rest}; nothing was sent${shown}${more}`,
    nextStep({ remedy, untrimmed, bad }, skipFlag),
    undefined,
    true,
  )
}

function nextStep(
  { remedy, untrimmed, bad }: Pick<Counts, 'remedy' | 'untrimmed' | 'bad'>,
  skipFlag: string | undefined,
): string {
  if (remedy !== undefined) return remedy
  if (untrimmed === 0) {
    const skip = skipFlag === undefined ? '' : `, or add ${skipFlag} to send the others`
    return `correct the input and run the same command again${skip}`
  }
  const rows = untrimmed === bad ? 'these rows' : `${formatNumber(untrimmed)} of these rows`
  return `--trim removes the white space around the values of ${rows}`
}

interface InputWords {
  rows: string
  of: string
}

/** Returns how its rows are called, and of what they are. */
export function inputWords(name: string, counted: 'line' | 'argument'): InputWords {
  if (counted === 'argument') return { rows: 'argument', of: '' }
  return { rows: 'row', of: ` of ${name === '-' ? 'standard input' : visible(name)}` }
}
