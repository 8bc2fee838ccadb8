// Faults that are asked for, and the log of what was called.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { promoIn, type Ran, temporaryFolder } from '../support/promo.ts'
import { type Serving, whileServing } from '../support/serving.ts'

let data: string
let folder: string
let promo: ReturnType<typeof promoIn>
beforeEach(() => {
  folder = temporaryFolder()
  promo = promoIn(folder)
  data = join(folder, 'shop.db')
})

const serving = (act: (serving: Serving) => Promise<void>, ...flags: string[]) =>
  whileServing(promo, ['--data', data, ...flags], act)
const sandbox = (...words: string[]) => promo(['sandbox', ...words, '--data', data])
const json = async (...words: string[]) => {
  const { stdout, stderr, exitCode } = await sandbox(...words, '--json')
  if (exitCode !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}
const add = (...flags: string[]) => json('faults', 'add', ...flags)

/** The status of a call, or `lost`. */
const outcome = (call: ReturnType<Serving['call']>) =>
  call.then(
    ({ status }) => status,
    () => 'lost',
  )

test('refusals name the flags that were typed, and next steps the sandbox that was meant', async () => {
  const none = await sandbox('faults', 'list')
  await serving(async ({ url, control_token }) => {
    const PROMO_SANDBOX_CONTROL_TOKEN = control_token
    const refused = [
      await sandbox('faults', 'add', '--call', 'POST /v1/redemptions', '--reset', '--probability', '120%'),
      await sandbox('faults', 'add', '--call', 'POST /v1/redemptions', '--rate-limit', '10'),
      await sandbox('requests', 'list', '--status', 'abc'),
      await sandbox('faults', 'clear', 'fault_9'),
      await sandbox('snapshot', 'load', 'none'),
      await promo(`sandbox snapshot load none --url ${url}`, { env: { PROMO_SANDBOX_CONTROL_TOKEN } }),
    ]

    expect(none.stderr).toContain(`\ntry: promo sandbox start --data ${data}\n`)
    expect(refused.map(({ exitCode }) => exitCode)).toEqual(refused.map(() => 2))
    const [probability, rate, status, ...steps] = refused.map(({ stderr }) => stderr)
    expect(probability).toContain('refused: --probability must be a share like 20%')
    expect(rate).toContain('refused: --rate-limit must be like 10/s')
    expect(status).toContain('refused: --status must be a status like 503')
    expect(steps.map((text) => /^try: (.*)$/m.exec(text)?.[1])).toEqual([
      `promo sandbox faults list --data ${data}`,
      `promo sandbox snapshot list --data ${data}`,
      `promo sandbox snapshot list --url ${url}`,
    ])
  })
})

describe('a fault', () => {
  test('answers with a status a number of times, and only where its call fits', async () => {
    await serving(async ({ call }) => {
      const fault = await add('--call', 'GET /v1/vouchers/*', '--status', '503', '--times', '2')

      const list = await outcome(call('GET', '/v1/vouchers'))
      const codes = []
      for (let n = 0; n < 3; n += 1) codes.push(await outcome(call('GET', '/v1/vouchers/MORNING')))

      expect(fault).toMatchObject({ id: 'fault_1', does: 'status 503', when: '2 times', struck: 0 })
      expect([list, codes]).toEqual([200, [503, 503, 200]])
      expect((await json('faults', 'list'))[0]).toMatchObject({ matched: 3, struck: 2 })
    })
  })

  test('loses the answer after the commit, or before it', async () => {
    await serving(async ({ call }) => {
      const body = { type: 'GIFT_VOUCHER', gift: { amount: 1 } }
      await add('--call', 'POST /v1/vouchers/{code}', '--reset', '--after-commit', '--times', '1')
      await add('--call', 'POST /v1/vouchers/*', '--reset', '--times', '1')

      const outcomes = [
        await outcome(call('POST', '/v1/vouchers/KEPT', body)),
        await outcome(call('POST', '/v1/vouchers/NEVER', body)),
      ]

      expect(outcomes).toEqual(['lost', 'lost'])
      expect(await outcome(call('GET', '/v1/vouchers/KEPT'))).toBe(200)
      expect(await outcome(call('GET', '/v1/vouchers/NEVER'))).toBe(404)
    })
  })

  test('never answers, and does not keep the sandbox from ending', async () => {
    const asked: Promise<unknown>[] = []
    await serving(async ({ call }) => {
      await add('--call', 'GET /v1/campaigns', '--hang')
      asked.push(outcome(call('GET', '/v1/campaigns')))
      await eventually(
        async () => (await json('faults', 'list'))[0].struck,
        (struck) => struck === 1,
      )
    })

    expect(await Promise.all(asked)).toEqual(['lost'])
  })

  test('answers 429 beyond a limit of its calls, and others not', async () => {
    await serving(async ({ call }) => {
      await add('--call', 'GET /v1/campaigns', '--rate-limit', '2/h')

      const statuses = []
      for (let n = 0; n < 4; n += 1) statuses.push(await outcome(call('GET', '/v1/campaigns')))

      expect(statuses).toEqual([200, 200, 429, 429])
      expect(await outcome(call('GET', '/v1/vouchers'))).toBe(200)
    })
  })

  test('strikes the same requests with the same seed, and others with another', async () => {
    const struckWith = async (seed: string) => {
      const outcomes: unknown[] = []
      await serving(async ({ call }) => {
        await add('--call', 'GET /v1/campaigns', '--status', '500', '--probability', '50%', '--seed', seed)
        for (let n = 0; n < 40; n += 1) outcomes.push(await outcome(call('GET', '/v1/campaigns')))
      })
      return outcomes
    }

    const [one, again, other] = [await struckWith('7'), await struckWith('7'), await struckWith('8')]

    expect(one).toEqual(again)
    expect(one).not.toEqual(other)
    expect(new Set(one)).toEqual(new Set([200, 500]))
  })

  test.each([
    'GET /v1/vouchers/{code}',
    'GET /v1/vouchers/LATTE ART%2F2026',
    'GET /v1/vouchers/LATTE%20ART%2f2026',
    '* /v1/vouchers/LATTE%20ART%2F2026',
  ])('of the call %j strikes it, however the step is written', async (call) => {
    await serving(async (served) => {
      await add('--call', call, '--status', '502', '--times', '1')

      expect(await outcome(served.call('GET', '/v1/vouchers/LATTE%20ART%2F2026'))).toBe(502)
      expect(await json('requests', 'list', '--call', call)).toHaveLength(1)
      expect(await json('faults', 'list')).toMatchObject([{ when: '1 time', struck: 1 }])
    })
  })

  test('comes from a file at the start, as it is listed', async () => {
    const file = join(folder, 'faults.json')
    await serving(async () => {
      await add('--call', '* /v1/**', '--status', '502', '--seed', '1')
      writeFileSync(file, (await sandbox('faults', 'list', '--json')).stdout)
    })

    await serving(
      async ({ call }) => {
        expect(await outcome(call('GET', '/v1/vouchers'))).toBe(502)
        expect((await sandbox('faults', 'clear', 'fault_1')).stderr).toBe('removed 1 fault\n')
        expect(await outcome(call('GET', '/v1/vouchers'))).toBe(200)
      },
      '--faults',
      file,
    )
  })

  const wrong = [
    [
      ['--call', 'POST /v1/redemption', '--reset'],
      'is no call that the sandbox serves; did you mean "POST /v1/redemptions"?',
    ],
    [['--call', 'redemptions', '--reset'], '"redemptions" is not a call'],
    [['--call', 'PATCH /v1/vouchers', '--reset'], 'is not a call'],
    [['--call', 'GET /v1/vouchers?limit=1', '--reset'], '"GET /v1/vouchers?limit=1" is not a call'],
    [['--call', 'GET /v1/vouchers/A?force=true', '--reset'], '"GET /v1/vouchers/A?force=true" is not a call'],
    [['--call', 'GET /v1/(a+)+$', '--reset'], 'is no call that the sandbox serves'],
    [['--call', 'GET /v1/vouchers'], 'this one has none'],
    [['--call', 'GET /v1/vouchers', '--reset', '--hang'], 'this one has 2'],
    [['--call', 'GET /v1/vouchers', '--latency', '2s..1s'], '--latency must be like 200ms or 200ms..2s'],
    [['--call', 'GET /v1/vouchers', '--latency', '1s', '--after-commit'], 'not with latency'],
    [['--call', 'GET /v1/vouchers', '--status', '200'], '"200" is not a whole number from 400 to 599'],
    [['--call', 'GET /v1/vouchers', '--reset', '--probability', '101%'], 'must be a share like 20%'],
    [['--call', 'GET /v1/vouchers', '--reset', '--probability', '0%'], 'must be a share like 20%'],
    [['--call', 'GET /v1/vouchers', '--reset', '--probability', '00.000%'], 'must be a share like 20%'],
    [['--call', 'GET /v1/vouchers', '--reset', '--times', '0'], '"0" is not a whole number'],
  ] as const

  test('what is none is refused with exit 2', async () => {
    await serving(async () => {
      for (const [flags, words] of wrong) expect(await sandbox('faults', 'add', ...flags)).toEnd(2, words)
      expect(await json('faults', 'list')).toEqual([])
    })
  })

  test.each([
    ['{}', 'the faults must be a JSON array'],
    ['[{"call":"GET /v1/vouchers","reset":true},{"call":"GET /v1/vouchers","rest":true}]', 'fault 2: faults.add: '],
    ['["GET /v1/vouchers"]', 'this one has none'],
  ])('a file of faults like %s is refused with exit 2', async (content, words) => {
    const file = join(folder, 'faults.json')
    writeFileSync(file, content)

    expect(await promo(`sandbox start --data ${data} --faults ${file}`)).toEnd(2, words)
  })

  test('needs a sandbox that runs', async () => {
    await promo(`sandbox seed --data ${data}`)

    const { exitCode, stderr } = await sandbox('faults', 'list')

    expect(exitCode).toBe(5)
    expect(stderr).toBe(`promo: no sandbox serves "${data}" now\ntry: promo sandbox start --data ${data}\n`)
  })
})

test('a shop that sends a redemption again when its answer was lost finds the doubles in the ledger', async () => {
  await serving(async ({ call }) => {
    const gift = { type: 'GIFT_VOUCHER', gift: { amount: 100_000 } }
    await call('POST', '/v1/vouchers/LEDGER', gift)
    await add('--call', 'POST /v1/redemptions', '--reset', '--after-commit', '--probability', '20%', '--seed', '24')
    let sent = 0
    const redeemOnce = () =>
      outcome(
        call('POST', '/v1/redemptions', {
          redeemables: [{ object: 'voucher', id: 'LEDGER', gift: { credits: 100 } }],
          order: { amount: 100 },
        }),
      )

    for (let order = 1; order <= 50; order += 1)
      for (let status: unknown = 'lost'; status === 'lost'; sent += 1) status = await redeemOnce()

    const { struck } = (await json('faults', 'list'))[0]
    const { body: voucher } = await call('GET', '/v1/vouchers/LEDGER')
    const { body: ledger } = await call('GET', '/v1/vouchers/LEDGER/redemption?limit=100')
    expect(struck).toBeGreaterThan(3)
    expect(sent).toBe(50 + struck)
    expect(ledger.redeemed_quantity).toBe(50 + struck)
    expect(voucher.gift.balance).toBe(100_000 - 100 * (50 + struck))
    const lost = await json('requests', 'list', '--status', 'lost')
    expect(lost).toHaveLength(struck)
    expect(new Set(lost.map(({ fault }: { fault: string }) => fault))).toEqual(new Set(['fault_1']))
    expect(lost[0].request_id).toMatch(/^v-/)
  })
})

describe('the log of requests', () => {
  test('has each request with its status and its key, filtered by call and status', async () => {
    await serving(async ({ call, app_id }) => {
      await call('GET', '/v1/vouchers?limit=1')
      await call('GET', '/v1/vouchers/NONE')
      await call('POST', '/v1/customers', { source_id: 'a' })
      await json('clock', 'show')

      const all = await json('requests', 'list')
      const missed = await json('requests', 'list', '--status', '4xx')
      const reads = await json('requests', 'list', '--call', 'GET /v1/**', '--limit', '1')

      expect(all.map(({ n, method, path, status }: Record<string, unknown>) => [n, method, path, status])).toEqual([
        [1, 'GET', '/v1/vouchers?limit=1', 200],
        [2, 'GET', '/v1/vouchers/NONE', 404],
        [3, 'POST', '/v1/customers', 200],
      ])
      expect(all[0]).toMatchObject({
        key: `application ${app_id.slice(0, 4)}…`,
        request_id: expect.stringMatching(/^v-/),
        fault: null,
      })
      expect(all[0]).not.toHaveProperty('body')
      expect(missed.map(({ n }: { n: number }) => n)).toEqual([2])
      expect(reads.map(({ n }: { n: number }) => n)).toEqual([2])
    })
  })

  test('is filtered by the time of the service: a day, an instant or an age', async () => {
    const seen = async (since: string) =>
      (await json('requests', 'list', '--since', since)).map(({ path }: { path: string }) => path)
    await serving(
      async ({ call }) => {
        await call('GET', '/v1/vouchers')
        await sandbox('clock', 'advance', '2h')
        await call('GET', '/v1/campaigns')

        expect(await seen('1h')).toEqual(['/v1/campaigns'])
        expect(await seen('121m')).toEqual(['/v1/vouchers', '/v1/campaigns'])
        expect(await seen('2030-01-02')).toEqual(['/v1/campaigns'])
        expect(await seen('2030-01-02T00:59:59Z')).toEqual(['/v1/campaigns'])
        expect(await seen('9999999d')).toHaveLength(2)
      },
      '--time',
      '2030-01-01T23:00:00Z',
    )
  })

  test('has bodies where they are asked for, and no secret anywhere', async () => {
    await serving(async (serving) => {
      const { call, management, app_id, app_token } = serving
      const form = `grant_type=client_credentials&scope=api&client_secret=sesame-open`
      const { body } = await call('POST', '/v1/oauth/token', form, {
        authorization: `Basic ${btoa(`${app_id}:${app_token}`)}`,
        'content-type': 'application/x-www-form-urlencoded',
      })
      await call('POST', '/management/v1/projects', { name: 'Second' }, management)
      await call('POST', '/v1/customers', { source_id: 'a', metadata: { password: 'sesame', plain: 'seen' } })
      await call('GET', '/v1/vouchers?token=sesame-query')
      await call('POST', '/v1/vouchers', 'not json: sesame-text')

      const { stdout } = await sandbox('requests', 'list', '--json')

      expect(stdout).toContain('"plain": "seen"')
      expect(stdout).not.toContain('sesame')
      const {
        url: _url,
        data: _data,
        project_id: _id,
        call: _call,
        control: _control,
        management: _m,
        ...secrets
      } = serving
      for (const secret of [...Object.values(secrets), body.access_token]) expect(stdout).not.toContain(secret)
    }, '--bodies')
  })

  test('is printed as it grows, and followed', async () => {
    let tailed: Promise<Ran> | undefined
    const ran = await serving(async ({ call }) => {
      const seen = Promise.withResolvers<void>()
      const hold = Promise.withResolvers<void>()
      let stopped = false
      tailed = promo(`sandbox requests tail --jsonl --call "GET /v1/campaigns" --data ${data}`, {
        onStdout: (_, stop) => {
          stopped = true
          stop('SIGINT')
          seen.resolve()
        },
      }).finally(hold.resolve)
      // The tail begins with what comes after its first look.
      await Promise.race([
        (async () => {
          for (let isOver = false; !isOver; isOver = stopped) {
            await call('GET', '/v1/campaigns?limit=1')
            await new Promise((resolve) => setImmediate(resolve))
          }
        })(),
        seen.promise,
        hold.promise,
      ])
      await hold.promise
    }, '--verbose')

    const { exitCode, stdout } = (await tailed) as Ran
    expect(exitCode).toBe(130)
    expect(JSON.parse(stdout.split('\n')[0] ?? '')).toMatchObject({
      method: 'GET',
      path: '/v1/campaigns?limit=1',
      status: 200,
    })
    expect(ran.stderr).toMatch(/^\S+Z {2}GET {2}\/v1\/campaigns\?limit=1 {2}200 {2}[\d.]+ ms {2}application /m)
  })

  const wrong = [
    [['--status', '600'], 'must be a status like 503, 5xx or lost'],
    [['--call', 'GET /v1/voucher'], 'did you mean "GET /v1/vouchers"?'],
    [['--since', 'now'], '--since must be like 2026-12-31, 2026-12-31T23:59:00Z or 30m'],
    [['--limit', '0'], '"0" is not a whole number from 1 to 10000'],
  ] as const

  test('what is no filter is refused with exit 2', async () => {
    await serving(async () => {
      for (const [flags, words] of wrong) expect(await sandbox('requests', 'list', ...flags)).toEnd(2, words)
    })
  })
})
