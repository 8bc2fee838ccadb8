import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Cause, Verdict } from '../../../../src/api/outcome/outcome.ts'
import { createHealth, type Health, ServiceUnavailable } from '../../../../src/api/pacing/availability.ts'

const tenMinutes = { concurrency: 8, maxOutageMs: 600_000 }
const manyConnections = { concurrency: 64, maxOutageMs: 600_000 }

describe('requests are held back', () => {
  test.each<[string, Cause, number]>([
    ['refused connections', 'unreachable', 24],
    ['lost answers', 'lost', 24],
    ['server errors', 'server_error', 24],
    ['unreadable answers', 'unreadable', 24],
    ['timeouts', 'timed_out', 24],
    ['names that are not found', 'unresolved', 24],
  ])('after %s (%s) three times as many in a row as run at once', (_, cause, count) => {
    const health = createHealth(tenMinutes)

    expect(opensAfter(health, cause, count)).toBe(true)
  })

  test.each<[number, number]>([
    [1, 3],
    [2, 6],
    [30, 24],
  ])('after three in a row for each of %i calls in flight, and no more than run at once: %i', (calls, count) => {
    const health = createHealth({ ...tenMinutes, callsInFlight: () => calls })

    expect(opensAfter(health, 'lost', count)).toBe(true)
  })

  test('no sooner because calls end by these failures', () => {
    let calls = 4
    const health = createHealth({ ...tenMinutes, callsInFlight: () => calls })
    isOpenAfter(health, 'lost', 1)
    calls = 1

    expect(opensAfter(health, 'lost', 11)).toBe(true)
  })

  test('soon, when few calls are left since an answer came', () => {
    let calls = 8
    const health = createHealth({ ...tenMinutes, callsInFlight: () => calls })
    isOpenAfter(health, 'lost', 2)
    isOpenAfter(health, 'confirmed', 1)
    calls = 1

    expect(opensAfter(health, 'lost', 3)).toBe(true)
  })

  test.each<[string, Verdict]>([
    ['answers of 500', { ...ended('server_error'), status: 500 }],
    ['answers that cannot be read', { ...ended('unreadable'), status: 200 }],
  ])('no sooner by %s, which may be about the only call that is left', (_, verdict) => {
    const health = createHealth({ ...tenMinutes, callsInFlight: () => 1 })

    for (let count = 0; count < 23; count += 1) health.record(verdict, false, 0)
    const before = health.isOpen()
    health.record(verdict, false, 0)

    expect([before, health.isOpen()]).toEqual([false, true])
  })

  test.each<[Cause, number]>([
    ['lost', 100],
    ['timed_out', 50],
  ])('after failures (%s) that use up the budget, %i of them', (cause, count) => {
    const health = createHealth(manyConnections)

    expect(opensAfter(health, cause, count)).toBe(true)
  })

  test('although answers come in between, when two of three fail', () => {
    const health = createHealth(tenMinutes)

    let rounds = 0
    for (; !health.isOpen() && rounds < 1000; rounds += 1) {
      isOpenAfter(health, 'confirmed', 1)
      isOpenAfter(health, 'lost', 2)
    }

    expect(rounds).toBe(99)
  })

  test.each<Cause[]>([
    ['lost', 'confirmed'],
    ['server_error', 'refused'],
  ])('never while every failure (%s) is followed by an answer (%s)', (failure, sound) => {
    const health = createHealth(tenMinutes)

    for (let round = 0; round < 1000; round += 1) {
      isOpenAfter(health, failure, 1)
      isOpenAfter(health, sound, 1)
    }

    expect(health.isOpen()).toBe(false)
  })

  test.each<Cause>(['throttled', 'untrusted', 'redirected', 'too_large', 'proxy_refused', 'stopped'])(
    'never by what is no outage (%s)',
    (cause) => {
      const health = createHealth(tenMinutes)

      isOpenAfter(health, cause, 1000)

      expect(health.isOpen()).toBe(false)
    },
  )

  test('never without a limit on how long an outage may last', () => {
    const health = createHealth({ concurrency: 8 })

    isOpenAfter(health, 'lost', 1000)

    expect(health.isOpen()).toBe(false)
    expect(health.faultAfter(ended('lost'), 1e9)).toBeUndefined()
  })
})

describe('while they are held back', () => {
  test('one probe at a time leaves, after 1, 2, 4 … and at last every 60 seconds', () => {
    const health = createHealth({ concurrency: 8, maxOutageMs: 1e9 })
    isOpenAfter(health, 'lost', 24)

    const waits: unknown[] = []
    for (let now = 0; waits.length < 9; ) {
      const wait = health.obstacle(now)
      waits.push(wait)
      now += wait as number
      health.leave()
      expect(health.obstacle(now)).toBe('answer')
      health.record(ended('lost'), true, now)
    }

    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000])
  })

  test('a request that left before and fails now does not move the next probe', () => {
    const health = createHealth(tenMinutes)
    isOpenAfter(health, 'lost', 24)

    health.record(ended('lost'), false, 700)

    expect(health.obstacle(700)).toBe(300)
  })

  test.each<[string, Cause, boolean]>([
    ['an answer to the question', 'confirmed', true],
    ['a refusal in the words of the service', 'refused', true],
    ['an answer to what left before', 'confirmed', false],
    ['being too busy', 'throttled', true],
  ])('%s lets all go again', (_, cause, isProbe) => {
    const health = createHealth(tenMinutes)
    isOpenAfter(health, 'lost', 24)
    if (isProbe) health.leave()

    health.record(ended(cause), isProbe, 1000)

    expect([health.isOpen(), health.obstacle(1000), health.leave()]).toEqual([false, 0, false])
  })

  test('a page of a proxy is no sign of life', () => {
    const health = createHealth(tenMinutes)
    isOpenAfter(health, 'lost', 24)
    health.leave()

    health.record({ ...ended('refused'), isForeign: true }, true, 1000)

    expect([health.isOpen(), health.obstacle(1000)]).toEqual([true, 2000])
  })

  test('a probe that was stopped leaves its place to the next', () => {
    const health = createHealth(tenMinutes)
    isOpenAfter(health, 'lost', 24)
    health.leave()

    health.record(ended('stopped'), true, 1500)

    expect(health.obstacle(1500)).toBe(0)
  })

  test('after too long every call is turned away', () => {
    const health = createHealth(tenMinutes)
    isOpenAfter(health, 'lost', 24)
    health.leave()
    health.record(ended('lost'), true, 599_000)

    expect(health.obstacle(599_000)).toBe(1000)
    expect(() => health.obstacle(600_000)).toThrow(ServiceUnavailable)
    expect(health.faultAfter(ended('lost'), 599_999)).toBeUndefined()
    expect(health.faultAfter(ended('lost'), 600_000)).toBe('unavailable')
  })
})

