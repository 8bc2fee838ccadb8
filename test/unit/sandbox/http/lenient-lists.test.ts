// What published clients send to lists: a page 0, and a number as order. Any other order that is none is refused.
import { expect, test } from 'vitest'
import { z } from 'zod'
import { endpoints } from '../../../../src/contract/catalogue.ts'
import { testSandbox } from '../../../support/sandbox.ts'

const membersOf = (query: z.ZodType | undefined) =>
  (query && (z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' }).properties as object)) ?? {}
const lists = endpoints.filter(
  ({ method, path, credential, query }) =>
    method === 'GET' && credential === 'application' && !path.includes('{') && 'order' in membersOf(query),
)
const paged = lists.filter(({ query }) => 'page' in membersOf(query))

test('there are such lists', () => {
  expect([lists.length > 10, paged.length > 10]).toEqual([true, true])
})

test.each(lists.map(({ path }) => path))(
  'GET %s ignores a number as order, and refuses another that it does not know',
  (path) => {
    const { get } = testSandbox({ demo: true })
    const plain = get(path)

    expect(plain.status).toBe(200)
    expect(get(path, 'order=1').body).toEqual(plain.body)
    expect(get(path, 'order=moon')).toMatchObject({ status: 400, body: { key: 'invalid_query_params' } })
  },
)

test.each(paged.map(({ path }) => path))('GET %s answers page 0 like the first page', (path) => {
  const { get } = testSandbox({ demo: true })

  const first = get(path, 'page=1')

  expect(first.status).toBe(200)
  expect(get(path, 'page=0').body).toEqual(first.body)
  expect(get(path, 'page=-1').body).toMatchObject({ details: 'Property .page must be >= 1' })
})

// The specification lists what these take (Endpoints 9 and 14).
test.each([
  ['/v1/loyalties/camp_club/transactions', 'order=1'],
  ['/v1/products/prod_1/skus', 'order=1'],
  ['/v1/products/prod_1/skus', 'page=0'],
])('GET %s with %s is refused, because the specification lists its values', (path, query) => {
  expect(testSandbox().get(path, query)).toMatchObject({ status: 400, body: { key: 'invalid_query_params' } })
})
