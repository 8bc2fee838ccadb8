// Rules about when campaigns begin and end.

import { dayMs } from '../base/duration.ts'
import { isTimeZone, timeZoneOf } from '../base/time/time-zone.ts'
import { offersOf } from './discounts.ts'
import { fixOf, switchFix } from './fix.ts'
import type { Found, Rule } from './rule.ts'
import {
  instantAt,
  isOn,
  memberAt,
  nameOf,
  objectsOf,
  parentOf,
  type Shop,
  type ShopObject,
  subjectOf,
} from './shop.ts'

const dated = ['campaigns', 'campaigns/tiers', 'campaigns/earning_rules', 'codes']

/** The day of an instant, as files have it. */
function day(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

function datedObjects(shop: Shop): ShopObject[] {
  return dated.flatMap((kind) => objectsOf(shop, kind))
}

function* withoutEnd(shop: Shop): Generator<Found> {
  const campaigns = Map.groupBy(offersOf(shop), ({ campaign }) => campaign)
  for (const [campaign, offers] of campaigns) {
    const type = memberAt(campaign, 'campaign_type')
    // A code that is used once is used up, and a referral program goes on.
    const endless = offers.filter(
      ({ object, isCode, quantity }) =>
        (!isCode || quantity !== 1) &&
        instantAt(object, 'expiration_date') === undefined &&
        memberAt(object, 'activity_duration_after_publishing') === undefined,
    )
    const [offer] = endless
    if (offer === undefined || type === 'REFERRAL_PROGRAM' || instantAt(campaign, 'expiration_date') !== undefined)
      continue
    const what = offer.isCode
      ? 'codes that can be used more than once go'
      : endless.length === 1
        ? 'a discount that needs no code goes'
        : 'discounts that need no code go'
    const message =
      campaign.kind.name === 'codes'
        ? `${subjectOf(campaign)} has no end: whoever finds it in some years can use it`
        : `${nameOf(campaign)} is on and has no end: ${what} on until somebody remembers`
    const last = day(Math.max(shop.nowMs, instantAt(campaign, 'start_date') ?? 0) + 90 * dayMs)
    const fix = fixOf(shop, campaign, `--expires ${last}`, `set expiration_date, such as '${last}T00:00:00Z'`)
    yield { object: campaign, message, fix }
  }
}

function* endBeforeStart(shop: Shop): Generator<Found> {
  for (const object of datedObjects(shop)) {
    const campaign = parentOf(shop, object)
    const start = instantAt(object, 'start_date') ?? (campaign && instantAt(campaign, 'start_date'))
    const end = instantAt(object, 'expiration_date') ?? (campaign && instantAt(campaign, 'expiration_date'))
    if (start === undefined || end === undefined || end > start) continue
    if (campaign && !object.members.has('start_date') && !object.members.has('expiration_date')) continue
    const message = `${subjectOf(object)} ends on ${day(end)}, and begins on ${day(start)}: it is never valid`
    yield { object, member: 'expiration_date', message, fix: 'correct start_date or expiration_date' }
  }
}

function* overButOn(shop: Shop): Generator<Found> {
  for (const object of datedObjects(shop)) {
    const end = instantAt(object, 'expiration_date')
    if (end === undefined || end >= shop.nowMs || memberAt(object, 'active') === false) continue
    const campaign = parentOf(shop, object)
    if (campaign !== undefined && memberAt(campaign, 'active') === false) continue
    const message = `${subjectOf(object)} ended on ${day(end)} and is still on: whoever removes the end, or makes it later, starts it again`
    yield { object, member: 'expiration_date', message, fix: switchFix(shop, object, false) }
  }
}

function* startedButOff(shop: Shop): Generator<Found> {
  for (const object of datedObjects(shop)) {
    const start = instantAt(object, 'start_date')
    const end = instantAt(object, 'expiration_date')
    if (start === undefined || start > shop.nowMs || (end !== undefined && end < shop.nowMs)) continue
    const campaign = parentOf(shop, object)
    if (memberAt(object, 'active') !== false || (campaign && !isOn(shop, campaign))) continue
    const until = end === undefined ? '' : ` and ends on ${day(end)}`
    const message = `${subjectOf(object)} began on ${day(start)}${until}, and is off: nobody gets it`
    yield { object, member: 'active', message, fix: switchFix(shop, object, true) }
  }
}

/** Midnight of UTC, where the days of the project begin at another time. */
function* midnightElsewhere(shop: Shop): Generator<Found> {
  const [settings] = objectsOf(shop, 'settings')
  const zone = String(settings && memberAt(settings, 'timezone'))
  if (!isTimeZone(zone)) return
  const { wallAt } = timeZoneOf(zone)
  for (const object of datedObjects(shop))
    for (const [member, verb] of [
      ['start_date', 'begins'],
      ['expiration_date', 'ends'],
    ] as const) {
      const ms = instantAt(object, member)
      if (ms === undefined || ms % dayMs !== 0 || wallAt(ms) === ms || ms < shop.nowMs) continue
      const wall = new Date(wallAt(ms)).toISOString()
      const offset = wallAt(ms) - ms
      const clock = new Date(Math.abs(offset)).toISOString().slice(11, 16)
      const message = `${subjectOf(object)} ${verb} at midnight of UTC, and the project is in ${zone}: there it ${verb} at ${wall.slice(11, 16)} on ${day(wallAt(ms))}`
      yield { object, member, message, fix: `${member}: '${day(ms)}T00:00:00${offset < 0 ? '-' : '+'}${clock}'` }
    }
}

function* endlessCards(shop: Shop): Generator<Found> {
  for (const object of objectsOf(shop, 'campaigns')) {
    if (memberAt(object, 'voucher.type') !== 'GIFT_VOUCHER' || !isOn(shop, object)) continue
    if (instantAt(object, 'expiration_date') ?? memberAt(object, 'activity_duration_after_publishing')) continue
    const message = `The gift cards of ${nameOf(object)} never expire: what nobody spends is owed for ever`
    const set = '--set activity_duration_after_publishing=P3Y'
    const edit = 'activity_duration_after_publishing: P3Y, as far as the law allows'
    yield { object, message, fix: fixOf(shop, object, set, edit) }
  }
}

/** The rules about dates. */
export const dateRules: readonly Rule[] = [
  { id: 'campaign-without-end', severity: 'warning', title: 'a discount that goes on for ever', find: withoutEnd },
  { id: 'end-before-start', severity: 'error', title: 'dates between which there is no time', find: endBeforeStart },
  { id: 'over-but-on', severity: 'info', title: 'a campaign that is over and still on', find: overButOn },
  { id: 'started-but-off', severity: 'warning', title: 'a campaign that should have begun', find: startedButOff },
  {
    id: 'midnight-elsewhere',
    severity: 'warning',
    title: 'a day that begins or ends by the clock of another time zone',
    find: midnightElsewhere,
  },
  { id: 'gift-card-without-end', severity: 'info', title: 'gift cards that never expire', find: endlessCards },
]
