// Projects and what belongs to them, background work and exports as answered. Source: docs/service/projects.md#fields.
import { z } from 'zod'
import { switches } from '../projects.ts'
import { customer } from './customers.ts'
import { stackingRules as rules } from './evaluations.ts'
import { count, dates, instant, maybeInstant, maybeText, metadata, namedForm, storedForm, text } from './form.ts'

const keys = z.object({ app_id: text, app_token: text })

/** A project; its keys are shown once. Source: docs/service/projects.md#fields. */
export const project = storedForm('Project', 'project', {
  name: text,
  description: maybeText,
  timezone: text,
  currency: maybeText,
  dial_code: maybeText,
  case_sensitive_codes: z.boolean(),
  default_code_config: z.looseObject({}).nullish(),
  api_version: text,
  webhook_version: text,
  cluster_id: text,
  webhook_token: text,
  is_sandbox: z.boolean().optional(),
  client_trusted_domains: z.array(text).optional(),
  ...switches,
  limits: z.looseObject({}).nullish(),
  server_side_key: keys.optional(),
  client_side_key: keys.optional(),
})

/** The settings; the defaults, in a list, are not stored. Source: docs/service/projects.md#stacking-rules. */
export const stackingRules = namedForm('StackingRules', {
  ...rules,
  id: text.optional(),
  created_at: instant.optional(),
  updated_at: maybeInstant,
  object: z.literal('stacking_rules'),
})

/** Source: docs/service/projects.md#metadata-schemas. */
export const metadataSchema = storedForm('MetadataSchema', 'metadata_schema', {
  related_object: text,
  allow_defined_only: z.boolean(),
  properties: z.record(text, z.looseObject({ type: text })),
})

/** Source: docs/service/projects.md#custom-event-schemas. */
export const eventSchema = namedForm('EventSchema', {
  id: text,
  name: text,
  schema: z.object({ properties: z.record(text, z.looseObject({ type: text })) }).nullish(),
  ...dates,
  object: z.enum(['custom_event_schema', 'custom-event-schema']),
})

/** Source: docs/service/webhooks.md#fields. */
export const webhook = storedForm('Webhook', 'webhook', {
  target_url: z.string().meta({ format: 'uri' }),
  events: z.array(text),
  active: z.boolean(),
})

/** A deleted object that keeps its place. Source: docs/service/projects.md#trash-bin. */
export const binEntry = namedForm('BinEntry', {
  id: text,
  created_at: instant,
  resource_id: text,
  resource_name: maybeText,
  resource_type: text.optional(),
  resource_parent_id: maybeText,
  deleted_by_user_id: maybeText,
  object: text,
})

/** Source: docs/service/async-actions.md#fields. */
export const asyncAction = storedForm('AsyncAction', 'async_action', {
  type: text,
  status: z.enum(['ENQUEUED', 'IN_PROGRESS', 'DONE', 'FAILED']),
  operation_status: text.optional(),
  result: z
    .object({
      message: maybeText,
      done_count: count.optional(),
      failed_count: count.optional(),
      failed: z.array(z.looseObject({})).optional(),
      reports: z.array(text).optional(),
      reports_available_till: instant.optional(),
      errors: z.array(z.unknown()).optional(),
    })
    .nullish(),
  progress: count.nullish(),
  processing_time: z.number().nullish(),
  request_id: maybeText,
})

/** Source: docs/service/exports.md#fields. */
export const exportForm = namedForm('Export', {
  id: text,
  object: z.literal('export'),
  created_at: instant,
  status: z.enum(['SCHEDULED', 'IN_PROGRESS', 'DONE', 'ERROR']),
  channel: text,
  exported_object: text,
  parameters: z
    .object({
      order: text.optional(),
      fields: z.array(text).optional(),
      filters: z.record(text, z.unknown()).optional(),
      campaign_id: text.optional(),
    })
    .nullish(),
  user_id: maybeText,
  result: z.object({ url: text }).nullish(),
})

/** Source: docs/service/events.md#result. */
export const event = namedForm('Event', {
  object: z.literal('event'),
  type: text,
  customer: z.union([
    z.object({
      id: text,
      source_id: maybeText,
      name: maybeText,
      email: maybeText,
      metadata,
      object: z.literal('customer'),
    }),
    customer,
  ]),
  referral: z.looseObject({}).nullish(),
  loyalty: z.looseObject({}).nullish(),
  metadata,
})

/** Work that goes on after the answer. */
export const started = namedForm('StartedAction', { async_action_id: text })

/** A shop on the ground. Source: docs/service/projects.md#locations. */
export const location = storedForm('Location', 'location', {
  name: text,
  shape: z.looseObject({}).nullish(),
})
