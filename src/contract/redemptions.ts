// Redemptions: using codes and promotions up, and taking that back. Source: docs/service/redemptions.md#redeem.
import { z } from 'zod'
import { bothWays, filters, listing, pages, period } from './calls-about.ts'
import { customer } from './customer.ts'
import { endpoint } from './endpoint.ts'
import { listAnswer, metadata, pageSize } from './fields.ts'
import { order } from './order.ts'
import { evaluated, voucherUse } from './validations.ts'

/** A redemption to request: like a validation, but it spends. */
export const newRedemption = z.strictObject({
  ...evaluated,
  options: z
    .strictObject({ expand: z.array(z.enum(['order', 'redemption', 'redeemable', 'category'])).optional() })
    .optional(),
})

/** The reason and the customer of a rollback. */
export const newRollback = z
  .strictObject({
    reason: z.string().optional(),
    tracking_id: z.string().optional(),
    customer: customer.optional(),
    order: order.optional(),
    metadata: metadata.optional(),
  })
  .optional()

/** The same in the query, where clients of the service also send it; the body takes precedence. */
const rollbackQuery = z.strictObject({ reason: z.string().optional(), tracking_id: z.string().optional() })

/** Months after which a redemption cannot be rolled back any more, by the calendar of the project. Source: docs/service/redemptions.md#refused-rollbacks. */
export const rollbackMonths = 3

/** One redemption, or one rollback. */
export const redemption = z.looseObject({ id: z.string(), result: z.string().optional() })

/** The answer to a redemption of one or more redeemables: one entry per redeemable, and a parent when there are several. */
export const redeemed = z.looseObject({
  redemptions: z.array(redemption),
  parent_redemption: redemption.optional(),
})

/** The answer to a rollback of all redemptions of one request. */
export const rolledBack = z.looseObject({ rollbacks: z.array(redemption) })

/** The redemptions of one voucher; a `quantity` of null means no limit. */
export const voucherRedemption = listAnswer.extend({
  quantity: z.int().nullish(),
  redeemed_quantity: z.int(),
  redemption_entries: z.array(redemption),
})

/** Lists redemptions and rollbacks, newest first. The last page is 99. */
export const listRedemptions = endpoint('redemptions.list', 'List redemptions', {
  ...listing,
  call: 'GET /v1/redemptions',
  query: z.strictObject({
    limit: pageSize.optional(),
    page: z.int().min(1).max(99).optional(),
    order: bothWays('created_at', 'updated_at').optional(),
    result: z.string().optional(),
    campaign: z.string().optional(),
    customer: z.string().optional(),
    created_at: period.optional(),
    filters: filters.optional(),
  }),
  paging: pages(99, {
    dates: { created_at: 'period', updated_at: 'filters' },
    exportedAs: 'redemptions',
    unexportedOrder: 'updated_at',
  }),
  source: 'docs/service/redemptions.md#list',
})

/** Reads one redemption, rollback or failed attempt. */
export const getRedemption = endpoint('redemptions.get', 'Get a redemption', {
  call: 'GET /v1/redemptions/{redemptionId}',
  response: redemption,
  source: 'docs/service/redemptions.md#get',
})

/** Reads how often a voucher was redeemed, and each redemption, including failed attempts and rollbacks. */
export const getVoucherRedemption = endpoint('vouchers.redemption', 'Get the redemptions of a voucher', {
  call: 'GET /v1/vouchers/{code}/redemption',
  response: voucherRedemption,
  source: 'docs/service/redemptions.md#redemptions-of-a-voucher',
})

/** Redeems one or more redeemables, with the project's stacking rules. A refusal is stored as a failed redemption. */
export const redeem = endpoint('redemptions.create', 'Redeem redeemables', {
  call: 'POST /v1/redemptions',
  body: newRedemption,
  response: redeemed,
  repeat: 'once',
  unproved: 'no list tells two redemptions apart that ask for the same',
  source: 'docs/service/redemptions.md#redeem',
})

/** Redeems one voucher, as older clients do; the answer is the redemption. */
export const redeemVoucher = endpoint('vouchers.redeem', 'Redeem one voucher (older call)', {
  call: 'POST /v1/vouchers/{code}/redemption',
  query: z.strictObject({ tracking_id: z.string().optional() }),
  body: voucherUse.optional(),
  response: redemption,
  repeat: 'once',
  unproved: 'no list tells two redemptions apart that ask for the same',
  source: 'docs/service/redemptions.md#older-call',
})

/** Redeems one promotion tier, as older clients do; the answer is the redemption. */
export const redeemTier = endpoint('promotions.tiers.redeem', 'Redeem one promotion tier (older call)', {
  call: 'POST /v1/promotions/tiers/{promotionTierId}/redemption',
  body: voucherUse.omit({ gift: true, reward: true }).optional(),
  response: redemption,
  repeat: 'once',
  unproved: 'no list tells two redemptions apart that ask for the same',
  source: 'docs/service/redemptions.md#older-call',
})

/** Rolls one redemption back. A second rollback is refused. */
export const rollBackRedemption = endpoint('redemptions.rollback', 'Roll a redemption back', {
  call: 'POST /v1/redemptions/{redemptionId}/rollback',
  query: rollbackQuery,
  body: newRollback,
  response: redemption,
  repeat: 'key',
  proof: {
    by: 'object',
    read: { call: () => getRedemption },
    via: 'related_redemptions.rollbacks.0.id',
    has: { status: 'ROLLED_BACK' },
    same: ['reason'],
  },
  confirm: 'final',
  source: 'docs/service/redemptions.md#roll-back',
})

/** Rolls all redemptions of one request back. A second rollback is refused. */
export const rollBackRedemptions = endpoint('redemptions.rollbacks', 'Roll the redemptions of one request back', {
  call: 'POST /v1/redemptions/{parentRedemptionId}/rollbacks',
  query: rollbackQuery,
  body: newRollback,
  response: rolledBack,
  repeat: 'key',
  proof: {
    by: 'object',
    read: { call: () => getRedemption, path: { redemptionId: 'path.parentRedemptionId' } },
    via: 'related_redemptions.rollbacks.0.id',
    has: { status: 'ROLLED_BACK' },
    same: ['reason'],
  },
  confirm: 'final',
  source: 'docs/service/redemptions.md#roll-back',
})
