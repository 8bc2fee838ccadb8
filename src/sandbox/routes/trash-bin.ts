// The calls of the trash bin, which delete its entries for good. Source: docs/service/projects.md#trash-bin.
import * as contract from '../../contract/trash-bin.ts'
import { removeAssignments } from '../answers/assignments.ts'
import { existingById, routesFor } from '../answers/existing.ts'
import { type Context, cursorAnswer, type Resource, route } from '../http/route.ts'
import { removeVoucher } from '../resources/vouchers/update.ts'
import type { Declaration } from '../storage/collection.ts'
import { campaigns } from '../stores/campaigns.ts'
import { products, skus } from '../stores/products.ts'
import { type BinEntry, binEntries } from '../stores/trash-bin.ts'
import { vouchers } from '../stores/vouchers.ts'

/** The bin. Nothing in it can be restored. */
export const binResource: Resource = {
  collections: [binEntries],
  routes: [
    // ASSUMED A182: the bin is listed newest first.
    route(contract.listBinEntries, ({ query }, context) =>
      cursorAnswer(binEntries, query, context, { show: (items) => items.map(showEntry) }),
    ),
    routesFor('binEntryId', (id, context) => existingById(binEntries, id, context))(contract.deleteBinEntry, purge),
  ],
}

function showEntry(entry: BinEntry) {
  const { resource_parent_id = null, deleted_by_user_id = null } = entry
  return { ...entry, resource_parent_id, deleted_by_user_id, object: entry.resource_type }
}

/** What the bin can contain. */
const kinds: readonly Declaration[] = [vouchers, campaigns, products, skus]

/**
 * Removes an entry and the thing itself, which frees its id and its code or name.
 *
 * Its rule assignments are removed too, and what is only about a voucher.
 */
function purge(entry: BinEntry, context: Context): void {
  context.in(binEntries).remove(entry.id)
  const kind = kinds.find(({ type }) => type === entry.resource_type)
  if (!kind) return
  if (kind === vouchers) {
    removeVoucher(entry.resource_id, context)
    return
  }
  context.in(kind).remove(entry.resource_id)
  removeAssignments(entry.resource_id, context)
}
