// Replacing a lost loyalty card. What was done before is read from the service: the publication and the transfer have source
// ids made of the codes of the cards. Source: docs/service/loyalty.md#transfer-points; docs/service/publications.md#create.
import type { Client, RequestOf } from '../../../api/client.ts'
import { CallError } from '../../../api/outcome/call-error.ts'
import type { LooseRequest } from '../../../api/request/request.ts'
import { formatCount, formatNumber } from '../../../base/numbers.ts'
import { argumentWords, shellWord } from '../../../base/shell-word.ts'
import { getCampaign } from '../../../contract/campaigns.ts'
import { getCustomer } from '../../../contract/customers.ts'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { listCardTransactions } from '../../../contract/loyalty.ts'
import { transferPoints } from '../../../contract/loyalty-programs.ts'
import { listPublications, publish } from '../../../contract/publications.ts'
import { listVouchers } from '../../../contract/voucher-lists.ts'
import { disableVoucher, getVoucher } from '../../../contract/vouchers.ts'
import { PromoError, usageError } from '../../../errors.ts'
import { replacementColumns } from '../../../output/columns/plan.ts'
import { valueAt } from '../../../output/path.ts'
import { mustAct } from '../../../writes/act.ts'
import { look } from '../../../writes/look.ts'
import { evidenceFor } from '../../../writes/prove.ts'
import { shownValue } from '../../prompt/asked-value.ts'
import { nameIn } from '../../prompt/detail.ts'
import { carryOut, type Writing } from '../../request/carry-out.ts'
import { tryRead } from '../../result/try-read.ts'
import type { Host, StopReason } from '../../run/host.ts'
import { exitCodeOf } from '../../stop.ts'

interface Card {
  id: string
  code: string
  type?: string
  campaign?: string | null
  campaign_id?: string | null
  holder_id?: string | null
  active?: boolean | null
  expiration_date?: string | null
  loyalty_card?: { balance: number; pending_points?: number } | null
}

/** What earlier runs did. */
interface Before {
  /** The code of the card that was given. */
  given: string | undefined
  /** Whether one was published, even if it was deleted since. */
  isPublished: boolean
  /** The points that were moved. */
  moved: number
}

/** A write of the plan. */
interface Step {
  act: string
  /** Whether it is left to do; otherwise its `state` says why not. */
  isLeft: boolean
  state: string
  points?: number
  /** What is asked, and what was done where a later step fails. */
  asks: string
  done?: (taker: string) => string
  endpoint: Endpoint
  /** A second one is refused: the points are gone. */
  isGuarded?: boolean
  request: (taker: string) => object
}

/**
 * Replaces a card by a new one of its program, or by the card `to`, and shows the steps.
 *
 * Only what is left is done. Throws `api` for cards that cannot be replaced or take its place, and what the calls throw.
 */
export async function replaceCard(
  code: string,
  { to, reason = 'replaced' }: { to: string | undefined; reason: string | undefined },
  run: Writing & { host: Pick<Host, 'now'> },
): Promise<void> {
  const { show, host } = run
  const { say, warn } = show
  const about = { columns: replacementColumns, endpoint: publish }
  await carryOut(run, about, ({ client }) => ({
    requests: requestsOf(client, code, { to, reason }),
    async prepare() {
      const old = await lostCard(client, code)
      const before = await doneBefore(client, old)
      const target = await successor(client, old, before, to)
      const steps = stepsOf(old, { target, before, reason })
      const left = steps.filter(({ isLeft }) => isLeft)
      if (left.length > 0 && target) mustBeUsable(target, host.now())
      if (left.length > 0 && isOver(old, host.now()))
        warn(`warning: loyalty card ${old.code} expired on ${old.expiration_date}; its points can be used again`)
      const action = left.map(({ asks }) => asks).join(', ')
      const detail = async () => {
        if (target === undefined) await mustHaveFreeCard(client, old)
        return { text: await detailOf(client, old, target) }
      }
      const isFinal = steps[0]?.isLeft === true
      return {
        question: left.length === 0 ? undefined : { action: action.replace(/, (?=[^,]*$)/, ' and '), detail, isFinal },
        async send() {
          if (left.length === 0)
            say(`loyalty card ${old.code} was replaced by ${target?.code} before; nothing was sent`)
          const taker = await complete(client, { old, target, left, stop: host.stop, warn })
          await warnOfPoints(client, old, left.length > 0, warn)
          const rows = steps.map(({ act, state, isLeft, points }, at) => {
            return { step: at + 1, act, code: at === 2 ? old.code : taker, points, state: isLeft ? 'done' : state }
          })
          await show.afterWrite.rows(rows, replacementColumns)
        },
      }
    },
  }))
}

