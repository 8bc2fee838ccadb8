// The fields to create and update a voucher.
// Source: docs/service/vouchers.md#create; docs/service/vouchers.md#update; docs/service/vouchers.md#discount-kinds.
import { z } from 'zod'
import { discount } from './discount.ts'
import { endpoint } from './endpoint.ts'
import { metadata } from './fields.ts'
import { validity } from './validity.ts'
import { getVoucher, voucher, voucherTypes } from './vouchers.ts'

/** What codes are made of that name no characters. Source: docs/service/campaigns.md#code-patterns. */
export const defaultCharset = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** The form of codes: `length` characters of `charset`, or a `pattern` in which each `#` is one of them. */
export const codeConfig = z.strictObject({
  length: z.int().min(1).optional(),
  charset: z.string().min(1).optional(),
  prefix: z.string().optional(),
  postfix: z.string().optional(),
  pattern: z.string().optional(),
})

const wholeAmount = z.int().min(0)

/** Money on a gift card. The service computes `balance`; the request in the specification sends `amount`. */
const gift = z.strictObject({
  amount: wholeAmount,
  balance: wholeAmount.optional(),
  effect: z.enum(['APPLY_TO_ORDER', 'APPLY_TO_ITEMS']).optional(),
})

const loyaltyCard = z.strictObject({ points: z.int().min(0), balance: z.int().optional() })

/** The fields a voucher may be created with. The sandbox, like the service, decides which belong together. */
export const newVoucher = z.strictObject({
  // Some clients omit it (docs/service/vouchers.md#create); the service then derives it from `discount` or `gift`.
  type: z.enum(voucherTypes).optional(),
  discount: discount.optional(),
  gift: gift.optional(),
  loyalty_card: loyaltyCard.optional(),
  campaign: z.string().min(1).nullish(),
  campaign_id: z.string().min(1).nullish(),
  category: z.string().nullish(),
  category_id: z.string().nullish(),
  ...validity,
  active: z.boolean().nullish(),
  additional_info: z.string().nullish(),
  metadata: metadata.nullish(),
  validation_rules: z.array(z.string()).optional(),
  redemption: z.strictObject({ quantity: z.int().min(0).nullish() }).optional(),
})

/** The fields an update may change; the service ignores all others. A discount keeps its kind. */
export const updatedVoucher = newVoucher.pick({
  discount: true,
  category: true,
  category_id: true,
  start_date: true,
  expiration_date: true,
  validity_timeframe: true,
  validity_day_of_week: true,
  validity_hours: true,
  active: true,
  additional_info: true,
  metadata: true,
})

type Window = { start_date?: string | null | undefined; expiration_date?: string | null | undefined }

/** Finds an end that is not after the start, which the service refuses with a message of its own. */
function mustEndLater({ start_date, expiration_date }: Window, context: z.RefinementCtx): void {
  if (!start_date || !expiration_date || Date.parse(start_date) < Date.parse(expiration_date)) return
  const message = 'must be after start_date'
  context.addIssue({ code: 'custom', path: ['expiration_date'], message, params: { refused_as: 'invalid_payload' } })
}

/** Finds a recurring window without the date from which it is counted. */
function mustHaveStart(
  { start_date, validity_timeframe }: Window & { validity_timeframe?: unknown },
  context: z.RefinementCtx,
): void {
  if (!validity_timeframe || start_date) return
  const message = 'needs a start_date to count from'
  context.addIssue({ code: 'custom', path: ['validity_timeframe'], message, params: { refused_as: 'invalid_payload' } })
}

const contents = { DISCOUNT_VOUCHER: 'discount', GIFT_VOUCHER: 'gift', LOYALTY_CARD: 'loyalty_card' } as const

/** Finds contents that do not fit the type, which the service refuses with a key of its own. */
function mustFitType(body: z.output<typeof newVoucher>, context: z.RefinementCtx): void {
  const { type } = body
  if (type === undefined && Object.values(contents).every((name) => body[name] === undefined))
    context.addIssue({
      code: 'custom',
      path: ['type'],
      message: 'is required',
      params: { refused_as: 'invalid_payload' },
    })
  for (const [kind, name] of Object.entries(contents)) {
    const isGiven = body[name] !== undefined
    const isWanted = type === kind || (type === undefined && isGiven)
    const message = isWanted ? `is required for the type ${type}` : `does not go with the type ${type}`
    if (isGiven !== isWanted)
      context.addIssue({ code: 'custom', path: [name], message, params: { refused_as: 'invalid_voucher' } })
  }
}

export const createVoucher = endpoint('vouchers.create', 'Create a voucher with a given code', {
  call: 'POST /v1/vouchers/{code}',
  body: newVoucher.superRefine(mustFitType).superRefine(mustEndLater).superRefine(mustHaveStart),
  response: voucher,
  repeat: 'key',
  proof: { by: 'object', read: { call: () => getVoucher }, also: { code: 'path.code' } },
  source: 'docs/service/vouchers.md#create',
})

/** Creates one voucher under a generated code, or under the `code` of the body. */
export const generateVoucher = endpoint('vouchers.generate', 'Create a voucher with a generated code', {
  call: 'POST /v1/vouchers',
  body: newVoucher
    .extend({ code: z.string().min(1).optional(), code_config: codeConfig.optional() })
    .superRefine(mustFitType)
    .superRefine(mustEndLater)
    .superRefine(mustHaveStart),
  response: voucher,
  repeat: 'once',
  unproved: 'the code that it made is in the lost answer alone',
  source: 'docs/service/vouchers.md#create-with-a-generated-code',
})

/** Changes a voucher, by code or id; omitted fields keep their values. */
export const updateVoucher = endpoint('vouchers.update', 'Update a voucher', {
  call: 'PUT /v1/vouchers/{code}',
  body: updatedVoucher.superRefine(mustEndLater),
  response: voucher,
  source: 'docs/service/vouchers.md#update',
})
