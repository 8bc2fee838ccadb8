// Projects of the installation, with their keys and settings. They belong to no project themselves.

import type { CodeConfig } from '../rules/codes.ts'
import { collection, type Stored } from '../storage/collection.ts'
import { quotedName } from '../storage/schema.ts'
import type { Store } from '../storage/store.ts'

/** The settings of a project. Objects as on the wire; absent members have the service's defaults. */
export interface Project extends Stored {
  name: string
  app_id: string
  app_token: string
  client_app_id: string
  client_token: string
  webhook_secret: string
  /** IANA name of the time zone used for validity hours and days. */
  timezone: string
  stacking_rules?: Record<string, unknown>
  settings?: Record<string, unknown>
}

/** Projects, kept under `installation`. */
export const projects = collection<Project>('projects', 'project', 'proj_', {
  cached: true,
  indexed: { app_id: 'text', client_app_id: 'text' },
})

/** Removes a project and everything that belongs to it. */
export function removeProject(store: Store, id: string): void {
  const owned = store.db.all<{ name: string }>(
    "SELECT m.name FROM sqlite_schema m JOIN pragma_table_xinfo(m.name) c WHERE m.type = 'table' AND c.name = 'project_id'",
  )
  for (const { name } of owned) store.db.run(`DELETE FROM ${quotedName(name)} WHERE project_id = ?`, id)
  store.in(projects, installation).remove(id)
}

/** The management key pair; it is the organisation's, so it works for every project of the file. */
export interface ManagementKeys {
  management_id: string
  management_token: string
}

/** The scope of things that belong to the installation, not to a project. */
export const installation = ''

/** The project that commands use when none is named: the first one created. */
export function mainProject(store: Store): Project | undefined {
  const id = store.fact<string>('main_project')
  return id === undefined ? undefined : store.in(projects, installation).get(id)
}

export interface Settings {
  description: string | null
  /** IANA name of the time zone used for validity hours and days. */
  timezone: string
  currency: string | null
  dial_code: string | null
  /** False where `SALE` and `sale` are one code; fixed when the project is created. */
  case_sensitive_codes: boolean
  /** The form of the codes of a new campaign that names none. */
  default_code_config: CodeConfig | null
  api_version: string
  webhook_version: string
  cluster_id: string
  /** Origins, or hosts, whose pages may use the client-side keys; `*` for any. */
  client_trusted_domains: string[]
  client_redeem_enabled: boolean
  client_publish_enabled: boolean
  client_list_vouchers_enabled: boolean
  client_create_customer_enabled: boolean
  client_loyalty_events_enabled: boolean
  client_set_voucher_expiration_date_enabled: boolean
  webhooks_callout_notifications: null
  api_usage_notifications: null
}

/** What pages and apps may do only when a project allows it. Source: docs/service/projects.md#fields. */
export type ClientPermission = Exclude<
  keyof Settings & `client_${string}_enabled`,
  'client_set_voucher_expiration_date_enabled'
>

/** What a project has that says nothing else. */
export const defaultSettings: Settings = {
  description: null,
  timezone: 'UTC',
  currency: null,
  dial_code: null,
  case_sensitive_codes: true,
  default_code_config: null,
  api_version: 'v2018-08-01',
  webhook_version: 'v2024-01-01',
  cluster_id: 'eu1',
  client_trusted_domains: [],
  client_redeem_enabled: false,
  client_publish_enabled: false,
  client_list_vouchers_enabled: false,
  client_create_customer_enabled: false,
  client_loyalty_events_enabled: false,
  client_set_voucher_expiration_date_enabled: false,
  webhooks_callout_notifications: null,
  api_usage_notifications: null,
}

/** Reads the settings of a project. */
export function settingsOf({ settings, timezone }: Project): Settings {
  const known = Object.entries(settings ?? {}).filter(
    ([name, value]) => Object.hasOwn(defaultSettings, name) && value != null,
  )
  return { ...defaultSettings, timezone, ...Object.fromEntries(known) }
}

/** Returns whether a project allows pages and apps what is off by default. */
export function isPermitted(project: Project, permission: ClientPermission): boolean {
  return settingsOf(project)[permission]
}

/** Returns whether codes that differ only in case are the same code in a project. */
export function ignoresCodeCase({ settings }: Project): boolean {
  return settings?.case_sensitive_codes === false
}

/** A setting of fixtures only: the features that are not in the plan of the project. */
export const plan = 'missing_features'

/** Returns whether a feature of the service is missing from a project's plan. */
export function lacksFeature({ settings }: Project, feature: string): boolean {
  // ASSUMED A145: there are no plans here, but a fixture may say `missing_features: ["management_api"]`, to produce a 402.
  const { [plan]: missing } = settings ?? {}
  return Array.isArray(missing) && missing.includes(feature)
}
