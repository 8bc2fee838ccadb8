import { expect, test } from 'vitest'
import { z } from 'zod'
import { nearField } from '../../../../src/api/request/issue-words.ts'

const body = z.strictObject({ id: z.string(), code: z.string(), expiration_date: z.string(), active: z.boolean() })

test.each([
  ['coed', 'code'],
  ['expiration', 'expiration_date'],
  ['Active', 'active'],
  ['xy', undefined],
  ['cart', undefined],
])('for the unknown field %s the field %s is suggested', (name, field) => {
  expect(nearField(body, [], name)).toBe(field)
})

test('nothing is suggested where no fields are known', () => {
  expect(nearField(body, ['code'], 'x')).toBeUndefined()
})
