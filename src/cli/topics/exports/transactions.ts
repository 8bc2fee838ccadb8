// What the exports of the transactions of a card have in common: their flags, and the body that these describe.

import type { z } from 'zod'
import type { transactionExport } from '../../../contract/exports.ts'
import { exportFilters, type FilterFlags } from '../../flags/filters.ts'
import { names, repeatable, textFlag } from '../../flags/kinds.ts'
import { type Clock, time } from '../../flags/time.ts'

/** The flags that shape the file. */
export const transactionExportFlags = {
  fields: names('the columns of the file; an unknown one shows which there are', 'a,b'),
  since: time({
    description: 'only from this time on, like 2026-01-05, today or 7d',
  }),
  until: time({ description: 'only up to this time; a day counts to its end' }),
  filter: repeatable('a filter of the service: field=a,b or field:$operator=value', 'field=value'),
  order: textFlag('the order of the rows; a leading - means descending', 'FIELD'),
}

/** Builds the body; undefined where no flag shapes the file. Throws `usage`. */
export function transactionExportBody(
  flags: FilterFlags & { order?: string | undefined; fields?: string[] | undefined },
  clock: Clock,
): z.input<typeof transactionExport> | undefined {
  const { order, fields } = flags
  const filters = exportFilters(flags, clock)
  const parameters = { ...(order !== undefined && { order }), ...(fields && { fields }), ...(filters && { filters }) }
  // The contract checks the names; here they are strings.
  return Object.keys(parameters).length > 0 ? ({ parameters } as z.input<typeof transactionExport>) : undefined
}
