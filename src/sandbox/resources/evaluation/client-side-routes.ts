// The client-side calls: the same answers as on the server side. Source: docs/service/addresses.md#client-side-api.
import * as contract from '../../../contract/client-side.ts'
import type { Resource } from '../../http/resource.ts'
import { ok, route } from '../../http/route.ts'
import { receiveEvent } from '../events/receive.ts'
import { answerPromotionValidation } from '../promotions/validate.ts'
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
    route(contract.sendEventFromClient, ({ body }, context) => ok(receiveEvent(body, context))),
  ],
}
