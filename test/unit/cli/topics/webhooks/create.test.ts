import { expect, test } from 'vitest'
import { CallError } from '../../../../../src/api/outcome/call-error.ts'
import { lookFor } from '../../../../../src/cli/topics/webhooks/create.ts'
import type { Webhook } from '../../../../../src/contract/webhooks.ts'
import { notListed } from '../../../../../src/writes/prove.ts'

const wanted = { target_url: 'https://a.example/', events: ['voucher.created' as const], active: true }
const stored = (id: string, change: Partial<Webhook> = {}): Webhook => ({ ...wanted, id, object: 'webhook', ...change })
const never = new AbortController().signal

test('a webhook that does not show up is looked for three times within ten seconds', async () => {
  const waits: number[] = []
  let looks = 0

  const found = await lookFor(
    wanted,
    [stored('wh_1')],
    async () => {
      looks += 1
      return [stored('wh_1'), stored('wh_2', { active: false }), stored('wh_3', { events: ['voucher.updated'] })]
    },
    { stop: never, sleep: async (ms) => void waits.push(ms) },
  )

  expect(found).toBeUndefined()
  expect(looks).toBe(3)
  expect(waits).toEqual([0, 3000, 7000])
})

test('a look that fails does not end the search', async () => {
  let looks = 0

  const found = await lookFor(
    wanted,
    [],
    async () => {
      looks += 1
      if (looks === 1) throw new Error('lost too')
      return [stored('wh_2')]
    },
    { stop: never, sleep: async () => {} },
  )

  expect(found?.id).toBe('wh_2')
})

test('the webhook is found however the service writes its address and its events', async () => {
  const asked = {
    target_url: 'https://a.example',
    events: ['voucher.created' as const, 'voucher.gift.balance_aded' as const],
    active: true,
  }
  const asStored = stored('wh_2', {
    target_url: 'https://A.example:443/',
    events: ['voucher.gift.balance_added', 'voucher.created'],
  })

  const found = await lookFor(asked, [], async () => [asStored], { stop: never, sleep: async () => {} })

  expect(found?.id).toBe('wh_2')
})

test('a stop ends the search at once', async () => {
  const stop = new AbortController()
  let looks = 0

  const found = await lookFor(
    wanted,
    [],
    async () => {
      looks += 1
      stop.abort()
      return []
    },
    { stop: stop.signal },
  )

  expect([found, looks]).toEqual([undefined, 1])
})

test('a webhook that no listing shows leaves the outcome unknown and names the listing', () => {
  const call = { phase: 'ambiguous', attempts: 1, endsRun: false } as const
  const lost = new CallError('unknown_outcome', 6, 'it is unknown whether it was applied', call, {
    http: { method: 'POST', path: '/x' },
  })
  const elsewhere = new CallError('config', 4, 'not the service', call, {})

  expect(notListed(lost, 'promo webhooks list')).toMatchObject({
    exitCode: 6,
    message: 'it is unknown whether it was applied; three listings did not find it',
    facts: { hint: 'promo webhooks list', http: { method: 'POST', path: '/x' } },
  })
  expect(notListed(elsewhere, 'promo webhooks list')).toBe(elsewhere)
})
