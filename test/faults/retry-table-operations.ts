// The specification's sixteen operations and what one more identical call does, written down by hand from reliability.md
// §0.1 and not read from the contract. Requests and answers are those transcribed from the specification.
import { endpoints } from '../../src/contract/catalogue.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { fixtures } from '../contract/spec-fixture.ts'

/** R reads, K has a key that can be taken, I ends in the same state, D makes a double nobody minds, L makes a double a listing shows, N happens twice. */
export type Class = 'R' | 'K' | 'I' | 'D' | 'L' | 'N'

export interface Operation {
  name: string
  class: Class
  endpoint: Endpoint
  request: { path: Record<string, string>; query?: Record<string, unknown>; body?: Record<string, unknown> }
  /** What the service answers when all is well. */
  answer: unknown
}

const classes: [number, string, Class][] = [
  [1, 'generate token', 'D'],
  [2, 'introspect token', 'R'],
  [3, 'create webhook', 'L'],
  [4, 'list webhooks', 'R'],
  [5, 'copy template', 'K'],
  [6, 'create template', 'K'],
  [7, 'create voucher', 'K'],
  [8, 'disable voucher', 'I'],
  [9, 'list loyalty transactions', 'R'],
  [10, 'validate redeemables', 'R'],
  [11, 'qualify campaigns', 'R'],
  [12, 'add referral holders', 'K'],
  [13, 'export transactions', 'D'],
  [14, 'list SKUs', 'R'],
  [15, 'validate promotions', 'R'],
  [16, 'send event', 'N'],
]

export const operations: readonly Operation[] = classes.map(([number, name, letter]) => {
  const { method, paths, examples } = fixtures[number - 1] as (typeof fixtures)[number]
  const { request, answer } = examples[0] as (typeof examples)[number]
  const endpoint = endpoints.find((one) => one.method === method && one.path === paths[0]) as Endpoint
  return { name, class: letter, endpoint, request, answer }
})

/**
 * What says that an operation's key is taken.
 * Source: docs/service/errors.md#main-body; docs/service/errors.md#catalogue-of-keys; docs/service/referrals.md#errors.
 */
export function taken({ name }: Operation): unknown {
  if (name === 'add referral holders') {
    return { code: 409, key: 'holder_assignement_duplication', message: 'Holder assignment duplication' }
  }
  // The management API leaves the key out.
  if (name === 'copy template') return { code: 409, message: 'Conflict', details: 'Template with the name exists' }
  return { code: 409, key: 'duplicate_found', message: 'Duplicate resource found' }
}
