// Exports: jobs whose result is a CSV file. Source: docs/service/exports.md#fields; docs/service/exports.md#kinds.
import { z } from 'zod'
import { bothWays, callsAbout, filters, pagesBy } from './calls-about.ts'
import { endpoint } from './endpoint.ts'

/** The kinds of object that can be exported. */
export const exportedObjects = [
  'voucher',
  'redemption',
  'publication',
  'customer',
  'order',
  'points_expiration',
  'voucher_transactions',
  'product',
  'sku',
  'api_log',
] as const

/** The final states of an export; before `DONE` there is no `result`. */
export const finishedExports = ['DONE', 'ERROR'] as const

/** The columns of an export of transactions. `source` is missing in the specification's list (docs/service/exports.md#export-card-transactions). */
const transactionFields = [
  'id',
  'type',
  'source_id',
  'reason',
  'balance',
  'amount',
  'created_at',
  'voucher_id',
  'campaign_id',
  'details',
  'related_transaction_id',
  'source',
] as const

/** An export as the service returns it. `result.url` is a secret: it opens the file. */
export const exportJob = z.looseObject({
  id: z.string(),
  object: z.literal('export'),
  status: z.string(),
  result: z.looseObject({ url: z.string() }).nullish(),
})

export type ExportJob = z.output<typeof exportJob>

/** The parameters of an export of transactions; the body may be omitted. */
export const transactionExport = z
  .strictObject({
    parameters: z
      .strictObject({
        // Any field, as the specification allows; the service may accept fewer and refuse the others itself.
        order: bothWays(...transactionFields).optional(),
        fields: z.array(z.enum(transactionFields).meta({ refused_as: 'invalid_export_fields' })).optional(),
        filters: filters.optional(),
      })
      .optional(),
  })
  .optional()

/** Declares the start of an export of the transactions below a path. */
export function transactionsExport<const Path extends string>(id: string, path: Path, source: string, summary: string) {
  const call = `POST ${path}/transactions/export` as const
  const effect = { repeat: 'duplicate', unproved: 'one more file does no harm' } as const
  return endpoint(id, summary, { call, body: transactionExport, response: exportJob, ...effect, source })
}

const parameters = z.strictObject({
  order: z.string().optional(),
  fields: z.array(z.string()).optional(),
  filters: filters.optional(),
})

/** The parameters of an export of anything but transactions; the body may be omitted. */
const shapedExport = z.strictObject({ parameters: parameters.optional() }).optional()

const calls = callsAbout('exports', '/v1/exports/{exportId}', {
  response: exportJob,
  source: 'docs/service/exports.md',
})

export const createExport = calls.create(
  z.strictObject({
    exported_object: z.enum(exportedObjects),
    parameters: parameters.extend({ campaign_id: z.string().optional() }).optional(),
  }),
  { repeat: 'duplicate', unproved: 'one more file does no harm' },
  'Create an export',
  'create',
)

export const listExports = calls.list(pagesBy('created_at', 'status'), 'List exports', 'list')

/** Reads the state of an export, and the address of its file once it is done. */
export const getExport = calls.get('Get an export', 'read')

/** Removes an export and its file. */
export const deleteExport = calls.delete('Delete an export', 'delete')

export const exportOrders = endpoint('orders.export', 'Export orders', {
  call: 'POST /v1/orders/export',
  body: shapedExport,
  response: exportJob,
  repeat: 'duplicate',
  unproved: 'one more file does no harm',
  source: 'docs/service/exports.md#calls',
})

/** Starts an export of the expiring points of a loyalty program. */
export const exportPointsExpiration = endpoint('loyalty.points-expiration.export', 'Export the expiration of points', {
  call: 'POST /v1/loyalties/{campaignId}/points-expiration/export',
  body: shapedExport,
  response: exportJob,
  repeat: 'duplicate',
  unproved: 'one more file does no harm',
  source: 'docs/service/exports.md#calls',
})
