// What a question about one write says beyond the command line: who holds it, what it is, and what it will be. Read only
// when somebody is asked; whatever cannot be read is left out of the question.
import type { Client } from '../../api/client.ts'
import { sleep } from '../../api/connection.ts'
import { CallError } from '../../api/outcome/call-error.ts'
import type { LooseRequest } from '../../api/request/request.ts'
import { formatCount, formatNumber } from '../../base/numbers.ts'
import { isRecord } from '../../base/record.ts'
import { argumentWords } from '../../base/shell-word.ts'
import { getCampaign } from '../../contract/campaigns.ts'
import { getCustomer } from '../../contract/customers.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { getMember } from '../../contract/loyalty-programs.ts'
import { listMemberTiers } from '../../contract/loyalty-tiers.ts'
import { getProject } from '../../contract/projects.ts'
import { getRedemption } from '../../contract/redemptions.ts'
import { getReward, listProgramRewards } from '../../contract/rewards.ts'
import { getVoucher } from '../../contract/vouchers.ts'
import { valueAt } from '../../output/path.ts'
import type { Resolved } from '../../profiles/resolve.ts'
import type { Host } from '../run/host.ts'
import { shownValue } from './asked-value.ts'

/** The reads of all details: a command that asks may make them, and does without those that its key may not make. */
export const detailReads: readonly Endpoint[] = [
  getVoucher,
  getMember,
  getCustomer,
  getRedemption,
  getReward,
  listProgramRewards,
  getCampaign,
  getProject,
  listMemberTiers,
]

/** What a question says beyond what will happen. */
export interface Detail {
  text: string
  /** Set where what was read shows that the service can only refuse: nobody is asked then. */
  refused?: { hint: string | undefined } | undefined
}

/** What is read with. */
interface Look {
  /** Returns the answer to a read; undefined where it cannot be had. */
  read: <E extends Endpoint>(endpoint: E, path: Record<string, string>, query?: object) => Promise<object | undefined>
  /** The same for what the write is about: that it does not exist is why the service can only refuse. */
  need: Look['read']
  /** An amount in the smallest currency unit as money of the project: `50.00 EUR`; the plain number where that is not known. */
  money: (amount: number) => Promise<string>
  /** Records that the service can only refuse the write, as the text says, and the next step; of several the first. */
  refuse: (hint: string | undefined) => void
}

type DetailOf = (look: Look, path: Record<string, string>, body: unknown) => Promise<string>

const details: Readonly<Record<string, DetailOf>> = {
  'loyalty.members.balance': pointsChange,
  'loyalty.campaign-members.balance': pointsChange,
  'loyalty.members.transfer': transfer,
  'loyalty.members.redeem': spending,
  'loyalty.campaign-members.redeem': spending,
  'vouchers.create': (look, _path, body) => worthOf(look, body),
  'vouchers.balance': creditChange,
  'vouchers.disable': ofVoucher,
  'vouchers.enable': ofVoucher,
  'vouchers.update': ofVoucher,
  'vouchers.delete': ofVoucher,
  'publications.create': publication,
  'redemptions.rollback': rollback,
  'redemptions.rollbacks': rollback,
  'customers.update': ofCustomer,
  'customers.delete': ofCustomer,
  'referrals.holders.remove': removal,
  'campaigns.enable': ofCampaign,
  'campaigns.disable': ofCampaign,
  'campaigns.update': ofCampaign,
  'campaigns.delete': ofCampaign,
}

/** How many rows of several a question shows. */
const shownRows = 3

/** One of several writes: what the user calls it, its call and its request. */
interface RowWrite {
  key: string | undefined
  endpoint: Endpoint
  request: LooseRequest
}

/** How long a question waits for what it would say: the client of many rows waits for a service that is unavailable. */
const patienceMs = 5000

/** Returns what follows the words of a question about several writes; empty where it takes long to know. */
export async function patientDetail(
  { client, profile }: { client: Client; profile: Pick<Resolved, 'projectId'> },
  rows: Iterable<RowWrite>,
  count: number,
  { sleep: wait = sleep }: Pick<Host, 'sleep'>,
): Promise<Detail> {
  const known = new AbortController()
  const late = wait(patienceMs, known.signal).then(
    () => '',
    () => '',
  )
  try {
    const text = await Promise.race([detailOfSeveral({ client, projectId: profile.projectId }, rows, count), late])
    return { text }
  } finally {
    known.abort()
  }
}

