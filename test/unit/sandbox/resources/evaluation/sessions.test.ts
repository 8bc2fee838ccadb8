import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { requestOf, type TestSandbox, testSandbox } from '../../../../support/sandbox.ts'

const gift = { id: 'v_G', code: 'G', type: 'GIFT_VOUCHER', gift: { amount: 1000, balance: 1000 } }

function coupon(quantity: number | null) {
  return {
    id: 'v_A',
    code: 'A',
    type: 'DISCOUNT_VOUCHER',
    discount: { type: 'AMOUNT', amount_off: 100 },
    redemption: { quantity },
  }
}

function lockable(quantity: number | null = 1) {
  const sandbox = testSandbox({ fixture: { vouchers: [coupon(quantity), gift] } })
  return { ...sandbox, validate: validating(sandbox) }
}

function validating({ call }: Pick<TestSandbox, 'call'>) {
  return (session: object | undefined, redeemables: object[] = [{ object: 'voucher', id: 'A' }]) =>
    call('POST', '/v1/validations', { body: { redeemables, order: { amount: 5000 }, ...(session && { session }) } })
      .body
}

const failure = (body: { redeemables: Array<{ result: { error?: { key: string } } }> }) =>
  body.redeemables[0]?.result.error?.key

test('a session with only its type gets a key and seven days', () => {
  const { session } = lockable().validate({ type: 'LOCK' })

  expect(session).toEqual({ type: 'LOCK', key: expect.stringMatching(/^ssn_[0-9a-z]{32}$/), ttl: 7, ttl_unit: 'DAYS' })
})

test('a session without a type is a lock', () => {
  const { validate } = lockable(1)

  expect(validate({ key: 'mine' }).session).toEqual({ type: 'LOCK', key: 'mine', ttl: 7, ttl_unit: 'DAYS' })
  expect(failure(validate(undefined))).toBe('quantity_exceeded')
})

test('a lock takes the last use of a code from all but its own session', () => {
  const { validate } = lockable(1)
  validate({ type: 'LOCK', key: 'mine' })

  expect(failure(validate({ type: 'LOCK', key: 'other' }))).toBe('quantity_exceeded')
  expect(failure(validate(undefined))).toBe('quantity_exceeded')
  expect(validate({ type: 'LOCK', key: 'mine' }).valid).toBe(true)
})

test('a validation without a session locks nothing, and an unlimited code can be locked any number of times', () => {
  const { validate } = lockable(1)
  validate(undefined)

  expect(validate({ type: 'LOCK', key: 'mine' }).valid).toBe(true)
  const unlimited = lockable(null)
  expect(['a', 'b', 'c'].map((key) => unlimited.validate({ type: 'LOCK', key }).valid)).toEqual([true, true, true])
})

test('a validation that is not valid locks nothing', () => {
  const { validate } = lockable(1)
  const both = [
    { object: 'voucher', id: 'A' },
    { object: 'voucher', id: 'nope' },
  ]
  expect(validate({ type: 'LOCK', key: 'mine' }, both).valid).toBe(false)

  expect(validate(undefined).valid).toBe(true)
})

test('the same key again replaces what it holds of a gift card', () => {
  const { validate } = lockable()
  const credits = (amount: number) => [{ object: 'voucher', id: 'G', gift: { credits: amount } }]
  validate({ type: 'LOCK', key: 'mine' }, credits(900))
  const tooMuch = failure(validate(undefined, credits(200)))
  validate({ type: 'LOCK', key: 'mine' }, credits(300))

  expect(tooMuch).toBe('gift_amount_exceeded')
  expect(validate(undefined, credits(700)).valid).toBe(true)
  expect(failure(validate(undefined, credits(701)))).toBe('gift_amount_exceeded')
})

test('a lock expires at its end and is deleted by the next one', () => {
  const { validate, clock, store, project } = lockable(1)
  validate({ type: 'LOCK', key: 'mine', ttl: 2, ttl_unit: 'SECONDS' })
  clock.now = '2026-05-06T07:08:11.122Z'
  expect(validate(undefined).valid).toBe(false)
  clock.now = '2026-05-06T07:08:11.124Z'
  expect(validate(undefined).valid).toBe(true)
  validate({ type: 'LOCK', key: 'next' })

  const locks = store.db.all<{ doc: string }>('SELECT doc FROM session_locks WHERE project_id = ?', project.id)
  const next = { key: 'next', voucher_id: 'v_A', quantity: 1, expires_at: '2026-05-13T07:08:11.124Z' }
  expect(locks.map(({ doc }) => JSON.parse(doc))).toMatchObject([next])
})

test('a lock is released once, by the code or the id of its voucher', () => {
  const { validate, ask } = lockable(1)
  validate({ type: 'LOCK', key: 'a/b c' })

  expect(ask('DELETE /v1/vouchers/v_A/sessions/a%2Fb%20c', 204)).toBeUndefined()
  const error = { code: 404, resource_type: 'session', resource_id: 'a/b c' }
  ask('DELETE /v1/vouchers/A/sessions/a%2Fb%20c', error)
  ask('DELETE /v1/vouchers/X/sessions/k', { code: 404, resource_type: 'voucher' })
  expect(validate(undefined).valid).toBe(true)
})

test('an expired lock cannot be released', () => {
  const { validate, del, clock } = lockable(1)
  validate({ type: 'LOCK', key: 'k', ttl: 1, ttl_unit: 'SECONDS' })
  clock.now = '2026-05-07T00:00:00.000Z'

  expect(del('/v1/vouchers/A/sessions/k').status).toBe(404)
})

test('two servers on one file never lock more uses than a code has', () => {
  const folder = mkdtempSync(join(tmpdir(), 'promo-sessions-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'sandbox.db')
  const one = testSandbox({ file, fixture: { vouchers: [coupon(7), gift] } })
  const other = testSandbox({ file })
  onTestFinished(() => {
    one.store.close()
    other.store.close()
  })
  const things = [{ id: 'A' }, { id: 'G', gift: { credits: 300 } }]

  // Twenty requests at once to each of the two, alternately; every batch is one transaction.
  const answers = Array.from({ length: 10 }, (_, turn) =>
    [one, other].flatMap(({ app, credentials }, server) =>
      app.handleAll(
        ['x', 'y'].flatMap((name) =>
          things.map((thing) => {
            const session = { type: 'LOCK', key: `${turn}${server}${name}` }
            const body = { redeemables: [{ object: 'voucher', ...thing }], order: { amount: 5000 }, session }
            return requestOf(credentials, 'POST', '/v1/validations', { body })
          }),
        ),
      ),
    ),
  )

  const valid = answers.flat().map((answer) => answer.body as { valid: boolean; redeemables: Array<{ id: string }> })
  const locked = (id: string) => valid.filter((each) => each.valid && each.redeemables[0]?.id === id)
  expect([valid, locked('A'), locked('G')].map(({ length }) => length)).toEqual([80, 7, 3])
})

test('a lock can be loaded', () => {
  const lock = { key: 'theirs', voucher_id: 'v_A', expires_at: '2026-12-01' }
  const sandbox = testSandbox({ fixture: { vouchers: [coupon(1)], session_locks: [lock] } })

  expect(failure(validating(sandbox)(undefined))).toBe('quantity_exceeded')
  expect(sandbox.del('/v1/vouchers/A/sessions/theirs').status).toBe(204)
})
