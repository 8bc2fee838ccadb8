// The catalogue of webhook events. Four names are misspelt where webhooks are created, and correct where they are shown.
// Source: docs/service/webhooks.md#event-names; docs/service/webhooks.md#spellings.

const families = {
  'Redemption and publication': [
    'redemption.succeeded',
    'redemption.failed',
    'redemption.rollback.succeeded',
    'redemption.rollback.failed',
    'publication.succeeded',
  ],
  Customer: [
    'customer.created',
    'customer.deleted',
    'customer.confirmed',
    'customer.rewarded',
    'customer.rewarded.loyalty_points',
  ],
  Voucher: [
    'voucher.created',
    'voucher.updated',
    'voucher.deleted',
    'voucher.enabled',
    'voucher.disabled',
    'voucher.published',
  ],
  'Gift card': ['voucher.gift.balance_aded', 'voucher.gift.transaction.created'],
  'Loyalty card': [
    'voucher.loyalty_card.points_aded',
    'voucher.loyalty_card.points_expired',
    'voucher.loyalty_card.transaction.created',
    'voucher.loyalty_card.pending_points.activated',
    'voucher.loyalty_card.pending_points.aded',
    'voucher.loyalty_card.pending_points.canceled',
    'voucher.loyalty_card.pending_points.updated',
  ],
  Campaign: ['campaign.created', 'campaign.updated', 'campaign.deleted', 'campaign.enabled', 'campaign.disabled'],
  'Campaign vouchers': [
    'campaign.vouchers.aded',
    'campaign.vouchers.generation.started',
    'campaign.vouchers.generation.completed',
    'campaign.vouchers.generation.failed',
  ],
  'Campaign earning rules': [
    'campaign.earning_rule.assigned',
    'campaign.earning_rule.updated',
    'campaign.earning_rule.deleted',
    'campaign.earning_rule.enabled',
    'campaign.earning_rule.disabled',
  ],
  'Campaign tiers and stacks': [
    'campaign.loyalty_tier.created',
    'campaign.loyalty_tier.updated',
    'campaign.loyalty_tier.deleted',
    'campaign.referral_tier.created',
    'campaign.referral_tier.updated',
    'campaign.referral_tier.deleted',
    'campaign.promotion_tier.created',
    'campaign.promotion_tier.updated',
    'campaign.promotion_tier.deleted',
    'campaign.promotion_tier.enabled',
    'campaign.promotion_tier.disabled',
    'campaign.promotion_stack.created',
    'campaign.promotion_stack.updated',
  ],
  'Campaign reward assignments': [
    'campaign.reward.assignment.created',
    'campaign.reward.assignment.updated',
    'campaign.reward.assignment.deleted',
  ],
  'Validation rules': [
    'business_validation_rule.created',
    'business_validation_rule.updated',
    'business_validation_rule.deleted',
    'business_validation_rule.assignment.created',
    'business_validation_rule.assignment.deleted',
  ],
} as const

type Families = typeof families

/** An event name that a webhook can be created with. */
export type WebhookEventName = Families[keyof Families][number]

/** One event: the name by which a webhook requests it, and the name under which it is stored, shown and delivered. */
export interface WebhookEvent {
  name: WebhookEventName
  /** The same as `name` but for the four that are misspelt there. */
  shown_as: string
  family: keyof Families
}

/** Every event a webhook can request, by family, in the order of the specification. */
export const webhookEvents: readonly WebhookEvent[] = Object.entries(families).flatMap(([family, names]) =>
  names.map((name) => ({ name, shown_as: shownSpelling(name), family: family as keyof Families })),
)

/** The names a webhook can be created with. */
export const webhookEventNames: readonly WebhookEventName[] = webhookEvents.map((event) => event.name)

/** Spells an event's name as the service accepts it: `…_added` and `….added` become `aded`. Other names are unchanged. */
export function acceptedSpelling(name: string): string {
  return webhookEvents.find((event) => event.shown_as === name)?.name ?? name
}

/** Spells an event's name as the service stores, shows and delivers it. Other names are unchanged. */
export function shownSpelling(name: string): string {
  return name.replace(/(?<=[._])aded$/, 'added')
}
