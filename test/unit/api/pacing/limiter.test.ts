import { expect, test } from 'vitest'
import { createLimiter, type Limiter, LongWait } from '../../../../src/api/pacing/limiter.ts'
import { parseRate, shareOf } from '../../../../src/api/pacing/rate.ts'
import { fakeClock } from './fake-clock.ts'

test.each([
  ['10/s', { requests: 10, perMs: 1000 }],
  ['100/m', { requests: 100, perMs: 60_000 }],
  ['5000/h', { requests: 5000, perMs: 3_600_000 }],
  ['0.5/s', { requests: 0.5, perMs: 1000 }],
])('the rate %s is understood', (given, rate) => {
  expect(parseRate(given)).toEqual(rate)
})

test.each(['', '0/s', '10', '10/d', '-1/s', '1e3/s', '٣/s', ' 1/s', '0x1/s'])('the rate %j is refused', (given) => {
  expect(() => parseRate(given)).toThrow(/is not like 10\/s, 600\/m or 5000\/h/)
})

test('without a rate no request waits', () => {
  const clock = fakeClock()
  const limiter = createLimiter(undefined, clock)

  const turns = Array.from({ length: 50 }, () => limiter.turn())

  expect(turns.every((turn) => turn === undefined)).toBe(true)
})

test('at ten a second, requests leave a tenth of a second apart from the first on', async () => {
  const clock = fakeClock()
  const limiter = createLimiter(parseRate('10/s'), clock)

  expect(await leave(limiter, clock, 5)).toEqual([1000, 1100, 1200, 1300, 1400])
})

test('a quiet time saves up nothing for a burst', async () => {
  const clock = fakeClock()
  const limiter = createLimiter(parseRate('10/s'), clock)
  await leave(limiter, clock, 1)

  await clock.sleep(60_000)
  expect(await leave(limiter, clock, 3)).toEqual([61_000, 61_100, 61_200])
})

test('a pause holds back every request, and they leave one by one afterwards', async () => {
  const clock = fakeClock()
  const limiter = createLimiter(undefined, clock)

  void limiter.turn()
  limiter.learn(busy(2), true, 1000)
  expect(await leave(limiter, clock, 4)).toEqual([3000, 3100, 3200, 3300])
})

test('a pause that begins while others wait holds them back too', async () => {
  const clock = fakeClock()
  const limiter = createLimiter(parseRate('1/s'), clock)

  const leaving = leave(limiter, clock, 3)
  limiter.learn(busy(10), true, 1000)

  expect(await leaving).toEqual([1000, 11_000, 12_040])
})

test('a shorter pause does not cut a longer one short', async () => {
  const clock = fakeClock()
  const limiter = createLimiter(undefined, clock)

  limiter.learn(busy(5), true, 1000)
  limiter.learn(busy(1), true, 1000)

  expect(await leave(limiter, clock, 1)).toEqual([6000])
})

test('a used-up budget is waited for until the instant the service names', async () => {
  const clock = fakeClock()
  const limiter = createLimiter(undefined, clock)
  void limiter.turn()

  limiter.learn({ status: 200, headers: budget(clock, 0, 7) }, false, 1000)

  expect(await leave(limiter, clock, 1)).toEqual([8000])
})

test('no more requests are in flight than the budget has left', async () => {
  const clock = fakeClock()
  const limiter = createLimiter(undefined, clock)
  void limiter.turn()
  limiter.learn({ status: 200, headers: budget(clock, 2, 60) }, false, 1000)
  const turns = [limiter.turn(), limiter.turn()]

  const third = limiter.turn()
  const order: string[] = []
  const gone = third?.then(() => order.push('third left'))
  order.push('one answered')
  limiter.learn({ status: 200, headers: budget(clock, 1, 60) }, false, 1000)
  limiter.learn({ status: 200, headers: budget(clock, 1, 60) }, false, 1000)
  await gone

  expect(turns).toEqual([undefined, undefined])
  expect(order).toEqual(['one answered', 'third left'])
})

