// The columns of a campaign.
// Source: docs/service/campaigns.md#fields; docs/service/qualifications.md#campaigns-in-answers.
import { campaign } from '../../contract/answers/campaigns.ts'
import { columnsOf } from '../columns-of.ts'

const kinds = { creation_status: 'state', vouchers_generation_status: 'state' } as const

/** A campaign of any type. */
export const campaignColumns = columnsOf(campaign, {
  first: {
    id: true,
    name: true,
    campaign_type: 'kind',
    state: true,
    'voucher.discount.type': 'discount_type',
    'voucher.discount.percent_off': 'percent_off',
    'voucher.discount.amount_off': 'amount_off',
    vouchers_count: 'codes',
    expiration_date: 'expires',
  },
  told: ['state'],
  kinds: { ...kinds, state: 'state' },
})

/** A loyalty program: a campaign; the table shows what matters in a program. */
export const loyaltyProgramColumns = columnsOf(campaign, {
  first: {
    id: true,
    name: true,
    active: true,
    vouchers_count: 'cards',
    auto_join: true,
    expiration_date: 'expires',
    created_at: true,
  },
  kinds,
})
