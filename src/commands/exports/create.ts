import { Args } from '@oclif/core'
import { shellWord } from '../../base/shell-word.ts'
import { bodyFilters, filtersFrom } from '../../cli/flags/filters.ts'
import { names, repeatable, textFlag, type ValuesOf } from '../../cli/flags/kinds.ts'
import { type Clock, time, timeRangeFrom } from '../../cli/flags/time.ts'
import { exportCommand } from '../../cli/topics/exports/command.ts'
import { withBounds } from '../../contract/date-bounds.ts'
import type { exportedObjects } from '../../contract/exports.ts'
import { createExport } from '../../contract/exports.ts'
import { usageError } from '../../errors.ts'

/** The kinds of an export: the plural that listings use, and the name of the service. */
const exportKinds = {
  vouchers: 'voucher',
  redemptions: 'redemption',
  publications: 'publication',
  customers: 'customer',
  orders: 'order',
  points: 'points_expiration',
  transactions: 'voucher_transactions',
  products: 'product',
  skus: 'sku',
} as const satisfies Record<string, (typeof exportedObjects)[number]>

type ExportKindName = keyof typeof exportKinds

/** The flags that narrow, order and shape an export. */
const exportFlags = {
  fields: names('the columns of the file; an unknown one shows which there are', 'a,b'),
  order: textFlag('the order of the rows; a leading - means descending', 'FIELD'),
  filter: repeatable('a filter of the service: field=a,b or field:$operator=value', 'field=a,b'),
  'campaign-id': textFlag('only of this campaign, by id'),
  'created-after': time({
    description: 'only what was created from this time on, like 2026-01-05, today or 7d',
  }),
  'created-before': time({ description: 'only what was created before this time' }),
}

/** Builds the body of an export from the flags. Throws `usage` for a flag that the kind does not have. */
function exportBody(kind: ExportKindName, flags: ValuesOf<typeof exportFlags>, clock: Clock) {
  const { fields, order, filter = [], 'campaign-id': campaign_id } = flags
  const { 'created-after': after, 'created-before': before } = flags
  if (campaign_id !== undefined && kind !== 'vouchers') {
    throw usageError(
      `--campaign-id is for vouchers; an export of ${kind} takes filters`,
      `promo exports create ${kind} --filter ${shellWord(`campaign_id=${campaign_id}`)}`,
    )
  }
  if ((after ?? before) !== undefined && kind === 'points') {
    throw usageError(
      'points are exported by the date on which they expire, not by the one of their creation',
      "promo exports create points --filter 'expires_at:$before=2027-01-01T00:00:00Z'",
    )
  }
  const bounded = withBounds({ filters: filtersFrom(filter) }, 'filters', 'created_at', {
    ...(after !== undefined && { afterMs: timeRangeFrom(after, clock).fromMs - 1 }),
    ...(before !== undefined && { beforeMs: timeRangeFrom(before, clock).fromMs }),
  })
  const filters = bodyFilters(bounded.filters as Record<string, unknown>)
  const parameters = {
    ...(order !== undefined && { order }),
    ...(fields && { fields }),
    ...(Object.keys(filters).length > 0 && { filters }),
    ...(campaign_id !== undefined && { campaign_id }),
  }
  return { exported_object: exportKinds[kind], ...(Object.keys(parameters).length > 0 && { parameters }) }
}

export default exportCommand('Export vouchers, redemptions, customers and more, and optionally wait for the CSV file', {
  description: 'Unlike a listing, an export has every row, however many there are.',
  examples: [
    'promo exports create vouchers --wait --out vouchers.csv --profile sandbox',
    'promo exports create redemptions --filter result=FAILURE --created-after 30d --fields id,voucher_code,date,failure_code --wait --profile sandbox',
    'promo exports create customers --order -created_at --profile sandbox',
  ],
  args: {
    kind: Args.string({
      description: 'what to export',
      ignoreStdin: true,
      options: Object.keys(exportKinds),
      required: true,
    }),
  },
  flags: exportFlags,
  calls: [createExport],
  started: ({ args, flags }, clock) => ({
    endpoint: createExport,
    request: { body: exportBody(args.kind as ExportKindName, flags, clock) },
  }),
})
