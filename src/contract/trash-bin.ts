// What was deleted and keeps its code or source id. Source: docs/service/projects.md#trash-bin.

import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { emptyAnswer, listAnswer } from './fields.ts'
import { byId, filters } from './listing.ts'

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

/** Lists the entries of the bin. */
export const listBinEntries = endpoint('trash-bin.list', {
  call: 'GET /v1/trash-bin',
  query: z.strictObject({ ...byId, filters: filters.optional() }),
  response: listAnswer.extend({ data: z.array(binEntry), total: z.int() }),
  paging: { style: 'cursor' },
  source: 'docs/service/projects.md#trash-bin',
  summary: 'List the trash bin',
})

/** Removes an entry permanently, which frees its code or source id. Nothing can be restored. */
export const deleteBinEntry = endpoint('trash-bin.delete', {
  call: 'DELETE /v1/trash-bin/{binEntryId}',
  response: emptyAnswer,
  repeat: 'idempotent',
  source: 'docs/service/projects.md#trash-bin',
  summary: 'Delete an entry of the trash bin',
})
