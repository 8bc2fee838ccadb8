// Projects of the installation, with their keys and settings. They belong to no project themselves.
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
