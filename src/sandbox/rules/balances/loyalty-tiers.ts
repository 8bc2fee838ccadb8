// Which tier of a loyalty program a member is in, and until when. Days are days of the project's time zone.
// Source: docs/service/loyalty-tiers.md#qualification.

import type { TierSettings } from '../../../contract/loyalty-tiers.ts'
import { addToDay, endOfNextMonth, type Period, periodOf } from '../calendar/day.ts'
import { parseDuration } from '../calendar/duration.ts'

/** A tier as far as its range matters; both ends belong to it, and without `to` there is no upper one. */
export interface TierRange {
  id: string
  points: { from: number; to?: number }
}

/** A member's time in a tier: until the end of the last day, or as long as the points suffice. */
export interface TierStay {
  tier_id: string
  start_date: string
  expiration_date?: string
}

/** What a tier depends on: the day, the balance, and the points collected between two days, which are included. */
export interface Standing {
  today: string
  balance: number
  collected: (period: Period) => number
}

/** The settings of a program that has none: the balance decides at every moment. */
export const byBalance: TierSettings = {
  qualification_type: 'BALANCE',
  start_date: { type: 'IMMEDIATE' },
  expiration_date: { type: 'BALANCE_DROP' },
}

/** Returns the tier whose range has a number of points; undefined between and outside the ranges. */
function tierFor<Tier extends TierRange>(tiers: readonly Tier[], points: number): Tier | undefined {
  const fitting = tiers.filter(({ points: { from, to } }) => from <= points && (to === undefined || points <= to))
  // ASSUMED A1760: of ranges that overlap, the one that begins highest counts.
  return fitting.reduce<Tier | undefined>(
    (best, tier) => (best && best.points.from >= tier.points.from ? best : tier),
    undefined,
  )
}

/**
 * Decides where a member belongs: the stay itself when nothing changes, undefined for no tier.
 *
 * A stay with a last day that has not passed can only become a higher one. Every other is decided again: the same tier is
 * prolonged, or a fitting one takes its place.
 */
export function nextStay(
  tiers: readonly TierRange[],
  settings: TierSettings,
  stay: TierStay | undefined,
  standing: Standing,
): TierStay | undefined {
  const best = bestStay(tiers, settings, stay, standing)
  const current = stay && tiers.find(({ id }) => id === stay.tier_id)
  if (stay && current && stay.expiration_date !== undefined && stay.expiration_date >= standing.today)
    return best && best.tier.points.from > current.points.from ? best.stay : stay
  if (!stay || best?.tier.id !== stay.tier_id) return best?.stay
  // A stay without a last day is not given one until the tiers of the program are calculated again.
  if (stay.expiration_date === undefined) return stay
  return prolongStay(stay, best.stay)
}

/** Decides as `nextStay` does after a change of the settings: new dates and higher tiers, and nobody falls. */
export function recalculatedStay(
  tiers: readonly TierRange[],
  settings: TierSettings,
  stay: TierStay | undefined,
  standing: Standing,
): TierStay | undefined {
  const best = bestStay(tiers, settings, undefined, standing)
  const current = stay && tiers.find(({ id }) => id === stay.tier_id)
  if (!stay || !current) return best?.stay
  if (!best || best.tier.points.from < current.points.from) return stay
  return best.tier.id === current.id ? prolongStay(stay, best.stay) : best.stay
}

/** Returns the next day on which a stay is decided again, besides changes of points: after its last one, or a new period. */
export function nextDecision(settings: TierSettings, stay: TierStay | undefined, today: string): string | undefined {
  const days = [
    ...(stay?.expiration_date === undefined ? [] : [addToDay(stay.expiration_date, { days: 1 })]),
    ...(startsLater(settings) ? [periodOf(settings.qualification_period, today, 1).first] : []),
  ]
  return days.filter((day) => day > today).toSorted()[0]
}

