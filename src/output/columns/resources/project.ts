// The columns of projects and of the background jobs of the service. Source: docs/service/projects.md#fields; docs/service/async-actions.md#fields.
import { asyncAction, eventSchema, project, stackingRules, started } from '../../../contract/answers/projects.ts'
import { columnsOf } from '../../columns-of.ts'

const first = 'id* name* description cluster_id=cluster* is_sandbox* timezone* currency*'

/** A project. Secrets of the answer, such as its webhook token, are no columns. */
export const projectColumns = columnsOf(project, {
  first,
  secret: ['webhook_token', 'server_side_key', 'client_side_key'],
})

/** A new project: also the keys, which no other answer has. */
export const newProjectColumns = columnsOf(project, {
  first: `
    ${first} server_side_key.app_id* server_side_key.app_token:identifier* client_side_key.app_id*
    client_side_key.app_token:identifier* webhook_token:identifier*
  `,
})

/** A background job of the service: `operation_status` and `failed` say whether it succeeded, `status` does not. */
export const asyncActionColumns = columnsOf(asyncAction, {
  first: `
    id* type* status:state* operation_status=operation:state* progress result.done_count=done*
    result.failed_count=failed* created_at*
  `,
  inside: 'result.message:reason',
})

/** A background job that was only started. */
export const startedActionColumns = columnsOf(started, { first: 'async_action_id*' })

/** The schema of a custom event; its properties are one cell of JSON. */
export const eventSchemaColumns = columnsOf(eventSchema, { first: 'id* name* schema*' })

/** The stacking rules of a project. */
export const stackingRulesColumns = columnsOf(stackingRules, {
  first: `
    id* redeemables_limit=limit* applicable_redeemables_limit=applicable* redeemables_application_mode=application*
    redeemables_sorting_rule=sorting* discount_calculation_mode=discounts*
  `,
})
