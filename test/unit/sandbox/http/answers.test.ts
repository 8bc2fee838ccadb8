// What the checks of all answers and events in all tests (test/support/strict-answers.ts) take for a problem.
import { expect, test } from 'vitest'
import { endpoint } from '../../../../src/contract/endpoint.ts'
import { emptyAnswer } from '../../../../src/contract/fields.ts'
import { noContent, route } from '../../../../src/sandbox/http/route.ts'
import { testSandbox } from '../../../support/sandbox.ts'
import { answerProblems, eventProblemsOf, noteDelivery, problemsOf } from '../../../support/strict-answers.ts'

const seen = (body: unknown, status = 200) => ({ method: 'GET', path: '/v1/vouchers/A', status, body })

const { get } = testSandbox({ fixture: { vouchers: [{ code: 'A', discount: { type: 'AMOUNT', amount_off: 5 } }] } })
const voucher = JSON.parse(JSON.stringify(get('/v1/vouchers/A').body))

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

test('an event has exactly the members of its form, and one without a form is a problem', () => {
  expect(eventProblemsOf('voucher.enabled', { voucher })).toEqual([])
  expect(eventProblemsOf('voucher.enabled', {})).toEqual([
    "the event voucher.enabled: the body must have required property 'voucher'",
  ])
  expect(eventProblemsOf('voucher.enabled', { voucher, user: {} })).toEqual([
    'the event voucher.enabled: unknown member .user',
  ])
  expect(eventProblemsOf('voucher.painted', { voucher })).toEqual(['the event voucher.painted has no form'])
})

test('an event that is recorded against its form fails the test that made it happen', () => {
  const told = route(
    endpoint('test.tell', 'test', { call: 'POST /v1/tell', response: emptyAnswer, repeat: 'once', source: 'test' }),
    (_, context) => {
      context.emit('voucher.enabled', 'v_1', { voucher, campaign: { id: 'camp_1' } })
      return noContent()
    },
  )

  testSandbox({ added: [{ routes: [told] }] }).post('/v1/tell')

  expect(answerProblems()).toContain("the event voucher.enabled: .campaign must have required property 'name'")
})

test('a delivery has exactly the members of the envelope, around the data of its event', () => {
  const event = { id: 'evvou_1', type: 'voucher.enabled', created_at: 'now', entity_id: 'v_1', group_id: 'v-1' }
  const event_source = { channel: 'API', api_key: { name: 'Sandbox', app_id: 'x' } }
  const source = { id: 'wh_1', object: 'webhook', target_url: 'http://localhost' }
  const body = { id: 'whs_1', project_id: 'proj_1', created_at: 'now', type: event.type, source }

  noteDelivery({ ...body, data: { voucher }, event: { ...event, event_source } })
  expect(answerProblems()).toEqual([])

  noteDelivery({ ...body, data: {}, event })
  expect(answerProblems()).toEqual([
    "the delivery of voucher.enabled: .data must have required property 'voucher'",
    "the delivery of voucher.enabled: .event must have required property 'event_source'",
  ])
})
