// The calls of browsers and mobile apps, with their own keys and an Origin.
// Source: docs/service/addresses.md#client-side-api; docs/service/authentication.md#client-side-key-pair.
import { z } from 'zod'
import { listing, pages } from './calls-about.ts'
import { customer } from './customer.ts'
import { createCustomer } from './customers.ts'
import { type Endpoint, endpoint } from './endpoint.ts'
import { sendEvent } from './events.ts'
import { metadata } from './fields.ts'
import { order, orderItem } from './order.ts'
import { listPromotionTiers, promotionsValidation, validatePromotions } from './promotions.ts'
import { publication, publicationMembers } from './publications.ts'
import { qualifyRedeemables } from './qualifications.ts'
import { redeem, redeemTier, redemption } from './redemptions.ts'
import { session } from './session.ts'
import { redeemable, validateRedeemables, voucherUse, voucherValidation } from './validations.ts'
import { voucherListing } from './voucher-lists.ts'

/** Declares for pages and apps what a call of the server side does: only the path, the keys and the words differ. */
function fromClient<Path extends string, Query extends z.ZodType, Body extends z.ZodType, Answer extends z.ZodType>(
  call: Endpoint<`/v1/${Path}`, Query, Body, Answer>,
  source: string,
  summary = `${call.summary} from a browser or an app`,
): Endpoint<`/client/v1/${Path}`, Query, Body, Answer> {
  return { ...call, id: `client.${call.id}`, path: `/client${call.path}`, credential: 'client', source, summary }
}

/** Validates redeemables, as `validations.validate` does. */
export const validateRedeemablesFromClient = fromClient(validateRedeemables, 'docs/service/validations.md#client-side')

/** Evaluates every promotion tier on its own, as `promotions.validate` does. */
export const validatePromotionsFromClient = fromClient(validatePromotions, 'docs/service/validations.md#client-side')

/** Lists the redeemables that fit, as `qualifications.check` does. */
export const qualifyRedeemablesFromClient = fromClient(
  qualifyRedeemables,
  'docs/service/qualifications.md#redeemables-qualification',
  'Check what a customer qualifies for, from a browser or an app',
)

/** Sends an event, as `events.send` does. */
export const sendEventFromClient = fromClient(sendEvent, 'docs/service/events.md#client-side')

/** Lists the promotion tiers that a page may show. */
export const listTiersFromClient = fromClient(listPromotionTiers, 'docs/service/promotions.md#client-side')

/** Redeems, as `redemptions.create` does, where the project allows it to pages and apps. */
export const redeemFromClient = fromClient(
  redeem,
  'docs/service/authentication.md#client-side-permissions',
  'Redeem from a browser or an app',
)

/** Stores a customer, as `customers.create` does, where the project allows it to pages and apps. */
export const createCustomerFromClient = fromClient(
  createCustomer,
  'docs/service/authentication.md#client-side-permissions',
)

/** Redeems one promotion tier, as `promotions.tiers.redeem` does, where the project allows it to pages and apps. */
export const redeemTierFromClient = fromClient(
  redeemTier,
  'docs/service/redemptions.md#older-call',
  'Redeem one promotion tier from a browser or an app (older call)',
)

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
export const validateVoucherFromClient = endpoint(
  'client.vouchers.validate',
  'Validate one voucher from a browser or an app (older call)',
  {
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
  },
)

/** Evaluates every promotion tier on its own, with the cart in the query. */
export const validatePromotionsInQuery = endpoint(
  'client.promotions.validate-query',
  'Validate promotions from a browser or an app (older call)',
  {
    call: 'GET /client/v1/promotions/validation',
    credential: 'client',
    query: z.strictObject(cartInQuery),
    response: promotionsValidation,
    source: 'docs/service/validations.md#older-validation-calls',
  },
)

/** Redeems one voucher, as `vouchers.redeem` does, where the project allows it to pages and apps. */
export const redeemVoucherFromClient = endpoint(
  'client.vouchers.redeem',
  'Redeem one voucher from a browser or an app (older call)',
  {
    call: 'POST /client/v1/redeem',
    credential: 'client',
    query: z.strictObject({ code: z.string().min(1), tracking_id: z.string().optional() }),
    body: voucherUse.optional(),
    response: redemption,
    repeat: 'once',
    unproved: 'no list tells two redemptions apart that ask for the same',
    source: 'docs/service/redemptions.md#older-call',
  },
)

/** Publishes a code of a campaign to a customer, where the project allows it to pages and apps. */
export const publishFromClient = endpoint('client.publications.create', 'Publish a voucher from a browser or an app', {
  call: 'POST /client/v1/publish',
  credential: 'client',
  query: z.strictObject({ campaign: z.string().min(1), join_once: z.boolean().optional() }),
  body: publicationMembers,
  response: publication,
  repeat: 'once',
  unproved: 'the keys of a browser list no publications',
  source: 'docs/service/publications.md#client-side',
})

/** Lists vouchers, with few of their members, where the project allows it to pages and apps. */
export const listVouchersFromClient = endpoint('client.vouchers.list', 'List vouchers from a browser or an app', {
  ...listing,
  call: 'GET /client/v1/vouchers',
  credential: 'client',
  query: z.strictObject(voucherListing),
  paging: pages(99),
  source: 'docs/service/vouchers.md#client-side',
})
