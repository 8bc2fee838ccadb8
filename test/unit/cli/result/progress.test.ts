import { Writable } from 'node:stream'
import { afterEach, expect, test, vi } from 'vitest'
import type { LimitsAhead } from '../../../../src/api/pacing/limits-ahead.ts'
import { startProgress } from '../../../../src/cli/result/progress.ts'
import type { Host } from '../../../../src/cli/run/host.ts'

let clock = 0
const shown: string[] = []

function host(terminal: boolean): Host {
  const stderr = new Writable({
    write(chunk, _encoding, done) {
      shown.push(String(chunk))
      done()
    },
  })
  return {
    stderr: Object.assign(stderr, { isTTY: terminal, columns: 200 }),
    env: {},
    now: () => clock,
  } as unknown as Host
}

function started(limitsAhead: LimitsAhead = {}, { terminal = false, before = 0 } = {}) {
  clock = 0
  shown.length = 0
  // The time of the end is told by the clock on the wall.
  vi.stubEnv('TZ', 'UTC')
  vi.useFakeTimers()
  return startProgress(host(terminal), {}, { before, rowsPerRequest: 1, limitsAhead: () => limitsAhead })
}

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
})

test('outside a terminal it is one plain line at most every ten seconds', () => {
  const progress = started()

  for (clock = 1000; clock <= 25_000; clock += 1000) progress.update({ done: clock / 100, total: 10_000, wrong: 0 })
  progress.end()

  expect(shown).toEqual(['100/10000, 10/s, 16m30s left (at 00:16)\n', '200/10000, 10/s, 16m20s left (at 00:16)\n'])
})

test('rows that were done before this run say nothing about its speed', () => {
  const progress = started({}, { before: 900 })

  clock = 10_000
  progress.update({ done: 920, total: 1000, wrong: 3 })
  progress.end()

  expect(shown).toEqual(['920/1000, 3 not ok, 2.0/s, 40s left\n'])
})

test('the limit of the service decides when it ends, not how fast it began', () => {
  const progress = started({ window: { limit: 600, left: 100, resetsInMs: 50_000, periodMs: 60_000 } })

  clock = 10_000
  progress.update({ done: 500, total: 2400, wrong: 0 })
  progress.end()

  // 100 now, then three windows of 600: the last one begins after 50 s and two whole windows.
  expect(shown).toEqual(['500/2400, 50/s, 3m02s left (at 00:03)\n'])
})

test('while nothing moves it says why', () => {
  const limitsAhead: LimitsAhead = {}
  const progress = started(limitsAhead)
  clock = 10_000
  progress.update({ done: 5, total: 10, wrong: 0 })

  limitsAhead.pausedForMs = 12_000
  clock = 20_000
  vi.advanceTimersByTime(1000)
  limitsAhead.outageForMs = 61_000
  clock = 30_000
  vi.advanceTimersByTime(1000)
  progress.end()
  clock = 60_000
  vi.advanceTimersByTime(60_000)

  expect(shown.slice(1)).toEqual([
    expect.stringContaining(', a pause of 12s that the service asks for\n'),
    expect.stringContaining(', no answer from the service for 1m01s\n'),
  ])
})

test('on a terminal it is a bar, taken away at the end', () => {
  const progress = started({}, { terminal: true })

  clock = 1000
  progress.update({ done: 50, total: 100, wrong: 0 })
  progress.end()

  expect(shown).toEqual(['\r\u001b[K[############............] 50/100, 50/s, 1s left', '\r\u001b[K'])
})

test('hours in which the computer slept do not make the rest take longer', () => {
  const progress = started()

  for (clock = 1000; clock <= 10_000; clock += 1000) {
    vi.advanceTimersByTime(1000)
    progress.update({ done: clock / 100, total: 1000, wrong: 0 })
  }
  shown.length = 0
  clock += 8 * 3_600_000
  progress.update({ done: 100, total: 1000, wrong: 0 })
  progress.end()

  expect(shown).toEqual(['100/1000, 10/s, 1m30s left\n'])
})