test('after an outage the budget is a fifth, so a second one is noticed after twenty failures', () => {
  const health = createHealth(manyConnections)
  isOpenAfter(health, 'lost', 100)
  health.record(ended('confirmed'), true, 0)

  const before = isOpenAfter(health, 'lost', 20)
  const then = isOpenAfter(health, 'lost', 1)

  expect([before, then]).toEqual([false, true])
})

test('the outage began with the first failure after the last useful answer', () => {
  const health = createHealth(tenMinutes)
  health.record(ended('lost'), false, 100)
  health.record(ended('confirmed'), false, 200)

  health.record({ ...ended('lost'), reason: 'first' }, false, 300)
  health.record({ ...ended('throttled'), reason: 'last' }, false, 400)

  expect(health.outage()).toEqual({ since: 300, reason: 'last' })
})

describe('a wrong address', () => {
  test('is shown by a name that was never found', () => {
    const health = createHealth({ concurrency: 8 })

    health.record(ended('unresolved'), false, 0)

    expect(health.faultAfter(ended('unresolved'), 0)).toBe('unfound')
  })

  test('is not shown by a name that was found before', () => {
    const health = createHealth({ concurrency: 8 })
    health.record(ended('unreachable'), false, 0)

    health.record(ended('unresolved'), false, 0)

    expect(health.faultAfter(ended('unresolved'), 0)).toBeUndefined()
  })

  test.each<[string, Verdict]>([
    ['unreadable answers', ended('unreadable')],
    ['refusals that are pages', { ...ended('refused'), isForeign: true }],
  ])('is shown by twenty %s and no other answer', (_, verdict) => {
    const health = createHealth(manyConnections)

    for (let count = 0; count < 19; count += 1) health.record(verdict, false, 0)
    const before = health.faultAfter(verdict, 0)
    health.record(verdict, false, 0)

    expect([before, health.faultAfter(verdict, 0)]).toEqual([undefined, 'foreign'])
  })

  test.each<[string, Cause]>([
    ['one good answer', 'confirmed'],
    ['a refusal in its own words', 'refused'],
  ])('is not shown once the service returned %s', (_, cause) => {
    const health = createHealth(manyConnections)
    health.record(ended(cause), false, 0)

    for (let count = 0; count < 50; count += 1) health.record(ended('unreadable'), false, 0)

    expect(health.faultAfter(ended('unreadable'), 0)).toBeUndefined()
  })

  test('is not shown by a gateway that answers 502', () => {
    const health = createHealth(manyConnections)

    for (let count = 0; count < 50; count += 1) health.record(ended('server_error'), false, 0)

    expect(health.faultAfter(ended('server_error'), 0)).toBeUndefined()
  })
})

test('whatever happens, a useful answer releases all at once', () => {
  const causes: Cause[] = ['confirmed', 'refused', 'throttled', 'lost', 'timed_out', 'server_error', 'stopped']
  const step = fc.record({ cause: fc.constantFrom(...causes), isProbe: fc.boolean(), afterMs: fc.nat(100_000) })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 64 }), fc.array(step, { maxLength: 300 }), (concurrency, steps) => {
      const health = createHealth({ concurrency, maxOutageMs: 1e9 })
      let now = 0

      for (const { cause, isProbe, afterMs } of steps) {
        now += afterMs
        if (isProbe) health.leave()
        health.record(ended(cause), isProbe, now)
        const wait = health.obstacle(now)
        expect(wait === 'answer' || (wait >= 0 && wait <= 60_000)).toBe(true)
      }
      health.record(ended('confirmed'), false, now)

      expect([health.obstacle(now), health.isOpen(), health.outage()]).toEqual([0, false, undefined])
    }),
  )
})

/** Returns whether the circuit opens with the last of the given number, and not with the one before it. */
function opensAfter(health: Health, cause: Cause, count: number): boolean {
  return !isOpenAfter(health, cause, count - 1) && isOpenAfter(health, cause, 1)
}

function isOpenAfter(health: Health, cause: Cause, count: number): boolean {
  for (let done = 0; done < count; done += 1) health.record(ended(cause), false, 0)
  return health.isOpen()
}

function ended(cause: Cause): Verdict {
  const phase =
    cause === 'confirmed' ? 'confirmed' : cause === 'refused' || cause === 'throttled' ? 'rejected' : 'ambiguous'
  return { phase, cause, reason: cause }
}
