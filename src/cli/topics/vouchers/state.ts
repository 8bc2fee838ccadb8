// Whether a voucher can be used now, in one or two words: its own switch and dates, and those of its campaign.
import { getCampaign, listCampaigns } from '../../../contract/campaigns.ts'
import type { RowContext } from '../../declared/command.ts'
import { readById } from '../../result/read-by-id.ts'

/** The members of a campaign that are read here. */
export interface CampaignDates {
  active?: boolean | null
  start_date?: string | null
  expiration_date?: string | null
}

/** The members of a voucher that are read here; every one may be missing. */
export interface VoucherDates extends CampaignDates {
  campaign_id?: string | null
  gift?: { balance?: number } | null
  redemption?: { quantity?: number | null; redeemed_quantity?: number } | null
}

const never: CampaignDates = {}

/**
 * Returns `on`, `off`, `expired`, `used up`, `not before 1 Dec`, or of the campaign `campaign paused` and `campaign ended`.
 *
 * The switches of both count; a date of the campaign counts where the voucher has none of its own. Days are in UTC.
 */
export function voucherState(voucher: VoucherDates, campaign: CampaignDates | undefined, nowMs: number): string {
  const { active, expiration_date, start_date } = voucher
  if (active === false) return 'off'
  if (isPast(expiration_date, nowMs)) return 'expired'
  if (isUsedUp(voucher)) return 'used up'
  if (isAhead(start_date, nowMs)) return notBefore(start_date, nowMs)
  if (campaign?.active === false) return 'campaign paused'
  const { expiration_date: end, start_date: start } = campaign ?? never
  if (expiration_date == null && isPast(end, nowMs)) return 'campaign ended'
  return start_date == null && isAhead(start, nowMs) ? notBefore(start, nowMs) : 'on'
}

/** Returns `on`, `paused`, `ended` or `not before 1 Dec`. */
export function campaignState({ active, start_date, expiration_date }: CampaignDates, nowMs: number): string {
  if (active === false) return 'paused'
  if (isPast(expiration_date, nowMs)) return 'ended'
  return isAhead(start_date, nowMs) ? notBefore(start_date, nowMs) : 'on'
}

/**
 * Returns a function that adds its `state` to a voucher. The campaign is read only where the voucher itself is on; where the key may not read campaigns, one warning says so.
 */
export function toldState({ shows, ...run }: RowContext): (voucher: object) => Promise<object> {
  const stateOf = voucherStates(run)
  return async (voucher) => (shows('state') ? { state: await stateOf(voucher) } : {})
}

/** The same for a campaign, which needs no other object. */
export function toldCampaignState({ shows, nowMs }: RowContext): (campaign: object) => object {
  return (campaign) => (shows('state') ? { state: campaignState(campaign, nowMs) } : {})
}

/** The state of after another, as text. */
export function voucherStates({
  client,
  nowMs,
  warn,
}: Pick<RowContext, 'client' | 'nowMs' | 'warn'>): (voucher: VoucherDates) => Promise<string> {
  const campaignOf = readById(client, {
    get: getCampaign,
    list: listCampaigns,
    refused({ status, message }) {
      if (status !== 404) warn(`warning: whether campaigns are paused or over is not shown: ${message}`)
    },
  })
  return async (voucher) => {
    const { campaign_id } = voucher
    const own = voucherState(voucher, undefined, nowMs)
    if (own !== 'on' || campaign_id == null) return own
    return voucherState(voucher, (await campaignOf(campaign_id)) as CampaignDates | undefined, nowMs)
  }
}

/** Says which of the two is off, `it is on; its campaign "Spring" is off`; undefined where none is. */
export function whichIsOff(
  own: CampaignDates,
  campaign: (CampaignDates & { name?: string }) | undefined,
  nowMs: number,
): string | undefined {
  const state = campaignState(own, nowMs)
  const words = state === 'ended' ? 'it has expired' : inWords('it', state)
  const ofCampaign = campaign === undefined ? 'on' : campaignState(campaign, nowMs)
  if (ofCampaign === 'on') return state === 'on' ? undefined : words
  return `${words}; ${inWords(`its campaign ${JSON.stringify(campaign?.name ?? '')}`, ofCampaign)}`
}

function inWords(subject: string, state: string): string {
  if (state === 'ended') return `${subject} is over`
  return state.startsWith('not ')
    ? `${subject} is not valid ${state.slice('not '.length)}`
    : `${subject} is ${state === 'paused' ? 'off' : state}`
}

function isUsedUp({ gift, redemption }: VoucherDates): boolean {
  const { quantity, redeemed_quantity = 0 } = redemption ?? {}
  return gift?.balance === 0 || (quantity != null && redeemed_quantity >= quantity)
}

/** Whether an instant is past. */
export function isPast(instant: string | null | undefined, nowMs: number): boolean {
  return typeof instant === 'string' && Date.parse(instant) < nowMs
}

function isAhead(instant: string | null | undefined, nowMs: number): instant is string {
  return typeof instant === 'string' && Date.parse(instant) > nowMs
}

/** With the year where it is another one. */
function notBefore(instant: string, nowMs: number): string {
  const day = new Date(instant)
  const [, , month = ''] = day.toUTCString().split(' ')
  const year = day.getUTCFullYear() === new Date(nowMs).getUTCFullYear() ? '' : ` ${day.getUTCFullYear()}`
  return `not before ${day.getUTCDate()} ${month}${year}`
}
