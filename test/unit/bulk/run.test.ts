import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Row } from '../../../src/bulk/input/row.ts'
import {
  type Act,
  type RowOutcome,
  type RowResult,
  type Run,
  type RunInput,
  resultOfError,
  runRows,
} from '../../../src/bulk/run.ts'
import { emptySummary, exitCodeOf, type Summary } from '../../../src/bulk/summary.ts'
import { EXIT, PromoError } from '../../../src/errors.ts'

const unhandled: unknown[] = []
const note = (reason: unknown) => unhandled.push(reason)
beforeEach(() => {
  unhandled.length = 0
  process.on('unhandledRejection', note)
})
afterEach(async () => {
  await nextTurn()
  process.off('unhandledRejection', note)
  expect(unhandled).toEqual([])
})

describe('every row has one outcome', () => {
  test.each([[0], [1], [3]])('%i rows have as many outcomes', async (rows) => {
    const { outcomes, summary } = await collect(runRows(input(rows), ok, { concurrency: 2 }))

    expect(outcomes.map(({ row }) => row.line)).toEqual(Array.from({ length: rows }, (_, at) => at + 1))
    expect(summary.counts).toMatchObject({ ok: rows, pending: 0 })
    expect(summary.stoppedBy).toBeUndefined()
    expect(exitCodeOf(summary)).toBe(0)
  })

  test('outcomes come in input order, whatever order the rows end in, and never more at once than allowed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.integer({ min: 0, max: 30 }),
        fc.integer({ min: 1, max: 5 }),
        async (s, rows, concurrency) => {
          let inFlight = 0
          let most = 0
          const acted: number[] = []
          const act: Act = async ({ line }) => {
            acted.push(line)
            most = Math.max(most, ++inFlight)
            await s.schedule(Promise.resolve(), `row ${line}`)
            inFlight -= 1
            return { state: 'ok' }
          }

          const { outcomes } = await s.waitFor(collect(runRows(input(rows), act, { concurrency })))

          const lines = Array.from({ length: rows }, (_, at) => at + 1)
          expect(outcomes.map(({ row }) => row.line)).toEqual(lines)
          expect(acted).toEqual(lines)
          expect(most).toBe(Math.min(rows, concurrency))
        },
      ),
    )
  })

  test('a stop at any moment loses no row: what was begun is reported, the rest is pending', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 0, max: 30 }),
        async (s, rows, concurrency, stopAt) => {
          const stop = new AbortController()
          let begunAtStop: number | undefined
          let begun = 0
          let ended = 0
          const act: Act = async () => {
            begun += 1
            await s.schedule(Promise.resolve())
            if (++ended >= stopAt && begunAtStop === undefined) {
              begunAtStop = begun
              stop.abort()
            }
            return { state: 'ok' }
          }

          const { outcomes, summary } = await s.waitFor(
            collect(runRows(input(rows), act, { concurrency, signal: stop.signal })),
          )

          expect(outcomes.map(({ row }) => row.line)).toEqual(Array.from({ length: begun }, (_, at) => at + 1))
          expect(begun).toBe(begunAtStop ?? rows)
          expect(summary.counts.ok).toBe(begun)
          expect(summary.counts.pending).toBe(rows - begun)
          expect(summary.stoppedBy).toBe(begun < rows ? 'signal' : undefined)
        },
      ),
    )
  })

  test('a stop before the start begins nothing', async () => {
    const { outcomes, summary } = await collect(
      runRows(input(3), never, { concurrency: 2, signal: AbortSignal.abort() }),
    )

    expect(outcomes).toEqual([])
    expect(summary).toMatchObject({ stoppedBy: 'signal', counts: { pending: 3 } })
  })

  test('a row that was being fetched at the stop remains pending', async () => {
    const stop = new AbortController()
    function* rows() {
      yield row(1)
      stop.abort()
      yield row(2)
    }

    const { outcomes, summary } = await collect(
      runRows({ total: 2, everyRow: rows }, ok, { concurrency: 2, signal: stop.signal }),
    )

    expect(outcomes.map((outcome) => outcome.row.line)).toEqual([1])
    expect(summary.counts.pending).toBe(1)
  })

  test('a duplicate is reported in its place and not acted on', async () => {
    const rows = [row(1), { ...row(2), duplicateOf: 1 }, row(3)]
    const acted: number[] = []

    const { outcomes, summary } = await collect(
      runRows(
        { total: 3, everyRow: () => rows },
        async ({ line }) => {
          acted.push(line)
          return { state: 'ok' }
        },
        { concurrency: 1 },
      ),
    )

    expect(acted).toEqual([1, 3])
    expect(outcomes[1]).toMatchObject({ state: 'duplicate', duplicateOf: 1 })
    expect(summary.counts).toMatchObject({ ok: 2, duplicate: 1 })
    expect(exitCodeOf(summary)).toBe(0)
  })

  test('a bad row that was kept is reported as skipped and not acted on', async () => {
    const rows = [{ ...row(1), problem: 'line 1: is empty' }]

    const { outcomes, summary } = await collect(runRows({ total: 1, everyRow: () => rows }, never, { concurrency: 1 }))

    expect(outcomes[0]).toMatchObject({ state: 'skipped', error: { kind: 'input', message: 'line 1: is empty' } })
    expect(exitCodeOf(summary)).toBe(3)
  })

  test('what the act returns for a row is passed on', async () => {
    const verdict: RowResult = { state: 'ok', value: { id: 'v_1' }, changed: true, requestId: 'r-1', attempts: 2 }

    const { outcomes, summary } = await collect(runRows(input(1), async () => verdict, { concurrency: 1 }))

    expect(outcomes).toEqual([{ row: row(1), ...verdict }])
    expect(summary).toMatchObject({ changed: 1, unchanged: 0 })
  })

  test('the answers of the service are not kept where they are not read', async () => {
    const act: Act = async () => ({ state: 'ok', value: { id: 'v_1' }, attempts: 1 })

    const { outcomes } = await collect(runRows(input(1), act, { concurrency: 1, withValues: false }))

    expect(outcomes).toEqual([{ row: row(1), state: 'ok', attempts: 1 }])
  })
})