function stepsOf(
  { code, campaign, campaign_id, holder_id, active, loyalty_card }: Card,
  { target, before, reason }: { target: Card | undefined; before: Before; reason: string },
): Step[] {
  const [campaignId, balance] = [String(campaign_id), loyalty_card?.balance ?? 0]
  const gives = target?.holder_id == null
  const isMoved = balance === 0 && before.moved > 0
  const old = shownValue(code)
  const name = shownValue(target?.code ?? campaign ?? campaignId)
  const chosen = target ? { voucher: target.code } : { campaign: campaignId }
  const source_id = sourceId(code)
  return [
    {
      act: 'give',
      isLeft: gives,
      state: before.isPublished ? 'done before' : 'held already',
      asks: `give the holder of ${old} ${target ? 'loyalty card' : 'a new loyalty card of'} ${name}`,
      done: (taker) => `${taker} was given`,
      endpoint: publish,
      request: () => ({
        query: { join_once: false },
        body: { customer: { id: String(holder_id) }, ...chosen, source_id },
      }),
    },
    {
      act: 'move points to',
      isLeft: balance > 0,
      state: isMoved ? 'done before' : 'no points',
      points: isMoved ? before.moved : balance,
      asks: `move ${formatCount(balance, 'point')} from ${old} to ${gives ? 'it' : name}`,
      done: (taker) => `${formatCount(balance, 'point')} moved to ${taker}`,
      endpoint: transferPoints,
      isGuarded: true,
      request: (taker) => ({
        path: { campaignId, memberId: taker },
        body: [{ code, points: balance, source_id: sourceId(code, taker), reason }],
      }),
    },
    {
      act: 'switch off',
      isLeft: active !== false,
      state: 'off already',
      asks: `switch ${old} off`,
      endpoint: disableVoucher,
      request: () => ({ path: { code } }),
    },
  ]
}

/** The requests of all steps; what only the service knows is named in angle brackets. */
function requestsOf(client: Client, code: string, { to, reason }: { to: string | undefined; reason: string }) {
  const old = { id: '', code, holder_id: '<holder>', campaign_id: '<program>', loyalty_card: { balance: 1 } }
  const target = to === undefined ? undefined : { id: '', code: to }
  const before = { given: undefined, isPublished: false, moved: 0 }
  return stepsOf(old, { target, before, reason }).map(({ endpoint, request, points }) => {
    const plan = client.plan(endpoint, request(to ?? '<new card>') as RequestOf<Endpoint>)
    return points === undefined ? plan : { ...plan, body: [{ ...(plan.body as object[])[0], points: '<all points>' }] }
  })
}

/** The source id of the publication, or of the transfer to a card. */
function sourceId(old: string, taker?: string): string {
  return `replacement-of-${old}${taker === undefined ? '' : `-by-${taker}`}`
}

async function cardAt(client: Client, code: string): Promise<Card> {
  const card = (await client.call(getVoucher, { path: { code } })) as unknown as Card
  if (card.type === 'LOYALTY_CARD') return card
  const kind = card.type === 'GIFT_VOUCHER' ? 'gift card' : 'discount code'
  throw refusedReplace(
    `"${card.code}" is a ${kind}, not a loyalty card; nothing was sent`,
    `promo vouchers disable ${argumentWords(card.code)}`,
  )
}

/** Reads the card that is replaced. Throws `api` for one that nobody holds: there is nobody who could get another. */
async function lostCard(client: Client, code: string): Promise<Card> {
  const card = await cardAt(client, code)
  const why = card.holder_id == null ? 'nobody holds it' : card.campaign_id == null ? 'it is in no program' : undefined
  if (why === undefined) return card
  const word = argumentWords(card.code)
  throw refusedReplace(
    `loyalty card "${card.code}" cannot be replaced: ${why}; nothing was sent`,
    `promo vouchers disable ${word}`,
  )
}

