// A redeemable in the answer of a validation.
// Source: docs/service/validations.md#redeemable-results; docs/service/validations.md#expand.
import type { z } from 'zod'
import type { newValidation } from '../../../contract/validations.ts'
import type { RefusalBody } from '../failures.ts'
import { orderAnswer } from '../pricing/order-answer.ts'
import type { Category } from '../redeemable.ts'
import type { Snapshot } from '../snapshot.ts'
import type { RedeemableCandidate } from './candidates.ts'
import { type EvaluatedEntry, skipMessages } from './entry.ts'

/** What an answer can show expanded. */
export type Expansion = NonNullable<NonNullable<z.output<typeof newValidation>['options']>['expand']>[number]

interface Wording {
  request_id: string
  /** A redemption tells why it skipped a redeemable; in a validation the result of a skipped one is empty. */
  explainsSkips?: true
  stackingRules: Pick<Snapshot['stackingRules'], 'exclusive_categories' | 'joint_categories'>
}

/** Returns the wire form of one entry; without `expand`, applied entries contain their order. */
export function redeemableAnswer(
  entry: EvaluatedEntry,
  expand: readonly Expansion[] | undefined,
  wording: Wording,
): Record<string, unknown> {
  const { candidate } = entry
  return {
    status: entry.status,
    id: candidate.request.id,
    object: candidate.request.object,
    ...outcome(entry, expand, wording),
    ...(entry.status === 'APPLICABLE' || (entry.status === 'SKIPPED' && wording.explainsSkips)
      ? { metadata: (candidate.voucher ?? candidate.tier)?.metadata ?? {} }
      : entry.status === 'INAPPLICABLE' && { metadata: {} }),
    ...(expand?.includes('redeemable') && redeemableFields(candidate)),
    ...(expand?.includes('category') && { categories: categoriesAnswer(candidate.category, wording.stackingRules) }),
  }
}

/** Returns a category as expanded answers show it, in a list; empty without a category. */
export function categoriesAnswer(category: Category | undefined, rules: Wording['stackingRules']): object[] {
  if (!category) return []
  const type = rules.exclusive_categories.includes(category.id)
    ? 'EXCLUSIVE'
    : rules.joint_categories.includes(category.id)
      ? 'JOINT'
      : undefined
  return [{ ...category, ...(type && { stacking_rules_type: type }) }]
}

function outcome(
  entry: EvaluatedEntry,
  expand: readonly Expansion[] | undefined,
  wording: Wording,
): Record<string, unknown> {
  switch (entry.status) {
    case 'APPLICABLE': {
      const { incentive } = entry
      const withOrder = (!expand || expand.length === 0 || expand.includes('order')) && incentive.order
      return {
        ...(withOrder && { order: orderAnswer(withOrder) }),
        applicable_to: incentive.applicable_to,
        inapplicable_to: incentive.inapplicable_to,
        result: { ...incentive.result, ...(incentive.bundle && { bundle: incentive.bundle }) },
      }
    }
    case 'INAPPLICABLE':
      return {
        result: { ...failure(entry.refusal, entry.candidate, wording), ...(entry.bundle && { bundle: entry.bundle }) },
      }
    case 'SKIPPED': {
      const details = { key: entry.reason, message: skipMessages[entry.reason] }
      return { result: wording.explainsSkips ? { details } : {} }
    }
  }
}

/** What is missing names itself; every other failure is about the redeemable. */
function failure(refusal: RefusalBody, { request }: RedeemableCandidate, { request_id }: Wording) {
  const { resource_id = request.id, resource_type = request.object, error: custom, ...common } = refusal
  return {
    error: { ...common, request_id, resource_id, resource_type, ...(custom && { error: custom }) },
    details: { message: custom?.message ?? refusal.message, key: refusal.key },
  }
}

function redeemableFields({ voucher, tier, campaign }: RedeemableCandidate): Record<string, unknown> {
  const found = voucher ?? tier
  if (!found) return {}
  return {
    ...(tier && { name: tier.name }),
    ...(campaign && { campaign_name: campaign.name, campaign_id: campaign.id }),
    metadata: found.metadata ?? {},
  }
}
