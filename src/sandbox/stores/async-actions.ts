// Jobs as a client sees them: the request, the progress, the result.
// Source: docs/service/async-actions.md#fields.
import { collection, type Stored } from '../storage/collection.ts'
import type { Store } from '../storage/store.ts'

/** The kinds of job that have an action. Source: docs/service/async-actions.md#types. */
export type ActionType =
  | 'CAMPAIGN.VOUCHERS_IMPORT'
  | 'CAMPAIGN.VOUCHERS_IMPORT_CSV'
  | 'CAMPAIGN.VOUCHERS_UPDATE'
  | 'CAMPAIGN.VOUCHERS_DELETE'
  | 'CAMPAIGN.VOUCHERS_GENERATE'
  | 'CUSTOMERS.IMPORT_CSV'
  | 'CUSTOMERS.BULK_UPDATE'
  | 'CUSTOMERS.METADATA_UPDATE'
  | 'PRODUCTS.IMPORT_CSV'
  | 'PRODUCTS.BULK_UPDATE'
  | 'PRODUCTS.METADATA_UPDATE'
  | 'SKUS.IMPORT_CSV'
  | 'VOUCHERS.IMPORT'
  | 'VOUCHERS.IMPORT_CSV'
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
  /** The secret that grants access to the report of an action over rows; not on the wire. */
  report_token?: string
}

export interface ActionResult {
  message?: string
  done_count: number
  failed_count?: number
  failed?: Array<Record<string, unknown>>
  /** The files with the outcome of each row; their addresses are made when the action is read. */
  reports?: string[]
  /** An instant after which the reports are no longer available. */
  reports_available_till?: string
  errors?: unknown[]
}

/** Actions, by id; their order by id is the order of the requests. */
export const asyncActions = collection<StoredAction>('async_actions', 'async_action', 'aa_')

/** Rows of an action that are still to be worked on; removed with the work, in the same transaction. */
export interface ActionInput extends Stored {
  action_id: string
  /** The number of the first row, from 1. */
  first_row: number
  /** Values of a JSON body, or records of a CSV file as text. */
  rows: unknown[] | string
}

/** Inputs of actions; their ids ascend in the order of the rows. */
export const actionInputs = collection<ActionInput>('action_inputs', 'action_input', 'aai_', {
  indexed: { action_id: 'text' },
})

/** The outcomes of rows: of an import those that failed, of an update all. */
export interface ActionOutcome extends Stored {
  action_id: string
  rows: Array<Record<string, unknown>>
}

/** Outcomes of actions; their ids ascend in the order of the rows. */
export const actionOutcomes = collection<ActionOutcome>('action_outcomes', 'action_outcome', 'aao_', {
  indexed: { action_id: 'text' },
})

/** Finds an action in any project, with the project's id. */
export function actionAnywhere(store: Store, id: string): { projectId: string; found: StoredAction } | undefined {
  const row = store.db.get<{ project_id: string; doc: string }>(
    'SELECT project_id, doc FROM async_actions WHERE id = ?',
    id,
  )
  return row && { projectId: row.project_id, found: JSON.parse(row.doc) as StoredAction }
}
