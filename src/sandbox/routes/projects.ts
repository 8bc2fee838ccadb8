// The projects of a data file, managed with the management keys, and their locations.
// Source: docs/service/projects.md#calls; docs/reliability.md#secrets-hygiene; docs/service/projects.md#locations.
import { getLocation, listLocations } from '../../contract/locations.ts'
import * as contract from '../../contract/projects.ts'
import { forbidden, notFound } from '../http/refusal.ts'
import { type Resource, route, wholeList } from '../http/route.ts'
import { moveMidnight } from '../resources/loyalty/midnight.ts'
import { addProject } from '../resources/projects/credentials.ts'
import { withSettings } from '../resources/projects/settings.ts'
import { settingsOf } from '../stores/project-settings.ts'
import { installation, mainProject, type Project, projects, removeProject } from '../stores/projects.ts'

/** Begins the ids of sandbox projects. Source: docs/service/projects.md#fields. */
const sandboxPrefix = 'sand_'

/** Projects, by id. An unknown one is refused before any of these calls (auth.ts). */
export const projectResource: Resource = {
  routes: [
    route(contract.listProjects, (_, { store }) => wholeList(store.in(projects, installation).all().map(showProject))),
    route(contract.getProject, (_, { project }) => showProject(project)),
    route(contract.createProject, ({ body }, { store, id, now }) => {
      const { type = 'PRODUCTION', name, ...settings } = body
      const ofType = (prefix: string) => id(type === 'SANDBOX' ? sandboxPrefix : prefix)
      const project = withSettings(addProject(store, name, ofType, now), settings)
      store.in(projects, installation).update(project)
      const { app_id, app_token, client_app_id, client_token } = project
      // Only this answer contains the secrets of the keys.
      return {
        ...showProject(project),
        server_side_key: { app_id, app_token },
        client_side_key: { app_id: client_app_id, app_token: client_token },
      }
    }),
    route(contract.updateProject, ({ body }, context) => {
      const { project, store, now } = context
      const changed = { ...withSettings(project, body), updated_at: now }
      store.in(projects, installation).update(changed)
      moveMidnight(project, changed, context)
      return showProject(changed)
    }),
    route(contract.deleteProject, (_, { project, store }) => {
      // ASSUMED A143: the first project of a file cannot be deleted, because commands without a project use it.
      if (project.id === mainProject(store)?.id) throw forbidden('The first project of a sandbox cannot be deleted')
      removeProject(store, project.id)
    }),
  ],
}

/** Shows a project: its settings, and the signing secret of its webhooks as `webhook_token`. */
function showProject(project: Project) {
  const { id, name, webhook_secret, created_at, updated_at = null } = project
  const is_sandbox = id.startsWith(sandboxPrefix)
  return {
    id,
    name,
    ...settingsOf(project),
    is_sandbox,
    webhook_token: webhook_secret,
    created_at,
    updated_at,
    object: 'project',
  }
}

/** Locations. No published call makes one, so there never is any. */
export const locationResource: Resource = {
  routes: [
    route(listLocations, () => wholeList([], 'locations')),
    route(getLocation, ({ path }) => {
      throw notFound('location', path.locationId)
    }),
  ],
}
