// POST /v1/qualifications over the store. Source: docs/service/qualifications.md#redeemables-qualification.
import type { z } from 'zod'
import type { newQualification } from '../../../contract/qualifications.ts'
import { invalidPayload, Refusal } from '../../http/refusal.ts'
import type { Context } from '../../http/route.ts'
import { type Scenario, scenarios } from '../../rules/qualification/offers.ts'
import { qualifyRedeemables } from '../../rules/qualification/redeemables.ts'
import { is } from '../../storage/conditions.ts'
import { promotionStacks } from '../promotions/stack-store.ts'
import { vouchers } from '../vouchers/store.ts'
import { evaluationSubject } from './request.ts'
import { snapshotOf } from './snapshot.ts'

// ASSUMED A204: five are listed when the request does not say; of a wallet, only the fifty newest vouchers are considered.
const listedByDefault = 5
const walletLimit = 50

/** Answers with the redeemables that fit. Throws 400 for what cannot be evaluated, and 404 for an unknown customer id. */
export function answerQualification(
  body: z.output<typeof newQualification>,
  context: Context,
): Record<string, unknown> {
  const { scenario = 'ALL', options = {}, tracking_id } = body
  const known = scenarios.find((one): one is Scenario => one === scenario)
  // ASSUMED A205: scenarios about products, and filters, are refused: ignoring them would offer what does not fit.
  if (!known) throw unsupported(`Scenario '${scenario}'`)
  if (options.filters && Object.keys(options.filters).length > 0) throw unsupported('Property .options.filters')
  const answer = qualifyRedeemables(
    snapshotOf(context),
    {
      wallet: (customerId) =>
        context.in(vouchers).page([is(vouchers, 'holder_id', customerId)], '-created_at', walletLimit, 1).items,
      stacks: () => context.in(promotionStacks).all(),
    },
    { ...evaluationSubject(body), ...(tracking_id !== undefined && { tracking_id }) },
    { id: context.id('qfl_'), now: context.now },
    {
      scenario: known,
      limit: options.limit ?? listedByDefault,
      ...(options.starting_after !== undefined && { startingAfter: new Date(options.starting_after).toISOString() }),
      expand: options.expand ?? [],
      sorting: options.sorting_rule ?? 'DEFAULT',
    },
  )
  if ('refusal' in answer) throw new Refusal(answer.refusal)
  return answer.body
}

function unsupported(what: string): Refusal {
  return invalidPayload(`${what} is not supported by the local service`)
}
