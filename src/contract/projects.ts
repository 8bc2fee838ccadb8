// Projects of the organisation. Answers hold secrets: `webhook_token`, and the keys of a new project.
// Source: docs/service/projects.md#fields; docs/reliability.md#secrets-hygiene.
import { z } from 'zod'
import { callsAbout, listing } from './calls-about.ts'
import { codeConfig } from './new-voucher.ts'

/** What a project allows and announces, in requests and in answers. */
export const switches = {
  client_redeem_enabled: z.boolean().optional(),
  client_publish_enabled: z.boolean().optional(),
  client_list_vouchers_enabled: z.boolean().optional(),
  client_create_customer_enabled: z.boolean().optional(),
  client_loyalty_events_enabled: z.boolean().optional(),
  client_set_voucher_expiration_date_enabled: z.boolean().optional(),
  webhooks_callout_notifications: z.looseObject({}).nullish(),
  api_usage_notifications: z.looseObject({}).nullish(),
}

const settings = {
  name: z.string().min(1),
  description: z.string().nullish(),
  timezone: z.string().optional(),
  currency: z.string().nullish(),
  default_code_config: codeConfig.nullish(),
  dial_code: z.string().nullish(),
  webhook_version: z.string().optional(),
  client_trusted_domains: z.array(z.string().min(1)).optional(),
  ...switches,
}

/** A project to create. The cluster, the kind of project, the version, and how codes are compared cannot be changed later. */
export const newProject = z.strictObject({
  ...settings,
  type: z.enum(['SANDBOX', 'PRODUCTION']).optional(),
  cluster_id: z.string().optional(),
  api_version: z.string().optional(),
  case_sensitive_codes: z.boolean().optional(),
})

/** A project as the service returns it. */
export const project = z.looseObject({
  id: z.string(),
  name: z.string().optional(),
  is_sandbox: z.boolean().optional(),
  client_trusted_domains: z.array(z.string()).optional(),
})

const calls = callsAbout('projects', '/management/v1/projects/{projectId}', {
  credential: 'management',
  response: project,
  source: 'docs/service/projects.md',
})

export const listProjects = calls.list(listing, 'List projects', 'list-projects')
export const getProject = calls.get('Get a project', 'read-a-project')

/** Creates a project; only this answer holds the secrets of its keys. */
export const createProject = calls.create(
  newProject,
  { repeat: 'reconcile', proof: { by: 'list', read: { call: () => listProjects } } },
  'Create a project',
  'create-a-project',
)

export const updateProject = calls.update(z.strictObject(settings).partial(), 'Update a project', 'update-a-project')

/** Removes a project with everything in it. */
export const deleteProject = calls.delete('Delete a project', 'delete-a-project')
