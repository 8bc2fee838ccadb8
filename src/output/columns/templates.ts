// The columns of campaign templates and of what is created from them. Source: docs/service/templates.md#fields.
import { campaignSetup, template, tierSetup } from '../../contract/answers/campaigns.ts'
import { columnsOf } from '../columns-of.ts'

/** A campaign template. */
export const templateColumns = columnsOf(template, { first: 'id* name* campaign_type* description* created_at*' })

/** A campaign created from a template. */
export const campaignSetupColumns = columnsOf(campaignSetup, {
  first: `
    campaign.id* campaign.name* campaign.campaign_type* campaign.active* campaign.vouchers_count* created_resources*
  `,
})

/** A promotion tier created from a template. */
export const tierSetupColumns = columnsOf(tierSetup, {
  first: 'promotion_tier.id* promotion_tier.name* promotion_tier.active* created_resources*',
})
