// Earning rules: checked before they are stored, so every stored rule awards points as intended.
// Source: docs/service/loyalty.md#earning-rules; docs/service/validation-rules.md#refused-rules.
import type { z } from 'zod'
import { withoutUndefined } from '../../../base/record.ts'
import { newEarningRule } from '../../../contract/earning-rules.ts'
import { tierChanges } from '../../../contract/loyalty-tiers.ts'
import { assignRules, removeAssignments } from '../../answers/assignments.ts'
import { findLoyaltyProgram } from '../../answers/loyalty.ts'
import { identityOf, requestOf } from '../../http/fixture-object.ts'
import { invalidPayload, notFound } from '../../http/refusal.ts'
import type { Context, FixtureContext, Tables } from '../../http/route.ts'
import { type Earning, earningProblem } from '../../rules/balances/points-earning.ts'
import type { StoredCampaign } from '../../stores/campaigns.ts'
import { segments } from '../../stores/customers.ts'
import { anyTier, earningRules, loyaltyTiers, type StoredEarningRule } from '../../stores/loyalty.ts'
import { eventSchemas } from '../../stores/schemas.ts'
import { validationRules } from '../../stores/validation-rules.ts'
import { segmentEntered } from '../customers/segments.ts'
import { checkMetadata } from '../metadata/check.ts'
import { mergeMetadata, storeUpdate } from '../update.ts'
import { checkValidity, validityLimitsOf } from '../vouchers/parts.ts'

type NewRule = z.output<typeof newEarningRule>

/** The event of an order that is paid for the first time. */
export const orderPaid = 'order.paid'

/** Stores an earning rule of a program. Throws 400 for what the sandbox does not compute, 404 for unknown references. */
export function createEarningRule(campaign: StoredCampaign, body: NewRule, context: Context): StoredEarningRule {
  checkMetadata(context, 'earning_rule', body.metadata)
  const rule: StoredEarningRule = {
    id: context.id(earningRules.prefix),
    ...contentOf(campaign, body, context),
    created_at: context.now,
    updated_at: null,
  }
  context.in(earningRules).insert(rule)
  if (rule.validation_rule_id !== null) assignRules([rule.validation_rule_id], targetOf(rule), context)
  return rule
}

/** Changes an earning rule; omitted members keep their value, null clears. Throws as createEarningRule does. */
export function updateEarningRule(
  rule: StoredEarningRule,
  body: Partial<Record<keyof NewRule, unknown>>,
  campaign: StoredCampaign,
  context: Context,
) {
  const given = withoutUndefined(body)
  // The stored values came from a request, so they are valid in a request.
  const { custom_event, loyalty_tier, segment, ...kept } = rule
  const metadata = mergeMetadata(rule.metadata, body.metadata as NewRule['metadata'])
  const loyalty = given.loyalty ? { type: rule.loyalty.type, ...given.loyalty } : rule.loyalty
  const asked = {
    ...kept,
    ...(custom_event && { custom_event }),
    ...(loyalty_tier && { loyalty_tier }),
    ...(segment && { segment }),
    ...given,
    loyalty,
    metadata,
  } as unknown as NewRule
  checkMetadata(context, 'earning_rule', asked.metadata)
  const { pending_points: _pending, expiration_rules: _expiry, ...before } = rule
  const change = storeUpdate(earningRules, rule, { ...before, ...contentOf(campaign, asked, context) }, context)
  const named = change.doc.validation_rule_id
  if (named === rule.validation_rule_id) return change
  removeAssignments(rule.id, context)
  if (named !== null) assignRules([named], targetOf(rule), context)
  return change
}

function targetOf({ id }: StoredEarningRule) {
  return { id, type: 'earning_rule' as const }
}

/** Reads an earning rule of a fixture; its program is the `campaign_id`. Throws the refusal of an unsupported one. */
export function loadEarningRule(wire: Record<string, unknown>, loading: FixtureContext): StoredEarningRule {
  if (typeof wire.campaign_id !== 'string') throw invalidPayload("Payload must have required property 'campaign_id'")
  const { source } = wire as { source?: { banner?: unknown } }
  const request = requestOf(newEarningRule, { ...wire, source: source?.banner ? { banner: source.banner } : null })
  return {
    ...contentOf(findLoyaltyProgram(wire.campaign_id, loading), request, loading),
    ...identityOf(earningRules, wire, loading),
    ...(typeof wire.automation_id === 'string' && { automation_id: wire.automation_id }),
  }
}

