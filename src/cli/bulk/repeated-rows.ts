// Rows that are all acted on, though they are about the same item, or the same in everything: a file that was exported twice looks so.
import { hash } from 'node:crypto'
import { formatCount, formatNumber } from '../../base/numbers.ts'
import { excerpt } from '../../bulk/input/input-error.ts'
import type { Row } from '../../bulk/input/row.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { BulkDefinition } from './definition.ts'

const mostNamed = 3

/** What is known about rows of which none stands for another. */
export interface RepeatedRows {
  /** How many items all rows are about; absent where each row is an item of its own. */
  items?: number
  /** `2 rows repeat another: "CLUB-001" (line 3), "CLUB-002" (line 7)`; absent: none does. */
  words?: string
}

/** Counts the items of rows that count once each, and the rows that are equal to an earlier one; nothing for other commands. */
export function repeatedRows<E extends Endpoint>(
  rows: () => Iterable<Row>,
  { onDuplicate, input, words, endpoint: { drawn = [] } }: BulkDefinition<E>,
): RepeatedRows {
  if (!['keep', 'each'].includes(onDuplicate) || 'read' in input) return {}
  // Digests, because there may be millions of rows.
  const items = new Set<string>()
  const seen = new Set<string>()
  const named: string[] = []
  let repeats = 0
  for (const { key, fields, line } of rows()) {
    items.add(digest(key))
    const own = Object.entries(fields).filter(([name]) => !drawn.includes(name) || name === words.key)
    const row = digest(JSON.stringify([key, own]))
    if (!seen.has(row)) seen.add(row)
    else {
      repeats += 1
      if (named.length < mostNamed) named.push(`${excerpt(key)} (line ${line})`)
    }
  }
  const verb = repeats === 1 ? 'repeats' : 'repeat'
  const more = repeats > mostNamed ? ` and ${formatNumber(repeats - mostNamed)} more` : ''
  return {
    ...(onDuplicate === 'keep' && { items: items.size }),
    ...(repeats > 0 && { words: `${formatCount(repeats, 'row')} ${verb} another: ${named.join(', ')}${more}` }),
  }
}

function digest(text: string): string {
  return hash('sha256', text, 'buffer').toString('latin1', 0, 10)
}

/** Returns how many items these rows are about: `2 loyalty cards`, or `2 loyalty cards, in 3 rows`. */
export function itemsIn(rows: number, noun: string, { items = rows }: RepeatedRows, unit = 'row'): string {
  return items < rows ? `${formatCount(items, noun)}, in ${formatCount(rows, unit)}` : formatCount(rows, noun)
}
