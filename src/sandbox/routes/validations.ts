// Validations and the sessions they open.
// Source: docs/service/validations.md#validate; docs/service/validations.md#sessions.
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { dateTime } from '../../contract/fields.ts'
import { releaseSession } from '../../contract/session.ts'
import * as contract from '../../contract/validations.ts'
import { findOr404 } from '../answers/existing.ts'
import { offerIn } from '../answers/loyalty.ts'
import { requestOf } from '../http/fixture-object.ts'
import { notFound, Refusal } from '../http/refusal.ts'
import { type Context, type FixtureContext, type Resource, route } from '../http/route.ts'
import { redeemingOne, validationRequestOf } from '../resources/evaluation/request.ts'
import { snapshotOf } from '../resources/evaluation/snapshot.ts'
import { checkMetadata } from '../resources/metadata/check.ts'
import type { Snapshot } from '../rules/snapshot.ts'
import { type ValidationResult, validateRedeemables } from '../rules/stacking/validation.ts'
import { countForCampaign } from '../stores/campaign-summary.ts'
import { campaigns } from '../stores/campaigns.ts'
import { lockId, lockOf, type StoredLock, sessionLocks, storeLocks } from '../stores/session-locks.ts'
import { type StoredVoucher, vouchers } from '../stores/vouchers.ts'

/** Validations. They belong to the project, and store nothing but the locks of a session. */
export const validationResource: Resource = {
  collections: [sessionLocks],
  load: { session_locks: loadLock },
  routes: [
    route(contract.validateRedeemables, ({ body }, context) => answerValidation(body, context)),
    route(contract.validateVoucher, ({ path, body = {} }, context) => answerVoucher(path.code, body, context)),
    route(releaseSession, ({ path }, context) => {
      const voucher = findOr404(vouchers, path.code, context)
      const lock = lockOf(context.in(sessionLocks), voucher.id, path.sessionKey, context.now)
      if (!lock) throw notFound('session', path.sessionKey)
      context.in(sessionLocks).remove(lock.id)
    }),
  ],
}

/** Validates redeemables and stores the locks of the session. Throws 400 for a request that cannot be evaluated. */
export function answerValidation(
  body: z.output<typeof contract.newValidation>,
  context: Context,
): Record<string, unknown> {
  checkMetadata(context, 'redemption', body.metadata)
  const snapshot = snapshotOf(context)
  const answer = validateRedeemables(snapshot, validationRequestOf(body), {
    id: context.id('valid_'),
    request_id: context.requestId,
    now: context.now,
    // Not a time-ordered id: anyone who guesses a key can use and release what it holds.
    session_key: body.session ? `ssn_${randomBytes(16).toString('hex')}` : '',
  })
  if ('refusal' in answer) throw new Refusal(answer.refusal)
  checkSubject(body, answer, context)
  if (body.session) storeLocks(context.in(sessionLocks), answer.locks, context.now)
  countValidation(answer.body, snapshot, context)
  return answer.body
}

/** Counts the validation once for every campaign whose codes or tiers it names, for the summary of the campaign. */
function countValidation(
  { valid, redeemables = [] }: Record<string, unknown>,
  snapshot: Snapshot,
  context: Context,
): void {
  const named = (redeemables as Array<{ id: string; object: string }>).map(({ id, object }) =>
    object === 'voucher' ? snapshot.voucher(id) : snapshot.promotionTier(id),
  )
  for (const campaignId of new Set(named.map((one) => one?.campaign_id)))
    if (campaignId)
      countForCampaign(campaignId, valid ? 'validations_succeeded' : 'validations_failed', context.now, context)
}

/** Validates one voucher, and answers in the form of older clients. */
export function answerVoucher(code: string, body: z.output<typeof contract.voucherUse>, context: Context) {
  const answer = answerValidation(redeemingOne('voucher', code, body), context)
  const { valid, tracking_id, session, redeemables, inapplicable_redeemables = [] } = answer as unknown as OneValidation
  const [{ order, result, applicable_to, inapplicable_to } = { result: {} }] = [
    ...redeemables,
    ...inapplicable_redeemables,
  ]
  const voucher = context.in(vouchers).find(code)
  const campaign = voucher?.campaign_id == null ? undefined : context.in(campaigns).get(voucher.campaign_id)
  const about = {
    code: voucher?.code ?? code,
    ...(campaign && { campaign: campaign.name, campaign_id: campaign.id }),
    ...(tracking_id !== undefined && { tracking_id }),
    ...(session && { session }),
    metadata: body.metadata ?? {},
  }
  if (valid) {
    const shown = { ...result, ...(voucher && cardShown(voucher, result, body.reward?.id, context)) }
    return { valid, ...about, ...shown, applicable_to, inapplicable_to, ...(order && { order }) }
  }
  // ASSUMED A1108: an unknown code is a reason like any other; the reason is the message of the error.
  return { valid, ...about, reason: result.error?.message, error: result.error }
}

/** What the older answer says of a card: all of the gift beside the credits, the reward beside the points. */
function cardShown(
  { gift, campaign_id }: StoredVoucher,
  result: OneResult['result'],
  rewardId: string | undefined,
  context: Context,
) {
  const offer = campaign_id == null || rewardId === undefined ? undefined : offerIn(campaign_id, rewardId, context)
  return {
    ...(result.gift && { gift: { amount: gift?.amount, effect: gift?.effect ?? 'APPLY_TO_ORDER', ...result.gift } }),
    ...(result.loyalty_card && { loyalty: { points_cost: result.loyalty_card.points } }),
    ...(result.loyalty_card &&
      offer && { reward: { id: rewardId, assignment_id: offer.id, points: result.loyalty_card.points } }),
  }
}

interface OneValidation {
  valid: boolean
  tracking_id?: string
  session?: object
  redeemables: OneResult[]
  inapplicable_redeemables?: OneResult[]
}

interface OneResult {
  order?: object
  applicable_to?: object
  inapplicable_to?: object
  result: { error?: { message: string }; gift?: object; loyalty_card?: { points: number } }
}

/** Refuses metadata of the order, its lines and the customer that a redemption would refuse to store. */
function checkSubject(
  { customer, order: said }: z.output<typeof contract.newValidation>,
  { order, customer: known }: ValidationResult,
  context: Context,
): void {
  if (said && order) {
    checkMetadata(context, 'order', order.metadata)
    for (const { metadata } of order.items) checkMetadata(context, 'order_item', metadata)
  }
  const person = customer ?? said?.customer
  if (person && (known?.id === undefined || person.metadata)) checkMetadata(context, 'customer', known?.metadata)
}

const wireLock = z.strictObject({
  key: z.string().min(1),
  voucher_id: z.string().min(1),
  quantity: z.int().min(0).optional(),
  credits: z.int().min(0).optional(),
  points: z.int().min(0).optional(),
  expires_at: dateTime,
})

/** Reads a lock; its id is derived from what it locks, and it holds one redemption unless it says otherwise. */
function loadLock(wire: Record<string, unknown>, { now }: FixtureContext): StoredLock {
  const { quantity = 1, credits = 0, points = 0, ...lock } = requestOf(wireLock, wire)
  const expires_at = new Date(lock.expires_at).toISOString()
  return { id: lockId(lock), created_at: now, ...lock, quantity, credits, points, expires_at }
}
