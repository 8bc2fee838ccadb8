// The client-side calls: the same answers as on the server side, as far as the project permits.
// Source: docs/service/addresses.md#client-side-api; docs/service/authentication.md#client-side-permissions.
import type { z } from 'zod'
import * as contract from '../../../contract/client-side.ts'
import type { customer } from '../../../contract/customer.ts'
import { forbidden } from '../../http/refusal.ts'
import type { Resource } from '../../http/resource.ts'
import { type Context, ok, route } from '../../http/route.ts'
import { is } from '../../storage/conditions.ts'
import { customerAnswer } from '../customers/answer.ts'
import { customers } from '../customers/store.ts'
import { upsertCustomer } from '../customers/upsert.ts'
import { receiveEvent } from '../events/receive.ts'
import { earningRules } from '../loyalty/earning-rule-store.ts'
import { type ClientPermission, isPermitted } from '../projects/settings.ts'
import { tierPage } from '../promotions/routes.ts'
import { answerPromotionValidation } from '../promotions/validate.ts'
import { redeem } from '../redemptions/redeem.ts'
import { findByIds } from '../source-ids.ts'
import { answerQualification } from './qualify.ts'
import { answerValidation } from './validation-routes.ts'

/** Calls of browsers and apps. Their keys, origins and limit are in auth.ts and client-side.ts. */
export const clientSideResource: Resource = {
  routes: [
    route(contract.validateRedeemablesFromClient, ({ body }, context) => ok(answerValidation(body, context))),
    route(contract.validatePromotionsFromClient, ({ query, body }, context) =>
      ok(answerPromotionValidation(query, body, context)),
    ),
    route(contract.qualifyRedeemablesFromClient, ({ body }, context) => ok(answerQualification(body, context))),
    route(contract.listTiersFromClient, ({ query }, context) => ok(tierPage(query, context))),
    route(contract.sendEventFromClient, ({ body }, context) => {
      // A page that reports what somebody did must not thereby put points on any card.
      const isRewarding =
        body.loyalty != null ||
        body.referral != null ||
        context.in(earningRules).count([is(earningRules, 'event', body.event)]) > 0
      if (isRewarding) mustBePermitted('client_loyalty_events_enabled', 'Loyalty and referral events are', context)
      mustNotStore(body.customer, context)
      return ok(receiveEvent(body, context))
    }),
    route(contract.redeemFromClient, ({ body }, context) => {
      mustBePermitted('client_redeem_enabled', 'Redemptions are', context)
      for (const person of [body.customer, body.order?.customer]) if (person) mustNotStore(person, context)
      if (body.tracking_id !== undefined) mustNotStore({ source_id: body.tracking_id }, context)
      return redeem(body, context)
    }),
    route(contract.createCustomerFromClient, ({ body }, context) => {
      mustBePermitted('client_create_customer_enabled', 'Creating and changing customers is', context)
      return ok(customerAnswer(upsertCustomer(body, context), context))
    }),
  ],
}

/** Refuses (403) a customer whom the call would create or change, unless the project permits that. */
function mustNotStore({ id, source_id, object: _, ...members }: z.output<typeof customer>, context: Context): void {
  const isKnown = findByIds(context.in(customers), { id, source_id }) !== undefined
  // ASSUMED A1057: without the permission a page names a stored customer by id or source id, and sends nothing else of them.
  if (isKnown && Object.values(members).every((member) => member === undefined)) return
  mustBePermitted('client_create_customer_enabled', 'Creating and changing customers is', context)
}

function mustBePermitted(permission: ClientPermission, what: string, { project }: Context): void {
  if (!isPermitted(project, permission))
    throw forbidden(`${what} not allowed from the client side; the project setting ${permission} is off`)
}
