// The members common to every stored redemption, rollback and failed attempt.
import type { Context } from '../../http/route.ts'
import type { RedeemableCandidate } from '../../rules/stacking/candidates.ts'
import type { StoredRedemption } from './store.ts'

/** The customer who redeems, and the request's data about it. */
export interface RedemptionOrigin {
  customer_id: string | null
  tracking_id: string | null
  /** Null when the request has none. */
  metadata: Record<string, unknown> | null
}

/** Builds the start of a record with an id; it is a success unless overridden. */
export function redemptionRecord(
  id: string,
  origin: RedemptionOrigin,
  about: Pick<StoredRedemption, 'related_object_type' | 'related_object_id' | 'campaign_id' | 'voucher_code'>,
  context: Context,
): StoredRedemption {
  return {
    id,
    object: 'redemption',
    date: context.now,
    created_at: context.now,
    updated_at: null,
    ...origin,
    result: 'SUCCESS',
    status: 'SUCCEEDED',
    channel: { channel_id: context.project.app_id, channel_type: context.caller.channel },
    ...about,
  }
}

/** What a redemption is about; something that is not stored is named as requested. */
export function relatedObjectOf({ request, voucher, tier }: RedeemableCandidate) {
  return {
    related_object_type: request.object === 'voucher' ? ('voucher' as const) : ('promotion_tier' as const),
    related_object_id: voucher?.id ?? tier?.id ?? request.id,
    campaign_id: voucher?.campaign_id ?? tier?.campaign_id ?? null,
    ...(request.object === 'voucher' && { voucher_code: voucher?.code ?? request.id }),
  }
}