/** Returns why settings cannot be stored, beyond their form; undefined when they can. */
export function settingsProblem({ expiration_date }: TierSettings): string | undefined {
  const extend = 'extend' in expiration_date ? expiration_date.extend : undefined
  if (extend == null) return undefined
  const duration = parseDuration(extend)
  return duration?.clockMs === 0 ? undefined : '.expiration_date.extend must be an ISO 8601 duration in months or days'
}

interface Candidate {
  tier: TierRange
  stay: TierStay
}

function bestStay(
  tiers: readonly TierRange[],
  settings: TierSettings,
  stay: TierStay | undefined,
  standing: Standing,
): Candidate | undefined {
  if (settings.qualification_type === 'BALANCE') {
    const tier = tierFor(tiers, standing.balance)
    return tier && { tier, stay: balanceStay(tier, settings, stay, standing.today) }
  }
  const candidates = grants(settings, standing.today).flatMap(({ counted, start_date, expiration_date }) => {
    const tier = expiration_date < standing.today ? undefined : tierFor(tiers, standing.collected(counted))
    return tier ? [{ tier, stay: { tier_id: tier.id, start_date, expiration_date } }] : []
  })
  const isBetter = (one: Candidate, other: Candidate) =>
    other.tier.points.from - one.tier.points.from ||
    (other.stay.expiration_date ?? '').localeCompare(one.stay.expiration_date ?? '')
  return candidates.toSorted(isBetter)[0]
}

type ByBalance = Extract<TierSettings, { qualification_type: 'BALANCE' }>
type ByPeriod = Extract<TierSettings, { qualification_type: 'POINTS_IN_PERIOD' }>

function balanceStay(
  { id }: TierRange,
  { expiration_date: until }: ByBalance,
  stay: TierStay | undefined,
  today: string,
): TierStay {
  const begun = { tier_id: id, start_date: today }
  if (until.type === 'BALANCE_DROP') return begun
  // ASSUMED A1764: the length counts from the day on which the balance reached the tier; one that is prolonged, from its end.
  const lastDay = stay?.tier_id === id ? stay.expiration_date : undefined
  const following = lastDay !== undefined && lastDay < today ? endOf(lastDay, until) : ''
  return { ...begun, expiration_date: following >= today ? following : endOf(today, until) }
}

function endOf(day: string, { extend, rounding }: Extract<ByBalance['expiration_date'], { type: 'CUSTOM' }>): string {
  const end = addToDay(day, parseDuration(extend) ?? {})
  if (!rounding) return end
  return rounding.type === 'CUSTOM' ? endOfNextMonth(rounding.value + 1, end) : periodOf(rounding.type, end).last
}

/**
 * The periods whose points may put a member into a tier today, and how long each of them does.
 *
 * ASSUMED A1765: at the end of a tier the points of every period count that still grants one: with an end in the next period
 * those of the period that just ended, and those of the running one where tiers begin at once.
 */
function grants(settings: ByPeriod, today: string) {
  const { qualification_period: unit, expiration_date: until } = settings
  const isLater = startsLater(settings)
  return [0, -1].map((ahead) => {
    const granted = periodOf(unit, today, ahead)
    const last = until.type === 'END_OF_PERIOD' ? granted.last : periodOf(unit, today, ahead + 1).last
    return {
      counted: isLater ? periodOf(unit, today, ahead - 1) : granted,
      start_date: isLater ? granted.first : today,
      expiration_date: until.extend == null ? last : addToDay(last, parseDuration(until.extend) ?? {}),
    }
  })
}

function startsLater(settings: TierSettings): settings is ByPeriod {
  return settings.qualification_type === 'POINTS_IN_PERIOD' && settings.start_date?.type === 'NEXT_PERIOD'
}

// ASSUMED A1769: a tier that is prolonged keeps the day on which it began.
function prolongStay(stay: TierStay, next: TierStay): TierStay {
  const { expiration_date } = next
  if (expiration_date === stay.expiration_date) return stay
  const { expiration_date: _, ...kept } = stay
  return { ...kept, ...(expiration_date !== undefined && { expiration_date }) }
}
