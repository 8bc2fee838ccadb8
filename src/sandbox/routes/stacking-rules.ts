// The stacking rules of a project as the management API shows and changes them: the stored ones over the defaults.
import { withoutUndefined } from '../../base/record.ts'
import * as contract from '../../contract/stacking-rules.ts'
import { notFound, Refusal } from '../http/refusal.ts'
import { type Context, type Resource, route, wholeList } from '../http/route.ts'
import type { IdSource } from '../id.ts'
import { defaultStackingRules } from '../rules/stacking/stacking-rules.ts'
import { installation, type Project, projects } from '../stores/projects.ts'

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
    route(contract.listStackingRules, (_, context) => wholeList([stackingRulesAnswer(context.project)])),
    route(contract.getStackingRules, ({ path }, context) => findRules(path.stackingRulesId, context.project)),
    route(contract.createStackingRules, ({ body }, context) => {
      if (context.project.stacking_rules)
        throw new Refusal({
          code: 409,
          key: 'stacking_rules_exist',
          message: 'Stacking rules exist',
          details: `Stacking rules exist in project ${context.project.id}`,
        })
      return storeRules(stackingRulesFrom(body, context.id, context.now), context)
    }),
    route(contract.updateStackingRules, ({ path, body }, context) => {
      findRules(path.stackingRulesId, context.project)
      const said = withoutUndefined(body)
      return storeRules({ ...context.project.stacking_rules, ...said, updated_at: context.now }, context)
    }),
    route(contract.deleteStackingRules, ({ path }, context) => {
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
