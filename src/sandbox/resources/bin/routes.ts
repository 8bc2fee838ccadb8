// The calls of the bin. Source: docs/service/projects.md#trash-bin.
import * as contract from '../../../contract/trash-bin.ts'
import { notFound } from '../../http/refusal.ts'
import { noContent, ok, type Resource, route } from '../../http/route.ts'
import { compileFilters } from '../../storage/filters.ts'
import { purge } from './purge.ts'
import { type BinEntry, binEntries } from './store.ts'

/** The bin. Nothing in it can be restored. */
export const binResource: Resource = {
  collections: [binEntries],
  routes: [
    route(contract.listBinEntries, ({ query }, context) => {
      // ASSUMED A182: the bin is listed newest first.
      const { order = '-id', limit = 10, starting_after_id, filters } = query
      const where = filters ? [compileFilters(binEntries, filters, context.now)] : []
      const { items, ...more } = context.in(binEntries).cursor(where, order, limit, starting_after_id)
      return ok({ object: 'list', data_ref: 'data', data: items.map(shown), ...more })
    }),
    route(contract.deleteBinEntry, ({ path }, context) => {
      const entry = context.in(binEntries).get(path.binEntryId)
      if (!entry) throw notFound('bin_entry', path.binEntryId)
      purge(entry, context)
      return noContent()
    }),
  ],
}

function shown(entry: BinEntry) {
  return { ...entry, object: 'bin_entry' }
}
