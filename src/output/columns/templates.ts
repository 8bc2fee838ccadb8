// The columns of campaign templates and of what is created from them. Source: docs/service/templates.md#fields.
import { campaignSetup, template, tierSetup } from '../../contract/answers/campaigns.ts'
import { columnsOf } from '../columns-of.ts'

/** A campaign template. */
export const templateColumns = columnsOf(template, {
  first: { id: true, name: true, campaign_type: true, description: true, created_at: true },
})

/** A campaign created from a template. */
export const campaignSetupColumns = columnsOf(campaignSetup, {
  first: {
    'campaign.id': true,
    'campaign.name': true,
    'campaign.campaign_type': true,
    'campaign.active': true,
    'campaign.vouchers_count': true,
    created_resources: true,
  },
})

/** A promotion tier created from a template. */
export const tierSetupColumns = columnsOf(tierSetup, {
  first: {
    'promotion_tier.id': true,
    'promotion_tier.name': true,
    'promotion_tier.active': true,
    created_resources: true,
  },
})
