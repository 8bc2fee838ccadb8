// Whether a referral was rewarded, and why not: what --explain says of a customer of a code. Only what the service keeps decides.

import { formatNumber } from '../../base/numbers.ts'
import { getCampaign } from '../../contract/campaigns.ts'
import { getCustomer, listCustomerActivity, listCustomerRedeemables } from '../../contract/customers.ts'
import { listRedemptions } from '../../contract/redemptions.ts'
import { getVoucher } from '../../contract/vouchers.ts'
import { cellText } from '../../output/form/cell.ts'
import { valueAt } from '../../output/path.ts'
import type { Explains } from '../declared/command.ts'
import { allOf } from '../result/all-of.ts'
import { readById } from '../result/read-by-id.ts'
import { partReader, tryRead } from '../result/try-read.ts'
import { nameOf, type Person } from '../topics/customers/names.ts'
import { told } from '../topics/redemptions/told.ts'
import { type CampaignDates, campaignState } from '../topics/vouchers/state.ts'
import { type Use, useInWords } from './voucher.ts'

interface Holder {
  customer_id: string
  redeemable_id: string
  campaign_id?: string | null
  holder_role?: string
  created_at?: string
}

interface Program {
  conversion_event_type?: string
  custom_event?: { name?: string } | null
  referee_reward?: Reward | null
  referrer_reward?: Reward | null
}

interface Reward {
  related_object_parent?: { id: string; name?: string }
  type?: string
  amount?: number | string
}

/** Explains a customer of a referral code. */
export const explainHolder: Explains = ({ client, nowMs, timeOf }) => {
  let why = 'it does not exist any more'
  const refused = ({ message }: { message: string }) => (why = message)
  const campaignOf = readById(client, { get: getCampaign, refused })
  const voucherOf = readById(client, { get: getVoucher, refused })
  const customerOf = readById(client, { get: getCustomer, refused })
  const person = async (id: string) => nameOf(((await customerOf(id)) as Person | undefined) ?? { id })

  return async (object) => {
    const { customer_id, redeemable_id, campaign_id, holder_role, created_at = '' } = object as Holder
    const name = await person(customer_id)
    if (holder_role !== 'REFEREE') return [`${name}: owns the code`]
    const voucher = await voucherOf(redeemable_id)
    const program = valueAt(campaign_id && (await campaignOf(campaign_id)), 'referral_program') as Program | undefined
    const unknown: string[] = []
    const part = partReader((what, reason) => unknown.push(`unknown: ${what}: ${reason}`))
    if (voucher === undefined || program === undefined) return [`${name}: unknown whether rewarded`, why]
    const { code } = voucher
    const query = { customer: customer_id, filters: { voucher_code: { conditions: { $is: code } } } }
    const uses = await part(`whether ${name} redeemed ${code}`, undefined, () =>
      allOf<Use>(client.items(listRedemptions, { query })),
    )
    const words = (uses ?? []).map((use) => useInWords(use, timeOf))
    const done = (uses ?? []).filter((use) => told(use).kind === 'redemption')
    const event = program.conversion_event_type === 'custom_event' ? program.custom_event?.name : undefined
    if (event === undefined && uses !== undefined && done.length === 0)
      return [`${name}: not rewarded`, `it counts when a friend redeems ${code}, and ${name} has not`, ...words]
    /** What counted: redemptions, and the events that the friend was rewarded for. */
    const causes = new Set(done.map(({ id }) => id))
    const lines = event === undefined ? words : [`it counts when a friend has the event ${event} with ${code}`]
    let given = 0

    for (const side of ['referee', 'referrer'] as const) {
      const reward = program[`${side}_reward`]
      const id = side === 'referee' ? customer_id : (voucher.referrer_id ?? voucher.holder_id)
      const who = typeof id === 'string' ? await person(id) : 'its owner'
      if (reward == null) {
        lines.push(`no reward for ${who}: the program has none for the ${side === 'referee' ? 'friend' : 'owner'}`)
        continue
      }
      const looked =
        typeof id === 'string' && (await part(`whether ${who} was rewarded`, undefined, () => rewardOf(id, side)))
      if (!looked) continue
      const { found } = looked
      const { related_object_parent: parent, type, amount } = reward
      const what = `${formatNumber(Number(amount))} ${type === 'LOYALTY_CARD' ? 'points' : 'credits'}`
      if (found === undefined) {
        lines.push(`no ${what} for ${who}: ${await whyNone(String(id), who, parent)}`)
        continue
      }
      given += 1
      lines.push(
        `${what} for ${who} onto ${cellText(valueAt(found, 'data.voucher.code'))}, ${timeOf(valueAt(found, 'created_at'))}`,
      )
    }
    const state = given > 0 ? 'rewarded' : unknown.length > 0 ? 'unknown whether rewarded' : 'not rewarded'
    return [`${name}: ${state}`, ...lines, ...unknown]

    /** The event of a reward of this referral, where there is one since the friend has the code. */
    async function rewardOf(customerId: string, side: string): Promise<{ found?: object }> {
      for await (const entry of client.items(listCustomerActivity, { path: { customerId } })) {
        if (Date.parse(String(entry.created_at)) < Date.parse(created_at)) break
        if (entry.type !== 'customer.rewarded' || valueAt(entry, 'data.reward.kind') !== `${side}_reward`) continue
        const cause = String(valueAt(entry, 'data.redemption.id') ?? valueAt(entry, 'data.event.id'))
        const isOwn = side === 'referee' && valueAt(entry, 'data.event.type') === event && event !== undefined
        if (isOwn) causes.add(cause)
        if (causes.has(cause)) return { found: entry }
      }
      return {}
    }
  }

  async function whyNone(customerId: string, who: string, campaign: Reward['related_object_parent']): Promise<string> {
    const read = campaign && ((await campaignOf(campaign.id)) as CampaignDates | undefined)
    if (campaign === undefined || read === undefined) return `unknown, as its campaign cannot be read: ${why}`
    const name = JSON.stringify(campaign.name ?? campaign.id)
    const state = campaignState(read, nowMs)
    if (state !== 'on') return `unknown, but ${name} is ${state} now`
    const query = { filters: { campaign_id: { conditions: { $is: campaign.id } } } }
    const held = client.items(listCustomerRedeemables, { path: { customerId }, query }, { limit: 1 })
    const cards = await tryRead(() => allOf(held), refused)
    if (cards === undefined) return `unknown, as the cards of ${who} cannot be read: ${why}`
    return cards.length === 0
      ? `${who} has no card of ${name}, and got none; it needs a free one`
      : 'unknown, as the service does not say'
  }
}
