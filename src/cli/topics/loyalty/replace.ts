// Replacing a lost loyalty card. What was done before is read from the service: the publication and the transfer have source
// ids made of the codes of the cards. Source: docs/service/loyalty.md#transfer-points; docs/service/publications.md#create.
import type { Client, RequestOf } from '../../../api/client.ts'
import { CallError } from '../../../api/outcome/call-error.ts'
import type { LooseRequest } from '../../../api/request/request.ts'
import { counted, grouped } from '../../../base/grouped.ts'
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
import { emit } from '../../../output/emit.ts'
import { valueAt } from '../../../output/path.ts'
import { mustAct } from '../../../writes/act.ts'
import { evidenceFor } from '../../../writes/prove.ts'
import { shownValue } from '../../prompt/asked-value.ts'
import { nameIn } from '../../prompt/detail.ts'
import { carryOut, type WriteFlags } from '../../request/carry-out.ts'
import { messagesTo } from '../../result/messages.ts'
import { pipeSinkOf, shapeOf } from '../../result/output.ts'
import { unlessRefused } from '../../result/unless-refused.ts'
import type { Host, ProgramConfig, StopReason } from '../../run/host.ts'
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

/** What is left to do. */
interface Left {
  gives: boolean
  points: number
  switchesOff: boolean
}

/**
 * Replaces a card by a new one of its program, or by the card `to`, and shows the steps.
 *
 * Only what is left is done. Throws `api` for cards that cannot be replaced or take its place, and what the calls throw.
 */
export async function replaceCard(
  flags: WriteFlags,
  code: string,
  { to, reason: why = 'replaced' }: { to: string | undefined; reason: string | undefined },
  { host, config }: { host: Host; config: ProgramConfig },
): Promise<void> {
  const messages = messagesTo(host, flags)
  const about = { columns: replacementColumns, endpoint: publish }
  await carryOut(flags, { host, config }, about, ({ client }) => ({
    requests: plans(client, code, to, why),
    async prepare() {
      const old = await lostCard(client, code)
      const before = await doneBefore(client, old)
      const target = await successor(client, old, before, to)
      const points = old.loyalty_card?.balance ?? 0
      const left: Left = { gives: target?.holder_id == null, points, switchesOff: old.active !== false }
      const isNothing = !left.gives && left.points === 0 && !left.switchesOff
      if (!isNothing && target) mustBeUsable(target, host.now())
      if (!isNothing && isOver(old, host.now()))
        messages.warn(
          `warning: loyalty card ${old.code} expired on ${old.expiration_date}; its points can be used again`,
        )
      const detail = async () => {
        if (target === undefined) await mustHaveFreeCard(client, old)
        return { text: await detailOf(client, old, target, left) }
      }
      return {
        question: isNothing ? undefined : { action: actionOf(old, target, left), detail, isFinal: left.gives },
        async send() {
          const pending = old.loyalty_card?.pending_points ?? 0
          let taker = target?.code
          if (isNothing) messages.say(`loyalty card ${old.code} was replaced by ${taker} before; nothing was sent`)
          else taker = await complete(client, { old, target, left, why, host, warn: messages.warn })
          if (pending > 0) {
            const kept = counted(pending, 'pending point')
            messages.warn(
              `warning: ${kept} stay with ${old.code}; once they are active, the same command line moves them`,
            )
          }
          const done = (isLeft: boolean, otherwise: string) => (isLeft ? 'done' : otherwise)
          const isMoved = left.points === 0 && before.moved > 0
          const rows = [
            { act: 'give', code: taker, state: done(left.gives, before.isPublished ? 'done before' : 'held already') },
            {
              act: 'move points to',
              code: taker,
              points: isMoved ? before.moved : points,
              state: done(left.points > 0, isMoved ? 'done before' : 'no points'),
            },
            { act: 'switch off', code: old.code, state: done(left.switchesOff, 'off already') },
          ]
          const numbered = rows.map((row, index) => ({ step: index + 1, ...row }))
          await emit(numbered, replacementColumns, shapeOf(flags, host), pipeSinkOf(flags, host))
        },
      }
    },
  }))
}

