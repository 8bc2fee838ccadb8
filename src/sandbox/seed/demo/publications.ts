// The demo shop's publications, and a template for its next campaign.
import { campaigns, daysOpen, demoId } from './shop.ts'

/** A voucher as the other files of the demo create it. */
interface DemoVoucher {
  id: string
  code: string
  campaign_id?: string | undefined
  holder_id?: string | undefined
  is_referral_code?: boolean | undefined
  type: string
  created_at: string
}

/** Returns a publication for every code that has a holder, and the first holder of every referral code. */
export function publicationsOf(vouchers: readonly DemoVoucher[]) {
  const held = vouchers.filter(({ holder_id }) => holder_id !== undefined)
  const publications = held.map(({ id, holder_id, created_at }, index) => ({
    id: demoId('pub_', index + 1),
    customer_id: holder_id,
    vouchers_id: [id],
    channel: 'shop',
    metadata: {},
    created_at,
    object: 'publication',
  }))
  const holders = held
    .filter(({ is_referral_code }) => is_referral_code)
    .map((voucher, index) => ({
      id: demoId('rh_', index + 1),
      redeemable_id: voucher.id,
      redeemable_object: 'voucher',
      campaign_id: voucher.campaign_id,
      campaign_type: 'REFERRAL_PROGRAM',
      voucher_type: voucher.type,
      customer_id: voucher.holder_id,
      holder_role: 'REFERRER',
      metadata: {},
      created_at: voucher.created_at,
      object: 'redeemable_holder',
    }))
  return { publications, holders }
}

const welcome = campaigns.find(({ name }) => name === 'Welcome')

/** Every season the shop welcomes readers with the same five euros. */
export const templates = [
  {
    id: demoId('camp_tpl_', 1),
    name: 'Five euros for newcomers',
    description: 'Made from the campaign "Welcome"',
    campaign_type: 'DISCOUNT_COUPONS',
    json_template: {
      object: 'campaign',
      description: null,
      type: 'AUTO_UPDATE',
      voucher: welcome && 'voucher' in welcome ? welcome.voucher : undefined,
      join_once: true,
      active: true,
      metadata: {},
      validation_rules: [],
    },
    created_at: daysOpen(30),
    updated_at: null,
    object: 'campaign_template',
  },
]