/** Shows an earning rule, with the service's own name of what carries it out; nothing is asked for by it. */
export function earningRuleAnswer({ id, ...rule }: StoredEarningRule) {
  // ASSUMED A1265: there is one automation for each rule, with the digits of its id.
  return { id, automation_id: id.replace(/^(?:ern_)?/, 'auto_'), ...rule }
}

function contentOf(campaign: StoredCampaign, body: NewRule, context: Tables) {
  const loyalty_tier = tierNamedBy(body, context)
  const segment = segmentNamedBy(body, context)
  const custom_event = loyalty_tier || segment ? null : customEventOf(body, context)
  const loyalty = earningOf(body, custom_event !== null)
  const limits = validityLimitsOf(body)
  checkValidity(limits)
  const ruleId = body.validation_rule_id ?? null
  if (ruleId !== null && !context.in(validationRules).get(ruleId)) throw notFound('validation_rules', ruleId)
  return {
    campaign_id: campaign.id,
    event: body.event,
    custom_event,
    ...(loyalty_tier && { loyalty_tier }),
    ...(segment && { segment }),
    ...pendingOf(body),
    ...(body.expiration_rules && { expiration_rules: body.expiration_rules }),
    loyalty,
    source: { banner: body.source?.banner ?? null, object_id: campaign.id, object_type: 'campaign' as const },
    validation_rule_id: ruleId,
    ...limits,
    active: body.active ?? true,
    metadata: body.metadata ?? {},
    object: 'earning_rule' as const,
  }
}

/** Reads after how many days points become active. Throws 400 for events other than a paid order. */
function pendingOf({ event, pending_points }: NewRule): Pick<StoredEarningRule, 'pending_points'> {
  if (!pending_points) return {}
  if (event !== orderPaid) throw invalidPayload(`Property .pending_points is not allowed for the event '${event}'`)
  return { pending_points }
}

const tierEvents: ReadonlySet<string> = new Set(tierChanges.map((change) => `customer.loyalty.tier.${change}`))

/** Finds the tier that a rule about tiers names, which may be of another program; null for rules about other events. */
function tierNamedBy({ event, loyalty_tier }: NewRule, context: Tables): { id: string } | null {
  if (!tierEvents.has(event)) {
    if (loyalty_tier) throw invalidPayload(`Property .loyalty_tier is not allowed for the event '${event}'`)
    return null
  }
  if (!loyalty_tier) throw invalidPayload("Payload must have required property 'loyalty_tier'")
  const { id } = loyalty_tier
  if (id !== anyTier && !context.in(loyaltyTiers).get(id)) throw notFound('loyalty_tier', id)
  return { id }
}

/** Finds the segment that a rule about coming into one names; null for rules about other events. */
function segmentNamedBy({ event, segment }: NewRule, context: Tables): { id: string } | null {
  if (event !== segmentEntered) {
    if (segment) throw invalidPayload(`Property .segment is not allowed for the event '${event}'`)
    return null
  }
  if (!segment) throw invalidPayload("Payload must have required property 'segment'")
  if (!context.in(segments).get(segment.id)) throw notFound('segment', segment.id)
  return { id: segment.id }
}

/** Finds the custom event a rule reacts to; null for paid orders. Throws 404 for an event that the project does not know. */
function customEventOf({ event, custom_event }: NewRule, context: Tables): { schema_id: string } | null {
  if (event === orderPaid && !custom_event) return null
  const schema = context.in(eventSchemas).find(event)
  // ASSUMED A273: an event that is neither a paid order nor defined in the project could never happen, so it is a 404.
  if (schema?.name !== event) throw notFound('custom_event_schema', event)
  if (custom_event && custom_event.schema_id !== schema.id)
    throw notFound('custom_event_schema', custom_event.schema_id)
  return { schema_id: schema.id }
}

function earningOf({ loyalty, event }: NewRule, isCustom: boolean): Earning {
  const earning = JSON.parse(JSON.stringify({ type: 'FIXED', ...loyalty })) as Earning
  const problem = earningProblem(earning)
  if (problem !== undefined) throw invalidPayload(problem.startsWith('.') ? `Property ${problem}` : problem)
  const calculation = earning.type === 'PROPORTIONAL' ? earning.calculation_type : undefined
  const isAboutEvent = calculation === 'CUSTOM_EVENT_METADATA'
  const isAboutOrder = calculation?.startsWith('ORDER_') ?? false
  const isOfOrder = event === orderPaid && !isCustom
  if ((isAboutEvent && !isCustom) || (isAboutOrder && !isOfOrder))
    throw invalidPayload(`Calculation '${calculation}' finds nothing to count in the event '${event}'`)
  return earning
}
