// The calls of browsers and mobile apps, with their own keys and an Origin.
// Source: docs/service/addresses.md#client-side-api; docs/service/authentication.md#client-side-key-pair.
import { customer } from './customer.ts'
import { storedCustomer } from './customers.ts'
import { endpoint } from './endpoint.ts'
import { newEvent, receivedEvent } from './events.ts'
import {
  listPromotionTiers,
  promotionsContext,
  promotionsQuery,
  promotionsValidation,
  tierListing,
} from './promotions.ts'
import { newQualification, qualifyRedeemables } from './qualifications.ts'
import { newRedemption, redeemed } from './redemptions.ts'
import { newValidation, validation } from './validations.ts'

/** Validates redeemables, as `validations.validate` does. */
export const validateRedeemablesFromClient = endpoint({
  id: 'client.validations.validate',
  method: 'POST',
  path: '/client/v1/validations',
  credential: 'client',
  body: newValidation,
  response: validation,
  repeat: 'read',
  source: 'docs/service/validations.md#client-side',
  summary: 'Validate redeemables from a browser or an app',
})

/** Evaluates every promotion tier on its own, as `promotions.validate` does. */
export const validatePromotionsFromClient = endpoint({
  id: 'client.promotions.validate',
  method: 'POST',
  path: '/client/v1/promotions/validation',
  credential: 'client',
  query: promotionsQuery,
  body: promotionsContext,
  response: promotionsValidation,
  repeat: 'read',
  source: 'docs/service/validations.md#client-side',
  summary: 'Validate promotions from a browser or an app',
})

/** Lists the redeemables that fit, as `qualifications.check` does. */
export const qualifyRedeemablesFromClient = endpoint({
  id: 'client.qualifications.check',
  method: 'POST',
  path: '/client/v1/qualifications',
  credential: 'client',
  body: newQualification,
  response: qualifyRedeemables.response,
  repeat: 'read',
  source: 'docs/service/qualifications.md#redeemables-qualification',
  summary: 'Check what a customer qualifies for, from a browser or an app',
})

/** Sends an event, as `events.send` does. */
export const sendEventFromClient = endpoint({
  id: 'client.events.send',
  method: 'POST',
  path: '/client/v1/events',
  credential: 'client',
  body: newEvent,
  response: receivedEvent,
  repeat: 'once',
  source: 'docs/service/events.md#client-side',
  summary: 'Send a custom event from a browser or an app',
})

/** Lists the promotion tiers that a page may show. */
export const listTiersFromClient = endpoint({
  id: 'client.promotions.tiers.list',
  method: 'GET',
  path: '/client/v1/promotions/tiers',
  credential: 'client',
  query: tierListing,
  response: listPromotionTiers.response,
  paging: listPromotionTiers.paging,
  repeat: 'read',
  source: 'docs/service/promotions.md#client-side',
  summary: 'List promotion tiers from a browser or an app',
})

/** Redeems, as `redemptions.redeem` does, where the project allows it to pages and apps. */
export const redeemFromClient = endpoint({
  id: 'client.redemptions.redeem',
  method: 'POST',
  path: '/client/v1/redemptions',
  credential: 'client',
  body: newRedemption,
  response: redeemed,
  repeat: 'once',
  source: 'docs/service/authentication.md#client-side-permissions',
  summary: 'Redeem from a browser or an app',
})

/** Stores a customer, as `customers.create` does, where the project allows it to pages and apps. */
export const createCustomerFromClient = endpoint({
  id: 'client.customers.create',
  method: 'POST',
  path: '/client/v1/customers',
  credential: 'client',
  body: customer,
  response: storedCustomer,
  repeat: 'reconcile',
  source: 'docs/service/authentication.md#client-side-permissions',
  summary: 'Create a customer from a browser or an app',
})
