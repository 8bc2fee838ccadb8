// Validation rules, and their assignments.

import type { RuleTree, ValidationRule } from '../../rules/conditions/rule.ts'
import { collection, type Stored } from '../../storage/collection.ts'

/** A rule as on the wire; members not listed here are kept as they are. */
export interface StoredRule extends Stored, ValidationRule {
  name: string | null
  rules: RuleTree
  [field: string]: unknown
}

/** Validation rules, by id. */
export const validationRules = collection<StoredRule>({
  name: 'validation_rules',
  prefix: 'val_',
  type: 'validation_rules',
  cached: true,
})

export interface StoredAssignment extends Stored {
  rule_id: string
  related_object_id: string
  related_object_type: string
  updated_at: string | null
  object: 'validation_rules_assignment'
}

/** Which rule is assigned to which thing. */
export const assignments = collection<StoredAssignment>({
  name: 'validation_rules_assignments',
  prefix: 'asgm_',
  type: 'validation_rules_assignment',
  cached: true,
  indexed: { rule_id: 'text', related_object_id: 'text' },
})
