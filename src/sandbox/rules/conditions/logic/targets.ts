// What rules may be about, by the name they carry on the wire.
// Source: docs/service/validation-rules.md#targets; docs/service/validation-rules.md#refused-rules.
import type { Metadata, RuleContext } from '../../model.ts'
import { countTargets } from './counts.ts'
import { orderTargets } from './order.ts'
import { idOf, ownValue, type Target } from './reading.ts'

/** Every supported target that reads the context without sub-rules; those with sub-rules are in lines.ts. */
export const targets: Readonly<Record<string, Target>> = {
  'customer.segment': {
    kind: 'customer',
    values: 'reference',
    audience: true,
    read: ({ customer, isInSegment }) =>
      customer ? { belongsTo: (segment) => isInSegment(idOf(segment) ?? '') } : { missing: 'customer' },
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
  'redemption.gift.amount': taken((context) => context.giftCredits),
  'redemption.reward.pay_with_points.points_used': taken((context) => context.pointsUsed),
  'redemption.api_key': {
    kind: 'redemption',
    values: 'reference',
    read: ({ apiKey }) => ({ belongsTo: (key) => apiKey !== undefined && idOf(key) === apiKey }),
  },
  ...orderTargets,
  ...countTargets,
}

function inMetadata(metadataOf: (context: RuleContext) => Metadata | undefined): Target {
  return {
    kind: 'redemption',
    values: 'any',
    property: true,
    read: (context, property) => ({ value: ownValue(metadataOf(context), property) }),
  }
}

function taken(read: (context: RuleContext) => number | undefined): Target {
  return { kind: 'redemption', values: 'number', read: (context) => ({ value: read(context) }) }
}
