// Taking something out of the bin for good. Source: wire-facts.md §11, §14.11.
import { removeAssignments } from '../assignments.ts'
import { forgetRedemptions } from '../redemptions/forget.ts'
import type { Context } from '../route.ts'
import { type BinEntry, binEntries } from '../store/bin.ts'
import { campaigns } from '../store/campaigns.ts'
import type { Declaration } from '../store/collection.ts'
import { products } from '../store/products.ts'
import { skus } from '../store/skus.ts'
import { vouchers } from '../store/vouchers.ts'

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
