// The rules by which a loyalty program awards points.
// Source: docs/service/webhooks.md#event-names; docs/service/loyalty.md#earning-rules; evaluation of custom events and orders.
import { z } from 'zod'
import { callsAbout, pageListing } from './calls-about.ts'
import { endpoint } from './endpoint.ts'
import { expirationRules } from './expiration-rules.ts'
import { metadata } from './fields.ts'
import { pendingPointsSetting } from './pending-points.ts'
import { validity } from './validity.ts'

/** How points are computed: a fixed number (also without a type), or a number for each step of an amount. Kept open: there are many kinds. */
const loyalty = z.looseObject({ type: z.string().optional(), points: z.int().min(0).optional() })

const members = {
  event: z.string().min(1),
  loyalty,
  custom_event: z.strictObject({ schema_id: z.string().min(1) }).nullish(),
  segment: z.strictObject({ id: z.string().min(1) }).nullish(),
  source: z.strictObject({ banner: z.string().nullish() }).nullish(),
  pending_points: pendingPointsSetting.nullish(),
  expiration_rules: expirationRules.nullish(),
  loyalty_tier: z.strictObject({ id: z.string().min(1) }).nullish(),
  ...validity,
  validation_rule_id: z.string().nullish(),
  active: z.boolean().optional(),
  metadata: metadata.nullish(),
}

/** An earning rule to create. */
export const newEarningRule = z.strictObject(members)

/** An earning rule as the service returns it. */
export const earningRule = z.looseObject({ id: z.string(), active: z.boolean().nullish() })

const calls = callsAbout('loyalty.earning-rules', '/v1/loyalties/{campaignId}/earning-rules/{earningRuleId}', {
  response: earningRule,
  source: 'docs/service/loyalty.md#earning-rules',
})

export const listEarningRules = calls.list(pageListing, 'List earning rules')

/** Adds earning rules to a program. Answers with an array of them. */
export const createEarningRules = endpoint('loyalty.earning-rules.create', 'Create earning rules', {
  call: 'POST /v1/loyalties/{campaignId}/earning-rules',
  body: z.array(newEarningRule).min(1),
  response: z.array(earningRule),
  repeat: 'reconcile',
  proof: { by: 'list', read: { call: () => listEarningRules } },
  source: 'docs/service/loyalty.md#earning-rules',
})

export const getEarningRule = calls.get('Get an earning rule')

/** Changes an earning rule; what it reacts to stays, and is skipped where it is sent. */
export const updateEarningRule = calls.update(
  newEarningRule.omit({ event: true, custom_event: true, segment: true, loyalty_tier: true }).partial(),
  'Update an earning rule',
)

export const deleteEarningRule = calls.delete('Delete an earning rule')
export const enableEarningRule = calls.enable('Enable an earning rule')
export const disableEarningRule = calls.disable('Disable an earning rule')
