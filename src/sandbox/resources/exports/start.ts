// Accepts an export.
// Source: docs/service/exports.md#fields; docs/service/exports.md#states; docs/service/exports.md#export-card-transactions; docs/service/exports.md#create.
import { randomBytes } from 'node:crypto'
import { refused } from '../../http/refusal.ts'
import type { Context } from '../../http/route.ts'
import { exports, type StoredExport } from '../../stores/exports.ts'
import { type ExportKind, exportFields } from './columns.ts'
import { exportKinds } from './kinds.ts'
import { exportScan, invalidParameters } from './scope.ts'
import { exportStartKind } from './write.ts'

/** What a request may set for an export. */
export interface ExportParameters {
  order?: string | undefined
  fields?: readonly string[] | undefined
  filters?: Record<string, unknown> | undefined
  /** Id or name of the campaign whose vouchers are exported. */
  campaign_id?: string | undefined
}

/**
 * Stores an export as `SCHEDULED` and enqueues the writing of its file.
 *
 * `forced` are filters implied by the path; they are shown among the parameters, and `scope` enforces them.
 * Throws 400 `invalid_export_fields` or `invalid_export_params`.
 */
export function startExport(
  exported_object: string,
  parameters: ExportParameters | undefined,
  context: Context,
  { forced = {}, scope = {} }: { forced?: Record<string, unknown>; scope?: StoredExport['scope'] } = {},
): StoredExport {
  const kind = kindOf(exported_object)
  mustHave(kind, parameters?.fields ?? [])
  // Exports by campaign say how their filters are joined, also when the request does not.
  const junction = scope.campaign_id === undefined ? {} : { junction: 'AND' }
  const filters = { ...junction, ...parameters?.filters, ...forced }
  const shown = { ...parameters, ...(Object.keys(filters).length > 0 && { filters }) }
  const accepted: StoredExport = {
    id: context.id(exports.prefix),
    object: 'export',
    created_at: context.now,
    status: 'SCHEDULED',
    channel: 'API',
    exported_object,
    // The contract's optional members are `T | undefined`; stored JSON has no undefined.
    parameters: JSON.parse(JSON.stringify(shown)) as Record<string, unknown>,
    user_id: null,
    token: randomBytes(24).toString('hex'),
    scope,
  }
  exportScan(kind, accepted, context)
  context.in(exports).insert(accepted)
  context.later(exportStartKind, { export_id: accepted.id })
  return accepted
}

function kindOf(exportedObject: string): ExportKind {
  const kind = Object.hasOwn(exportKinds, exportedObject) ? exportKinds[exportedObject] : undefined
  // ASSUMED A265: the key of the refusal when the sandbox keeps no such data.
  if (!kind)
    throw invalidParameters(
      `The embedded service has no data to export as ${exportedObject}. It exports: ${Object.keys(exportKinds).join(', ')}`,
    )
  return kind
}

const mostFields = 500

function mustHave(kind: ExportKind, fields: readonly string[]): void {
  const allowed = exportFields(kind)
  const isAllowed = (field: string) => allowed.includes(field) || (kind.hasMetadata && /^metadata\../.test(field))
  // ASSUMED A1734: an export has at most 500 fields: each of them, named once or a million times, is a cell of every row.
  if (fields.length > mostFields)
    throw refused('invalid_export_fields', `An export must have at most ${mostFields} fields`)
  if (fields.every(isAllowed)) return
  throw refused('invalid_export_fields', `Unsupported field used. Allowed fields: ${allowed.join(', ')}`)
}
