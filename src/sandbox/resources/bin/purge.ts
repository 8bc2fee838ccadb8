// Taking something out of the bin for good. Source: docs/service/projects.md#trash-bin.

import type { Context } from '../../http/route.ts'
import type { Declaration } from '../../storage/collection.ts'
import { campaigns } from '../campaigns/store.ts'
import { skus } from '../products/sku-store.ts'
import { products } from '../products/store.ts'
import { forgetRedemptions } from '../redemptions/purge.ts'
import { removeAssignments } from '../validation-rules/assignments.ts'
import { vouchers } from '../vouchers/store.ts'
import { type BinEntry, binEntries } from './store.ts'

/** What can lie in the bin. */
const kinds: readonly Declaration[] = [vouchers, campaigns, products, skus]

/** Removes an entry with the thing it stands for, which frees its id and its code or name, the rules assigned to it, and the redemptions of a voucher. */
export function purge(entry: BinEntry, context: Context): void {
  context.in(binEntries).remove(entry.id)
  const kind = kinds.find(({ type }) => type === entry.resource_type)
  if (!kind) return
  context.in(kind).remove(entry.resource_id)
  removeAssignments(entry.resource_id, context)
  if (kind === vouchers) forgetRedemptions(entry.resource_id, context)
}
