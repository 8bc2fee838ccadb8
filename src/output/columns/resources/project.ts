// The columns of projects and of the background jobs of the service. Source: docs/service/projects.md#fields; docs/service/async-actions.md#fields.
import type { ColumnSet } from '../../column.ts'

/** A project. Secrets of the answer, such as its webhook token, are no columns. */
export const projectColumns: ColumnSet = {
  columns: [
    { name: 'id', kind: 'identifier', inTable: true },
    { name: 'name', kind: 'text', inTable: true },
    { name: 'description', kind: 'text' },
    { name: 'cluster_id', kind: 'identifier', label: 'cluster', inTable: true },
    { name: 'is_sandbox', kind: 'flag', inTable: true },
    { name: 'timezone', kind: 'text', inTable: true },
    { name: 'currency', kind: 'text', inTable: true },
    { name: 'case_sensitive_codes', kind: 'flag' },
    { name: 'api_version', kind: 'text' },
    { name: 'webhook_version', kind: 'text' },
    { name: 'created_at', kind: 'time' },
    { name: 'updated_at', kind: 'time' },
    { name: 'object', kind: 'text' },
  ],
}

/** A background job of the service: `operation_status` and `failed` say whether it succeeded, `status` does not. */
export const asyncActionColumns: ColumnSet = {
  columns: [
    { name: 'id', kind: 'identifier', inTable: true },
    { name: 'type', kind: 'text', inTable: true },
    { name: 'status', kind: 'state', inTable: true },
    { name: 'operation_status', kind: 'state', label: 'operation', inTable: true },
    { name: 'progress', kind: 'number' },
    { name: 'result.done_count', kind: 'number', label: 'done', inTable: true },
    { name: 'result.failed_count', kind: 'number', label: 'failed', inTable: true },
    { name: 'result.message', kind: 'reason' },
    { name: 'result.reports_available_till', kind: 'time' },
    { name: 'processing_time', kind: 'number' },
    { name: 'request_id', kind: 'identifier' },
    { name: 'created_at', kind: 'time', inTable: true },
    { name: 'updated_at', kind: 'time' },
    { name: 'object', kind: 'text' },
  ],
}

/** A background job that was only started. */
export const startedActionColumns: ColumnSet = {
  columns: [{ name: 'async_action_id', kind: 'identifier', inTable: true }],
}

/** A new project: also the keys, which no other answer has. */
export const newProjectColumns: ColumnSet = {
  columns: [
    ...projectColumns.columns,
    { name: 'server_side_key.app_id', kind: 'identifier', inTable: true },
    { name: 'server_side_key.app_token', kind: 'identifier', inTable: true },
    { name: 'client_side_key.app_id', kind: 'identifier', inTable: true },
    { name: 'client_side_key.app_token', kind: 'identifier', inTable: true },
    { name: 'webhook_token', kind: 'identifier', inTable: true },
  ],
}
