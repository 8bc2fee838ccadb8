// The columns of a campaign.
// Source: docs/service/campaigns.md#fields; docs/service/qualifications.md#campaigns-in-answers.
import { campaign } from '../../contract/answers/campaigns.ts'
import { columnsOf } from '../columns-of.ts'

/** A campaign of any type. */
export const campaignColumns = columnsOf(campaign, {
  first: `
    id* name* campaign_type=kind* state:state*? voucher.discount.type=discount_type*
    voucher.discount.percent_off=percent_off* voucher.discount.amount_off=amount_off* vouchers_count=codes*
    expiration_date=expires*
  `,
  inside: 'creation_status:state vouchers_generation_status:state',
})

/** A loyalty program: a campaign; the table shows what matters in a program. */
export const loyaltyProgramColumns = columnsOf(campaign, {
  first: 'id* name* active* vouchers_count=cards* auto_join* expiration_date=expires* created_at*',
  inside: 'creation_status:state vouchers_generation_status:state',
})
