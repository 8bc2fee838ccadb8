// What a customer and an order qualify for. Source: docs/service/qualifications.md#campaign-qualification.
import { withoutUndefined } from '../../../base/record.ts'
import * as contract from '../../../contract/qualifications.ts'
import { Refusal } from '../../http/refusal.ts'
import type { Resource } from '../../http/resource.ts'
import { listAnswer, ok, route } from '../../http/route.ts'
import { qualifyCampaigns } from '../../rules/qualification/campaigns.ts'
import { qualifiedCampaignsText } from '../campaigns/answer.ts'
import type { StoredCampaign } from '../campaigns/store.ts'
import { answerQualification, answerVoucherQualification } from './qualify.ts'
import { evaluationSubject } from './request.ts'
import { snapshotOf } from './snapshot.ts'

/** Qualifications; they store nothing. */
export const qualificationResource: Resource = {
  routes: [
    route(contract.qualifyRedeemables, ({ body }, context) => ok(answerQualification(body, context))),
    route(contract.qualifyVouchers, ({ query, body }, context) => ok(answerVoucherQualification(query, body, context))),
    route(contract.qualifyCampaigns, ({ query, body }, context) => {
      const answer = qualifyCampaigns(
        snapshotOf(context),
        evaluationSubject(body),
        { id: context.id('qfl_'), now: context.now },
        withoutUndefined(query),
      )
      if ('refusal' in answer) throw new Refusal(answer.refusal)
      return listAnswer(answer.body, qualifiedCampaignsText(answer.body.data as StoredCampaign[], context))
    }),
  ],
}