test('a budget without an instant to wait for holds back no request', () => {
  const limiter = createLimiter(undefined, fakeClock())
  void limiter.turn()

  limiter.learn({ status: 200, headers: { 'x-rate-limit-remaining': '0' } }, false, 1000)

  expect(limiter.turn()).toBeUndefined()
})

test('a wait of more than five minutes is refused at once, with its length', async () => {
  const clock = fakeClock()
  const limiter = createLimiter(undefined, clock)
  void limiter.turn()

  limiter.learn({ status: 200, headers: budget(clock, 0, 3000) }, false, 1000)

  await expect(limiter.turn()).rejects.toSatisfy(
    (error: LongWait) => error instanceof LongWait && error.waitMs === 3_000_000,
  )
  expect(clock.slept).toEqual([])
})

test('a slow rate is waited for, however slow', async () => {
  const clock = fakeClock()
  const limiter = createLimiter(parseRate('10/h'), clock)

  expect(await leave(limiter, clock, 3)).toEqual([1000, 361_040, 721_080])
})

test.each(['7/s', '120/m', '2.5/s', '90/m', '1/s', '100/s'])(
  'at %s no second has more than its share, however late timers fire',
  async (rate) => {
    const clock = fakeClock()
    const delays = [0, 49, 3, 0, 31, 12]
    let at = 0
    const sleep = (ms: number, signal?: AbortSignal) => clock.sleep(ms + (delays[at++ % delays.length] ?? 0), signal)
    const limiter = createLimiter(parseRate(rate), { ...clock, sleep })

    const left = await leave(limiter, clock, 60)

    const { requests, perMs } = parseRate(rate)
    expect(mostInASecond(left)).toBeLessThanOrEqual(Math.ceil((requests / perMs) * 1000))
  },
)

test.each([
  ['7/s', 2],
  ['7/s', 3],
  ['120/m', 3],
  ['2/s', 5],
  ['100/m', 4],
])('%s in %i shards is never more in all of them together', async (given, of) => {
  const rate = parseRate(given)
  const perShard = Array.from({ length: of }, (_, index) => {
    const clock = fakeClock()
    return leave(createLimiter(shareOf(rate, { index, of }), clock), clock, 12)
  })

  const left = (await Promise.all(perShard)).flat()

  expect(mostInASecond(left)).toBeLessThanOrEqual(Math.ceil((rate.requests / rate.perMs) * 1000))
  const spanMs = Math.min(...(await Promise.all(perShard)).map((one) => (one.at(-1) ?? 0) - (one[0] ?? 0)))
  expect(spanMs).toBeLessThan((11 * of * 1.1 * rate.perMs) / rate.requests + 1000)
})

test.each([
  ['2/s', 3],
  ['1/s', 2],
  ['100/m', 4],
  ['30/s', 40],
])(
  '%s in %i shards that begin at any moment of their turns, with late timers, is never more in all',
  async (given, of) => {
    const rate = parseRate(given)
    const perShard = Array.from({ length: of }, async (_, index) => {
      const clock = fakeClock()
      await clock.sleep(index * 333 + 259)
      const delays = [0, 59, 3, 0, 31, 12]
      const sleep = (ms: number, signal?: AbortSignal) =>
        clock.sleep(ms + (delays[(at++ + index) % delays.length] ?? 0), signal)
      let at = 0
      return await leave(createLimiter(shareOf(rate, { index, of }), { ...clock, sleep }), clock, 12)
    })

    const left = (await Promise.all(perShard)).flat()

    expect(mostInASecond(left)).toBeLessThanOrEqual(Math.ceil((rate.requests / rate.perMs) * 1000))
  },
)