async function doneBefore(client: Client, { code }: Card): Promise<Before> {
  const query = { source_id: sourceId(code), result: 'SUCCESS' }
  const { value: published } = await client.items(listPublications, { query }, { limit: 1, pageSize: 1 }).next()
  const prefix = `${sourceId(code)}-by-`
  let moved = 0
  let receiver: string | undefined
  for await (const { source_id, type, details } of client.items(listCardTransactions, { path: { memberId: code } })) {
    if (type !== 'POINTS_TRANSFER_OUT' || typeof source_id !== 'string' || !source_id.startsWith(prefix)) continue
    receiver = source_id.slice(prefix.length)
    moved -= Number(valueAt(details, 'balance.points') ?? 0)
  }
  const given = valueAt(published, 'voucher.code') ?? receiver
  return { given: typeof given === 'string' ? given : undefined, isPublished: published !== undefined, moved }
}

/** Reads the card that takes the place of another; undefined: it is still to be given. Throws `api` for one that cannot. */
async function successor(
  client: Client,
  old: Card,
  { given, isPublished }: Before,
  to: string | undefined,
): Promise<Card | undefined> {
  const chosen = to ?? given
  const word = argumentWords(old.code)
  if (chosen === undefined) {
    if (!isPublished) return undefined
    const hint = `give its holder a card with promo publications create, and name that: promo loyalty cards replace --to CODE ${word}`
    throw refusedReplace(`the card that replaced "${old.code}" was deleted; nothing was sent`, hint)
  }
  const card = await cardAt(client, chosen)
  if (card.id === old.id) throw usageError(`loyalty card "${old.code}" cannot replace itself`)
  if (given !== undefined && card.code !== given) {
    const hint = `promo loyalty cards replace --to ${shellWord(given)} ${word}`
    throw refusedReplace(`loyalty card "${old.code}" is being replaced by "${given}" already; nothing was sent`, hint)
  }
  const why =
    card.campaign_id !== old.campaign_id
      ? `it is not of the program ${old.campaign ?? old.campaign_id}`
      : card.holder_id != null && card.holder_id !== old.holder_id
        ? 'another customer holds it'
        : undefined
  if (why === undefined) return card
  const hint = `promo loyalty cards list ${argumentWords(String(old.campaign_id))}`
  throw refusedReplace(`"${card.code}" cannot replace "${old.code}": ${why}; nothing was sent`, hint)
}

/** Throws `api` for a card that its holder could not use. */
function mustBeUsable(card: Card, nowMs: number): void {
  const { code, active } = card
  const word = argumentWords(code)
  if (active === false)
    throw refusedReplace(`loyalty card "${code}" is off; nothing was sent`, `promo vouchers enable ${word}`)
  if (isOver(card, nowMs)) {
    throw refusedReplace(`loyalty card "${code}" expired; nothing was sent`, `promo loyalty cards get ${word}`)
  }
}

/** Throws `api` where the program has no card to give; what the key may not read is left to the service. */
async function mustHaveFreeCard(client: Client, { campaign, campaign_id }: Card): Promise<void> {
  const campaignId = String(campaign_id)
  const ignore = () => {}
  const program = await tryRead(() => client.call(getCampaign, { path: { campaignId } }), ignore)
  if (program === undefined || (valueAt(program, 'type') === 'AUTO_UPDATE' && valueAt(program, 'active') !== false))
    return
  const filters = { holder_id: { conditions: { $is_unknown: true } } }
  const free = client.items(listVouchers, { query: { campaign: campaignId, filters } }, { limit: 1 })
  const hasOne = await tryRead(async () => !(await free.next()).done, ignore)
  if (hasOne === false) throw noFreeCard(campaign ?? campaignId)
}

function noFreeCard(program: string): PromoError {
  const hint = `promo campaigns vouchers add --count 1 ${argumentWords(program)}`
  return refusedReplace(`the program ${program} has no free card`, hint)
}

function isOver({ expiration_date }: Card, nowMs: number): boolean {
  return expiration_date != null && Date.parse(expiration_date) < nowMs
}