/** Returns what is known of several: the first rows and how many more there are; empty for calls about which nothing is known. */
async function detailOfSeveral(
  run: Parameters<typeof detailOf>[0],
  rows: Iterable<RowWrite>,
  count: number,
): Promise<string> {
  const first: RowWrite[] = []
  for (const row of rows) {
    first.push(row)
    if (first.length === shownRows) break
  }
  if (!first.every(({ endpoint }) => Object.hasOwn(details, endpoint.id))) return ''
  const shown = first.map(async ({ key, endpoint, request }) => {
    const { text: detail } = await detailOf(run, endpoint, request)
    return key === undefined ? detail.replace(/^ \((.*)\)$/, '$1') : `${key}${detail}`
  })
  const more = count - first.length
  return listParts([...(await Promise.all(shown)), more > 0 && `and ${formatNumber(more)} more`], '; ')
}

/** Returns what follows the words of a question about a write: ` of Farid Rahman, 82 → 142`; empty where nothing is known. */
export async function detailOf(
  { client, projectId }: { client: Client; projectId: string | undefined },
  { id }: Pick<Endpoint, 'id'>,
  { path = {}, body }: LooseRequest,
): Promise<Detail> {
  const detailFor = Object.hasOwn(details, id) ? details[id] : undefined
  if (detailFor === undefined) return { text: '' }
  let refused: Detail['refused']
  const look = lookWith({ client, projectId }, (hint) => {
    refused ??= { hint }
  })
  const text = await detailFor(look, path as Record<string, string>, body)
  return { text: text === '' && refused !== undefined ? ', which does not exist' : text, refused }
}

function lookWith(
  { client, projectId }: { client: Client; projectId: string | undefined },
  refuse: Look['refuse'],
): Look {
  const reader =
    (isNeeded: boolean): Look['read'] =>
    async (endpoint, at, query) => {
      try {
        return (await client.call(endpoint, { path: at, query } as never, { mayBeRefused: !isNeeded })) as object
      } catch (error) {
        if (isNeeded && error instanceof CallError && error.status === 404) refuse(error.facts.hint)
        return undefined
      }
    }
  const read = reader(false)
  let currency: Promise<unknown> | undefined
  const money = async (amount: number) => {
    currency ??= projectId === undefined ? Promise.resolve(undefined) : read(getProject, { projectId })
    return inMoney(amount, valueAt((await currency) ?? {}, 'currency'))
  }
  return { read, need: reader(true), money, refuse }
}

async function pointsChange(look: Look, { memberId = '' }: Record<string, string>, body: unknown): Promise<string> {
  const card = await look.need(getMember, { memberId })
  if (card === undefined) return ''
  const by = Number(valueAt(body, 'points'))
  mustHave(look, card, -by)
  return `${await holder(look, card)}${change(card, by)}`
}

async function transfer(look: Look, { memberId = '' }: Record<string, string>, body: unknown): Promise<string> {
  const [{ code: from, points } = { code: '', points: 0 }] = body as { code: string; points: number }[]
  const [source, target] = await Promise.all([from, memberId].map((code) => look.need(getMember, { memberId: code })))
  mustHave(look, source, points)
  const told = await Promise.all(
    [
      { card: source, code: from, by: -points },
      { card: target, code: memberId, by: points },
    ].map(async ({ card, code, by }) => card && `${shownValue(code)}${await holder(look, card)}${change(card, by)}`),
  )
  return listParts(told)
}

async function spending(look: Look, { memberId = '' }: Record<string, string>, body: unknown): Promise<string> {
  const rewardId = String(valueAt(body, 'reward.id'))
  const [card, reward] = await Promise.all([look.need(getMember, { memberId }), look.need(getReward, { rewardId })])
  const name = shownAt(reward, 'name')
  const given = valueAt(body, 'reward.points')
  const price = typeof given === 'number' ? undefined : await priceOf(look, card, rewardId)
  const points = price ?? given
  if (typeof points === 'number') mustHave(look, card, points)
  const by = typeof points === 'number' ? change(card, -points) : balanceOf(card)
  return listParts([
    price === undefined ? name : `${name ?? 'it'} for ${formatCount(price, 'point')}`,
    card && `${shownValue(memberId)}${await holder(look, card)}${by}`,
  ])
}

/** Records a refusal where a card has fewer points than are spent. */
function mustHave({ refuse }: Look, card: object | undefined, points: number): void {
  const balance = valueAt(card ?? {}, 'loyalty_card.balance')
  const code = textAt(card, 'code') ?? ''
  if (typeof balance === 'number' && balance < points) refuse(`promo loyalty cards get ${argumentWords(code)}`)
}

