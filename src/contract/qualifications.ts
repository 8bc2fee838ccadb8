// The incentives that a customer and an order qualify for.
// Source: docs/service/qualifications.md#campaign-qualification; docs/service/qualifications.md#redeemables-qualification.
import { z } from 'zod'
import { bothWays, filters } from './calls-about.ts'
import { customer } from './customer.ts'
import { endpoint } from './endpoint.ts'
import { dateTime, listAnswer, metadata } from './fields.ts'
import { order } from './order.ts'

/**
 * How many campaigns or redeemables one request may ask for.
 * Source: docs/service/qualifications.md#campaign-qualification.
 */
const qualifiedPerRequest = z.int().min(1).max(50)

/** The customer and the order to examine campaigns for. The body is the same for both sides of the API. */
export const qualificationContext = z.strictObject({
  customer: customer.optional(),
  order: order.optional(),
  metadata: metadata.optional(),
})

/** The questions `POST /v1/qualifications` answers. */
export const qualificationScenarios = [
  'ALL',
  'CUSTOMER_WALLET',
  'AUDIENCE_ONLY',
  'PRODUCTS',
  'PRODUCTS_DISCOUNT',
  'PROMOTION_STACKS',
  'PRODUCTS_BY_CUSTOMER',
  'PRODUCTS_DISCOUNT_BY_CUSTOMER',
] as const

/** A qualification of redeemables to request. */
export const newQualification = qualificationContext.extend({
  tracking_id: z.string().optional(),
  scenario: z.enum(qualificationScenarios).optional(),
  options: z
    .strictObject({
      // The service decides the number: more than it answers is no mistake.
      limit: z.int().min(1).optional(),
      starting_after: dateTime.optional(),
      filters: filters.optional(),
      expand: z.array(z.enum(['redeemable', 'category', 'validation_rules'])).optional(),
      sorting_rule: z.enum(['BEST_DEAL', 'LEAST_DEAL', 'DEFAULT']).optional(),
    })
    .optional(),
})

const qualificationQuery = z.strictObject({
  // On the wire in camel case, unlike every other name.
  audienceRulesOnly: z.boolean().optional(),
  limit: qualifiedPerRequest.optional(),
  order: bothWays('created_at', 'updated_at', 'type', 'code', 'category', 'campaign').optional(),
})

const qualified = listAnswer.extend({ id: z.string().optional(), tracking_id: z.string().nullish() })

/** Lists the standalone vouchers that fit a customer and an order; nobody holds them. */
export const qualifyVouchers = endpoint('vouchers.qualification', 'Examine voucher qualification', {
  call: 'POST /v1/vouchers/qualification',
  query: qualificationQuery,
  body: qualificationContext,
  response: qualified,
  repeat: 'read',
  source: 'docs/service/qualifications.md#voucher-qualification',
})

/** Lists the active campaigns that fit a customer and an order. Answers with campaigns, never with their codes. */
export const qualifyCampaigns = endpoint('campaigns.qualification', 'Examine campaign qualification', {
  call: 'POST /v1/campaigns/qualification',
  query: qualificationQuery,
  body: qualificationContext,
  response: qualified,
  repeat: 'read',
  source: 'docs/service/qualifications.md#campaign-qualification',
})

/** Lists the redeemables that fit a customer and an order. The service's answer may be up to five minutes old. */
export const qualifyRedeemables = endpoint('qualifications.check', 'Check which redeemables a customer qualifies for', {
  call: 'POST /v1/qualifications',
  body: newQualification,
  response: z.looseObject({ redeemables: z.looseObject({ data: z.array(z.looseObject({})).optional() }) }),
  repeat: 'read',
  source: 'docs/service/qualifications.md#redeemables-qualification',
})
