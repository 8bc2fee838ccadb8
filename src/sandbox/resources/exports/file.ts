// Exports as the service shows them, and the file at the address they show.
// Source: docs/service/exports.md#download; docs/reliability.md#secrets-hygiene.
import { isSame } from '../../http/auth.ts'
import { notFound, unauthorized } from '../../http/refusal.ts'
import type { Context } from '../../http/route.ts'
import { is } from '../../storage/conditions.ts'
import { ownAddress } from '../assets/answer.ts'
import { exportAnywhere, exportParts, exports, type StoredExport } from './store.ts'

/** Shows an export. Its address uses the host that the client called, so it stays valid after a restart on another port. */
export function exportAnswer(stored: StoredExport, context: Pick<Context, 'headers' | 'store'>) {
  const { token, scope: _scope, updated_at: _updated, ...shown } = stored
  const path = `/download/v1/exports/${stored.id}?token=${token}`
  const result = stored.status === 'DONE' ? { url: `${ownAddress(context)}${path}` } : null
  return { ...shown, result }
}

/** Returns the text of an export's file in pieces. Throws 401 for a wrong token or export, 404 while there is no file. */
export function fileOf(exportId: string, token: string | undefined, { store }: Pick<Context, 'store'>) {
  const holder = exportAnywhere(store, exportId)
  if (!holder || !isSame(token, holder.found.token)) throw unauthorized()
  if (holder.found.status !== 'DONE') throw notFound('export', exportId)
  const parts = store.in(exportParts, holder.projectId)
  return (function* pieces(): Generator<string> {
    let after: string | undefined
    for (;;) {
      const page = parts.cursor([is(exportParts, 'export_id', exportId)], 'id', 1, after)
      // Deleted during the download: ending without an error would look like the end of the file.
      if (page.items.length === 0) throw new Error(`the file of export ${exportId} is gone`)
      for (const part of page.items) yield part.text
      if (!page.has_more) return
      after = page.more_starting_after
    }
  })()
}

/** Removes an export and its file. */
export function removeExport(stored: StoredExport, context: Pick<Context, 'in'>): void {
  const parts = context.in(exportParts)
  for (;;) {
    const { items } = parts.cursor([is(exportParts, 'export_id', stored.id)], 'id', 50)
    if (items.length === 0) break
    for (const part of items) parts.remove(part.id)
  }
  context.in(exports).remove(stored.id)
}
