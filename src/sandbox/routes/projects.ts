// The projects of a data file, managed with the management keys, and their locations.
// Source: docs/service/projects.md#calls; docs/reliability.md#secrets-hygiene; docs/service/projects.md#locations.

import { withoutUndefined } from '../../base/record.ts'
import { getLocation, listLocations } from '../../contract/locations.ts'
import * as contract from '../../contract/projects.ts'
import * as stacking from '../../contract/stacking-rules.ts'
import { forbidden, notFound, Refusal } from '../http/refusal.ts'
import { type Context, type Resource, route, wholeList } from '../http/route.ts'
import type { IdSource } from '../id.ts'
import { moveMidnight } from '../resources/loyalty/midnight.ts'
import { addProject } from '../resources/projects/credentials.ts'
import { withSettings } from '../resources/projects/settings.ts'
import { defaultStackingRules } from '../rules/stacking/stacking-rules.ts'
import { installation, mainProject, type Project, projects, removeProject, settingsOf } from '../stores/projects.ts'

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

// The stacking rules of a project as the management API shows and changes them: the stored ones over the defaults.

/** Stacking rules as they are stored: only what was set, so that the defaults may change. */
export interface StoredStackingRules extends Record<string, unknown> {
  id: string
  created_at: string
  updated_at: string | null
}

/** Builds the stored rules of a project from the values set. */
export function stackingRulesFrom(given: object, id: IdSource, now: string): StoredStackingRules {
  const said = Object.entries(given).filter(([, value]) => value !== undefined && value !== null)
  return { id: id('stk_'), created_at: now, updated_at: null, ...Object.fromEntries(said) }
}

/** Shows the rules of a project; the defaults, while they apply, have no id. */
function stackingRulesAnswer({ stacking_rules: stored }: Project) {
  return { ...defaultStackingRules, ...(stored as StoredStackingRules | undefined), object: 'stacking_rules' }
}

/** Stacking rules: one object of a project, the defaults until it has some of its own. */
export const stackingRulesResource: Resource = {
  routes: [
    route(stacking.listStackingRules, (_, context) => wholeList([stackingRulesAnswer(context.project)])),
    route(stacking.getStackingRules, ({ path }, context) => findRules(path.stackingRulesId, context.project)),
    route(stacking.createStackingRules, ({ body }, context) => {
      if (context.project.stacking_rules)
        throw new Refusal({
          code: 409,
          key: 'stacking_rules_exist',
          message: 'Stacking rules exist',
          details: `Stacking rules exist in project ${context.project.id}`,
        })
      return storeRules(stackingRulesFrom(body, context.id, context.now), context)
    }),
    route(stacking.updateStackingRules, ({ path, body }, context) => {
      findRules(path.stackingRulesId, context.project)
      const said = withoutUndefined(body)
      return storeRules({ ...context.project.stacking_rules, ...said, updated_at: context.now }, context)
    }),
    route(stacking.deleteStackingRules, ({ path }, context) => {
      findRules(path.stackingRulesId, context.project)
      const { stacking_rules: _, ...project } = context.project
      context.store.in(projects, installation).update(project)
    }),
  ],
}

function findRules(id: string, project: Project) {
  const rules = stackingRulesAnswer(project)
  if (rules.id !== id) throw notFound('stacking_rules', id)
  return rules
}

function storeRules(stacking_rules: Record<string, unknown>, context: Context) {
  const project = { ...context.project, stacking_rules }
  context.store.in(projects, installation).update(project)
  return stackingRulesAnswer(project)
}
