// Validation rules, and their assignments.

import type { RuleTree, ValidationRule } from '../rules/conditions/rule.ts'
import { collection, type Stored } from '../storage/collection.ts'

/** A rule as on the wire; members not listed here are kept as they are. */
export interface StoredRule extends Stored, ValidationRule {
  name: string | null
  rules: RuleTree
  [field: string]: unknown
}

/** Validation rules, by id. */
export const validationRules = collection<StoredRule>('validation_rules', 'validation_rules', 'val_', { cached: true })

export interface StoredAssignment extends Stored {
  rule_id: string
  related_object_id: string
  related_object_type: string
  updated_at: string | null
  object: 'validation_rules_assignment'
}

/** Which rule is assigned to which thing. */
export const assignments = collection<StoredAssignment>(
  'validation_rules_assignments',
  'validation_rules_assignment',
  'asgm_',
  {
    cached: true,
    indexed: { rule_id: 'text', related_object_id: 'text' },
  },
)
