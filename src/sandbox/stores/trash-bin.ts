// The bin: things deleted without `force` are hidden, keep their id and natural key taken, and are listed here.
import type { Context } from '../http/route.ts'
import { type Collection, collection, type Stored } from '../storage/collection.ts'

export interface BinEntry extends Stored {
  resource_id: string
  resource_name: string
  resource_type: string
  /** The campaign of a voucher, the product of a SKU. */
  resource_parent_id?: string | null
  /** Keys delete here, not people, so only a fixture names one. */
  deleted_by_user_id?: string | null
}

/** Entries of the bin, of every kind of thing. */
export const binEntries = collection<BinEntry>('bin_entries', 'bin_entry', 'tbe_', {
  indexed: { resource_id: 'text' },
  filterable: { resource_name: 'text', resource_type: 'text' },
})

/** Moves a thing into the bin, and records it there. `name` is how people know it: the code of a voucher. */
export function moveToBin<Doc extends Stored>(
  declared: Collection<Doc>,
  { id, name, parentId = null }: { id: string; name: string; parentId?: string | null },
  context: Pick<Context, 'id' | 'in' | 'now'>,
): void {
  context.in(declared).bin(id)
  context.in(binEntries).insert({
    id: context.id(binEntries.prefix),
    created_at: context.now,
    resource_id: id,
    resource_name: name,
    resource_type: declared.type,
    resource_parent_id: parentId,
  })
}
