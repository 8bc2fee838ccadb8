// A voucher as the service answers it, as a body that can be sent back.
import type { z } from 'zod'
import { withoutUnasked } from '../../../base/schema.ts'

// What the service computes or keeps itself. Source: docs/service/vouchers.md#fields.
const computed: readonly string[] = [
  'id',
  'assets',
  'categories',
  'created_at',
  'holder_id',
  'is_referral_code',
  'object',
  'publish',
  'referrer_id',
  'updated_at',
  'validation_rules_assignments',
  'gift.subtracted_amount',
  'loyalty_card.expired_points',
  'loyalty_card.next_expiration_date',
  'loyalty_card.next_expiration_points',
  'loyalty_card.pending_points',
  'loyalty_card.subtracted_points',
  'redemption.object',
  'redemption.redeemed_amount',
  'redemption.redeemed_points',
  'redemption.redeemed_quantity',
  'redemption.redemption_entries',
  'redemption.url',
]

/**
 * Turns a voucher that the service answered (`object` is `voucher`) into the body of a request; any other row is returned
 * as it is.
 *
 * Left out is what the service computes, and what is null and cannot be sent as null. The voucher's own rule assignments
 * become `validation_rules`, where the request has them. With `isUpdate` only what an update changes is left.
 */
export function sendableVoucher(
  row: Record<string, unknown>,
  schema: z.ZodObject,
  { isUpdate = false } = {},
): Record<string, unknown> {
  // A row of a list in CSV has only what can be sent, and no id.
  if (row.object !== 'voucher' || row.id === undefined) return row
  const rules = ownRules(row)
  const kept = withoutComputed(row, '')
  const body = { ...(rules.length > 0 && { validation_rules: rules }), ...kept }
  const asked = withoutUnasked(schema, body, { nulls: 'refused' }) as Record<string, unknown>
  if (!isUpdate) return asked
  return Object.fromEntries(Object.entries(asked).filter(([name]) => Object.hasOwn(schema.shape, name)))
}

function withoutComputed(value: object, prefix: string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]): Array<[string, unknown]> => {
      const path = `${prefix}${name}`
      if (computed.includes(path)) return []
      const isParent = computed.some((other) => other.startsWith(`${path}.`)) && typeof member === 'object' && member
      return [[name, isParent ? withoutComputed(member as object, `${path}.`) : member]]
    }),
  )
}

/** The rules assigned to the voucher itself; those of its campaign come with the campaign. */
function ownRules({ id, validation_rules_assignments: assignments }: Record<string, unknown>): string[] {
  const { data } = (assignments ?? {}) as { data?: Array<{ rule_id: string; related_object_id: string }> }
  return (data ?? []).filter((one) => one.related_object_id === id).map(({ rule_id }) => rule_id)
}
