// The calls of browsers and mobile apps, with their own keys and an Origin.
// Source: docs/service/addresses.md#client-side-api; docs/service/authentication.md#client-side-key-pair.
import { z } from 'zod'
import { customer } from './customer.ts'
import { storedCustomer } from './customers.ts'
import { endpoint } from './endpoint.ts'
import { newEvent, receivedEvent } from './events.ts'
import { metadata } from './fields.ts'
import { listing } from './listing.ts'
import { order, orderItem } from './order.ts'
import {
  listPromotionTiers,
  promotionsContext,
  promotionsQuery,
  promotionsValidation,
  tierListing,
} from './promotions.ts'
import { publication, publicationMembers } from './publications.ts'
import { newQualification, qualifyRedeemables } from './qualifications.ts'
import { newRedemption, redeemed, redemption } from './redemptions.ts'
import { session } from './session.ts'
import { newValidation, redeemable, validation, voucherUse, voucherValidation } from './validations.ts'
import { voucherListing } from './voucher-lists.ts'

/** Validates redeemables, as `validations.validate` does. */
export const validateRedeemablesFromClient = endpoint('client.validations.validate', {
  call: 'POST /client/v1/validations',
  credential: 'client',
  body: newValidation,
  response: validation,
  repeat: 'read',
  source: 'docs/service/validations.md#client-side',
  summary: 'Validate redeemables from a browser or an app',
})

/** Evaluates every promotion tier on its own, as `promotions.validate` does. */
export const validatePromotionsFromClient = endpoint('client.promotions.validate', {
  call: 'POST /client/v1/promotions/validation',
  credential: 'client',
  query: promotionsQuery,
  body: promotionsContext,
  response: promotionsValidation,
  repeat: 'read',
  source: 'docs/service/validations.md#client-side',
  summary: 'Validate promotions from a browser or an app',
})

/** Lists the redeemables that fit, as `qualifications.check` does. */
export const qualifyRedeemablesFromClient = endpoint('client.qualifications.check', {
  call: 'POST /client/v1/qualifications',
  credential: 'client',
  body: newQualification,
  response: qualifyRedeemables.response,
  repeat: 'read',
  source: 'docs/service/qualifications.md#redeemables-qualification',
  summary: 'Check what a customer qualifies for, from a browser or an app',
})

/** Sends an event, as `events.send` does. */
export const sendEventFromClient = endpoint('client.events.send', {
  call: 'POST /client/v1/events',
  credential: 'client',
  body: newEvent,
  response: receivedEvent,
  repeat: 'once',
  source: 'docs/service/events.md#client-side',
  summary: 'Send a custom event from a browser or an app',
})

/** Lists the promotion tiers that a page may show. */
export const listTiersFromClient = endpoint('client.promotions.tiers.list', {
  call: 'GET /client/v1/promotions/tiers',
  credential: 'client',
  query: tierListing,
  response: listPromotionTiers.response,
  paging: listPromotionTiers.paging,
  source: 'docs/service/promotions.md#client-side',
  summary: 'List promotion tiers from a browser or an app',
})

/** Redeems, as `redemptions.redeem` does, where the project allows it to pages and apps. */
export const redeemFromClient = endpoint('client.redemptions.redeem', {
  call: 'POST /client/v1/redemptions',
  credential: 'client',
  body: newRedemption,
  response: redeemed,
  repeat: 'once',
  source: 'docs/service/authentication.md#client-side-permissions',
  summary: 'Redeem from a browser or an app',
})

/** Stores a customer, as `customers.create` does, where the project allows it to pages and apps. */
export const createCustomerFromClient = endpoint('client.customers.create', {
  call: 'POST /client/v1/customers',
  credential: 'client',
  body: customer,
  response: storedCustomer,
  repeat: 'reconcile',
  source: 'docs/service/authentication.md#client-side-permissions',
  summary: 'Create a customer from a browser or an app',
})

/** A cart in a query, as older pages send it: the order in parts, its lines under `item`. */
const cartInQuery = {
  amount: order.shape.amount,
  item: z.array(orderItem).optional(),
  order: z.strictObject({ metadata: metadata.optional() }).optional(),
  customer: customer.optional(),
  tracking_id: z.string().optional(),
  metadata: metadata.optional(),
}

/** Validates one voucher, as `vouchers.validate` does, with the cart in the query. */
export const validateVoucherFromClient = endpoint('client.vouchers.validate', {
  call: 'GET /client/v1/validate',
  credential: 'client',
  query: z.strictObject({
    ...cartInQuery,
    code: z.string().min(1),
    reward: redeemable.shape.reward,
    session_type: session.shape.type,
    session_key: session.shape.key,
    session_ttl: session.shape.ttl,
    session_ttl_unit: session.shape.ttl_unit,
  }),
  response: voucherValidation,
  source: 'docs/service/validations.md#older-validation-calls',
  summary: 'Validate one voucher from a browser or an app (older call)',
})

/** Evaluates every promotion tier on its own, with the cart in the query. */
export const validatePromotionsInQuery = endpoint('client.promotions.validate-query', {
  call: 'GET /client/v1/promotions/validation',
  credential: 'client',
  query: z.strictObject(cartInQuery),
  response: promotionsValidation,
  source: 'docs/service/validations.md#older-validation-calls',
  summary: 'Validate promotions from a browser or an app (older call)',
})

/** Redeems one voucher, as `vouchers.redeem` does, where the project allows it to pages and apps. */
export const redeemVoucherFromClient = endpoint('client.vouchers.redeem', {
  call: 'POST /client/v1/redeem',
  credential: 'client',
  query: z.strictObject({ code: z.string().min(1), tracking_id: z.string().optional() }),
  body: voucherUse.optional(),
  response: redemption,
  repeat: 'once',
  source: 'docs/service/redemptions.md#older-call',
  summary: 'Redeem one voucher from a browser or an app (older call)',
})

/** Redeems one promotion tier, as `promotions.tiers.redeem` does, where the project allows it to pages and apps. */
export const redeemTierFromClient = endpoint('client.promotions.tiers.redeem', {
  call: 'POST /client/v1/promotions/tiers/{promotionTierId}/redemption',
  credential: 'client',
  body: voucherUse.omit({ gift: true, reward: true }).optional(),
  response: redemption,
  repeat: 'once',
  source: 'docs/service/redemptions.md#older-call',
  summary: 'Redeem one promotion tier from a browser or an app (older call)',
})

/** Publishes a code of a campaign to a customer, where the project allows it to pages and apps. */
export const publishFromClient = endpoint('client.publications.create', {
  call: 'POST /client/v1/publish',
  credential: 'client',
  query: z.strictObject({ campaign: z.string().min(1), join_once: z.boolean().optional() }),
  body: publicationMembers,
  response: publication,
  repeat: 'once',
  source: 'docs/service/publications.md#client-side',
  summary: 'Publish a voucher from a browser or an app',
})

/** Lists vouchers, with few of their members, where the project allows it to pages and apps. */
export const listVouchersFromClient = endpoint('client.vouchers.list', {
  ...listing,
  call: 'GET /client/v1/vouchers',
  credential: 'client',
  query: z.strictObject(voucherListing),
  paging: { style: 'page', lastPage: 99 },
  source: 'docs/service/vouchers.md#client-side',
  summary: 'List vouchers from a browser or an app',
})
