// The targets of rules, by their wire name.
// Source: docs/service/validation-rules.md#targets; docs/service/validation-rules.md#refused-rules.
import { ownValue } from '../../../base/record.ts'
import type { Metadata } from '../../../contract/fields.ts'
import { idOf, type RuleContext, type RuleSubject } from './context.ts'
import { orderSubjects } from './order-subjects.ts'
import { countSubjects } from './redemption-counts.ts'

/** Every supported target that reads the context without sub-rules; those with sub-rules are in order-lines.ts. */
export const ruleSubjects: Readonly<Record<string, RuleSubject>> = {
  'customer.segment': {
    kind: 'customer',
    values: 'reference',
    audience: true,
    read: ({ customer, isInSegment }) =>
      customer ? { belongsTo: (segment) => isInSegment(idOf(segment) ?? '') } : { missing: 'customer' },
  },
  // ASSUMED A1770: the conditions of a tier name it by its id, as those of a segment do.
  'customer.loyalty.tier': {
    kind: 'customer',
    values: 'reference',
    audience: true,
    read: ({ customer, isInTier }) =>
      customer ? { belongsTo: (tier) => isInTier(idOf(tier) ?? '') } : { missing: 'customer' },
  },
  'customer.metadata': {
    kind: 'customer',
    values: 'any',
    audience: true,
    property: true,
    read: ({ customer }, property) =>
      customer ? { value: ownValue(customer.metadata, property) } : { missing: 'customer' },
  },
  'publication.redeemable_by_linked_customer': {
    kind: 'customer',
    values: 'flag',
    read: ({ customer, isHolder }) => (customer ? { value: isHolder } : { missing: 'customer' }),
  },
  'order.metadata': {
    kind: 'order',
    values: 'any',
    property: true,
    read: ({ order }, property) => (order ? { value: ownValue(order.metadata, property) } : { missing: 'order' }),
  },
  'redemption.metadata': inMetadata((context) => context.metadata),
  'custom_event.metadata': inMetadata((context) => context.eventMetadata),
  'redemption.gift.amount': redemptionSubject((context) => context.giftCredits),
  'redemption.reward.pay_with_points.points_used': redemptionSubject((context) => context.pointsUsed),
  'redemption.api_key': {
    kind: 'redemption',
    values: 'reference',
    read: ({ apiKey }) => ({ belongsTo: (key) => apiKey !== undefined && idOf(key) === apiKey }),
  },
  ...orderSubjects,
  ...countSubjects,
}

function inMetadata(metadataOf: (context: RuleContext) => Metadata | undefined): RuleSubject {
  return {
    kind: 'redemption',
    values: 'any',
    property: true,
    read: (context, property) => ({ value: ownValue(metadataOf(context), property) }),
  }
}

function redemptionSubject(read: (context: RuleContext) => number | undefined): RuleSubject {
  return { kind: 'redemption', values: 'number', read: (context) => ({ value: read(context) }) }
}
