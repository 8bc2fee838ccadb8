import { expect, test } from 'vitest'
import type { Client } from '../../../src/api/client.ts'
import { CallError } from '../../../src/api/outcome/call-error.ts'
import { createSegment, listSegments } from '../../../src/contract/segments.ts'
import { listValidationRules } from '../../../src/contract/validation-rules.ts'
import { webhookForms } from '../../../src/model/forms.ts'
import type { Doubtful } from '../../../src/writes/judge.ts'
import { evidenceInList, poll } from '../../../src/writes/prove-list.ts'

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

/** The end of a call after which it is looked for. */
const lostBy = (kind: 'unknown_outcome' | 'config') => {
  const call = { phase: 'ambiguous', attempts: 1, endsRun: false } as const
  return { how: 'lost', error: new CallError(kind, kind === 'config' ? 4 : 6, 'it is unknown', call, {}) } as const
}

async function seen(
  client: Client,
  { list = listSegments, isUnique = false, stop = never, body = wanted as object, forms = {}, after = lost } = {},
) {
  const endpoint = {
    ...createSegment,
    repeat: isUnique ? 'key' : 'reconcile',
    proof: { by: 'list', read: { call: () => list } },
  } as const
  const evidence = evidenceInList(endpoint, { body }, { listedBy: () => 'promo segments list', forms }, { stop })
  return await evidence?.look(client, after, await evidence.before?.(client))
}

const lost = lostBy('unknown_outcome') as Doubtful

const old = { id: 'seg_1', ...wanted }
const made = {
  id: 'seg_2',
  name: 'Regulars',
  filter: { junction: 'AND', more: {} },
  start_date: '2027-01-01T00:00:00.000Z',
}

test('what is listed now, was not before and is what was asked for, was created', async () => {
  expect(await seen(clientOf([old], [old, made]))).toEqual({ is: 'as-asked', value: made })
})

test('members that the list does not show prove nothing, those that differ refute it', async () => {
  const stop = AbortSignal.abort()

  const short = await seen(clientOf([], [{ id: 'seg_2', name: 'Regulars' }]))
  const other = await seen(clientOf([], [{ ...made, filter: { junction: 'OR' } }]), { stop })
  const nameless = await seen(clientOf([], [{ id: 'seg_2', filter: { junction: 'AND' } }]), { stop })

  expect(short).toMatchObject({ value: { id: 'seg_2', name: 'Regulars' } })
  expect([other?.is, nameless?.is]).toEqual(['several', 'several'])
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

  expect(await seen(client, { stop: stop.signal })).toMatchObject({ is: 'several' })
})

test('a list that begins with the newest ends where it was known', async () => {
  const stop = new AbortController()
  const client = lookingOnce(clientOf([old], [old, made]), stop)

  expect(await seen(client, { list: listValidationRules as never, stop: stop.signal })).toMatchObject({ is: 'several' })
})

test('what has a unique name was created even if nothing is known of what was there', async () => {
  expect(await seen(clientOf([old]), { isUnique: true })).toMatchObject({ value: old })
})

test('it is found however the service writes it', async () => {
  const body = { target_url: 'https://a.example', events: ['voucher.created', 'voucher.gift.balance_aded'] }
  const stored = { id: 'wh_2', target_url: 'https://A.example:443/', events: [...body.events].reverse() }

  const found = await seen(clientOf([], [{ id: 'wh_1' }, stored]), { body, forms: webhookForms })

  expect(found).toMatchObject({ value: stored })
})

test('what no listing shows leaves the outcome unknown, and names the listing; another end keeps its own words', async () => {
  const stop = AbortSignal.abort()
  const elsewhere = lostBy('config')

  expect(await seen(clientOf([]), { stop })).toMatchObject({
    error: {
      exitCode: 6,
      message: 'it is unknown; three listings did not find it',
      facts: { hint: 'promo segments list' },
    },
  })
  expect(await seen(clientOf([]), { stop, after: elsewhere })).toMatchObject({ error: elsewhere.error })
})

test('it is looked for three times within ten seconds, also after a look that failed', async () => {
  const waits: number[] = []
  let looks = 0
  const look = async () => {
    looks += 1
    if (looks === 1) throw new Error('lost too')
    return undefined
  }

  expect(await poll(look, { stop: never, sleep: async (ms) => void waits.push(ms) })).toBeUndefined()
  expect([looks, waits]).toEqual([3, [0, 3000, 7000]])
})
