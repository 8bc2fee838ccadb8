// Jobs as a client sees them: the request, the progress, the result.
// Source: docs/service/async-actions.md#fields.
import { collection, type Stored } from '../../storage/collection.ts'

/** The kinds of job that have an action. Source: docs/service/async-actions.md#types. */
export type ActionType =
  | 'CAMPAIGN.VOUCHERS_IMPORT'
  | 'CAMPAIGN.VOUCHERS_UPDATE'
  | 'CAMPAIGN.VOUCHERS_DELETE'
  | 'CAMPAIGN.VOUCHERS_GENERATE'
  | 'CUSTOMERS.BULK_UPDATE'
  | 'CUSTOMERS.METADATA_UPDATE'
  | 'PRODUCTS.BULK_UPDATE'
  | 'PRODUCTS.METADATA_UPDATE'
  | 'VOUCHERS.IMPORT'
  | 'VOUCHERS.BULK_UPDATE'
  | 'VOUCHERS.METADATA_UPDATE'
  | 'ORDERS.IMPORT'

export interface StoredAction extends Stored {
  type: ActionType
  status: 'ENQUEUED' | 'IN_PROGRESS' | 'DONE' | 'FAILED'
  operation_status: 'SUCCESS' | 'FAILED' | 'UNKNOWN'
  request_id: string
  /** Milliseconds from the request to the end; 0 before. */
  processing_time: number
  /** 0 to 100. */
  progress: number
  result: ActionResult | null
  updated_at: string | null
  object: 'async_action'
}

export interface ActionResult {
  message?: string
  done_count: number
  failed_count?: number
  failed?: Array<Record<string, unknown>>
}

/** Actions, by id; their order by id is the order of the requests. */
export const asyncActions = collection<StoredAction>({
  name: 'async_actions',
  prefix: 'aa_',
  type: 'async_action',
})
