// What every stored redemption, rollback and failed attempt begins with.
import type { Context } from '../../http/route.ts'
import type { RedeemableCandidate } from '../../rules/stacking/candidates.ts'
import type { StoredRedemption } from './store.ts'

/** Who redeems, and what the request tells of it. */
export interface RedemptionOrigin {
  customer_id: string | null
  tracking_id: string | null
  metadata: Record<string, unknown>
}

/** Begins a record under an id; it succeeded unless it says otherwise. */
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

/** What a redemption is about; something that is not stored goes by what was asked for. */
export function relatedObjectOf({ request, voucher, tier }: RedeemableCandidate) {
  return {
    related_object_type: request.object === 'voucher' ? ('voucher' as const) : ('promotion_tier' as const),
    related_object_id: voucher?.id ?? tier?.id ?? request.id,
    campaign_id: voucher?.campaign_id ?? tier?.campaign_id ?? null,
    ...(request.object === 'voucher' && { voucher_code: voucher?.code ?? request.id }),
  }
}
