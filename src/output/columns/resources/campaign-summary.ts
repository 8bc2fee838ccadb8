// The columns of what happened in a campaign. Source: docs/service/campaigns.md#summary.
import { campaignSummary } from '../../../contract/answers/campaigns.ts'
import { columnsOf } from '../../columns-of.ts'

/** The counters of a campaign; amounts are in the smallest currency unit. */
export const campaignSummaryColumns = columnsOf(campaignSummary, {
  isBrief: true,
  first: {
    'campaign.id': false,
    'campaign.name': 'campaign',
    redemptions: true,
    redemptions_failed: 'failed',
    rollbacks: true,
    validations: true,
    publications: true,
    vouchers_created: 'created',
    vouchers_deleted: 'deleted',
    discounted_amount: 'discounted',
    orders_amount: 'ordered',
  },
})
