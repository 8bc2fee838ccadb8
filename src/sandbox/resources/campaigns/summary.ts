// What a campaign did between two days. Source: docs/service/campaigns.md#summary.
import type { Context } from '../../http/route.ts'
import { tiersWithTotals } from '../promotions/totals.ts'
import { campaignAnswers } from './answer.ts'
import type { StoredCampaign } from './store.ts'
import { campaignTotals } from './summary-store.ts'

/** First and last instant to count, both included; a day without a time begins, or ends, with that day in UTC. */
export interface DateRange {
  start_date?: string | undefined
  end_date?: string | undefined
}

/** Shows a campaign and counts what was created, validated, redeemed and published. */
export function summaryOf(
  campaign: StoredCampaign,
  { start_date, end_date }: DateRange,
  context: Pick<Context, 'in' | 'store' | 'project'>,
) {
  const span = {
    first: start_date === undefined ? undefined : new Date(start_date).toISOString(),
    last: end_date === undefined ? undefined : endOf(end_date),
  }
  return {
    object: 'campaign_summary',
    campaign: campaignAnswers([campaign], context, tiersWithTotals)[0],
    ...campaignTotals(campaign.id, span, context),
  }
}

function endOf(day: string): string {
  return new Date(day.length === 10 ? `${day}T23:59:59.999Z` : day).toISOString()
}
