// Booleans of queries, in every call that has one: published clients send 1 and 0.
import { expect, test } from 'vitest'
import { z } from 'zod'
import { endpoints } from '../../../../src/contract/catalogue.ts'
import { checkQuery } from '../../../../src/sandbox/http/check-input.ts'

const flags = endpoints.flatMap(({ id, query }) => {
  if (!query) return []
  const { properties = {} } = z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' })
  return Object.entries(properties).flatMap(([name, member]) =>
    (member as { type?: string }).type === 'boolean' ? [[`${id} ${name}`, query, name] as const] : [],
  )
})

test('there are calls with booleans', () => {
  expect(flags.length).toBeGreaterThan(10)
})

test.each(flags)('%s may be 1 and 0', (_, query, name) => {
  const least = { code: 'A', campaign: 'C' }
  const read = (value: string) => checkQuery(query, { ...least, [name]: value })[name]

  expect([read('true'), read('1'), read('false'), read('0')]).toEqual([true, true, false, false])
  expect(() => read('2')).toThrow()
})
