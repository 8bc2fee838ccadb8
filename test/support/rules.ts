// Validation rules for tests: one of one condition, and what it is assigned to.

/** A rule of one condition. */
export function ruleOn(id: string, name: string, conditions: object, more: object = {}) {
  return { id, name: id, rules: { 1: { name, conditions, ...more }, logic: '1' } }
}

/** The assignment of a rule, to a voucher unless it says to what. */
export function assigned(
  rule_id: string,
  related_object_id: string,
  related_object_type = 'voucher',
  more: object = {},
) {
  return { rule_id, related_object_id, related_object_type, ...more }
}
