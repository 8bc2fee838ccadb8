// Exports, and the pieces of text of their files. Source: docs/service/exports.md#fields.
import { collection, type Stored } from '../storage/collection.ts'
import type { Store } from '../storage/store.ts'

export interface StoredExport extends Stored {
  object: 'export'
  status: 'SCHEDULED' | 'IN_PROGRESS' | 'DONE' | 'ERROR'
  channel: 'API'
  exported_object: string
  parameters: Record<string, unknown>
  user_id: null
  /** The secret that grants access to the file. */
  token: string
  /** Ids that narrow the export to what the path of the request named. */
  scope: { voucher_id?: string; campaign_id?: string }
}

/** Exports, by id. */
export const exports = collection<StoredExport>('exports', 'export', 'exp_', { indexed: { status: 'text' } })

export interface StoredPart extends Stored {
  export_id: string
  text: string
}

/** The file of an export in pieces; their ids ascend in the order of the text. */
export const exportParts = collection<StoredPart>('export_parts', 'export_part', 'expp_', {
  indexed: { export_id: 'text' },
})

/** Finds an export in any project, with the project's id. */
export function exportAnywhere(store: Store, id: string): { projectId: string; found: StoredExport } | undefined {
  const row = store.db.get<{ project_id: string; doc: string }>('SELECT project_id, doc FROM exports WHERE id = ?', id)
  return row && { projectId: row.project_id, found: JSON.parse(row.doc) as StoredExport }
}