/** For how many points the program of a card offers a reward to its holder, whose tier may have a price of its own. */
async function priceOf({ read }: Look, card: object | undefined, rewardId: string): Promise<number | undefined> {
  const campaignId = textAt(card, 'campaign_id')
  const offers = campaignId && (await read(listProgramRewards, { campaignId }, { limit: 100 }))
  const offer = ((valueAt(offers || {}, 'data') ?? []) as object[]).find(
    (one) => valueAt(one, 'reward_id') === rewardId,
  )
  const points = valueAt(offer ?? {}, 'parameters.loyalty.points')
  const memberId = textAt(card, 'code')
  if (typeof points !== 'number' || memberId === undefined) return undefined
  const tiers = await read(listMemberTiers, { memberId })
  const rewards = valueAt(((valueAt(tiers ?? {}, 'data') ?? []) as object[])[0] ?? {}, 'rewards')
  const mapping = isRecord(rewards) ? rewards[textAt(offer, 'id') ?? ''] : undefined
  // As the service computes it: fractions of a point are dropped, and nothing is free.
  const [own, multiplier] = ['points', 'multiplier'].map((name) => Number(valueAt(mapping ?? {}, name) ?? Number.NaN))
  if (own !== undefined && !Number.isNaN(own)) return Math.max(1, own)
  if (multiplier === undefined || Number.isNaN(multiplier)) return points
  return Math.max(1, Math.floor(Number((points * multiplier).toFixed(6))))
}

async function creditChange(look: Look, { code = '' }: Record<string, string>, body: unknown): Promise<string> {
  const card = await look.need(getVoucher, { code })
  const balance = valueAt(card, 'gift.balance')
  if (card === undefined) return ''
  if (typeof balance !== 'number') return await ofPoints(look, card, Number(valueAt(body, 'amount')))
  const after = balance + Number(valueAt(body, 'amount'))
  const held = await look.money(balance)
  if (after < 0) look.refuse(`promo vouchers get ${argumentWords(code)}`)
  return `${await holder(look, card)}, ${after < 0 ? `which has only ${held}` : `${held} → ${await look.money(after)}`}`
}

/** The service takes an amount for points where the card is a loyalty card. */
async function ofPoints(look: Look, card: object, by: number): Promise<string> {
  const points = change(card, by)
  return points === '' ? '' : `${await holder(look, card)}, a loyalty card: these are points${points}`
}

async function ofVoucher(look: Look, { code = '' }: Record<string, string>): Promise<string> {
  const voucher = await look.need(getVoucher, { code })
  return voucher === undefined ? '' : `${listParts([await worth(look, voucher)])}${await holder(look, voucher)}`
}

/** What a voucher will be worth. */
async function worthOf(look: Look, body: unknown): Promise<string> {
  return listParts([await worth(look, body as object)])
}

async function publication(look: Look, _path: unknown, body: unknown): Promise<string> {
  const code = textAt(body, 'voucher')
  const customerId = textAt(body, 'customer.source_id') ?? textAt(body, 'customer.id')
  const campaign = textAt(body, 'campaign.name') ?? textAt(body, 'campaign')
  const voucher = code === undefined ? undefined : await look.need(getVoucher, { code })
  const customer = customerId === undefined ? undefined : await look.read(getCustomer, { customerId })
  const some = campaign === undefined ? undefined : `a code of ${shownValue(campaign)}`
  return listParts([
    code === undefined ? some : `${shownValue(code)}${voucher === undefined ? '' : `, ${await worth(look, voucher)}`}`,
    customer === undefined ? customerId && `to ${shownValue(customerId)}` : `to ${nameIn(customer)}`,
  ])
}

async function rollback(look: Look, path: Record<string, string>): Promise<string> {
  const redemptionId = path.redemptionId ?? path.parentRedemptionId ?? ''
  const redemption = await look.need(getRedemption, { redemptionId })
  if (redemption === undefined) return ''
  const order = shownAt(redemption, 'order.source_id') ?? shownAt(redemption, 'order.id')
  const customer = valueAt(redemption, 'customer')
  return listParts([
    shownAt(redemption, 'voucher.code') ?? shownAt(redemption, 'promotion_tier.name'),
    typeof customer === 'object' && customer !== null ? nameIn(customer) : undefined,
    order && `order ${order}`,
    await amountOf(look, redemption),
    valueAt(redemption, 'status') === 'ROLLED_BACK' && 'already rolled back',
  ])
}

