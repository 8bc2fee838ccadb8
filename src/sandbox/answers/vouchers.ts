// Vouchers as the service shows them: the stored facts with related facts from elsewhere.
// Source: docs/service/vouchers.md#fields.

import { memoize } from '../../base/memoized.ts'
import type { Tables } from '../http/route.ts'
import { campaigns } from '../stores/campaigns.ts'
import { categories } from '../stores/categories.ts'
import type { StoredVoucher } from '../stores/vouchers.ts'
import { type AssetContext, assetsOf } from './assets.ts'
import { assignmentLists } from './assignments.ts'

/** What showing a voucher needs from a context. */
export type VoucherContext = Tables & AssetContext

/** Shows vouchers in their order; what they share (campaign, category) is loaded once. */
export function voucherAnswers(vouchers: readonly StoredVoucher[], context: VoucherContext) {
  const campaignName = memoize((id: string) => context.in(campaigns).get(id)?.name ?? null)
  const category = memoize((id: string) => context.in(categories).get(id))
  // A voucher is subject to its campaign's rules too, and shows them as such (docs/service/validation-rules.md#assignments).
  const assigned = assignmentLists([...new Set(vouchers.flatMap(ownersOf))], context)
  const assets = assetsOf(context)

  return vouchers.map((voucher) => {
    const { campaign_id, category_id, holder_id, referrer_id, is_referral_code, publish, redemption } = voucher
    const filed = category_id === null ? undefined : category(category_id)
    const path = `/v1/vouchers/${encodeURIComponent(voucher.code)}`
    return {
      id: voucher.id,
      code: voucher.code,
      campaign: campaign_id === null ? null : campaignName(campaign_id),
      campaign_id,
      category: filed?.name ?? voucher.category,
      category_id,
      type: voucher.type,
      discount: voucher.discount,
      gift: voucher.gift,
      loyalty_card: voucher.loyalty_card,
      start_date: voucher.start_date,
      expiration_date: voucher.expiration_date,
      validity_timeframe: voucher.validity_timeframe,
      validity_day_of_week: voucher.validity_day_of_week,
      validity_hours: voucher.validity_hours,
      active: voucher.active,
      additional_info: voucher.additional_info,
      metadata: voucher.metadata,
      assets: assets(voucher),
      is_referral_code,
      created_at: voucher.created_at,
      updated_at: voucher.updated_at ?? null,
      ...(holder_id !== null && { holder_id }),
      ...(is_referral_code && referrer_id !== null && { referrer_id }),
      object: 'voucher',
      publish: { object: 'list', count: publish.count, url: `${path}/publications?page=1&limit=10` },
      redemption: { ...redemption, object: 'list', url: `${path}/redemptions?page=1&limit=10` },
      categories: filed ? [filed] : [],
      validation_rules_assignments: assigned(...ownersOf(voucher)),
    }
  })
}

export type VoucherAnswer = ReturnType<typeof voucherAnswers>[number]

/** Shows one voucher. */
export function voucherAnswer(voucher: StoredVoucher, context: VoucherContext): VoucherAnswer {
  return voucherAnswers([voucher], context)[0] as VoucherAnswer
}

function ownersOf({ id, campaign_id }: StoredVoucher): string[] {
  return campaign_id === null ? [id] : [id, campaign_id]
}
