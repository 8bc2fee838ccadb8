import { expect, test } from 'vitest'
import { lookFor } from '../../../../src/cli/webhooks/create.ts'
import type { Webhook } from '../../../../src/contract/webhooks.ts'

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
    never,
    async (ms) => void waits.push(ms),
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
    never,
    async () => {},
  )

  expect(found?.id).toBe('wh_2')
})
