// What is sent and read: addresses, queries, numbers, retries, signatures, and what a person sees of it.
import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Cause, Phase } from '../../src/api/outcome/outcome.ts'
import { decide } from '../../src/api/outcome/retry.ts'
import { pathOf } from '../../src/api/request/path.ts'
import { queryOf } from '../../src/api/request/request.ts'
import { readLosslessJson } from '../../src/base/lossless-json.ts'
import { readStrictJson } from '../../src/base/strict-json.ts'
import { sanitize, sanitizeJson } from '../../src/base/text/sanitize.ts'
import { checked } from '../../src/cli/topics/webhooks/delivery.ts'
import { PromoError } from '../../src/errors.ts'
import { parseQuery } from '../../src/sandbox/http/query.ts'
import { holds } from '../support/fuzz.ts'
import { testSandbox } from '../support/sandbox.ts'
import { isDangerous } from '../unit/output/forbidden.ts'

const unicode = fc.string({ unit: 'binary', maxLength: 60 })

test('a code arrives at the service as it was given, or is refused before it is sent', () => {
  const { call } = testSandbox()
  holds(
    fc.property(unicode, (code) => {
      let path: string
      try {
        path = pathOf('/v1/vouchers/{code}', { code })
      } catch (error) {
        expect(error).toBeInstanceOf(PromoError)
        return
      }
      const { status, body } = call('GET', path)
      expect([status, body.resource_id]).toEqual([404, code])
    }),
    300,
    [['__proto__'], ['%2e%2e'], ['a/../b'], ['?x=1#y'], ['.x'], ['\ud800']],
  )
})

test('filters arrive at the service as they were given', () => {
  const name = fc
    .string({ minLength: 1, maxLength: 12 })
    .filter((given) => !/[[\]]/.test(given) && !/^\d+$/.test(given))
  const filters = fc.dictionary(
    name,
    fc.record({ conditions: fc.record({ $in: fc.array(fc.string(), { minLength: 1, maxLength: 3 }) }) }),
    { minKeys: 1, maxKeys: 4 },
  )
  holds(
    fc.property(filters, (given) => {
      expect(JSON.parse(JSON.stringify(parseQuery(queryOf({ filters: given }))))).toEqual(
        JSON.parse(JSON.stringify({ filters: given })),
      )
    }),
    300,
  )
})

test('a number is printed with the digits it had, and never read as another', () => {
  const digits = fc.stringMatching(/^-?(?:0|[1-9]\d{0,24})(?:\.\d{1,24})?(?:[eE][+-]?\d{1,3})?$/)
  holds(
    fc.property(digits, (source) => {
      const { exact } = readLosslessJson(`{"n":${source}}`)
      const printed = JSON.stringify(exact).slice(5, -1)
      expect(printed === source || Number(printed) === Number(source)).toBe(true)
      const strict = readStrictJson(source)
      if ('value' in strict)
        expect(Object.is(strict.value, Number(source)) || strict.value === Number(source)).toBe(true)
    }),
    500,
    [['9007199254740993'], ['-0'], ['1e400'], ['0.1000000000000000055511151231257827']],
  )
})

test('a call that may have been applied is sent again only where that is harmless', () => {
  const causes: Cause[] = [
    'lost',
    'timed_out',
    'server_error',
    'throttled',
    'unreadable',
    'too_large',
    'unreachable',
    'stopped',
  ]
  const context = fc.record({
    verdict: fc.record({
      phase: fc.constantFrom<Phase>('not_sent', 'rejected', 'ambiguous', 'confirmed'),
      cause: fc.constantFrom(...causes),
      status: fc.constantFrom(200, 408, 429, 500, 503),
    }),
    repeat: fc.constantFrom(
      'read' as const,
      'idempotent' as const,
      'key' as const,
      'duplicate' as const,
      'reconcile' as const,
      'once' as const,
    ),
    attempts: fc.integer({ min: 1, max: 20 }),
    retries: fc.integer({ min: 0, max: 20 }),
    lostBefore: fc.boolean(),
    waitMs: fc.option(fc.integer({ min: 0, max: 600_000 }), { nil: undefined }),
    random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  })
  holds(
    fc.property(context, (given) => {
      const decision = decide(given)
      const { phase } = given.verdict
      if (decision.act === 'end') return
      expect(phase).not.toBe('confirmed')
      expect(given.attempts).toBeLessThanOrEqual(given.retries)
      expect(decision.delayMs).toBeGreaterThanOrEqual(0)
      if (phase === 'ambiguous') expect(['once', 'reconcile']).not.toContain(given.repeat)
    }),
    1000,
  )
})

test('a delivery that is accepted says what was signed, whatever white space was added on the way', () => {
  const value = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ maxDepth: 3 }), { minKeys: 1 })
  const blanks = fc.array(fc.tuple(fc.nat(), fc.constantFrom(' ', '\t', '\n', '\r', '\v', '\f', '\u00a0', '\ufeff')), {
    maxLength: 4,
  })
  holds(
    fc.property(value, blanks, (given, added) => {
      const sent = JSON.stringify(given)
      const signature = createHmac('sha256', 'secretKey').update(sent).digest('hex')
      let arrived = sent
      for (const [at, blank] of added)
        arrived = arrived.slice(0, at % (arrived.length + 1)) + blank + arrived.slice(at % (arrived.length + 1))

      const verdict = checked(
        { body: Buffer.from(arrived), signatures: [signature] },
        { secret: 'secretKey', nowMs: 0 },
      )

      if (verdict.is === 'genuine') expect(JSON.parse(arrived)).toEqual(JSON.parse(sent))
      else expect(arrived).not.toBe(sent)
    }),
    300,
  )
})

test('what is shown is harmless, stays the same when it is shown again, and JSON keeps its value', () => {
  holds(
    fc.property(unicode, (given) => {
      expect(isDangerous(sanitize(given))).toBe(false)
      expect(sanitize(sanitize(given))).toBe(sanitize(given))
      expect(isDangerous(sanitize(given, { lines: true }), { lines: true })).toBe(false)
      expect(JSON.parse(sanitizeJson(JSON.stringify(given)))).toBe(given)
    }),
    500,
  )
})
