// What arrives one by one until the run is stopped: printed as it comes, because a table needs its last row to know its widths.

import { sanitize } from '../../base/text/sanitize.ts'
import type { ColumnSet } from '../../output/column.ts'
import { lineOf, type Parts } from '../../output/form/line.ts'
import { writerTo } from '../../output/write.ts'
import type { Host } from '../run/host.ts'
import { onlyClosedPipe } from '../stop.ts'
import { type ShowingHost, showingOf } from './output.ts'

/** Returns the signal that ends the following: the run's own, or the time of `--for`. */
export function endOf(flags: { for?: number | undefined }, { stop }: Pick<Host, 'stop'>): AbortSignal {
  return flags.for === undefined ? stop : AbortSignal.any([stop, AbortSignal.timeout(flags.for)])
}

/** Prints rows as they come: a line each, or JSON Lines. */
export async function follow<Row extends object>(
  rows: AsyncIterable<Row>,
  columns: ColumnSet,
  partsOf: (row: Row) => Parts,
  { jsonl }: { jsonl?: boolean },
  host: ShowingHost,
): Promise<void> {
  if (jsonl) return await showingOf({ jsonl }, host).afterWrite.rows(rows, columns)
  const out = writerTo(host.stdout, onlyClosedPipe(host.stop))
  const { isTTY, columns: width } = host.stdout
  for await (const row of rows) await out.write(`${sanitize(lineOf(partsOf(row), isTTY ? width : undefined))}\n`)
}