test('a request of a shard whose turn passed while it waited for its connection leaves in the next one', async () => {
  const clock = fakeClock()
  const limiter = createLimiter(shareOf(parseRate('1/s'), { index: 0, of: 2 }), clock)
  await limiter.turn()
  const granted = clock.now()

  const atOnce = limiter.slot()
  await clock.sleep(500)
  await limiter.slot()

  expect(atOnce).toBeUndefined()
  expect(clock.now() - granted).toBe(2200)
})

test.each([500, 5000])(
  'requests that wait %i ms for their connection count from when they are on the wire',
  async (ms) => {
    const clock = fakeClock()
    const limiter = createLimiter(parseRate('7/s'), clock)
    const left: number[] = []
    // Nothing leaves before the first connection is made.
    const connected = clock.sleep(ms)

    await Promise.all(
      Array.from({ length: 21 }, async () => {
        await limiter.turn()
        await connected
        limiter.left()
        left.push(clock.now())
      }),
    )

    expect(mostInASecond(left)).toBe(7)
  },
)

test('a request of a shard that is late holds back the next one, so that they do not share a turn', async () => {
  const clock = fakeClock()
  const limiter = createLimiter(shareOf(parseRate('1/s'), { index: 0, of: 2 }), clock)
  await limiter.turn()
  const next = limiter.turn()

  await clock.sleep(2300)
  limiter.left()
  const leftAt = clock.now()
  await next

  expect(clock.now() - leftAt).toBeGreaterThan(1900)
})

test('a request that ended before it left gives its turn back', async () => {
  const clock = fakeClock()
  const limiter = createLimiter(parseRate('1/s'), clock)
  void limiter.turn()

  limiter.lost(false)

  expect(await leave(limiter, clock, 2)).toEqual([2000, 3040])
})

test('a timer that fires late does not push back the ones after it', async () => {
  const clock = fakeClock()
  const late = { ...clock, sleep: (ms: number, signal?: AbortSignal) => clock.sleep(ms + 40, signal) }
  const limiter = createLimiter(parseRate('10/s'), late)

  expect(await leave(limiter, clock, 5)).toEqual([1000, 1140, 1240, 1340, 1440])
})

test('reports what is known about the pace', async () => {
  const clock = fakeClock()
  const free = createLimiter(undefined, clock)
  const limiter = createLimiter(parseRate('10/s'), clock)
  await leave(limiter, clock, 2)

  const headers = { ...budget(clock, 0, 60), 'x-rate-limit-limit': '100', 'retry-after': '2' }
  limiter.learn({ status: 503, headers }, false, 1000)

  expect(free.limitsAhead()).toEqual({})
  expect(limiter.limitsAhead()).toEqual({
    pausedForMs: 2000,
    perSecond: 10,
    window: { limit: 100, left: 0, resetsInMs: 59_900, periodMs: 60_000 },
  })
})

test('a stop ends every wait', async () => {
  const clock = fakeClock()
  const stop = new AbortController()
  const limiter = createLimiter(parseRate('1/m'), clock, stop.signal)
  void limiter.turn()

  const turns = Promise.allSettled([limiter.turn(), limiter.turn()])
  stop.abort('enough')

  expect(await turns).toEqual([
    { status: 'rejected', reason: 'enough' },
    { status: 'rejected', reason: 'enough' },
  ])
})

function busy(seconds: number) {
  return { status: 503, headers: { 'retry-after': String(seconds) } }
}

function budget(clock: { wall: () => number }, remaining: number, seconds: number) {
  const retry = Math.round(clock.wall() / 1000) + seconds
  return { 'x-rate-limit-remaining': String(remaining), 'x-rate-limit-retry': String(retry) }
}

async function leave(limiter: Pick<Limiter, 'turn' | 'left'>, clock: { now(): number }, count: number) {
  const left: number[] = []
  await Promise.all(
    Array.from({ length: count }, async () => {
      await limiter.turn()
      limiter.left()
      left.push(clock.now())
    }),
  )
  return left
}

function mostInASecond(instants: readonly number[]): number {
  return Math.max(...instants.map((from) => instants.filter((at) => at >= from && at < from + 1000).length))
}