describe('what an act throws', () => {
  test('an unexpected exception is an unknown outcome and keeps its secrets', async () => {
    const seen: unknown[] = []
    const leak = new TypeError('Headers.append: "secret-token" is an invalid header value.')

    const { outcomes, summary } = await collect(
      runRows(input(2), () => Promise.reject(leak), { concurrency: 1, onUnexpected: (error) => seen.push(error) }),
    )

    expect(outcomes.map(({ state }) => state)).toEqual(['unknown', 'unknown'])
    expect(JSON.stringify(outcomes)).not.toContain('secret-token')
    expect(seen).toEqual([leak, leak])
    expect(exitCodeOf(summary)).toBe(6)
  })

  test('an act that throws before it returns a promise is no different', async () => {
    const { outcomes } = await collect(
      runRows(
        input(1),
        () => {
          throw new RangeError('at once')
        },
        { concurrency: 1 },
      ),
    )

    expect(outcomes[0]?.state).toBe('unknown')
  })

  test.each([
    [EXIT.usage, 'failed', false],
    [EXIT.refused, 'failed', false],
    [EXIT.auth, 'exhausted', true],
    [EXIT.unavailable, 'exhausted', false],
    [EXIT.unknown, 'unknown', false],
    [EXIT.io, 'unknown', true],
    [EXIT.journal, 'unknown', true],
    [EXIT.bug, 'unknown', false],
    [EXIT.interrupted, 'unknown', false],
  ] as const)('an error with exit code %i is %s', (exitCode, state, isFatal) => {
    const error = new PromoError('api', 'said so', {}, exitCode)

    const verdict = resultOfError(error)

    expect(verdict).toMatchObject({ state, error })
    expect(verdict.fatal).toBe(isFatal ? error : undefined)
  })
})

test('a damaged journal decides the exit code also beside unknown rows, and nothing else does', () => {
  const summary = emptySummary(3)
  summary.counts.unknown = 1
  const ending = (exitCode: (typeof EXIT)['journal' | 'io' | 'auth']) =>
    exitCodeOf({ ...summary, stoppedBy: 'fatal', fatal: new PromoError('journal', 'ended', {}, exitCode) })

  expect([ending(EXIT.journal), ending(EXIT.io), ending(EXIT.auth)]).toEqual([9, 6, 6])
})

