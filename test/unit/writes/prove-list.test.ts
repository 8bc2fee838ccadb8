import { expect, test } from 'vitest'
import type { Client } from '../../../src/api/client.ts'
import { createSegment, listSegments } from '../../../src/contract/segments.ts'
import { listValidationRules } from '../../../src/contract/validation-rules.ts'
import { lookedFor, proofByList } from '../../../src/writes/prove-list.ts'

const never = new AbortController().signal
const wanted = { name: 'Regulars', filter: { junction: 'AND' }, start_date: '2027-01-01T00:00:00Z' }

/** A client of a list that is another one each time it is read. */
function clientOf(...lists: object[][]) {
  let read = 0
  const items = async function* () {
    yield* lists[Math.min(read, lists.length - 1)] as object[]
    read += 1
  }
  return { items } as unknown as Client
}

async function found(client: Client, { list = listSegments, isUnique = false, stop = never } = {}) {
  const endpoint = {
    ...createSegment,
    repeat: isUnique ? 'key' : 'reconcile',
    proof: { by: 'list', read: { call: () => list } },
  } as const
  const proof = proofByList(endpoint, { body: wanted }, { listedBy: () => '' }, { stop })
  return await proof?.find(client, await proof.before(client))
}

const old = { id: 'seg_1', ...wanted }
const made = {
  id: 'seg_2',
  name: 'Regulars',
  filter: { junction: 'AND', more: {} },
  start_date: '2027-01-01T00:00:00.000Z',
}

test('what is listed now, was not before and is what was asked for, was created', async () => {
  expect(await found(clientOf([old], [old, made]))).toEqual({ value: made })
})

test('members that the list does not show prove nothing, those that differ refute it', async () => {
  const stop = AbortSignal.abort()

  const short = await found(clientOf([], [{ id: 'seg_2', name: 'Regulars' }]))
  const other = await found(clientOf([], [{ ...made, filter: { junction: 'OR' } }]), { stop })
  const nameless = await found(clientOf([], [{ id: 'seg_2', filter: { junction: 'AND' } }]), { stop })

  expect(short).toEqual({ value: { id: 'seg_2', name: 'Regulars' } })
  expect([other, nameless]).toEqual([undefined, undefined])
})

/** The same client; the search ends with its first look. */
function lookingOnce(client: Client, stop: AbortController): Client {
  const stopping: Client['items'] = (...given) => {
    setImmediate(() => stop.abort())
    return client.items(...given)
  }
  return { ...client, items: stopping }
}

test('of two that are alike neither is taken for the one that was created', async () => {
  const stop = new AbortController()
  const client = lookingOnce(clientOf([], [made, { ...made, id: 'seg_3' }]), stop)

  expect(await found(client, { stop: stop.signal })).toBeUndefined()
})

test('a list that begins with the newest ends where it was known', async () => {
  const stop = new AbortController()
  const client = lookingOnce(clientOf([old], [old, made]), stop)

  expect(await found(client, { list: listValidationRules as never, stop: stop.signal })).toBeUndefined()
})

test('what has a unique name was created even if nothing is known of what was there', async () => {
  expect(await found(clientOf([old]), { isUnique: true })).toEqual({ value: old })
})

test('it is looked for three times within ten seconds, also after a look that failed', async () => {
  const waits: number[] = []
  let looks = 0
  const look = async () => {
    looks += 1
    if (looks === 1) throw new Error('lost too')
    return undefined
  }

  expect(await lookedFor(look, { stop: never, sleep: async (ms) => void waits.push(ms) })).toBeUndefined()
  expect([looks, waits]).toEqual([3, [0, 3000, 7000]])
})
