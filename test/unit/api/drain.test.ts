// The two stages of a stop: first nothing new begins and requests in flight may end, then everything is cut.
import { describe, expect, test } from 'vitest'
import { type Connection, clockOf } from '../../../src/api/connection.ts'
import { createVoucher } from '../../../src/contract/new-voucher.ts'
import { PromoError } from '../../../src/errors.ts'
import { answer } from '../../support/scripted-server.ts'
import { callOf, talkTo } from './talk-to.ts'

const taken = { code: 409, key: 'duplicate_found', message: 'Duplicated resource found', resource_id: 'X' }
const terminated = new PromoError('stopped', 'SIGTERM')
const create = { path: { code: 'X' }, body: { type: 'GIFT_VOUCHER', gift: { amount: 500 } } } as const

/** A sleep that only a stop ends. */
const endless: NonNullable<Connection['clock']>['sleep'] = (_, signal) =>
  new Promise((_, reject) => {
    if (signal?.aborted) reject(signal.reason)
    signal?.addEventListener('abort', () => reject(signal.reason))
  })

describe('a drain', () => {
  test('lets the request in flight end and confirms it', async () => {
    const drain = new AbortController()
    const { client, server } = await talkTo(
      () => {
        drain.abort(terminated)
        return answer(200, { ok: true })
      },
      { drain: drain.signal },
    )

    expect(await client.exchange(callOf('once'))).toMatchObject({ outcome: 'confirmed', attempts: 1 })
    expect(server.asked).toHaveLength(1)
  })

  test('refuses a call that has not begun, with the exit code of the stop', async () => {
    const drain = new AbortController()
    const { client, server } = await talkTo([answer(200, { ok: true })], { drain: drain.signal })
    drain.abort(terminated)

    await expect(client.call(callOf('once'))).rejects.toMatchObject({
      kind: 'stopped',
      exitCode: 143,
      phase: 'not_sent',
      attempts: 0,
    })
    expect(server.asked).toEqual([])
  })

  test.each([
    ['a refusal that asks for patience', answer(429), 'not_sent'],
    ['a lost answer', { do: 'reset' } as const, 'ambiguous'],
    ['an answer that proves nothing', answer(503), 'ambiguous'],
  ])('ends the wait after %s at once, and reports whether it may have been applied', async (_, action, phase) => {
    const drain = new AbortController()
    const { client, server } = await talkTo([action], {
      drain: drain.signal,
      clock: { sleep: endless },
      observe: (line) => {
        if (line.startsWith('=')) setImmediate(() => drain.abort(terminated))
      },
    })

    await expect(client.call(callOf('idempotent'))).rejects.toMatchObject({
      kind: 'stopped',
      exitCode: 143,
      phase,
      attempts: 1,
    })
    expect(server.asked).toHaveLength(1)
  })

  test('begins no second attempt for a request that was in flight and failed', async () => {
    const drain = new AbortController()
    const { client, server } = await talkTo(
      () => {
        drain.abort(terminated)
        return answer(503)
      },
      { drain: drain.signal },
    )

    await expect(client.call(callOf('idempotent'))).rejects.toMatchObject({ kind: 'stopped', phase: 'ambiguous' })
    expect(server.asked).toHaveLength(1)
  })

  test.each([
    ['their turn', { rate: { requests: 1, perMs: 60_000 } }, answer(200, { ok: true })],
    [
      'the end of a pause',
      {},
      answer(
        200,
        { ok: true },
        { 'x-rate-limit-remaining': '0', 'x-rate-limit-retry': String(Date.UTC(2026, 0, 2) / 1000 + 60) },
      ),
    ],
  ])('refuses everyone who waits for %s', async (_, options, first) => {
    const drain = new AbortController()
    const { client, server } = await talkTo([first], { ...options, drain: drain.signal, clock: { sleep: endless } })
    await client.call(callOf('once'))

    const waiting = Promise.allSettled(Array.from({ length: 20 }, () => client.call(callOf('once'))))
    drain.abort(terminated)

    expect(new Set((await waiting).map((end) => end.status === 'rejected' && end.reason.phase))).toEqual(
      new Set(['not_sent']),
    )
    expect(server.asked).toHaveLength(1)
  })

  test('refuses a call that waits for an answer to learn the rest of the budget', async () => {
    const drain = new AbortController()
    const oneLeft = { 'x-rate-limit-remaining': '1', 'x-rate-limit-retry': String(Date.UTC(2026, 0, 2) / 1000 + 60) }
    const { client, server } = await talkTo((_, index) => (index === 0 ? answer(200, {}, oneLeft) : { do: 'stall' }), {
      drain: drain.signal,
    })
    await client.call(callOf('once'))
    const underWay = client.call(callOf('once'))
    underWay.catch(() => {})

    const waiting = client.call(callOf('once'))
    setImmediate(() => drain.abort(terminated))

    await expect(waiting).rejects.toMatchObject({ kind: 'stopped', phase: 'not_sent' })
    expect(server.asked.length).toBeLessThan(3)
  })

  test('sends nothing for calls that wait for a connection', async () => {
    const drain = new AbortController()
    let release = () => {}
    const arrived = Promise.withResolvers<void>()
    const { client, server } = await talkTo(
      async () => {
        arrived.resolve()
        await new Promise<void>((resolve) => (release = resolve))
        return answer(200, { ok: true })
      },
      { drain: drain.signal, concurrency: 1 },
    )

    const calls = Promise.allSettled(Array.from({ length: 5 }, () => client.exchange(callOf('once'))))
    await arrived.promise
    drain.abort(terminated)
    release()
    const ends = (await calls).map((end) => (end.status === 'fulfilled' ? end.value.outcome : end.reason.phase))

    expect(ends).toEqual(['confirmed', 'not_sent', 'not_sent', 'not_sent', 'not_sent'])
    expect(server.asked).toHaveLength(1)
  })

  test('followed by the cut ends what was in flight, whose outcome is unknown', async () => {
    const drain = new AbortController()
    const cut = new AbortController()
    const { client } = await talkTo(
      () => {
        drain.abort(terminated)
        setImmediate(() => cut.abort(terminated))
        return { do: 'stall' }
      },
      { drain: drain.signal, signal: cut.signal },
    )

    await expect(client.call(callOf('once'))).rejects.toMatchObject({ exitCode: 143, phase: 'ambiguous', attempts: 1 })
  })

  test('begins nothing after calls in every kind of wait were told to end', async () => {
    const drain = new AbortController()
    const begun: boolean[] = []
    const { client } = await talkTo(
      (_, index) => {
        if (index === 20) drain.abort(terminated)
        return index % 3 === 0 ? answer(503) : answer(200, { ok: true })
      },
      {
        drain: drain.signal,
        retries: 9,
        rate: { requests: 200, perMs: 1000 },
        clock: { ...clockOf(), random: () => 0.1 },
        observe: (line) => line.startsWith('> ') && begun.push(drain.signal.aborted),
      },
    )

    const calls = Promise.allSettled(Array.from({ length: 200 }, () => client.exchange(callOf('idempotent'))))
    await calls

    expect(begun.length).toBeGreaterThanOrEqual(21)
    expect(begun.filter((isLate) => isLate)).toEqual([])
  })
})