describe('runs that end early', () => {
  const denied = new PromoError('auth', 'the service refused the credentials')
  const failing: Act = async () => ({ state: 'failed' })

  test('a fatal verdict begins no further row, reports those in flight, and is kept for the end', async () => {
    const release = Promise.withResolvers<void>()
    const act: Act = async ({ line }) => {
      if (line === 2) return { state: 'failed', error: denied, fatal: denied }
      if (line === 1) await release.promise
      return { state: 'ok' }
    }
    const run = runRows(input(1000), act, { concurrency: 2 })

    const first = run.next()
    await nextTurn()
    release.resolve()
    const { outcomes, summary } = await collect(run)

    expect([...((await first).value as RowOutcome[]), ...outcomes].map(({ state }) => state)).toEqual(['ok', 'failed'])
    expect(summary).toMatchObject({ stoppedBy: 'fatal', fatal: denied, counts: { ok: 1, failed: 1, pending: 998 } })
    expect(exitCodeOf(summary)).toBe(4)
  })

  test.each([
    [{ rows: 0 }, 1, 1],
    [{ rows: 3 }, 1, 4],
    [{ percent: 0 }, 1, 1],
    [{ percent: 10 }, 1, 11],
    // Those in flight when the first fails.
    [{ rows: 0 }, 8, 8],
  ])('the limit %j with a concurrency of %i lets %i rows fail', async (maxErrors, concurrency, ended) => {
    const { outcomes, summary } = await collect(runRows(input(100), failing, { concurrency, maxErrors }))

    expect(outcomes).toHaveLength(ended)
    expect(summary).toMatchObject({ stoppedBy: 'max_errors', counts: { failed: ended, pending: 100 - ended } })
    expect(exitCodeOf(summary)).toBe(7)
  })

  test('as many errors as are tolerated do not end the run', async () => {
    const act: Act = async ({ line }) => ({ state: line <= 3 ? 'conflict' : 'ok' })

    const { summary } = await collect(runRows(input(10), act, { concurrency: 4, maxErrors: { rows: 3 } }))

    expect(summary.counts).toMatchObject({ conflict: 3, ok: 7, pending: 0 })
    expect(exitCodeOf(summary)).toBe(3)
  })

  test('a limit does not wait for a slow row before it', async () => {
    const release = Promise.withResolvers<void>()
    let begun = 0
    const act: Act = async ({ line }) => {
      begun += 1
      if (line === 1) await release.promise
      return { state: line === 1 ? 'ok' : 'failed' }
    }
    const collected = collect(runRows(input(100), act, { concurrency: 2, maxErrors: { rows: 2 } }))

    await nextTurn()
    release.resolve()

    expect((await collected).outcomes).toHaveLength(4)
    expect(begun).toBe(4)
  })

  test('rows that cannot be read on end the run with what was done', async () => {
    const broken = new PromoError('io', 'the disk is gone')
    function* rows() {
      yield row(1)
      throw broken
    }

    const { outcomes, summary } = await collect(runRows({ total: 5, everyRow: rows }, ok, { concurrency: 3 }))

    expect(outcomes).toHaveLength(1)
    expect(summary).toMatchObject({ stoppedBy: 'fatal', fatal: broken, counts: { ok: 1, pending: 4 } })
    expect(exitCodeOf(summary)).toBe(10)
  })

  test('a consumer that stops early waits for what is in flight, closes the rows and gets the summary', async () => {
    let isClosed = false
    let begun = 0
    let ended = 0
    function* rows() {
      try {
        for (let line = 1; line <= 1000; line++) yield row(line)
      } finally {
        isClosed = true
      }
    }
    const act: Act = async () => {
      begun += 1
      await nextTurn()
      ended += 1
      return { state: 'ok' }
    }
    const run = runRows({ total: 1000, everyRow: rows }, act, { concurrency: 4 })
    await run.next()

    const { value: summary } = await run.return()

    expect(isClosed).toBe(true)
    expect(ended).toBe(begun)
    expect(begun).toBeLessThanOrEqual(8)
    expect(summary).toMatchObject({ stoppedBy: 'consumer', counts: { ok: begun, pending: 1000 - begun } })
  })

  test('a consumer that leaves its loop leaves nothing running', async () => {
    let inFlight = 0
    const act: Act = async () => {
      inFlight += 1
      await nextTurn()
      inFlight -= 1
      throw new Error('after the consumer left')
    }

    for await (const _ of runRows(input(100), act, { concurrency: 8 })) break

    expect(inFlight).toBe(0)
  })

  test('a run that was never read begins nothing', async () => {
    const run = runRows(input(3), never, { concurrency: 1 })

    const { value: summary } = await run.return()

    expect(summary.counts.pending).toBe(3)
  })

  test('an act is informed when even requests in flight must end', async () => {
    const stop = new AbortController()
    const act: Act = (_row, abandon) =>
      new Promise((_resolve, reject) => abandon.addEventListener('abort', () => reject(new Error('given up'))))
    const collected = collect(runRows(input(9), act, { concurrency: 3, signal: stop.signal, abandon: stop.signal }))

    await nextTurn()
    stop.abort()

    expect((await collected).summary.counts).toMatchObject({ unknown: 3, pending: 6 })
  })
})