function textAt(object: unknown, path: string): string | undefined {
  const found = valueAt(object, path)
  return typeof found === 'string' && found !== '' ? found : undefined
}

/** A text of an answer as a question shows it. */
function shownAt(object: unknown, path: string): string | undefined {
  const found = textAt(object, path)
  return found === undefined ? undefined : shownValue(found)
}

async function amountOf({ money }: Look, redemption: object): Promise<string | undefined> {
  const amount = valueAt(redemption, 'amount')
  const type = valueAt(redemption, 'voucher.type')
  const off = valueAt(redemption, 'order.total_applied_discount_amount')
  if (type === 'LOYALTY_CARD' && typeof amount === 'number') return formatCount(amount, 'point')
  if (type === 'GIFT_VOUCHER' && typeof amount === 'number') return `${await money(amount)} of credit`
  if (typeof off !== 'number') return undefined
  // Of what was redeemed together, a part may be credits.
  return `${await money(off)} ${valueAt(redemption, 'related_object_type') === 'redemption' ? 'in all' : 'off'}`
}

async function ofCustomer({ need }: Look, { customerId = '' }: Record<string, string>): Promise<string> {
  const customer = await need(getCustomer, { customerId })
  return listParts([shownAt(customer, 'name'), shownAt(customer, 'email')])
}

async function removal({ read }: Look, { memberId, holderId = '' }: Record<string, string>): Promise<string> {
  const customer = await read(getCustomer, { customerId: holderId })
  return customer === undefined ? '' : listParts([nameIn(customer), `code ${shownValue(memberId ?? '')}`])
}

async function ofCampaign({ need }: Look, { campaignId = '' }: Record<string, string>): Promise<string> {
  const campaign = await need(getCampaign, { campaignId })
  const count = valueAt(campaign, 'vouchers_count')
  const isOff = valueAt(campaign, 'active') === false
  return listParts([typeof count === 'number' && formatCount(count, 'voucher'), campaign && (isOff ? 'paused' : 'on')])
}

/** What a voucher is worth: `gift card with 50.00 EUR`. */
async function worth({ money }: Look, voucher: object): Promise<string> {
  const [gift, points, percent, amount] = [
    ['gift.balance', 'gift.amount'],
    ['loyalty_card.balance', 'loyalty_card.points'],
    ['discount.percent_off'],
    ['discount.amount_off', 'discount.fixed_amount'],
  ].map((names) => names.map((name) => valueAt(voucher, name)).find((value) => value !== undefined))
  if (typeof gift === 'number') return `gift card with ${await money(gift)}`
  if (typeof points === 'number') return `loyalty card with ${formatCount(points, 'point')}`
  if (typeof percent === 'number') return `${percent} % off`
  return typeof amount === 'number' ? `${await money(amount)} off` : 'voucher'
}

async function holder({ read }: Look, voucher: object): Promise<string> {
  const customerId = valueAt(voucher, 'holder_id')
  const customer = typeof customerId === 'string' ? await read(getCustomer, { customerId }) : undefined
  return customer === undefined ? '' : ` of ${nameIn(customer)}`
}

/** The best known name of a customer, as a question shows it. */
export function nameIn(customer: object): string {
  const known = ['name', 'email', 'source_id', 'id'].map((name) => shownAt(customer, name))
  return String(known.find((one) => one !== undefined))
}

function change(card: object | undefined, by: number): string {
  const balance = valueAt(card, 'loyalty_card.balance')
  if (typeof balance !== 'number') return ''
  // The service refuses what is not there.
  return balance + by < 0
    ? `, which has only ${formatCount(balance, 'point')}`
    : `, ${formatNumber(balance)} → ${formatNumber(balance + by)}`
}

function balanceOf(card: object | undefined): string {
  const balance = valueAt(card, 'loyalty_card.balance')
  return typeof balance === 'number' ? `, which has ${formatCount(balance, 'point')}` : ''
}

function listParts(parts: readonly unknown[], between = ', '): string {
  const known = parts.filter((part) => typeof part === 'string' && part !== '')
  return known.length === 0 ? '' : ` (${known.join(between)})`
}

function inMoney(amount: number, currency: unknown): string {
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) return formatNumber(amount)
  const { maximumFractionDigits: digits = 2 } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions()
  const [whole = '', cents] = (amount / 10 ** digits).toFixed(digits).split('.')
  return `${whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ',')}${cents === undefined ? '' : `.${cents}`} ${currency}`
}
