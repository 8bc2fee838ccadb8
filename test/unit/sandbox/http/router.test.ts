import { expect, test } from 'vitest'
import { unservedCalls } from '../../../../src/contract/unserved.ts'
import { resources } from '../../../../src/sandbox/resources.ts'
import { testSandbox } from '../../../support/sandbox.ts'

const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`

test('a published call that is not served is refused under its own path, and creates no code of that name', () => {
  const { call, get } = testSandbox()
  const body = { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 5 } }

  const { status, body: refusal } = get('/v1/consents')

  expect(status).toBe(404)
  expect(refusal).toMatchObject({
    key: 'not_found',
    details: 'The sandbox does not serve GET /v1/consents: withdrawn: the service has no consents since September 2024',
  })
  for (const { method, path } of unservedCalls.filter((one) => one.path.startsWith('/v1/vouchers'))) {
    const answer = call(method, path.replaceAll(/\{\w+\}/g, 'x'), method === 'GET' ? {} : { body })
    expect([path, answer.status]).toEqual([path, 404])
    expect(answer.body.details).toMatch(/^The sandbox does not serve /)
  }
  expect(get('/v1/vouchers').body.total).toBe(0)
})

test('another method of a path that is served in part names the methods that are', () => {
  const { del } = testSandbox()

  expect(del('/v1/validations')).toMatchObject({ status: 405, headers: { allow: 'POST' } })
  expect(del('/v1/consents').body.details).toMatch(/^The sandbox does not serve DELETE \/v1\/consents\. It serves: /)
})

test('no call is both served and listed as not served', () => {
  const served = new Set(resources.flatMap(({ routes }) => routes ?? []).map(({ endpoint }) => nameOf(endpoint)))
  const listed = unservedCalls.map(nameOf)

  expect(listed.filter((name) => served.has(name))).toEqual([])
  expect(new Set(listed).size).toBe(listed.length)
})
