// The tools that read: each is a few command lines, so that an assistant and a person see the same.
import { z } from 'zod'
import { EXIT } from '../../../errors.ts'
import { orderStates } from '../../../ledger/reconcile/states.ts'
import type { Resolved } from '../../../profiles/resolve.ts'
import { isOfProject } from '../../session/project.ts'
import { type CommandRunner, Unanswered } from './command-runner.ts'

/** A tool, and how it is carried out. */
export interface Tool {
  title: string
  description: string
  input: z.ZodObject
  /** Returns the structured content. Throws `Unanswered`. */
  run: (input: never, desk: CommandRunner, profile: Resolved) => Promise<Record<string, unknown>>
}

/** Makes a tool whose `run` knows its input. */
function tool<Input extends z.ZodObject>(
  title: string,
  description: string,
  input: Input,
  run: (input: z.output<Input>, desk: CommandRunner, profile: Resolved) => Promise<Record<string, unknown>>,
): Tool {
  return { title, description, input, run }
}

/** A text of a request; nothing is longer in the service. */
export const text = (description: string) => z.string().min(1).max(250).describe(description)
const page = {
  limit: z.int().min(1).max(50).optional().describe('rows, 20 unless given'),
  cursor: z
    .string()
    .regex(/^\d{1,3}$/)
    .optional()
    .describe('cursor of the previous result'),
}
const since = text('a day, an instant, or an age like 7d').optional()
/** A campaign of a request. */
export const campaignName = text('campaign, by id or name')
const cart = {
  customer: text('customer, by source id, or by id (cust_…)').optional(),
  amount: z.int().min(0).max(1e12).optional().describe('amount of the order, in the smallest currency unit'),
  items: z
    .array(
      z.strictObject({
        product_id: text('product').optional(),
        sku_id: text('variant').optional(),
        quantity: z.int().min(1).max(1e6),
        price: z.int().min(0).max(1e12).optional(),
      }),
    )
    .max(50)
    .optional()
    .describe('order lines'),
}
/** A job of a request: never the folder of one. */
export const jobId = z
  .string()
  .regex(/^(\d{8}-[a-z0-9]{6}|latest)$/)
  .describe('id of a job, or "latest"')

const entire = { isEntire: true }