/** The requests of all steps; what only the service knows is named in angle brackets. */
function plans(client: Client, code: string, to: string | undefined, reason: string) {
  const source = sourceId(code)
  const taker = to ?? '<new card>'
  const [holder, program] = ['<holder>', '<program>']
  const chosen = to === undefined ? { campaign: program } : { voucher: to }
  const transfer = client.plan(transferPoints, {
    path: { campaignId: program, memberId: taker },
    body: [{ code, points: 1, source_id: sourceId(code, taker), reason }],
  })
  return [
    client.plan(publish, {
      query: { join_once: false },
      body: { customer: { id: holder }, ...chosen, source_id: source },
    }),
    { ...transfer, body: [{ ...(transfer.body as object[])[0], points: '<all points>' }] },
    client.plan(disableVoucher, { path: { code } }),
  ]
}

/** The source id of the publication, or of the transfer to a card. */
function sourceId(old: string, taker?: string): string {
  return `replacement-of-${old}${taker === undefined ? '' : `-by-${taker}`}`
}

async function cardAt(client: Client, code: string): Promise<Card> {
  const card = (await client.call(getVoucher, { path: { code } })) as unknown as Card
  if (card.type === 'LOYALTY_CARD') return card
  const kind = card.type === 'GIFT_VOUCHER' ? 'gift card' : 'discount code'
  throw refused(
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
  throw refused(
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
    throw refused(`the card that replaced "${old.code}" was deleted; nothing was sent`, hint)
  }
  const card = await cardAt(client, chosen)
  if (card.id === old.id) throw usageError(`loyalty card "${old.code}" cannot replace itself`)
  if (given !== undefined && card.code !== given) {
    const hint = `promo loyalty cards replace --to ${shellWord(given)} ${word}`
    throw refused(`loyalty card "${old.code}" is being replaced by "${given}" already; nothing was sent`, hint)
  }
  const why =
    card.campaign_id !== old.campaign_id
      ? `it is not of the program ${old.campaign ?? old.campaign_id}`
      : card.holder_id != null && card.holder_id !== old.holder_id
        ? 'another customer holds it'
        : undefined
  if (why === undefined) return card
  const hint = `promo loyalty cards list ${argumentWords(String(old.campaign_id))}`
  throw refused(`"${card.code}" cannot replace "${old.code}": ${why}; nothing was sent`, hint)
}

/** Throws `api` for a card that its holder could not use. */
function mustBeUsable(card: Card, nowMs: number): void {
  const { code, active } = card
  const word = argumentWords(code)
  if (active === false)
    throw refused(`loyalty card "${code}" is off; nothing was sent`, `promo vouchers enable ${word}`)
  if (isOver(card, nowMs)) {
    throw refused(`loyalty card "${code}" expired; nothing was sent`, `promo loyalty cards get ${word}`)
  }
}

/** Throws `api` where the program has no card to give; what the key may not read is left to the service. */
async function mustHaveFreeCard(client: Client, { campaign, campaign_id }: Card): Promise<void> {
  const campaignId = String(campaign_id)
  const ignored = () => {}
  const program = await unlessRefused(() => client.call(getCampaign, { path: { campaignId } }), ignored)
  if (program === undefined || (valueAt(program, 'type') === 'AUTO_UPDATE' && valueAt(program, 'active') !== false))
    return
  const filters = { holder_id: { conditions: { $is_unknown: true } } }
  const free = client.items(listVouchers, { query: { campaign: campaignId, filters } }, { limit: 1 })
  const hasOne = await unlessRefused(async () => !(await free.next()).done, ignored)
  if (hasOne === false) throw noFreeCard(campaign ?? campaignId)
}

function noFreeCard(program: string): PromoError {
  const hint = `promo campaigns vouchers add --count 1 ${argumentWords(program)}`
  return refused(`the program ${program} has no free card`, hint)
}

function isOver({ expiration_date }: Card, nowMs: number): boolean {
  return expiration_date != null && Date.parse(expiration_date) < nowMs
}

function actionOf(old: Card, target: Card | undefined, { gives, points, switchesOff }: Left): string {
  const card = target
    ? `loyalty card ${shownValue(target.code)}`
    : `a new loyalty card of ${shownValue(old.campaign ?? String(old.campaign_id))}`
  const receiver = gives ? 'it' : target && shownValue(target.code)
  const steps = [
    gives && `give the holder of ${shownValue(old.code)} ${card}`,
    points > 0 && `move ${counted(points, 'point')} from ${shownValue(old.code)} to ${receiver}`,
    switchesOff && `switch ${shownValue(old.code)} off`,
  ].filter((step) => step !== false)
  return steps.join(', ').replace(/, (?=[^,]*$)/, ' and ')
}

/** Who holds the card, and both balances before and after. */
async function detailOf(client: Client, old: Card, target: Card | undefined, { points }: Left): Promise<string> {
  const customerId = String(old.holder_id)
  const customer = await unlessRefused(
    () => client.call(getCustomer, { path: { customerId } }),
    () => {},
  )
  const balance = target?.loyalty_card?.balance
  const pending = old.loyalty_card?.pending_points ?? 0
  const known = [
    customer && nameIn(customer),
    points > 0 && `${shownValue(old.code)} ${grouped(points)} → 0`,
    points > 0 &&
      balance !== undefined &&
      `${shownValue(target?.code ?? '')} ${grouped(balance)} → ${grouped(balance + points)}`,
    pending > 0 && `${counted(pending, 'pending point')} stay with ${shownValue(old.code)}`,
  ].filter((part) => typeof part === 'string')
  return known.length === 0 ? '' : ` (${known.join(', ')})`
}

interface Replacing {
  old: Card
  target: Card | undefined
  left: Left
  /** The reason that the transfer has. */
  why: string
  host: Host
  warn: (line: string) => void
}

/** Does what is left, one step after the other, and returns the code of the card that takes the place. */
async function complete(client: Client, { old, target, left, why, host, warn }: Replacing): Promise<string> {
  const done: string[] = []
  const campaignId = String(old.campaign_id)
  let taker = target?.code ?? ''
  try {
    if (left.gives) {
      const publication = await step(client, host, publish, {
        query: { join_once: false },
        body: {
          customer: { id: String(old.holder_id) },
          ...(target ? { voucher: target.code } : { campaign: campaignId }),
          source_id: sourceId(old.code),
        },
      })
      const given = target?.code ?? valueAt(publication, 'voucher.code')
      if (typeof given !== 'string') {
        throw refused(
          'the service does not say which card it gave',
          `promo publications list --source-id ${shellWord(sourceId(old.code))}`,
        )
      }
      taker = given
      done.push(`${taker} was given`)
      const own = target ? 0 : Number(valueAt(publication, 'voucher.loyalty_card.balance') ?? 0)
      const remedy = `promo loyalty points remove --points ${own} ${argumentWords(taker)}`
      if (own > 0) warn(`warning: ${taker} began with ${counted(own, 'point')} of its own; ${remedy} takes them off`)
    }
    if (left.points > 0) {
      const source_id = sourceId(old.code, taker)
      await step(client, host, transferPoints, {
        path: { campaignId, memberId: taker },
        body: [{ code: old.code, points: left.points, source_id, reason: why }],
      })
      done.push(`${counted(left.points, 'point')} moved to ${taker}`)
    }
    if (left.switchesOff) await step(client, host, disableVoucher, { path: { code: old.code } })
    return taker
  } catch (error) {
    if (done.length > 0) warn(`${done.join(', ')}; the same command line does the rest`)
    if (!(error instanceof CallError) || error.facts.api?.key !== 'no_voucher_suitable_for_publication') throw error
    throw noFreeCard(old.campaign ?? campaignId)
  }
}

/** Makes the call of a step; a lost answer is looked for. Throws what the call throws, and `stopped` once promo is told to stop. */
async function step<E extends Endpoint>(
  client: Client,
  { stop }: Host,
  endpoint: E,
  request: RequestOf<E>,
): Promise<unknown> {
  if (stop.aborted) {
    throw new PromoError('stopped', 'stopped before the card was replaced', {}, exitCodeOf(stop.reason as StopReason))
  }
  try {
    const evidence = evidenceFor(endpoint, request as LooseRequest)
    return (await mustAct(client, { endpoint, request, evidence })).value
  } catch (error) {
    if (!(error instanceof CallError) || error.phase !== 'ambiguous') throw error
    const { kind, exitCode, message, facts } = error
    const hint = 'run the same command line again: it looks for what was done, and does the rest'
    throw new PromoError(kind, message, { ...facts, hint }, exitCode)
  }
}

function refused(message: string, hint: string): PromoError {
  return new PromoError('api', message, { hint })
}
