// Keys are generated at random for each data file and kept in it; there is no default pair to forget about.
import { randomBytes } from 'node:crypto'
import type { IdSource } from '../../id.ts'
import type { Keys } from '../../in-code-types.ts'
import type { Store } from '../../storage/store.ts'
import { installation, type ManagementKeys, mainProject, type Project, projects } from './store.ts'

/** 128 random bits that look like the service's keys: 8-4-4-4-12 hex digits. A version-4 UUID would have 122. */
function randomKey(): string {
  return randomBytes(16)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** Creates and stores a project with its own keys and default settings. */
export function addProject(store: Store, name: string, id: IdSource, now: string): Project {
  const project: Project = {
    id: id(projects.prefix),
    name,
    app_id: randomKey(),
    app_token: randomKey(),
    client_app_id: randomKey(),
    client_token: randomKey(),
    webhook_secret: randomBytes(32).toString('hex'),
    timezone: 'UTC',
    created_at: now,
    updated_at: null,
  }
  store.in(projects, installation).insert(project)
  return project
}

/**
 * Reads the credentials of the main project, which is created on first use together with the management keys.
 *
 * Inside the caller's transaction, so that two processes that open a new file agree on one project.
 */
export function credentialsOf(store: Store, id: IdSource, now: string): Keys {
  let project = mainProject(store)
  if (!project) {
    project = addProject(store, 'Sandbox', id, now)
    store.setFact('main_project', project.id)
    store.setFact('management_keys', { management_id: randomKey(), management_token: randomKey() })
  }
  const { app_id, app_token, client_app_id, client_token, webhook_secret } = project
  const { management_id, management_token } = store.fact<ManagementKeys>('management_keys') as ManagementKeys
  return {
    project_id: project.id,
    app_id,
    app_token,
    management_id,
    management_token,
    client_app_id,
    client_token,
    webhook_secret,
  }
}