/** The tools that read, by name. */
export const readTools: Readonly<Record<string, Tool>> = {
  find: tool(
    'Find',
    'Find what a text means: customers (by id, source id, e-mail, name or a part of it, phone), a voucher or card by code, an order, a redemption. Start here when you only have what a person said.',
    z.strictObject({ text: text('what to look for') }),
    async ({ text }, desk) => {
      const customers = await desk.rows(['customers', 'find', '--', text], { limit: 10 }, entire)
      const [voucher, order, redemption] = [
        await desk.maybe(['vouchers', 'get', '--', text]),
        await desk.maybe(['orders', 'get', '--', text]),
        /^rr?f?_/.test(text) ? await desk.maybe(['redemptions', 'get', '--', text]) : undefined,
      ]
      return omitUndefined({ customers: customers.rows, more: customers.more, voucher, order, redemption })
    },
  ),
  show_customer: tool(
    'Show a customer',
    'Show one customer: profile, segments, the newest 20 vouchers and cards with balances, the newest 10 redemptions, referrals.',
    z.strictObject({
      customer: text('customer: id, source id, e-mail, phone, or the code, order or redemption of the customer'),
    }),
    async ({ customer }, desk) => await desk.one(['customers', 'show', '--', customer]),
  ),
  show_voucher: tool(
    'Show a voucher or card',
    'Show one voucher, gift card or loyalty card by code, and in `state` whether it can be used now.',
    z.strictObject({ code: text('code') }),
    async ({ code }, desk) => {
      const voucher = await desk.one(['vouchers', 'get', '--', code])
      return { voucher, state: await desk.cell(['vouchers', 'get', '--', code], 'state') }
    },
  ),
  list_transactions: tool(
    'List or verify transactions',
    'List how the points of a loyalty card or program, or the credit of a gift card, changed; newest first, with the balance after each. With verify: check that the running balance of the card, or of every card of the program, adds up, and list each transaction for which it does not.',
    z.strictObject({
      card: text('code of a loyalty card').optional(),
      gift_card: text('code of a gift card').optional(),
      program: text('loyalty campaign, by id or name').optional(),
      verify: z.boolean().optional(),
      since,
      until: since,
      ...page,
    }),
    async ({ card, gift_card, program, verify = false, since, until, ...page }, desk) => {
      if ([card, gift_card, program].filter((one) => one !== undefined).length !== 1)
        throw invalid('name one of card, gift_card and program')
      const when = flagsOf({ since, until })
      const isPlain = !verify && when.length === 0
      if (gift_card !== undefined) {
        if (!isPlain) throw invalid('gift_card takes neither verify, since nor until')
        return listAnswer(await desk.rows(['vouchers', 'transactions', 'list', '--', gift_card], page))
      }
      const whose = [...flag('card', card), ...after(program)]
      if (!verify) return listAnswer(await desk.rows(['loyalty', 'transactions', 'list', ...when, ...whose], page))
      if (when.length > 0) throw invalid('verify reads all transactions: it takes neither since nor until')
      const found = await desk.rows(['loyalty', 'transactions', 'verify', ...whose], page, entire)
      return { adds_up: found.exitCode === EXIT.ok, ...listAnswer(found) }
    },
  ),
  list_redemptions: tool(
    'List redemptions',
    'List redemptions, rollbacks and failed attempts with their reasons, newest first.',
    z.strictObject({
      customer: text('customer, by id or source id').optional(),
      code: text('voucher code').optional(),
      campaign: campaignName.optional(),
      order: text('order, by id or source id').optional(),
      result: z.enum(['SUCCESS', 'FAILURE']).optional(),
      since,
      ...page,
    }),
    async ({ customer, code, campaign, order, result, since, ...page }, desk) => {
      const flags = { customer, voucher: code, campaign, 'order-id': order, result, 'created-after': since }
      return listAnswer(await desk.rows(['redemptions', 'list', ...flagsOf(flags)], page))
    },
  ),
  explain_validation: tool(
    'Explain a validation',
    'Ask whether codes apply to a cart now, and explain why each does or does not, with the arithmetic. Changes nothing.',
    z.strictObject({
      codes: z
        .array(text('CODE, tier:ID, stack:ID, gift:CODE=CREDITS, card:CODE=REWARD_ID'))
        .min(1)
        .max(30)
        .describe('what would be redeemed'),
      ...cart,
    }),
    async ({ codes, ...cart }, desk) => {
      const answer = await desk.one(['validate', 'redeemables', '--explain', ...bodyOf(cart), '--', ...codes])
      return { valid: answer.valid === true, explanation: desk.notes.splice(0).join('\n'), answer }
    },
  ),
  qualify: tool(
    'Qualify',
    'List the campaigns for which a customer with a cart qualifies now; without codes.',
    z.strictObject({ ...cart }),
    async (cart, desk) => {
      const { data } = await desk.one(['qualify', 'campaigns', ...bodyOf(cart)])
      return { rows: data }
    },
  ),
  list_campaigns: tool(
    'List campaigns',
    'List campaigns, newest first; or show one with what happened in it: redemptions, publications, amounts.',
    z.strictObject({
      campaign: campaignName.optional(),
      type: z
        .enum(['DISCOUNT_COUPONS', 'GIFT_VOUCHERS', 'LOYALTY_PROGRAM', 'PROMOTION', 'REFERRAL_PROGRAM'])
        .optional(),
      ...page,
    }),
    async ({ campaign, type, ...page }, desk) => {
      if (campaign === undefined) return listAnswer(await desk.rows(['campaigns', 'list', ...flag('type', type)], page))
      const shown = await desk.one(['campaigns', 'get', '--', campaign])
      return omitUndefined({ campaign: shown, summary: await desk.maybe(['campaigns', 'summary', '--', campaign]) })
    },
  ),
  check_project: tool(
    'Check the project',
    'Find expensive mistakes in the configuration of the project: discounts that give baskets away, codes without a limit or that can be guessed, campaigns without an end, rules that are never met. Worst first for each object, each with what repairs it. Changes nothing.',
    z.strictObject({
      severity: z.enum(['error', 'warning', 'info']).optional().describe('only findings as bad as this, or worse'),
      ...page,
    }),
    async ({ severity = 'info', ...page }, desk) => {
      const wanted = ['error', 'warning', 'info'].slice(0, ['error', 'warning', 'info'].indexOf(severity) + 1)
      const keep = (row: Record<string, unknown>) => wanted.includes(String(row.severity))
      const found = await desk.rows(['check'], page, { ...entire, keep })
      return { has_errors: found.exitCode === EXIT.no, ...listAnswer(found) }
    },
  ),
  balance_as_of: tool(
    'Balance at an instant',
    'Tell what was on a gift or loyalty card at the end of a day, or what was owed in all per campaign. From the copy that `promo ledger pull` made on this computer, so it may be older than the service.',
    z.strictObject({
      as_of: text('a day, an instant, or an age like 7d'),
      card: text('code of a card; without it, the sums per campaign').optional(),
      campaign: campaignName.optional(),
      ...page,
    }),
    async ({ as_of, card, campaign, ...page }, desk) => {
      const line = ['ledger', 'balances', ...flagsOf({ 'as-of': as_of, card, campaign })]
      return listAnswer(await desk.rows(card === undefined ? [...line, '--sum'] : line, page, entire))
    },
  ),
  order_differences: tool(
    'Differences of an order',
    'Compare one order with its redemptions and points: what stands although the order is cancelled, refunded or failed, what was redeemed twice or rolled back though it is paid; each with the command that repairs it. Pass the state that the shop has for it. From the copy that `promo ledger pull` made on this computer.',
    z.strictObject({
      order: text('number of the order, or id (ord_…)'),
      state: z.enum(orderStates).optional().describe("state of the order in the shop; the service's own unless given"),
      ...page,
    }),
    async ({ order, state, ...page }, desk) => {
      const line = ['ledger', 'reconcile', ...flagsOf({ 'order-id': order, status: state })]
      const found = await desk.rows(line, page, entire)
      return { agrees: found.exitCode === EXIT.ok, ...listAnswer(found) }
    },
  ),
  history: tool(
    'History',
    'List what this computer changed in the project of this profile: who, when, why, values before and after, request ids. Not what others changed.',
    z.strictObject({ since, ...page }),
    async ({ since, ...page }, desk) => listAnswer(await desk.rows(['history', ...flag('since', since)], page)),
  ),
  jobs: tool(
    'Bulk jobs',
    'List the bulk jobs that this computer ran in the project of this profile; or show one with its counts, its errors and what to do next, and with `report` its rows of one outcome.',
    z.strictObject({
      job: jobId.optional(),
      report: z.enum(['ok', 'conflict', 'failed', 'unknown', 'exhausted', 'skipped', 'pending']).optional(),
      ...page,
    }),
    async ({ job, report, ...page }, desk, profile) => {
      if (job === undefined) {
        if (report !== undefined) throw invalid('report needs job')
        const keep = (row: Record<string, unknown>) => isOfProject({ ...row, service: row.origin }, profile)
        return listAnswer(await desk.rows(['jobs', 'list', '--all'], page, { isEntire: true, keep }))
      }
      const shown = await jobOf(job, desk, profile)
      if (report === undefined) return { job: shown }
      const { rows, ...more } = listAnswer(
        await desk.rows(['jobs', 'report', `--only=${report}`, '--', job], page, entire),
      )
      return { job: shown, report: rows, ...more }
    },
  ),
}

