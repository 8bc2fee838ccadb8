// The stacking rules of a project as the management API shows them: the stored ones over the defaults.
import type { IdSource } from '../../id.ts'
import { defaultStackingRules } from '../../rules/stacking/stacking-rules.ts'
import type { Project } from './store.ts'

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
export function stackingRulesAnswer({ stacking_rules: stored }: Project) {
  return { ...defaultStackingRules, ...(stored as StoredStackingRules | undefined), object: 'stacking_rules' }
}