describe('an attempt of an earlier process', () => {
  test('that may have been applied makes a taken key a proof', async () => {
    const { client } = await talkTo([answer(409, taken)])

    const exchanged = await client.exchange(createVoucher, create, { lostBefore: true })

    expect(exchanged).toMatchObject({ outcome: 'inferred', attempts: 1, ambiguousBefore: true })
  })

  test('keeps the outcome unknown when this one is refused', async () => {
    const { client } = await talkTo([answer(400, { code: 400, key: 'invalid_payload', message: 'Invalid payload' })])

    await expect(client.exchange(createVoucher, create, { lostBefore: true })).rejects.toMatchObject({
      exitCode: 6,
      phase: 'ambiguous',
      attempts: 1,
    })
  })

  test('keeps the outcome unknown when this one is never sent', async () => {
    const drain = new AbortController()
    const { client } = await talkTo([answer(409, taken)], { drain: drain.signal })
    drain.abort(terminated)

    await expect(client.exchange(createVoucher, create, { lostBefore: true })).rejects.toMatchObject({
      kind: 'stopped',
      phase: 'ambiguous',
      attempts: 0,
    })
  })

  test('does not matter once this one is confirmed', async () => {
    const { client } = await talkTo([answer(200, { ok: true })])

    const exchanged = await client.exchange(callOf('idempotent'), {}, { lostBefore: true })

    expect(exchanged).toMatchObject({ outcome: 'confirmed', ambiguousBefore: true })
  })
})
