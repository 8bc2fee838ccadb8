// From the parameters of an export to the query for its rows.
// Source: docs/service/lists.md#filter-operators; docs/service/exports.md#export-card-transactions.
import { refused } from '../../http/refusal.ts'
import type { Context, Tables } from '../../http/route.ts'
import { type Collection, columnsOf, type Stored } from '../../storage/collection.ts'
import { type Condition, is, isWithoutIndex } from '../../storage/conditions.ts'
import { BadFilter, compileFilters } from '../../storage/filters.ts'
import type { CollectionScan } from '../../storage/scan.ts'
import { campaigns } from '../../stores/campaigns.ts'
import type { StoredExport } from '../../stores/exports.ts'
import { vouchers } from '../../stores/vouchers.ts'
import type { ExportKind } from './columns.ts'

/** What narrows and orders an export. */
export type ExportScope = Pick<StoredExport, 'parameters' | 'scope'>

interface Narrowing {
  order?: string
  filters?: Record<string, unknown>
  /** Id or name. */
  campaign_id?: string
}

/** Returns what an export reads. Throws 400 `invalid_export_params` for a filter or an order that the kind does not have. */
export function exportScan(
  kind: ExportKind,
  { parameters, scope }: ExportScope,
  context: Pick<Context, 'in' | 'now' | 'project'>,
): CollectionScan {
  const { order = kind.order, filters, campaign_id } = parameters as Narrowing
  const field = order.replace(/^-/, '')
  const orderBy = Object.hasOwn(kind.orders, field) ? kind.orders[field] : undefined
  if (orderBy === undefined)
    throw invalidParameters(`Unsupported order used. Allowed orders: ${Object.keys(kind.orders).join(', ')}`)
  return {
    projectId: context.project.id,
    from: kind.from.map((declared) => ({
      declared,
      where: [
        ...scopeOf(declared, scope),
        ...(campaign_id === undefined ? [] : [inCampaign(declared, campaign_id, context)]),
        ...conditionsOf(kind, declared, filters, scope, context),
      ],
    })),
    orderBy,
    isDescending: order.startsWith('-'),
  }
}

/** 400 for an export that cannot be made. */
export function invalidParameters(details: string) {
  return refused('invalid_export_params', details)
}

function scopeOf(declared: Collection<Stored>, { voucher_id, campaign_id }: StoredExport['scope']): Condition[] {
  if (voucher_id !== undefined) return [is(declared, 'voucher_id', voucher_id)]
  return campaign_id === undefined ? [] : [isWithoutIndex(declared, 'campaign_id', campaign_id)]
}

function inCampaign(declared: Collection<Stored>, idOrName: string, context: Tables): Condition {
  if (!Object.hasOwn(columnsOf(declared), 'campaign_id'))
    throw invalidParameters('Property .parameters.campaign_id is not allowed for this kind of export')
  return isWithoutIndex(declared, 'campaign_id', context.in(campaigns).find(idOrName)?.id ?? idOrName)
}

function conditionsOf(
  kind: ExportKind,
  declared: Collection<Stored>,
  filters: Record<string, unknown> | undefined,
  scope: StoredExport['scope'],
  context: Pick<Context, 'in' | 'now'>,
): Condition[] {
  // The condition of the path is separate: inside the junction "or", a filter would let other rows through.
  const named = Object.entries(filters ?? {}).filter(([field]) => !Object.hasOwn(scope, field))
  if (named.every(([field]) => field === 'junction')) return []
  const asked = kind.namesCodes
    ? named.map(([field, filter]) => (field === 'voucher_id' ? [field, withIds(filter, context)] : [field, filter]))
    : named
  try {
    return [compileFilters(declared, Object.fromEntries(asked), context.now)]
  } catch (error) {
    throw error instanceof BadFilter ? invalidParameters(error.message) : error
  }
}

const comparing = new Set(['$in', '$not_in', '$is', '$is_not'])

/** Converts the codes of a filter by `voucher_id` into ids; an id stays as it is. */
function withIds(filter: unknown, context: Tables): unknown {
  const conditions = (filter as { conditions?: Record<string, unknown> } | null)?.conditions ?? {}
  return {
    conditions: Object.fromEntries(
      Object.entries(conditions).map(([operator, operand]) => {
        // ASSUMED A264: parts of a code are not supported: the filter would compare them with ids.
        if (!comparing.has(operator))
          throw invalidParameters(`Property .filters.voucher_id.conditions.${operator} is not supported`)
        return [operator, [operand].flat().map((code) => context.in(vouchers).find(String(code))?.id ?? code)]
      }),
    ),
  }
}