/** Who holds the card, and both balances before and after. */
async function detailOf(client: Client, old: Card, target: Card | undefined): Promise<string> {
  const points = old.loyalty_card?.balance ?? 0
  const customerId = String(old.holder_id)
  const customer = await tryRead(
    () => client.call(getCustomer, { path: { customerId } }),
    () => {},
  )
  const balance = target?.loyalty_card?.balance
  const pending = old.loyalty_card?.pending_points ?? 0
  const known = [
    customer && nameIn(customer),
    points > 0 && `${shownValue(old.code)} ${formatNumber(points)} → 0`,
    points > 0 &&
      balance !== undefined &&
      `${shownValue(target?.code ?? '')} ${formatNumber(balance)} → ${formatNumber(balance + points)}`,
    pending > 0 && `${formatCount(pending, 'pending point')} stay with ${shownValue(old.code)}`,
  ].filter((part) => typeof part === 'string')
  return known.length === 0 ? '' : ` (${known.join(', ')})`
}

/** What is left to do, and for whom. */
interface Replacing {
  old: Card
  target: Card | undefined
  left: readonly Step[]
  stop: AbortSignal
  warn: (line: string) => void
}

/** Does what is left, one step after the other, and returns the code of the card that takes the place. */
async function complete(client: Client, { old, target, left, stop, warn }: Replacing): Promise<string> {
  const done: string[] = []
  let taker = target?.code
  try {
    for (const step of left) {
      if (stop.aborted)
        throw new PromoError(
          'stopped',
          'stopped before the card was replaced',
          {},
          exitCodeOf(stop.reason as StopReason),
        )
      const { endpoint, isGuarded = false } = step
      const request = step.request(taker ?? '') as LooseRequest as RequestOf<Endpoint>
      const evidence = evidenceFor(endpoint, request)
      const { value } = await mustAct(client, { endpoint, request, isGuarded, evidence })
      taker ??= givenBy(value, old, warn)
      if (step.done) done.push(step.done(taker))
    }
    return taker ?? ''
  } catch (error) {
    if (done.length > 0) warn(`${done.join(', ')}; the same command line does the rest`)
    if (!(error instanceof CallError)) throw error
    const { kind, exitCode, message, facts, phase } = error
    if (facts.api?.key === 'no_voucher_suitable_for_publication')
      throw noFreeCard(old.campaign ?? String(old.campaign_id))
    if (phase !== 'ambiguous') throw error
    const hint = 'run the same command line again: it looks for what was done, and does the rest'
    throw new PromoError(kind, message, { ...facts, hint }, exitCode)
  }
}

/** Returns the code of the card that a publication gave. Throws `api` where the service does not say it. */
function givenBy(publication: unknown, old: Card, warn: (line: string) => void): string {
  const given = valueAt(publication, 'voucher.code')
  if (typeof given !== 'string')
    throw refusedReplace(
      'the service does not say which card it gave',
      `promo publications list --source-id ${shellWord(sourceId(old.code))}`,
    )
  const own = Number(valueAt(publication, 'voucher.loyalty_card.balance') ?? 0)
  const remedy = `promo loyalty points remove --points ${own} ${argumentWords(given)}`
  if (own > 0) warn(`warning: ${given} began with ${formatCount(own, 'point')} of its own; ${remedy} takes them off`)
  return given
}

/** Warns of points that stay with the old card: pending ones, and those that came while it was replaced. */
async function warnOfPoints(client: Client, old: Card, isReplaced: boolean, warn: Replacing['warn']): Promise<void> {
  const { code } = old
  const found = await look(async () => (isReplaced ? await cardAt(client, code) : old))
  if (found.is === 'unread') warn(`warning: which points ${code} still has cannot be read: ${found.error.message}`)
  const { balance = 0, pending_points: pending = 0 } = (found.is === 'found' && found.value.loyalty_card) || {}
  const moves = 'the same command line moves them'
  if (balance > 0) warn(`warning: ${formatCount(balance, 'point')} came to ${code} meanwhile; ${moves}`)
  if (pending > 0)
    warn(`warning: ${formatCount(pending, 'pending point')} stay with ${code}; once they are active, ${moves}`)
}

function refusedReplace(message: string, hint: string): PromoError {
  return new PromoError('api', message, { hint })
}
