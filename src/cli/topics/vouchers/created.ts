// Whether an existing voucher is the one that a row asked for: what a taken code proves after a lost answer.

import type { Client } from '../../../api/client.ts'
import { isRawNumber } from '../../../base/lossless-json.ts'
import { argumentWords } from '../../../base/shell-word.ts'
import type { RowResult } from '../../../bulk/run.ts'
import { isInstant } from '../../../contract/fields.ts'
import { updatedVoucher, updateVoucher } from '../../../contract/new-voucher.ts'
import { getVoucher } from '../../../contract/vouchers.ts'
import { membersIn } from '../../request/if-exists.ts'

/**
 * Compares a row with the existing voucher, after a lost answer and then a refusal because the code is taken.
 *
 * `ok_inferred` when it is as the row requested; `unknown` when it is not, because another client may have created it, or
 * changed it since. Throws what reading it throws. Source: docs/reliability.md#create-voucher.
 */
export async function inferredCreation(client: Client, code: string, sent: object): Promise<RowResult> {
  const there = await client.call(getVoucher, { path: { code } })
  // Where case does not matter, another row may have created the code in other letters.
  const different = [...(there.code === code ? [] : ['code']), ...differsFrom(sent, there)]
  if (different.length === 0) return { state: 'ok_inferred', value: there }
  const message = `an answer was lost, and the code is taken by a voucher that differs in ${different.join(', ')}`
  const facts = { hint: `promo vouchers get ${argumentWords(code)}` }
  return { state: 'unknown', error: { kind: 'unknown_outcome', message, facts } }
}

/**
 * Settles a row whose code is taken: `reuse` accepts a voucher that is as the row asks, `update` makes it so.
 *
 * What an update cannot change (type, amounts, campaign) must be equal; otherwise the conflict stays, and names it. Throws
 * what the calls throw.
 */
export async function existingVoucher(
  client: Client,
  code: string,
  sent: object,
  conflict: RowResult,
  choice: 'reuse' | 'update',
): Promise<RowResult> {
  const about = { attempts: conflict.attempts, requestId: conflict.requestId }
  const there = await client.call(getVoucher, { path: { code } })
  const different = differsFrom(sent, there)
  if (different.length === 0) return { state: 'ok', value: there, changed: false, ...about }
  const change = membersIn(sent, updatedVoucher.shape)
  const fixed = different.filter((path) => choice === 'reuse' || !Object.hasOwn(change, path.split(/[.[]/, 1)[0] ?? ''))
  if (fixed.length === 0) {
    const changed = await client.call(updateVoucher, { path: { code }, body: change })
    return { state: 'ok', value: changed, changed: true, ...about }
  }
  const message = `the code is taken by a voucher that differs in ${fixed.join(', ')}`
  const kind = conflict.error?.kind ?? 'api'
  return {
    ...conflict,
    error: { kind, message, facts: { ...conflict.error?.facts, hint: `promo vouchers get ${argumentWords(code)}` } },
  }
}

// The service computes these itself and ignores what a request says. Source: docs/service/vouchers.md#create.
const computed = ['gift.balance', 'loyalty_card.balance']

// Names that the service resolves: the voucher repeats the name and the id.
const named = { campaign: 'campaign_id', category: 'category_id' } as const

// Lists whose order has no meaning.
const unordered = ['validity_day_of_week', 'days_of_week']

/**
 * Returns the wire paths that a request for a new voucher sets and that differ in the voucher, in the order of the
 * request: `gift.amount`, `metadata.tags[1]`. Empty: the voucher is what was asked for.
 *
 * Instants are compared as instants, numbers by value, metadata in full depth; null, an absent member and an empty object
 * are the same, and so is `active` left to its default. What only the voucher has does not count.
 */
export function differsFrom(sent: unknown, voucher: unknown): string[] {
  const body = membersOf(sent)
  const stored = membersOf(voucher)
  return Object.entries(body).flatMap(([name, value]) => {
    if (name === 'validation_rules') return isNothing(value) || sameRules(value, stored) ? [] : [name]
    if (name === 'active' && isNothing(value)) return []
    const id = Object.hasOwn(named, name) ? stored[named[name as keyof typeof named]] : undefined
    return id !== undefined && id === value ? [] : differences(name, value, stored[name])
  })
}

function differences(path: string, sent: unknown, stored: unknown): string[] {
  if (computed.includes(path) || (isNothing(sent) && isNothing(stored))) return []
  if (Array.isArray(sent)) return differencesOfLists(path, sent, stored)
  if (!isObject(sent)) return isSame(sent, stored) ? [] : [path]
  if (!isObject(stored)) return [path]
  const known = membersOf(stored)
  // A voucher may have more than was asked for, but its metadata is only what a request wrote.
  const more = path.startsWith('metadata') ? Object.keys(known).filter((name) => !Object.hasOwn(sent, name)) : []
  return [
    ...Object.entries(sent).flatMap(([name, value]) => differences(`${path}.${name}`, value, known[name])),
    ...more.flatMap((name) => differences(`${path}.${name}`, undefined, known[name])),
  ]
}

function differencesOfLists(path: string, sent: unknown[], stored: unknown): string[] {
  if (!Array.isArray(stored) || stored.length !== sent.length) return [path]
  if (unordered.includes(path.split('.').at(-1) ?? '')) return sameSet(sent, stored) ? [] : [path]
  return sent.flatMap((value, index) => differences(`${path}[${index}]`, value, stored[index]))
}

function isSame(sent: unknown, stored: unknown): boolean {
  const [one, other] = [numberIn(sent), numberIn(stored)]
  if (one !== undefined && other !== undefined) {
    return typeof one === typeof other ? one === other : Number(one) === Number(other)
  }
  if (typeof sent === 'string' && typeof stored === 'string' && isInstant(sent) && isInstant(stored)) {
    return Date.parse(sent) === Date.parse(stored)
  }
  return sent === stored
}

/** A number, or the text of one that JavaScript cannot hold (`JSON.rawJSON`). */
function numberIn(value: unknown): number | string | undefined {
  if (typeof value === 'number') return value
  const { rawJSON } = membersOf(value)
  return typeof rawJSON === 'string' && isRawNumber(value) ? rawJSON : undefined
}

// The rules of a request are ids; the voucher lists their assignments, and those of its campaign. Where it lists none,
// they cannot be compared.
function sameRules(rules: unknown, { id, validation_rules_assignments }: Record<string, unknown>): boolean {
  const { data } = membersOf(validation_rules_assignments)
  if (!Array.isArray(data) || !Array.isArray(rules)) return true
  const assigned = data.map(membersOf)
  const own = assigned.filter(({ related_object_id }) => related_object_id === id || related_object_id === undefined)
  return (
    rules.every((rule) => assigned.some(({ rule_id }) => rule_id === rule)) &&
    own.every(({ rule_id }) => rules.includes(rule_id))
  )
}

function sameSet(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.every((value) => other.includes(value)) && other.every((value) => one.includes(value))
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || (isObject(value) && Object.keys(value).length === 0)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value)
}

function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