describe('what surrounds a run', () => {
  test.each([[0], [65], [1.5], [Number.NaN]])('a concurrency of %d is a usage error', (concurrency) => {
    expect(() => runRows(input(1), ok, { concurrency })).toThrow('the concurrency must be a whole number from 1 to 64')
  })

  test('progress counts every row that ended', async () => {
    const seen: object[] = []
    const act: Act = async ({ line }) => ({ state: line === 2 ? 'failed' : 'ok' })

    await collect(runRows(input(3), act, { concurrency: 1, onProgress: (progress) => seen.push(progress) }))

    expect(seen).toEqual([
      { done: 1, total: 3, wrong: 0 },
      { done: 2, total: 3, wrong: 1 },
      { done: 3, total: 3, wrong: 1 },
    ])
  })

  test('a display of progress that breaks ends the run, and no promise is left alone with it', async () => {
    const bug = new TypeError('no display')
    const seen: unknown[] = []
    const { summary } = await collect(
      runRows(input(100), ok, {
        concurrency: 2,
        onProgress: () => {
          throw bug
        },
        onUnexpected: (error) => seen.push(error),
      }),
    )

    expect(summary).toMatchObject({
      stoppedBy: 'fatal',
      fatal: {
        kind: 'bug',
        exitCode: 1,
        message: 'a bug in promo (TypeError) cut the run short',
        facts: { hint: 'run it again with --debug and report what it prints' },
      },
    })
    expect(seen).toEqual([bug])
  })

  test('rows that the computer does not let be read end the run with what it said, and are no bug', async () => {
    const full = Object.assign(new Error('no space'), { code: 'ENOSPC', syscall: 'read' })
    function* rows() {
      yield row(1)
      throw full
    }
    const seen: unknown[] = []
    const options = { concurrency: 1, onUnexpected: (error: unknown) => seen.push(error) }

    const { summary } = await collect(runRows({ total: 5, everyRow: rows }, ok, options))

    expect(summary.fatal).toMatchObject({
      kind: 'io',
      message: 'the run was cut short: no space left on the disk',
      facts: { hint: 'free some space, or point PROMO_STATE_DIR to another disk' },
    })
    expect(seen).toEqual([])
  })

  test('the time is measured by the clock that is given', async () => {
    let ms = 1000
    const act: Act = async () => {
      ms += 250
      return { state: 'ok' }
    }

    const { summary } = await collect(runRows(input(2), act, { concurrency: 1, now: () => ms }))

    expect(summary.elapsedMs).toBe(500)
  })

  test('a fast row gets only so far ahead of a slow one', async () => {
    const release = Promise.withResolvers<void>()
    let begun = 0
    const act: Act = async ({ line }) => {
      begun += 1
      if (line === 1) await release.promise
      return { state: 'ok' }
    }
    const collected = collect(runRows(input(5000), act, { concurrency: 2 }))

    for (let turn = 0; turn < 50; turn++) await nextTurn()
    const begunBehindTheSlowRow = begun
    release.resolve()

    expect(begunBehindTheSlowRow).toBe(1024)
    expect((await collected).outcomes).toHaveLength(5000)
  })
})

describe('the exit code of a run', () => {
  test.each([
    [{}, 0],
    [{ ok: 1, ok_inferred: 1, duplicate: 1 }, 0],
    [{ exhausted: 1, ok: 1 }, 5],
    [{ failed: 1, exhausted: 1 }, 3],
    [{ conflict: 1 }, 3],
    [{ unknown: 1, failed: 9, exhausted: 9 }, 6],
  ])('%j is %i', (counts, exitCode) => {
    expect(exitCodeOf(summaryOf(counts))).toBe(exitCode)
  })

  test('a stop by errors comes before refused rows, and after unknown ones', () => {
    const stopped = { ...summaryOf({ failed: 2 }), stoppedBy: 'max_errors' as const }
    const unsure = { ...summaryOf({ failed: 2, unknown: 1 }), stoppedBy: 'max_errors' as const }

    expect(exitCodeOf(stopped)).toBe(7)
    expect(exitCodeOf(unsure)).toBe(6)
  })
})

const ok: Act = async () => ({ state: 'ok' })
const never: Act = () => Promise.reject(new Error('this row must not be acted on'))

function row(line: number): Row {
  return { line, key: `C${line}`, fields: {} }
}

function input(rows: number): RunInput {
  return { total: rows, everyRow: () => Array.from({ length: rows }, (_, at) => row(at + 1)) }
}

async function collect(run: Run): Promise<{ outcomes: RowOutcome[]; summary: Summary }> {
  const outcomes: RowOutcome[] = []
  for (;;) {
    const next = await run.next()
    if (next.done) return { outcomes, summary: next.value }
    outcomes.push(...next.value)
  }
}

function summaryOf(counts: Partial<Summary['counts']>): Summary {
  const summary = emptySummary(0)
  return { ...summary, counts: { ...summary.counts, ...counts } }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