/** Returns a job, if it is one of the project of the profile. Throws `Unanswered`. */
export async function jobOf(job: string, desk: CommandRunner, profile: Resolved): Promise<Record<string, unknown>> {
  const shown = await desk.one(['jobs', 'show', '--', job])
  if (isOfProject({ ...shown, service: shown.origin }, profile)) return shown
  throw invalid(`there is no job "${job}" of the project of this profile`)
}

/** Returns the error for a request that no schema can forbid. */
export function invalid(message: string): Unanswered {
  return new Unanswered({ kind: 'usage', message, exit_code: EXIT.usage })
}

/** Returns a flag with its value in one word, so that no value is taken for another flag. */
export function flag(name: string, value: string | number | undefined): string[] {
  return value === undefined ? [] : [`--${name}=${value}`]
}

function flagsOf(values: Record<string, string | undefined>): string[] {
  return Object.entries(values).flatMap(([name, value]) => flag(name, value))
}

function after(argument: string | undefined): string[] {
  return argument === undefined ? [] : ['--', argument]
}

interface Cart {
  customer?: string | undefined
  amount?: number | undefined
  items?: object[] | undefined
}

/** The cart as a body: its texts are JSON, and never the name of a file. */
function bodyOf({ customer, amount, items }: Cart): string[] {
  const order = { ...(amount !== undefined && { amount }), ...(items && { items }) }
  const body = {
    ...(customer !== undefined && {
      customer: customer.startsWith('cust_') ? { id: customer } : { source_id: customer },
    }),
    ...(Object.keys(order).length > 0 && { order }),
  }
  return Object.keys(body).length === 0 ? [] : [`--body=${JSON.stringify(body)}`]
}

function listAnswer({ rows, more, cursor }: { rows: unknown[]; more?: string; cursor?: string }) {
  return omitUndefined({ rows, more, cursor })
}

function omitUndefined<Members extends Record<string, unknown>>(members: Members): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, member]) => member !== undefined))
}
