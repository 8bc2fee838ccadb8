// Until when points that come onto a card can be used. Source: docs/service/loyalty.md#program-rules-of-expiry.
import type { ExpirationRules } from '../../../contract/expiration-rules.ts'
import type { Context } from '../../http/route.ts'
import { lastDayOf } from '../../rules/balances/expiration-rules.ts'
import { dayAt, endOfDay } from '../../rules/eligibility/calendar-day.ts'
import { campaigns } from '../campaigns/store.ts'
import type { StoredVoucher } from '../vouchers/store.ts'

/**
 * Returns the last instant of points that come onto a card now: by the rules of the earning rule that gives them, else by those of
 * the card's program; null for points that never expire.
 */
export function lastInstantOf(
  { campaign_id }: Pick<StoredVoucher, 'campaign_id'>,
  { in: of, now, project }: Pick<Context, 'in' | 'now' | 'project'>,
  own?: ExpirationRules | null,
): string | null {
  const program = campaign_id == null ? undefined : of(campaigns).get(campaign_id)
  const rules = own ?? program?.voucher?.loyalty_card?.expiration_rules
  return rules ? endOfDay(lastDayOf(rules, dayAt(now, project.timezone)), project.timezone) : null
}

/** Returns the last instant that a date names: a day alone lasts to its end in the project's time zone. */
export function lastInstantAt(date: string, { project }: Pick<Context, 'project'>): string {
  const isDay = date.length === '2026-12-31'.length
  return isDay ? endOfDay(date, project.timezone) : new Date(date).toISOString()
}
