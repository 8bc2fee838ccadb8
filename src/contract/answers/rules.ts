// Validation rules, their assignments and categories as answered. Source: docs/service/validation-rules.md#calls.
import { z } from 'zod'
import { count, dates, listOf, maybeText, metadata, namedForm, storedForm, text } from './form.ts'

/** A product, SKU or collection that something applies to, with how. */
const target = z.looseObject({ object: text.optional(), id: text.optional() })

/** A rule. Source: docs/service/validation-rules.md#calls. */
export const validationRule = storedForm('ValidationRule', 'validation_rules', {
  name: text,
  rules: z.record(text, z.unknown()).nullish(),
  bundle_rules: z.record(text, z.unknown()).nullish(),
  applicable_to: z
    .object({
      included: z.array(target).optional(),
      excluded: z.array(target).optional(),
      included_all: z.boolean().optional(),
    })
    .nullish(),
  error: z.object({ message: text }).nullish(),
  type: text,
  context_type: text,
  assignments_count: count.optional(),
})

/** A rule at an object. Source: docs/service/validation-rules.md#assignments. */
export const assignment = namedForm('ValidationRuleAssignment', {
  id: text,
  rule_id: text,
  related_object_id: text,
  related_object_type: text,
  ...dates,
  object: z.literal('validation_rules_assignment'),
  validation_status: maybeText,
  validation_omitted_rules: z.array(text).nullish(),
})

/** The assignments of the rules of one object, as it shows them. */
export const assignments = listOf('data', assignment)

/** A category of codes, campaigns and tiers. Source: docs/service/vouchers.md#category. */
export const category = storedForm('Category', 'category', {
  name: text,
  hierarchy: count,
  stacking_rules_type: text.optional(),
  metadata,
})
