// Whether the object that a call makes or changes is as that call asked: read after a lost answer and then a refusal.
import type { Client, RequestOf } from '../api/client.ts'
import type { LooseRequest } from '../api/request/request.ts'
import { ownValue } from '../base/record.ts'
import { argumentWords } from '../base/shell-word.ts'
import type { Endpoint, Proof } from '../contract/endpoint.ts'
import { differences } from '../model/differences.ts'
import { voucherForms } from '../model/forms.ts'
import type { Seen } from './judge.ts'
import { readingOf, valueIn } from './reading.ts'

type ProofByObject = Extract<Proof, { by: 'object' }>

/** What is said of an object that is there, and otherwise than asked. */
const words: Readonly<Record<string, (differs: string[] | undefined) => string>> = {
  'vouchers.get': (differs = []) => `the code is taken by a voucher that differs in ${differs.join(', ')}`,
  'redemptions.get': (differs) =>
    `the redemption is ${differs === undefined ? 'not rolled back' : 'rolled back for another reason'}`,
}

/**
 * Compares a request with the object that its endpoint names as its proof. One that is otherwise may be of another client, or was
 * changed since, or the lost call may still arrive. Throws what reading throws. Source: docs/reliability.md#create-voucher.
 */
export async function seenObject(client: Client, proof: ProofByObject, request: LooseRequest): Promise<Seen> {
  const { read, via, has = {}, same, also = {} } = proof
  const { call, request: asked } = readingOf(read, request)
  const get = (path: unknown) => client.call(call, { path } as RequestOf<Endpoint>)
  const [[name, key] = ['', '']] = Object.entries(asked.path as Record<string, string>)
  const there = await get(asked.path)
  const isThere = Object.entries(has).every(([path, value]) => valueIn(there, path) === value)
  const id = via === undefined ? undefined : valueIn(there, via)
  const object = via === undefined ? there : isThere && typeof id === 'string' ? await get({ [name]: id }) : undefined
  const body = (request.body ?? {}) as Record<string, unknown>
  const others = Object.entries(also).map(([member, path]) => [member, valueIn(request, path)])
  const wanted = same ? Object.fromEntries(same.map((member) => [member, body[member]])) : body
  const differs =
    object === undefined
      ? undefined
      : differences({ ...Object.fromEntries(others), ...wanted }, object as object, voucherForms)
  if (differs?.length === 0) return { is: 'as-asked', value: object }
  const why = `an answer was lost, and ${ownValue(words, call.id)?.(isThere ? (differs ?? []) : undefined)}`
  const facts = { hint: `promo ${call.id.replaceAll('.', ' ')} ${argumentWords(key)}` }
  return { is: 'otherwise', why, error: { kind: 'unknown_outcome', message: why, facts } }
}
