// The specification's sixteen operations, and the other writes that have commands and move money or points, and what one
// more identical call does: written by hand, not read from the contract. Requests and answers of the sixteen are those
// transcribed from the specification. Source: docs/reliability.md#retry-classes.
import { endpoints } from '../../src/contract/catalogue.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { fixtures } from '../contract/spec-fixture.ts'

/**
 * What one more identical call does: `read` changes nothing, `key` finds the key taken, `idempotent` ends in the same state,
 * `duplicate` makes a harmless duplicate, `reconcile` makes one that a listing shows, `once` happens twice.
 */
export const classes = ['read', 'key', 'idempotent', 'duplicate', 'reconcile', 'once'] as const

export type Class = (typeof classes)[number]

export interface Operation {
  name: string
  class: Class
  endpoint: Endpoint
  request: { path: Record<string, string>; query?: Record<string, unknown>; body?: Record<string, unknown> }
  /** The service's answer on success. */
  answer: unknown
}

const classOf: [number, string, Class][] = [
  [1, 'generate token', 'duplicate'],
  [2, 'introspect token', 'read'],
  [3, 'create webhook', 'reconcile'],
  [4, 'list webhooks', 'read'],
  [5, 'copy template', 'key'],
  [6, 'create template', 'key'],
  [7, 'create voucher', 'key'],
  [8, 'disable voucher', 'idempotent'],
  [9, 'list loyalty transactions', 'read'],
  [10, 'validate redeemables', 'read'],
  [11, 'qualify campaigns', 'read'],
  [12, 'add referral holders', 'key'],
  [13, 'export transactions', 'duplicate'],
  [14, 'list SKUs', 'read'],
  [15, 'validate promotions', 'read'],
  [16, 'send event', 'once'],
]

const specified: readonly Operation[] = classOf.map(([number, name, repeat]) => {
  const { method, paths, examples } = fixtures[number - 1] as (typeof fixtures)[number]
  const { request, answer } = examples[0] as (typeof examples)[number]
  const endpoint = endpoints.find((one) => one.method === method && one.path === paths[0]) as Endpoint
  return { name, class: repeat, endpoint, request, answer }
})

const balance = { object: 'balance', balance: 50 }
const redemption = { id: 'r_1', object: 'redemption', result: 'SUCCESS' }
const transfer = { code: 'CLUB-2', points: 5, source_id: 't-1' }

/** Writes beside those of the specification: class, id of the endpoint, request, answer. */
const others: [string, Class, string, Operation['request'], unknown][] = [
  ['change points', 'once', 'loyalty.members.balance', { path: { memberId: 'CLUB-1' }, body: { points: 5 } }, balance],
  ['change credits', 'once', 'vouchers.balance', { path: { code: 'GIFT-1' }, body: { amount: 500 } }, balance],
  [
    'transfer points',
    'once',
    'loyalty.members.transfer',
    // The body of a transfer is a list.
    { path: { campaignId: 'camp_1', memberId: 'CLUB-1' }, body: [transfer] as never },
    { id: 'v_1', code: 'CLUB-1', object: 'voucher' },
  ],
  [
    'redeem',
    'once',
    'redemptions.create',
    { path: {}, body: { redeemables: [{ object: 'voucher', id: 'C' }] } },
    { redemptions: [redemption] },
  ],
  ['roll back', 'key', 'redemptions.rollback', { path: { redemptionId: 'r_1' }, body: { reason: 'Late' } }, redemption],
  [
    'publish',
    'once',
    'publications.create',
    { path: {}, body: { customer: { source_id: 'ada' }, campaign: 'Welcome' } },
    { id: 'pub_1', object: 'publication' },
  ],
]

export const operations: readonly Operation[] = [
  ...specified,
  ...others.map(([name, repeat, id, request, answer]) => {
    const endpoint = endpoints.find((one) => one.id === id) as Endpoint
    return { name, class: repeat, endpoint, request, answer }
  }),
]

/**
 * The refusal that reports that an operation's key is taken.
 * Source: docs/service/errors.md#main-body; docs/service/errors.md#catalogue-of-keys; docs/service/referrals.md#errors.
 */
export function taken({ name }: Operation): unknown {
  if (name === 'add referral holders') {
    return { code: 409, key: 'holder_assignement_duplication', message: 'Holder assignment duplication' }
  }
  // The management API omits the key.
  if (name === 'copy template') return { code: 409, message: 'Conflict', details: 'Template with the name exists' }
  return { code: 409, key: 'duplicate_found', message: 'Duplicate resource found' }
}
