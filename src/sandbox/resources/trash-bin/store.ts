// The bin: things deleted without `force` are hidden, keep their id and natural key taken, and are listed here.
import { collection, type Declaration, type Stored } from '../../storage/collection.ts'
import type { Table } from '../../storage/table.ts'

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
  thing: { declared: Declaration; table: Table<Doc>; id: string; name: string; parentId?: string | null },
  bin: Table<BinEntry>,
  entry: { id: string; now: string },
): void {
  thing.table.bin(thing.id)
  bin.insert({
    id: entry.id,
    created_at: entry.now,
    resource_id: thing.id,
    resource_name: thing.name,
    resource_type: thing.declared.type,
    resource_parent_id: thing.parentId ?? null,
  })
}
