// What a campaign did between two days, as counts. Source: docs/service/campaigns.md#summary.
import type { Context } from '../../http/route.ts'
import { type Condition, is, isBetween } from '../../storage/conditions.ts'
import { publications } from '../publications/store.ts'
import { redemptions } from '../redemptions/store.ts'
import { vouchers } from '../vouchers/store.ts'
import type { StoredCampaign } from './store.ts'

/** First and last instant to count, both included; a day without a time begins, or ends, with that day in UTC. */
export interface DateRange {
  start_date?: string | undefined
  end_date?: string | undefined
}

/** Counts what was created, published and redeemed. */
export function summaryOf(campaign: StoredCampaign, span: DateRange, context: Pick<Context, 'in'>) {
  const first = span.start_date === undefined ? undefined : new Date(span.start_date).toISOString()
  const last = span.end_date === undefined ? undefined : endOf(span.end_date)
  const count = (declared: typeof vouchers | typeof publications | typeof redemptions, ...more: Condition[]) => {
    const where = [is(declared, 'campaign_id', campaign.id), isBetween(declared, 'created_at', first, last), ...more]
    // Each of the three is a table of its own; only the conditions matter.
    return context.in(declared as typeof vouchers).count(where)
  }
  const succeeded = [is(redemptions, 'object', 'redemption'), is(redemptions, 'result', 'SUCCESS')]
  // ASSUMED A222: the members of a summary; only the fact that it has totals is published.
  return {
    campaign_id: campaign.id,
    start_date: first ?? null,
    end_date: last ?? null,
    vouchers: { total: count(vouchers) },
    publications: { total: count(publications) },
    redemptions: {
      total: count(redemptions, ...succeeded),
      rolled_back: count(redemptions, ...succeeded, is(redemptions, 'status', 'ROLLED_BACK')),
    },
    object: 'campaign_summary',
  }
}

function endOf(day: string): string {
  return new Date(day.length === 10 ? `${day}T23:59:59.999Z` : day).toISOString()
}
