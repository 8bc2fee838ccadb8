// What the checks of all answers in all tests (test/support/strict-answers.ts) take for a problem.
import { expect, test } from 'vitest'
import { testSandbox } from '../../../support/sandbox.ts'
import { problemsOf } from '../../../support/strict-answers.ts'

const seen = (body: unknown, status = 200) => ({ method: 'GET', path: '/v1/vouchers/A', status, body })

const { call } = testSandbox({ fixture: { vouchers: [{ code: 'A', discount: { type: 'AMOUNT', amount_off: 5 } }] } })
const voucher = JSON.parse(JSON.stringify(call('GET', '/v1/vouchers/A').body))

test('an answer of the embedded service has no problem', () => {
  expect(problemsOf(seen(voucher))).toEqual([])
})

test('an unknown member is a problem, at any depth', () => {
  expect(problemsOf(seen({ ...voucher, colour: 'red' }))).toEqual(['vouchers.get 200: unknown member .colour'])
  expect(problemsOf(seen({ ...voucher, discount: { type: 'AMOUNT', amount: 5 } }))).toEqual([
    'vouchers.get 200: unknown member .discount.amount',
  ])
  expect(problemsOf(seen({ ...voucher, publish: { ...voucher.publish, pages: 1 } }))).toEqual([
    'vouchers.get 200: unknown member .publish.pages',
  ])
})

test('a missing member and a wrong type are problems', () => {
  const { active, ...passive } = voucher

  expect(problemsOf(seen(passive))).toEqual(["vouchers.get 200: the body must have required property 'active'"])
  expect(problemsOf(seen({ ...voucher, active: 'yes' }))).toEqual(['vouchers.get 200: .active must be boolean'])
})

test('metadata may have any members', () => {
  expect(problemsOf(seen({ ...voucher, metadata: { colour: { of: ['the', 'sea'] } } }))).toEqual([])
})

test('a status that the call does not declare is a problem', () => {
  expect(problemsOf(seen(voucher, 201))).toEqual(['vouchers.get answers 201, which is not declared'])
})

test('a refusal has only the members of its two bodies', () => {
  expect(problemsOf(seen({ code: 404, key: 'not_found', message: 'Resource not found' }, 404))).toEqual([])
  expect(problemsOf(seen({ statusCode: 400, error: 'Bad Request', message: 'Invalid JSON' }, 400))).toEqual([])
  expect(problemsOf(seen({ code: 404, message: 'Resource not found', stack: 'at' }, 404))).toEqual([
    'vouchers.get 404: unknown member .stack',
  ])
})
