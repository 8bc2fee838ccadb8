// The client-side calls: the same answers as on the server side, as far as the project permits.
// Source: docs/service/addresses.md#client-side-api; docs/service/authentication.md#client-side-permissions.
import type { z } from 'zod'
import * as contract from '../../contract/client-side.ts'
import type { voucherUse } from '../../contract/validations.ts'
import { customerAnswer } from '../answers/customers.ts'
import { publicationAnswer } from '../answers/publications.ts'
import { forbidden } from '../http/refusal.ts'
import { type Context, type Resource, route } from '../http/route.ts'
import { type CustomerReference, findCustomer, upsertCustomer } from '../resources/customers/upsert.ts'
import { receiveEvent } from '../resources/events/receive.ts'
import { answerPromotionValidation } from '../resources/promotions/validate.ts'
import { publish } from '../resources/publications/publish.ts'
import { redeem, redeemAlone } from '../resources/redemptions/redeem.ts'
import { findByIds } from '../resources/update.ts'
import { voucherPage } from '../resources/vouchers/list.ts'
import { is } from '../storage/conditions.ts'
import { customers } from '../stores/customers.ts'
import { earningRules } from '../stores/loyalty.ts'
import { type ClientPermission, isPermitted } from '../stores/projects.ts'
import { tierPage } from './promotions.ts'
import { answerQualification } from './qualifications.ts'
import { answerValidation, answerVoucher } from './validations.ts'

/** Calls of browsers and apps. Their keys, origins and limit are in auth.ts and client-side.ts. */
export const clientSideResource: Resource = {
  routes: [
    route(contract.validateRedeemablesFromClient, ({ body }, context) => answerValidation(body, context)),
    route(contract.validatePromotionsFromClient, ({ query, body }, context) =>
      answerPromotionValidation(query, body, context),
    ),
    route(contract.qualifyRedeemablesFromClient, ({ body }, context) => answerQualification(body, context)),
    route(contract.listTiersFromClient, ({ query }, context) => tierPage(query, context)),
    route(contract.sendEventFromClient, ({ body }, context) => {
      // A page that reports what somebody did must not thereby put points on any card.
      const isRewarding =
        body.loyalty != null ||
        body.referral != null ||
        context.in(earningRules).count([is(earningRules, 'event', body.event)]) > 0
      if (isRewarding) mustBePermitted('client_loyalty_events_enabled', 'Loyalty and referral events are', context)
      mustNotStore(body.customer, context)
      return receiveEvent(body, context)
    }),
    route(contract.redeemFromClient, ({ body }, context) => {
      mustMayRedeem(body, context)
      return redeem(body, context)
    }),
    { ...route(contract.validateVoucherFromClient, validatedInQuery), isWritingGet: true },
    route(contract.validatePromotionsInQuery, ({ query }, context) =>
      answerPromotionValidation({}, cartOf(query), context),
    ),
    route(contract.redeemVoucherFromClient, ({ query: { code, ...tracked }, body = {} }, context) => {
      // ASSUMED A1113: an empty customer, as pages without a tracking id send it, is nobody.
      const customer = body.customer && Object.values(body.customer).some(isGiven) ? body.customer : undefined
      const use = { ...tracked, ...body, customer }
      mustMayRedeem(use, context)
      return redeemAlone('voucher', code, use, context)
    }),
    route(contract.redeemTierFromClient, ({ path, body = {} }, context) => {
      mustMayRedeem(body, context)
      return redeemAlone('promotion_tier', path.promotionTierId, body, context)
    }),
    route(contract.publishFromClient, ({ query: { campaign, ...options }, body }, context) => {
      mustBePermitted('client_publish_enabled', 'Publications are', context)
      mustNotStore(body.customer, context)
      return publicationAnswer(publish({ ...body, campaign }, context, options).publication, context)
    }),
    route(contract.listVouchersFromClient, ({ query }, context) => {
      mustBePermitted('client_list_vouchers_enabled', 'Listing vouchers is', context)
      const { vouchers: shown, ...list } = voucherPage(query, context)
      return { ...list, vouchers: shown.map(listedVoucher) }
    }),
    route(contract.createCustomerFromClient, ({ body }, context) => {
      mustBePermitted('client_create_customer_enabled', 'Creating and changing customers is', context)
      return customerAnswer(upsertCustomer(body, context), context)
    }),
  ],
}

/** Validates the voucher and the cart of a query. */
function validatedInQuery(
  { query }: { query: z.output<typeof contract.validateVoucherFromClient.query & {}> },
  context: Context,
) {
  const { code, reward, session_type: type, session_key: key, session_ttl: ttl, session_ttl_unit: ttl_unit } = query
  const asked = { type, key, ttl, ttl_unit }
  const use = {
    ...cartOf(query),
    tracking_id: query.tracking_id,
    ...(reward && { reward }),
    ...(Object.values(asked).some(isGiven) && { session: asked }),
  }
  return answerVoucher(code, use, context)
}

// ASSUMED A1112: the older calls answer like those of the server side; without any part of an order there is none.
/** Puts the parts of a cart in a query together. */
function cartOf({
  amount,
  item,
  order,
  customer,
  metadata,
}: z.output<typeof contract.validatePromotionsInQuery.query & {}>) {
  const parts = { amount, items: item, metadata: order?.metadata }
  return {
    ...(customer && { customer }),
    ...(metadata && { metadata }),
    ...(Object.values(parts).some(isGiven) && { order: parts }),
  }
}

function isGiven(value: unknown): boolean {
  return value != null
}

/** The members of a voucher that a page may list. */
function listedVoucher(voucher: ReturnType<typeof voucherPage>['vouchers'][number]) {
  const { code, active, start_date, expiration_date, metadata, assets, created_at, object } = voucher
  return { code, active, start_date, expiration_date, metadata, assets, created_at, object }
}

/** Refuses (403) a redemption unless the project permits it, and the customers that it would store. */
function mustMayRedeem(
  { customer, order, tracking_id }: Pick<z.output<typeof voucherUse>, 'customer' | 'order' | 'tracking_id'>,
  context: Context,
): void {
  mustBePermitted('client_redeem_enabled', 'Redemptions are', context)
  for (const person of [customer, order?.customer]) if (person) mustNotStore(person, context)
  if (tracking_id !== undefined) mustNotStore({ source_id: tracking_id }, context)
}

/** Refuses (403) a customer whom the call would create or change, unless the project permits that. */
function mustNotStore(given: CustomerReference, context: Context): void {
  const { id: _id, source_id: _source, object: _object, ...members } = typeof given === 'string' ? {} : given
  const known = typeof given === 'string' ? findCustomer(given, context) : findByIds(context.in(customers), given)
  // ASSUMED A1057: without the permission a page names a stored customer by id or source id, and sends nothing else of them.
  if (known && Object.values(members).every((member) => member === undefined)) return
  mustBePermitted('client_create_customer_enabled', 'Creating and changing customers is', context)
}

function mustBePermitted(permission: ClientPermission, what: string, { project }: Context): void {
  if (!isPermitted(project, permission))
    throw forbidden(`${what} not allowed from the client side; the project setting ${permission} is off`)
}
