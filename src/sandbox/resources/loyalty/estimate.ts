// How many points an order would earn: the earning rules of a paid order, without storing anything.
// Source: docs/service/loyalty.md#estimate-points.
import type { estimatePoints } from '../../../contract/loyalty-programs.ts'
import { Refusal, refused } from '../../http/refusal.ts'
import type { BodyOf, Context } from '../../http/route.ts'
import { reactsTo } from '../../rules/balances/points-earning.ts'
import { resolveCustomer } from '../../rules/eligibility/customer.ts'
import { calculateOrder } from '../../rules/pricing/order.ts'
import { is } from '../../storage/conditions.ts'
import type { StoredCampaign } from '../../stores/campaigns.ts'
import { earningRules } from '../../stores/loyalty.ts'
import { type StoredVoucher, vouchers } from '../../stores/vouchers.ts'
import { evaluationSubject } from '../evaluation/request.ts'
import { snapshotOf } from '../evaluation/snapshot.ts'
import { isUsable } from './cards.ts'
import { pointsByRule } from './earn.ts'
import { orderPaid } from './earning-rules.ts'

type Body = BodyOf<typeof estimatePoints>

/**
 * Estimates the points of an order, on every usable card of the customer, or on the one that joining would bring.
 *
 * Throws 404 for an unknown customer id, and 400: `campaign_not_active`, `loyalty_card_not_active` when the customer has
 * cards of which none can be used, `campaign_not_allow_auto_join` for one without a card who cannot join by the order.
 */
export function estimatedPoints(campaign: StoredCampaign, body: Body, context: Context): number {
  if (!isUsable(campaign, context)) throw refused('campaign_not_active', `Campaign ${campaign.id} is not active`)
  const snapshot = snapshotOf(context)
  const asked = evaluationSubject(body)
  const resolved = resolveCustomer(snapshot, asked.customer)
  if ('refusal' in resolved) throw new Refusal(resolved.refusal)
  const { customer } = resolved
  const order = calculateOrder(snapshot, asked.order)
  const rules = context
    .in(earningRules)
    .all([is(earningRules, 'campaign_id', campaign.id)])
    .filter((rule) => reactsTo(rule, orderPaid, context.now, context.project.timezone))
  const facts = { customer, order, metadata: asked.metadata }
  return cardsOf(customer?.id, campaign, context)
    .flatMap((card) => rules.map((rule) => pointsByRule(rule, card, campaign, facts, snapshot, context)))
    .reduce((total, points) => total + points, 0)
}

/** The cards that would earn; undefined stands for the card of a customer who joins. */
function cardsOf(
  customerId: string | undefined,
  campaign: StoredCampaign,
  context: Context,
): Array<StoredVoucher | undefined> {
  const held =
    customerId === undefined
      ? []
      : context
          .in(vouchers)
          .all([is(vouchers, 'holder_id', customerId)])
          .filter(({ campaign_id }) => campaign_id === campaign.id)
  const usable = held.filter((card) => isUsable(card, context))
  if (usable.length > 0) return usable
  const [card] = held
  if (card) throw refused('loyalty_card_not_active', `Loyalty card ${card.code} is not active`)
  if (campaign.auto_join !== true)
    throw refused(
      'campaign_not_allow_auto_join',
      `The customer has no card of campaign ${campaign.id}, which customers do not join automatically`,
    )
  return [undefined]
}
