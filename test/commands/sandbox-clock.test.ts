import { chmodSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { promoIn, temporaryFolder } from '../support/promo.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { type Serving, whileServing } from '../support/serving.ts'

let data: string
let promo: ReturnType<typeof promoIn>
const receivers: Receiver[] = []

beforeEach(() => {
  const folder = temporaryFolder()
  promo = promoIn(folder)
  data = join(folder, 'shop.db')
})
afterEach(async () => {
  for (const receiver of receivers.splice(0)) await receiver.close()
})

const receiving = async (...answer: Parameters<typeof startReceiver>) => {
  const receiver = await startReceiver(...answer)
  receivers.push(receiver)
  return receiver
}

/** Serves from the beginning of 2026, with a stopped clock. */
const serving = (act: (serving: Serving) => Promise<void>, ...flags: string[]) =>
  whileServing(promo, ['--data', data, '--time', '2026-01-01', ...flags], act)

const clock = async (...words: string[]) => {
  const { stdout, stderr, exitCode } = await promo(['sandbox', 'clock', ...words, '--data', data, '--json'])
  if (exitCode !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}

const addWebhook = async ({ call, management, project_id }: Serving, url: string, event: string) => {
  const { body } = await call(
    'POST',
    `/management/v1/projects/${project_id}/webhooks`,
    { target_url: url, events: [event] },
    management,
  )
  return body.id as string
}

describe('advancing', () => {
  test('a code expires, points expire, and their webhook goes out with the instant at which they did', async () => {
    const receiver = await receiving()
    await serving(async (sandbox) => {
      const { call } = sandbox
      await addWebhook(sandbox, receiver.url, 'voucher.loyalty_card.points_expired')
      const discount = { type: 'AMOUNT', amount_off: 100 }
      const body = { type: 'DISCOUNT_VOUCHER', discount, expiration_date: '2026-01-20T00:00:00.000Z' }
      await call('POST', '/v1/vouchers/SHORT', body)
      const added = { points: 7, expiration_date: '2026-01-15T12:00:00.000Z' }
      expect((await call('POST', '/v1/loyalties/members/CLUB-002/balance', added)).status).toBe(200)
      const isValid = async () => {
        const asked = { redeemables: [{ object: 'voucher', id: 'SHORT' }], order: { amount: 5000 } }
        return (await call('POST', '/v1/validations', asked)).body.valid
      }

      const before = await isValid()
      const advanced = await clock('advance', '30d')
      const after = await isValid()

      expect([before, after]).toEqual([true, false])
      expect(advanced).toMatchObject({
        now: '2026-01-31T00:00:00.000Z',
        runs: false,
        // The points of the demo that expire.
        next_due_at: '2028-01-01T00:00:00.000Z',
      })
      expect(
        receiver.received.map(
          ({
            body: {
              type,
              created_at,
              data: { points },
            },
          }) => [type, created_at, points],
        ),
      ).toEqual([['voucher.loyalty_card.points_expired', '2026-01-15T12:00:00.001Z', 7]])
    })
  })

  test('every retry of a delivery is made at its time, and the webhook is disabled after the last', async () => {
    const asked: string[] = []
    const receiver = await receiving(async (response) => {
      asked.push((await clock('show')).now)
      response.writeHead(500).end()
    })
    await serving(async (sandbox) => {
      const webhook = await addWebhook(sandbox, receiver.url, 'voucher.created')
      await sandbox.call('POST', '/v1/vouchers/A', { type: 'GIFT_VOUCHER', gift: { amount: 1 } })

      await clock('advance', '2d')

      const { body } = await sandbox.call(
        'GET',
        `/management/v1/projects/${sandbox.project_id}/webhooks/${webhook}`,
        undefined,
        sandbox.management,
      )
      const minutes = asked.map((at) => (Date.parse(at) - Date.parse('2026-01-01')) / 60_000)
      expect(minutes).toEqual([0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1440])
      expect(body.active).toBe(false)
    })
  })

  test('bearer tokens run out', async () => {
    await serving(async ({ call, url, app_id, app_token }) => {
      const basic = `Basic ${btoa(`${app_id}:${app_token}`)}`
      const form = 'grant_type=client_credentials&scope=api'
      const { body } = await call('POST', '/v1/oauth/token', form, {
        authorization: basic,
        'content-type': 'application/x-www-form-urlencoded',
      })
      const headers = { authorization: `Bearer ${body.access_token}` }
      const status = async () => (await fetch(`${url}/v1/vouchers?limit=1`, { headers })).status

      const before = await status()
      await clock('advance', '1d')

      expect([before, await status()]).toEqual([200, 401])
    })
  })

  test('a clock that runs goes on running from where it was advanced to', async () => {
    await whileServing(promo, ['--data', data], async () => {
      const before = await clock('show')
      const after = await clock('advance', '10d')

      expect(after.runs).toBe(true)
      expect(Date.parse(after.now) - Date.parse(before.now)).toBeGreaterThanOrEqual(10 * 86_400_000)
    })
  })
})

test('a clock that runs goes on running after its server was killed while it advanced', async () => {
  const killed = `${data}.killed.db`
  // The file as it is in the middle of the advance, without the server.
  const receiver = await receiving((response) => {
    if (!existsSync(killed)) {
      const file = new DatabaseSync(data)
      file.exec(`VACUUM INTO '${killed}'`)
      file.close()
      chmodSync(killed, 0o600)
      const copy = new DatabaseSync(killed)
      copy.exec('DELETE FROM holders')
      copy.close()
    }
    response.end()
  })
  await whileServing(promo, ['--data', data], async (sandbox) => {
    await addWebhook(sandbox, receiver.url, 'voucher.loyalty_card.points_expired')
    const expiration_date = new Date(Date.parse((await clock('show')).now) + 5 * 86_400_000).toISOString()
    await sandbox.call('POST', '/v1/loyalties/members/CLUB-002/balance', { points: 7, expiration_date })
    await clock('advance', '10d')
  })

  const { stdout } = await promo(['sandbox', 'clock', 'show', '--data', killed, '--json'])

  expect(JSON.parse(stdout).runs).toBe(true)
})

describe('the time of a data file', () => {
  test('is that of every process that has it open, and of the next one', async () => {
    await serving(async ({ call }) => {
      await whileServing(promo, ['--data', data], async (second) => {
        await clock('advance', '5d')
        const one = await call('POST', '/v1/customers', { source_id: 'one' })
        const two = await second.call('POST', '/v1/customers', { source_id: 'two' })

        expect([one.body.created_at, two.body.created_at]).toEqual(Array(2).fill('2026-01-06T00:00:00.000Z'))
      })
    })

    expect((await clock('show')).now).toBe('2026-01-06T00:00:00.000Z')
    expect((await clock('advance', '1d')).now).toBe('2026-01-07T00:00:00.000Z')
  })

  test('goes back only where that is allowed', async () => {
    await serving(async () => {
      const refused = await promo(`sandbox clock set 2025-12-31 --data ${data}`)

      expect(refused).toEnd(2, 'clock shows 2026-01-01T00:00:00.000Z: 2025-12-31T00:00:00.000Z would be back in time')
      expect((await clock('set', '2025-12-31', '--allow-back')).now).toBe('2025-12-31T00:00:00.000Z')
    })
    const again = await promo(`sandbox start --data ${data} --time 2025-12-01`)
    expect(again).toEnd(2, 'would be back in time\ntry: add --allow-back')
  })

  test("resumes from where it stands, or from the computer's time", async () => {
    await serving(async () => {
      const resumed = await clock('resume')
      const real = await clock('resume', '--real-time')

      expect(resumed).toMatchObject({ runs: true, now: expect.stringMatching(/^2026-01-01T00:0/) })
      expect(real.runs).toBe(true)
      expect(Math.abs(Date.parse(real.now) - Date.parse(real.computer_time))).toBeLessThan(5)
    })
  })

  test('is told by every answer, so that nothing is said to have been off already that was on', async () => {
    await serving(async ({ call }) => {
      expect((await call('GET', '/v1/vouchers/MORNING')).headers.get('date')).toBe('Thu, 01 Jan 2026 00:00:00 GMT')
    })
    await promo('vouchers get MORNING --profile sandbox')
    await promo('sandbox clock set 2026-02-01 --allow-back')

    expect((await promo('vouchers disable MORNING --profile sandbox')).stderr).toMatch(/^disabled 1 voucher \(/m)
  })

  test.each([
    [['advance', '0d'], '"0d" is not a duration'],
    [['advance', '30'], '"30" is not a duration'],
    [['set', 'soon'], '"soon" is not a time; write it like 2026-12-31 or 2026-12-31T23:59:00Z'],
    [['set', '2026-02-30'], '"2026-02-30" is not a time'],
    [['advance', '9999999d'], 'the clock ends at 9999-12-31T23:59:59.999Z'],
    [['resume', '--allow-back'], '--real-time'],
    [['show', '--url', 'shop'], 'cannot also be provided'],
  ])('%j is refused with exit 2', async (words, message) => {
    await promo(`sandbox seed --data ${data}`)

    expect(await promo(['sandbox', 'clock', ...words, '--data', data])).toEnd(2, message)
  })
})
