// What was deleted and keeps its code or source id. Source: docs/service/projects.md#trash-bin.
import { z } from 'zod'
import { callsAbout, filteredListing } from './calls-about.ts'
import { listAnswer } from './fields.ts'

/** An entry of the bin; `object` is the type of what lies there. */
export const binEntry = z.looseObject({
  id: z.string(),
  created_at: z.string(),
  resource_id: z.string(),
  resource_type: z.string(),
  resource_name: z.string(),
  resource_parent_id: z.string().nullish(),
  deleted_by_user_id: z.string().nullish(),
  object: z.string(),
})

const calls = callsAbout('trash-bin', '/v1/trash-bin/{binEntryId}', {
  response: binEntry,
  source: 'docs/service/projects.md#trash-bin',
})

export const listBinEntries = calls.list(
  { ...filteredListing, response: listAnswer.extend({ data: z.array(binEntry), total: z.int() }) },
  'List the trash bin',
)

/** Removes an entry permanently, which frees its code or source id. Nothing can be restored. */
export const deleteBinEntry = calls.delete('Delete an entry of the trash bin')
