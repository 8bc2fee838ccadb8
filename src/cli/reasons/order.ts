// Which points an order earned and by which earning rule, or why none: what --explain says of it. Only what the service keeps decides.

import type { Client } from '../../api/client.ts'
import { formatCount, formatNumber } from '../../base/numbers.ts'
import { ownValue } from '../../base/record.ts'
import { getCampaign } from '../../contract/campaigns.ts'
import { listCustomerRedeemables } from '../../contract/customers.ts'
import { listEarningRules } from '../../contract/earning-rules.ts'
import { listCardTransactions } from '../../contract/loyalty.ts'
import { listMemberPendingPoints } from '../../contract/pending-points.ts'
import { cellText } from '../../output/form/cell.ts'
import { valueAt } from '../../output/path.ts'
import type { Explains } from '../declared/command.ts'
import { allOf } from '../result/all-of.ts'
import { partReader } from '../result/try-read.ts'
import { type CampaignDates, type VoucherDates, voucherState, whichIsOff } from '../topics/vouchers/state.ts'

/** How many cards of a customer are looked at. */
const mostCards = 20

interface Order {
  id: string
  source_id?: string | null
  status?: string
  amount?: number
  total_amount?: number
  customer_id?: string | null
  created_at: string
}

interface EarningRule extends CampaignDates {
  id: string
  event?: string
  updated_at?: string | null
  loyalty?: object
  source?: { banner?: string | null } | null
  validation_rule_id?: string | null
}

type Program = CampaignDates & Pick<EarningRule, 'updated_at'> & { name?: string }

interface Card extends VoucherDates {
  code: string
  campaign: string
}

/** Explains an order. */
export const explainOrder: Explains =
  ({ client, nowMs, timeOf }) =>
  async (object) => {
    const order = object as Order
    const unknown: string[] = []
    const part = partReader((what, why) => unknown.push(`unknown: ${what}: ${why}`))
    const title = (total: string) => `${order.source_id ?? order.id}: ${total}`
    if (order.customer_id == null) return [title('earned no points'), 'only the order of a customer earns points']
    const path = { customerId: order.customer_id }
    const cards = await part('which cards the customer holds', undefined, async () => {
      const query = { filters: { voucher_type: { conditions: { $is: 'LOYALTY_CARD' } } } }
      const held = client.items(listCustomerRedeemables, { path, query }, { limit: mostCards })
      return (await allOf(held)).map((one) => valueAt(one, 'redeemable.voucher') as Card)
    })
    let points = 0
    const lines = cards?.length === 0 ? ['the customer holds no loyalty card, and was given none'] : []

    for (const card of cards ?? []) {
      const { code, campaign: name } = card
      const campaignId = card.campaign_id ?? name
      const [changes, pending, rules, campaign] = await Promise.all([
        part(`what came onto ${code}`, undefined, () => changesBy(client, code, order)),
        part(`the pending points of ${code}`, [], async () => {
          const all = client.items(listMemberPendingPoints, { path: { memberId: code } })
          return (await allOf<{ order_id?: string }>(all)).filter(({ order_id }) => order_id === order.id)
        }),
        part(`the earning rules of ${name}`, [], async () => {
          const all = await allOf<EarningRule>(client.items(listEarningRules, { path: { campaignId } }))
          return all.filter(({ event }) => event === 'order.paid')
        }),
        part(`whether ${name} is on`, undefined, () => client.call(getCampaign, { path: { campaignId } })),
      ])
      const byRule = (id: string) => {
        const banner = rules.find((rule) => rule.id === id)?.source?.banner
        return `on ${code} by ${banner ? `${JSON.stringify(banner)} (${id})` : id}`
      }
      const used = new Set<string>()
      for (const change of [...(changes ?? []), ...pending]) {
        const id = cellText(valueAt(change, 'details.earning_rule.id'))
        const some = Number(valueAt(change, 'details.balance.points') ?? valueAt(change, 'points'))
        const day = cellText(valueAt(change, 'activates_at'))
        used.add(id)
        if (day === '') points += some
        const when = day === '' ? timeOf(valueAt(change, 'created_at')) : `pending until ${day}`
        lines.push(`${formatCount(some, 'point')} ${byRule(id)}, ${when}`)
      }
      if (changes === undefined) continue
      if (rules.length === 0) lines.push(`no points on ${code}: ${name} has no earning rule for orders`)
      for (const rule of rules.filter(({ id }) => !used.has(id)))
        lines.push(`no points ${byRule(rule.id)}: ${whyNone(order, rule, card, campaign as Program, nowMs)}`)
    }
    const isKnown = points > 0 || (cards !== undefined && unknown.length === 0)
    const total = isKnown ? (points === 0 ? 'no points' : formatCount(points, 'point')) : 'an unknown number of points'
    return [title(`earned ${total}`), ...lines, ...unknown]
  }

/** The gains of a card since an order that are by an earning rule and for it. */
async function changesBy(client: Client, code: string, { id, created_at }: Order): Promise<object[]> {
  const found: object[] = []
  for await (const change of client.items(listCardTransactions, { path: { memberId: code } })) {
    if (Date.parse(String(change.created_at)) < Date.parse(created_at)) break
    const isGain = valueAt(change, 'details.earning_rule.id') !== undefined
    if (isGain && valueAt(change, 'details.order.id') === id) found.push(change)
  }
  return found
}

/** The amounts of an order that points may be counted by. */
const amounts: Readonly<Record<string, 'amount' | 'total_amount'>> = {
  ORDER_AMOUNT: 'amount',
  ORDER_TOTAL_AMOUNT: 'total_amount',
}

/** Why a rule gave nothing, as far as it shows; what was changed since the order says nothing of then. */
function whyNone(order: Order, rule: EarningRule, card: Card, campaign: Program | undefined, nowMs: number): string {
  const { status, created_at } = order
  if (status !== 'PAID' && status !== 'FULFILLED') return `the order is ${status}, and points come when one is paid`
  const then = Date.parse(created_at)
  const isChanged = ({ updated_at }: Pick<EarningRule, 'updated_at'>) => Date.parse(updated_at ?? '') > then
  if (isChanged(rule)) return 'unknown, as the rule was changed since'
  const off = whichIsOff(rule, campaign, then)
  if (off !== undefined) return campaign && isChanged(campaign) ? `unknown, as it was changed since; now ${off}` : off
  const amount = ownValue(amounts, String(valueAt(rule.loyalty, 'calculation_type')))
  const step = Number(valueAt(rule.loyalty, `order.${amount}.every`))
  if (amount !== undefined && (order[amount] ?? 0) < step)
    return `its ${amount.replace('_', ' ')} ${formatNumber(order[amount] ?? 0)} is less than ${formatNumber(step)}`
  const state = voucherState(card, undefined, nowMs)
  if (state !== 'on') return `unknown, but the card is ${state} now`
  if (rule.validation_rule_id != null)
    return `unknown, as the service does not keep whether ${rule.validation_rule_id} was met`
  return nowMs - then < aMinute
    ? 'not yet: points come seconds after a payment'
    : 'unknown, as the service does not say'
}

const aMinute = 60_000
