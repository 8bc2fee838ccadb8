// The client-side calls: the same answers as on the server side. Source: docs/service/addresses.md#client-side-api.
import * as contract from '../../../contract/client-side.ts'
import { ok, type Resource, route } from '../../http/route.ts'
import { receiveEvent } from '../events/receive.ts'
import { promotionsValidated } from '../promotions/validate.ts'
import { redeemablesQualified } from './qualify.ts'
import { validated } from './validation-routes.ts'

/** Calls of browsers and apps. Their keys, origins and limit are in auth.ts and client-side.ts. */
export const clientSideResource: Resource = {
  routes: [
    route(contract.validateRedeemablesFromClient, ({ body }, context) => ok(validated(body, context))),
    route(contract.validatePromotionsFromClient, ({ query, body }, context) =>
      ok(promotionsValidated(query, body, context)),
    ),
    route(contract.qualifyRedeemablesFromClient, ({ body }, context) => ok(redeemablesQualified(body, context))),
    route(contract.sendEventFromClient, ({ body }, context) => ok(receiveEvent(body, context))),
  ],
}
