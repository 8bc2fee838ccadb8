// POST /v1/promotions/validation over the store. Source: docs/service/validations.md#validate-promotions.
import type { validatePromotions as endpoint } from '../../../contract/promotions.ts'
import { Refusal } from '../../http/refusal.ts'
import type { BodyOf, Context, QueryOf } from '../../http/route.ts'
import { type PromotionsQuery, validatePromotions } from '../../rules/stacking/promotion-validation.ts'
import { compileFilters } from '../../storage/filters.ts'
import { promotionTiers } from '../../stores/promotions.ts'
import { evaluationSubject } from '../evaluation/request.ts'
import { snapshotOf } from '../evaluation/snapshot.ts'

type Query = QueryOf<typeof endpoint>
type Body = BodyOf<typeof endpoint>

/** Answers with the tiers that apply. Throws the refusal of a request that cannot be evaluated, and BadFilter. */
export function answerPromotionValidation(query: Query, body: Body, context: Context): Record<string, unknown> {
  const expand = body.options?.expand?.filter((name) => name === 'category')
  const filter = query.filters && filterOf(query.filters, context)
  const answer = validatePromotions(
    snapshotOf(context),
    { ...evaluationSubject(body), ...(expand && { options: { expand } }) },
    { now: context.now },
    {
      ...(query.audienceRulesOnly !== undefined && { audienceRulesOnly: query.audienceRulesOnly }),
      ...(filter && { filter }),
    },
  )
  if ('refusal' in answer) throw new Refusal(answer.refusal)
  return answer.body
}

function filterOf(filters: Record<string, unknown>, context: Context): NonNullable<PromotionsQuery['filter']> {
  const where = compileFilters(promotionTiers, namedForTiers(filters), context.now)
  const left = new Set(
    context
      .in(promotionTiers)
      .all([where])
      .map(({ id }) => id),
  )
  return ({ id }) => left.has(id)
}

/** ASSUMED A201: `promotion_id` is the id of a tier, which begins with `promo_`; `metadata` holds conditions by key. */
function namedForTiers({ promotion_id, metadata, ...others }: Record<string, unknown>): Record<string, unknown> {
  const byKey = Object.entries((metadata ?? {}) as object).map(([key, condition]) => [`metadata.${key}`, condition])
  return { ...others, ...(promotion_id !== undefined && { id: promotion_id }), ...Object.fromEntries(byKey) }
}
