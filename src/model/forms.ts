// How objects that files do not have are compared with what was asked for.
import { isRecord } from '../base/record.ts'
import type { Forms } from './differences.ts'

/** Vouchers. The service computes balances itself and ignores what a request says. Source: docs/service/vouchers.md#create. */
export const voucherForms: Forms = {
  members: {
    'gift.balance': 'ignored',
    'loyalty_card.balance': 'ignored',
    validity_day_of_week: 'set',
    'validity_hours.daily.*.days_of_week': 'set',
    metadata: 'whole',
    // Left to its default.
    active: (asked) => asked == null,
    // Names that the service resolves: the voucher repeats the name and the id.
    campaign: (asked, { campaign_id }) => asked != null && asked === campaign_id,
    category: (asked, { category_id }) => asked != null && asked === category_id,
    validation_rules: (asked, voucher) => asked == null || hasRules(asked, voucher),
  },
}

/** Webhooks: an address can be written in many ways, and some events in two. */
export const webhookForms: Forms = {
  members: {
    target_url: (asked, { target_url }) => addressOf(asked) === addressOf(target_url),
    events: 'events',
  },
}

/** Returns an address in its one form; any other value as it is. */
export function addressOf(url: unknown): unknown {
  return (typeof url === 'string' && URL.parse(url)?.href) || url
}

// The rules of a request are ids; the voucher lists their assignments, and those of its campaign. Where it lists none,
// they cannot be compared.
function hasRules(rules: unknown, { id, validation_rules_assignments }: Record<string, unknown>): boolean {
  const data = isRecord(validation_rules_assignments) ? validation_rules_assignments.data : undefined
  if (!Array.isArray(data) || !Array.isArray(rules)) return true
  const assigned = data.filter(isRecord)
  const own = assigned.filter(({ related_object_id }) => related_object_id === id || related_object_id === undefined)
  return (
    rules.every((rule) => assigned.some(({ rule_id }) => rule_id === rule)) &&
    own.every(({ rule_id }) => rules.includes(rule_id))
  )
}
