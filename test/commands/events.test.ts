import { describe, expect, test } from 'vitest'
import { promoIn, temporaryFolder, testHome } from '../support/promo.ts'
import { type Action, answer, scriptedServer } from '../support/scripted-server.ts'

const { promo, input } = testHome()
const onSandbox = ['--profile', 'sandbox']
const cupping = ['events', 'send', 'cupping_attended', '--customer', 'source_id=shop-1001']

describe('one event', () => {
  test("is sent, and shown as the service's own object", async () => {
    const { exitCode, stdout } = await promo([...cupping, '--metadata', 'cups=3', '--json', ...onSandbox])

    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      object: 'event',
      type: 'cupping_attended',
      customer: { source_id: 'shop-1001', name: 'Ada Okafor' },
      metadata: { cups: 3 },
    })
  })

  test('carries customer, loyalty card and referral code in the shape of the contract', async () => {
    const { stdout } = await promo([
      ...cupping,
      '--customer',
      'name=Ada,address.city=Berlin, Mitte',
      ...'--metadata cups=3 --metadata bar=3a --loyalty CLUB-001 --referral FRIEND-001 --referrer cust_9 --dry-run --json'.split(
        ' ',
      ),
      ...onSandbox,
    ])

    expect(JSON.parse(stdout)).toMatchObject([
      {
        method: 'POST',
        body: {
          event: 'cupping_attended',
          customer: { source_id: 'shop-1001', name: 'Ada', address: { city: 'Berlin, Mitte' } },
          metadata: { cups: 3, bar: '3a' },
          loyalty: { code: 'CLUB-001' },
          referral: { code: 'FRIEND-001', referrer_id: 'cust_9' },
        },
      },
    ])
  })

  test('that is not defined in the project exits 3', async () => {
    expect(await promo('events send no_such --customer id=a --profile sandbox')).toEnd(3, 'no_such')
  })

  test.each<[string, string[], RegExp]>([
    ['without a name', ['events', 'send'], /missing argument EVENT or --from/],
    ['without a customer', ['events', 'send', 'cupping_attended'], /missing --customer or --from/],
    ['with an empty name', ['events', 'send', '', '--customer', 'id=a'], /event/],
    ['with a field customers do not have', [...cupping, '--customer', 'nmae=Ann'], /nmae/],
    ['with a referrer and no code', [...cupping, '--referrer', 'cust_1'], /--referral CODE/],
  ])('%s is refused before any request', async (_what, argv, message) => {
    expect(await promo([...argv, '-v', ...onSandbox], { stdin: '' })).toSendNothing(2, message)
  })
})

describe('events from a file', () => {
  test('are all sent, including equal rows', async () => {
    const row = 'cupping_attended,shop-1001\n'
    const path = input('events.csv', `event,customer.source_id\n${row}${row}${row}`)

    const { exitCode, stdout, stderr } = await promo(`events send --from ${path} --yes --jsonl --profile sandbox`)

    const records = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(exitCode).toBe(0)
    expect(records.slice(0, 3).map(({ event, state, answer: { object } }) => [event, state, object])).toEqual([
      ['cupping_attended', 'ok', 'event'],
      ['cupping_attended', 'ok', 'event'],
      ['cupping_attended', 'ok', 'event'],
    ])
    expect(records[3]).toMatchObject({ t: 'summary', total: 3, ok: 3, duplicate: 0 })
    expect(stderr).toContain('sent 3 events')
  })

  test('are bodies in JSON Lines that override the flags for all rows', async () => {
    const path = input(
      'events.jsonl',
      '{"event":"newsletter_subscribed","customer":{"source_id":"a"}}\n{"event":"cupping_attended","metadata":{"cups":1}}\n',
    )

    const { stdout } = await promo(
      `events send --from ${path} --customer source_id=b --loyalty CLUB-001 --dry-run --json --query [].body --profile sandbox`,
    )

    expect(JSON.parse(stdout)).toEqual([
      { event: 'newsletter_subscribed', customer: { source_id: 'a' }, loyalty: { code: 'CLUB-001' } },
      { event: 'cupping_attended', customer: { source_id: 'b' }, loyalty: { code: 'CLUB-001' }, metadata: { cups: 1 } },
    ])
  })

  test.each([
    ['a name of 301 characters', `event,customer.source_id\ncupping_attended,a\n${'x'.repeat(301)},b\n`, /line 3/],
    ['no customer', 'event\ncupping_attended\n', /line 2.*customer/],
    ['no name', 'event,customer.source_id\n,a\n', /line 2/],
    ['an unknown field', 'event,custmer.source_id\ncupping_attended,a\n', /line 2.*custmer/],
  ])('with %s is refused before any request', async (_what, content, message) => {
    const path = input('events.csv', content)

    expect(await promo(`events send --from ${path} --yes -v --profile sandbox`)).toSendNothing(2, message)
  })
})

describe('when an answer is lost', () => {
  const event = { object: 'event', type: 'cupping_attended', customer: { id: 'cust_1' }, referral: null, loyalty: null }

  async function against(script: Action[], ...argv: string[]) {
    await using server = await scriptedServer(script)
    const ran = await promo(argv, { env: server.env, stdin: 'event,customer.source_id\ncupping_attended,shop-1001\n' })
    return { ...ran, sent: server.asked.length }
  }

  test.each([
    ['one event', cupping],
    ['an event from a file', ['events', 'send', '--from', '-', '--yes']],
  ])('%s is unknown and is not sent again', async (_what, argv) => {
    const { exitCode, sent } = await against([{ do: 'reset' }, answer(200, event)], ...argv)

    expect(exitCode).toBe(6)
    expect(sent).toBe(1)
  })

  test.each([
    ['one event', cupping],
    ['an event from a file', ['events', 'send', '--from', '-', '--yes']],
  ])('%s is sent again on request', async (_what, argv) => {
    const { exitCode, sent } = await against([{ do: 'reset' }, answer(200, event)], ...argv, '--on-ambiguous', 'retry')

    expect(exitCode).toBe(0)
    expect(sent).toBe(2)
  })

  test('an event refused by the rate limit is sent again: it was not received', async () => {
    const limited = answer(
      429,
      { code: 429, message: 'Too many requests hit the API too quickly' },
      { 'retry-after': '0' },
    )

    const { exitCode, sent } = await against([limited, answer(200, event)], ...cupping)

    expect(exitCode).toBe(0)
    expect(sent).toBe(2)
  })
})

test('a name for all rows of a file takes its customers from the short column, as rows with names of their own do', async () => {
  const line = ['events', 'send', 'cupping_attended', '--from', '-', '--yes', '--profile', 'sandbox']

  const { exitCode, stderr } = await promoIn(temporaryFolder())(line, { stdin: 'customer\nshop-1001\nshop-1002\n' })

  expect([exitCode, stderr]).toEqual([0, expect.stringContaining('sent 2 events')])
})
