import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Cause, Phase } from '../../../../src/api/outcome/outcome.ts'
import { decide, isProofOfEarlier, phaseOverall } from '../../../../src/api/outcome/retry.ts'
import type { Repeat } from '../../../../src/contract/endpoint.ts'
import { createVoucher } from '../../../../src/contract/new-voucher.ts'
import { addHolders } from '../../../../src/contract/referrals.ts'
import { deleteVoucher } from '../../../../src/contract/vouchers.ts'

const classes: Repeat[] = ['read', 'key', 'idempotent', 'duplicate', 'reconcile', 'once']
const first = { attempts: 1, retries: 2, random: 0.5 }

test.each(
  classes.flatMap((repeat): [string, Phase, Cause, Repeat, string][] => [
    ['a connection that was never made', 'not_sent', 'unreachable', repeat, 'again'],
    ['a throttled request', 'rejected', 'throttled', repeat, 'again'],
    ['a refusal', 'rejected', 'refused', repeat, 'final'],
    ['a certificate that is not trusted', 'not_sent', 'untrusted', repeat, 'hopeless'],
    ['a redirect', 'ambiguous', 'redirected', repeat, 'hopeless'],
    ['an answer that is too large', 'ambiguous', 'too_large', repeat, 'hopeless'],
    ['a stop', 'ambiguous', 'stopped', repeat, 'hopeless'],
    ['a lost connection', 'ambiguous', 'lost', repeat, isSafe(repeat) ? 'again' : 'unrepeatable'],
    ['a timeout', 'ambiguous', 'timed_out', repeat, isSafe(repeat) ? 'again' : 'unrepeatable'],
    ['an unreadable answer', 'ambiguous', 'unreadable', repeat, isSafe(repeat) ? 'again' : 'unrepeatable'],
    ['a server error', 'ambiguous', 'server_error', repeat, isSafe(repeat) ? 'again' : 'unrepeatable'],
  ]),
)('%s (%s, %s) of a call of class %s ends with: %s', (_, phase, cause, repeat, expected) => {
  const decision = decide({ verdict: { phase, cause }, repeat, ...first })

  expect(decision.act === 'again' ? 'again' : decision.why).toBe(expected)
})

test('the attempt after the last retry is not made', () => {
  const verdict = { phase: 'not_sent', cause: 'unreachable' } as const

  expect(decide({ verdict, repeat: 'once', attempts: 2, retries: 2, random: 0 }).act).toBe('again')
  expect(decide({ verdict, repeat: 'once', attempts: 3, retries: 2, random: 0 })).toEqual({
    act: 'end',
    why: 'exhausted',
  })
  expect(decide({ verdict, repeat: 'once', attempts: 1, retries: 0, random: 0 })).toEqual({
    act: 'end',
    why: 'exhausted',
  })
})

test.each([
  ['lost', undefined, [125, 250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000]],
  ['throttled', 429, [500, 1000, 2000, 4000, 8000, 10_000]],
  ['server_error', 503, [500, 1000, 2000]],
] as [Cause, number | undefined, number[]][])(
  'after %s (%s) the middle of the delay doubles up to 10 s',
  (cause, status, delays) => {
    const verdict = {
      phase: cause === 'throttled' ? 'rejected' : 'ambiguous',
      cause,
      ...(status && { status }),
    } as const

    const decided = delays.map((_, index) =>
      decide({ verdict, repeat: 'read', attempts: index + 1, retries: 99, random: 0.5 }),
    )

    expect(decided).toEqual(delays.map((delayMs) => ({ act: 'again', delayMs })))
  },
)

test('a delay is never negative and never above 20 s', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1000 }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (attempts, random) => {
        const verdict = { phase: 'not_sent', cause: 'unreachable' } as const
        const decision = decide({ verdict, repeat: 'read', attempts, retries: 2000, random })
        expect(decision).toSatisfy((d: { delayMs: number }) => d.delayMs >= 0 && d.delayMs <= 20_000)
      },
    ),
  )
})

test('every call waits out a pause of five minutes, and a longer one ends the command', () => {
  const throttled = {
    verdict: { phase: 'rejected', cause: 'throttled', status: 429 },
    repeat: 'once',
    ...first,
  } as const

  expect(decide({ ...throttled, waitMs: 300_000 })).toEqual({ act: 'again', delayMs: 500 })
  expect(decide({ ...throttled, waitMs: 300_001 })).toEqual({ act: 'end', why: 'later' })
})

const voucher = createVoucher
const holders = addHolders
const removal = deleteVoucher

test.each([
  ['a taken code after a lost create', voucher, 409, 'duplicate_found', true, true],
  ['a taken name without a key', voucher, 409, undefined, true, true],
  ['a taken code without anything lost', voucher, 409, 'duplicate_found', false, false],
  ['another conflict', voucher, 409, 'resource_in_use', true, false],
  ['a bad request', voucher, 400, 'invalid_payload', true, false],
  ['a holder that is assigned already', holders, 409, 'holder_assignement_duplication', true, true],
  ['a customer twice in one batch of holders', holders, 409, 'duplicate_found', true, false],
  ['nothing left to delete', removal, 404, 'not_found', true, true],
  ['nothing to disable', { ...removal, method: 'POST' }, 404, 'not_found', true, false],
] as const)('%s: it proves the lost attempt or it does not', (_, endpoint, status, key, lostBefore, proves) => {
  const failure = { code: status, message: 'said so', ...(key && { key }) }

  expect(isProofOfEarlier({ phase: 'rejected', status, failure }, endpoint, lostBefore)).toBe(proves)
})

test('what may have been applied stays ambiguous whatever the last attempt says', () => {
  expect(phaseOverall('rejected', true)).toBe('ambiguous')
  expect(phaseOverall('not_sent', true)).toBe('ambiguous')
  expect(phaseOverall('rejected', false)).toBe('rejected')
  expect(phaseOverall('confirmed', true)).toBe('confirmed')
})

function isSafe(repeat: Repeat): boolean {
  return ['read', 'key', 'idempotent', 'duplicate'].includes(repeat)
}
